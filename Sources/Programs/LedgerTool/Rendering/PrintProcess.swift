import Papers
import Platform
import SystemPackage
import TripLedger

/// The program `ledger-print`, which stands beside this one, draws pictures and prints documents.
///
/// It is a program of its own because its libraries cannot be linked into one static file.
enum PrintProcess {
    private static let name = "ledger-print"
    private static let mostBytes = 1 << 30

    /// Whether the program is there.
    static var isThere: Bool { (try? ProgramBeside.path(of: name)) != nil }

    /// Draws a picture.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - form: `png` or `pdf`.
    /// - Returns: The file's bytes.
    /// - Throws: `LedgerError` if the program is not there or fails.
    static func draw(_ picture: Picture, as form: String) throws -> [UInt8] {
        try run(
            [form],
            on: picture.json,
            ifFails: "it could not draw the picture",
            hint: "Draw it as .svg, which needs no other program"
        )
    }

    /// Prints a document.
    ///
    /// - Parameter document: The document.
    /// - Returns: A PDF file's bytes.
    /// - Throws: `LedgerError` if the program is not there or fails.
    static func print(_ document: Document) throws -> [UInt8] {
        try run(
            ["pdf"],
            on: document.json,
            ifFails: "it could not print the document",
            hint: "Write it as .html, which needs no other program, and print that from a browser"
        )
    }

    /// Runs the program on what it reads, and returns what it writes.
    private static func run(
        _ arguments: [String],
        on json: [UInt8],
        ifFails cause: String,
        hint: String
    ) throws -> [UInt8] {
        let program = try NeighbourProgram.path(
            of: name,
            for: "PNG and PDF are made by \(name)",
            hint: "Build it with `tools/setup --all` and `swift build -c release "
                + "--product \(name)`, and put it beside `ledger`; .svg and .html need nothing"
        )
        let (input, output) = (try NamelessFile(holding: json), try NamelessFile())
        let start = ProcessStart(
            program,
            arguments: arguments,
            streams: (.file(input.descriptor), .file(output.descriptor), .inherited)
        )
        let ending = ProcessEnding.waiting(for: try start.launch())
        guard ending == .exit(0) else {
            throw LedgerError(
                .inputOutput,
                at: program.string,
                cause: cause,
                hint: hint
            )
        }
        try output.descriptor.seek(offset: 0, from: .start)
        return try PrivateFile.read(output.descriptor, maximumByteCount: mostBytes)
    }
}
