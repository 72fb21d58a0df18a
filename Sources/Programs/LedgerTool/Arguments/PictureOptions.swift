import ArgumentParser
import Reports
import TripEvents

/// The options that say how a chart is drawn, and where it goes.
struct PictureOptions: ParsableArguments {
    @Option(help: "How it is drawn (default: by --output, else text).")
    var format: ChartFormat?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The file, such as chart.svg; - is standard output.",
            valueName: "file"
        ),
        completion: .file(extensions: ["svg", "txt"])
    )
    var output: String?

    @Flag(help: "Replace the file if it is there.")
    var replace = false

    @Option(help: "The language of its words (default: en).")
    var language: Language = .en

    /// The formats by the ends of files' names.
    private static let endings: [(ending: String, format: ChartFormat)] = [
        (".svg", .svg), (".txt", .text),
    ]

    /// The file in which it is written; `nil` for standard output.
    private var file: String? { output == HandedOutFile.standardOutput ? nil : output }

    /// The format that was asked for, by its name or by that of the file.
    private var asked: ChartFormat? {
        format
            ?? file.flatMap { file in
                Self.endings.first { file.lowercased().hasSuffix($0.ending) }?.format
            }
    }

    /// How it is drawn.
    var form: ChartFormat { asked ?? .text }

    /// Whether it is written for the screen, not into a file.
    var isForScreen: Bool { file == nil }

    func validate() throws {
        guard let file, asked == nil else { return }
        throw ValidationError(
            "The name of a chart ends with .svg or .txt: \(Excerpt.escaped(file)) does not. Name "
                + "another file, or say --format."
        )
    }

    /// Runs `body` and writes the chart into the file that was named, or to standard output.
    ///
    /// - Parameters:
    ///   - screen: Standard output.
    ///   - body: Draws the chart.
    /// - Throws: `LedgerError` if the file cannot be written; `OutputError`, and what `body`
    ///   throws.
    func writing(to screen: Output, _ body: (Output) throws -> Void) throws {
        guard let file else { return try screen.writing(body) }
        let kept = Output.kept
        try body(kept)
        try HandedOutFile.put(kept.bytes, at: file, isReplacing: replace)
        try Output.standard.writing { output in
            try output.writeLine("Wrote \(Excerpt.escaped(file)), \(kept.bytes.count) bytes.")
        }
    }
}
