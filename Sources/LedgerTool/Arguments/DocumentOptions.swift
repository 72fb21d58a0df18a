import ArgumentParser
import Documents
import LedgerKeeping
import Platform
import Proofs
import QRCodes
import RowFormats
import TripEvents
import TripLedger

/// The options of reports, which are printed, or handed over as documents.
struct DocumentOptions: ParsableArguments {
    @Option(
        help: """
            How the report is written: text, json, csv for programs, html, pdf, or document, the \
            JSON of which ledger-print makes PDF (default: by the name of --output, else text).
            """
    )
    var format: ReportFormat?

    @OptionGroup var spreadsheet: SpreadsheetOption

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The file in which it is written, such as log.pdf; - is standard output.",
            valueName: "file"
        ),
        completion: .file(extensions: ["pdf", "html", "csv", "json", "txt"])
    )
    var output: String?

    @Flag(help: "Replace the file if it is there.")
    var replace = false

    @Option(
        help: ArgumentHelp(
            "The paper of html and pdf: a4, or letter (default: letter in us and ca, else a4).",
            valueName: "size"
        )
    )
    var paper: Document.Paper?

    @Option(
        help: """
            The language of text, html and pdf: en, nl, de or fr. What people typed stays as it \
            is, and so do the names in json and csv.
            """
    )
    var language = Document.Language.en

    /// The formats by the ends of files' names.
    private static let endings: [(ending: String, format: ReportFormat)] = [
        ("txt", .text), ("json", .json), ("jsonl", .json), ("csv", .csv), ("html", .html),
        ("htm", .html), ("pdf", .pdf),
    ]

    /// What stands for standard output.
    private static let standardOutput = "-"

    /// The file in which it is written; `nil` for standard output.
    var file: String? { output == Self.standardOutput ? nil : output }

    /// The format that the end of the file's name says.
    private var formatOfFile: ReportFormat? {
        guard let name = file?.lowercased() else { return nil }
        return Self.endings.first { name.hasSuffix(".\($0.ending)") }?.format
    }

    /// The format that was asked for, also by the end of the file's name.
    var chosen: ReportFormat {
        (spreadsheet.excel == nil ? format ?? formatOfFile : .csv) ?? .text
    }

    func validate() throws {
        let said = format ?? formatOfFile
        guard spreadsheet.excel == nil || said.map({ [.text, .csv].contains($0) }) ?? true else {
            throw SpreadsheetOption.conflict(with: said?.rawValue ?? "")
        }
        if let file, format == nil, spreadsheet.excel == nil, formatOfFile == nil {
            let endings = Self.endings.map { ".\($0.ending)" }
            throw ValidationError(
                "The name of a report ends with \(endings.dropLast().joined(separator: ", ")) or "
                    + "\(endings.last ?? ""): \(Excerpt.escaped(file)) does not. Name another "
                    + "file, or say --format."
            )
        }
        guard chosen != .pdf || file != nil || !Terminal.isStandardOutput else {
            throw ValidationError("PDF is nothing for a terminal: name a file by -o log.pdf.")
        }
    }

    /// Whether it is a document, and no rows.
    var isDocument: Bool { chosen.rows == nil }

    /// The format of rows from which it is made: a document says what text says.
    var rows: RowFormat { chosen.rows ?? .text }

    /// Writes the document of a report.
    ///
    /// - Parameters:
    ///   - page: What people read.
    ///   - ledger: The ledger.
    ///   - jurisdiction: Whose paper it is, if none was named.
    ///   - write: Takes closures that each append to what they are given.
    /// - Throws: `LedgerError` if `ledger-print` is not there or fails, and what `write` throws.
    func write(
        _ page: ReportPage,
        of ledger: Ledger,
        for jurisdiction: String? = nil,
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) throws {
        let own = ["us", "ca"].contains(jurisdiction) ? Document.Paper.letter : .a4
        var document = page.document(on: paper ?? own)
        document.code = page.head.flatMap { Document.Code($0, of: ledger) }
        let bytes = try bytes(of: document)
        try write { $0 += bytes }
    }

    /// Writes a report as what was asked for.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - style: How people see it.
    ///   - ledger: The ledger.
    ///   - jurisdiction: Whose paper it is, if none was named.
    ///   - write: Takes closures that each append to what they are given.
    /// - Throws: `LedgerError` if `ledger-print` is not there or fails, and what `write` throws.
    func write(
        _ report: some PrintedReport,
        _ style: TextStyle,
        of ledger: Ledger,
        for jurisdiction: String? = nil,
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) throws {
        guard !isDocument else {
            return try self.write(report.page(style), of: ledger, for: jurisdiction, write)
        }
        let bytes = report.bytes(as: rows, style: style)
        try write { $0 += bytes }
    }

    /// Returns the file's bytes.
    ///
    /// - Throws: `LedgerError` if `ledger-print` is not there or fails.
    private func bytes(of document: Document) throws -> [UInt8] {
        switch chosen {
        case .pdf: return try PrintProcess.print(document)
        case .document: return document.json + [UInt8(ascii: "\n")]
        case .html, .text, .json, .csv:
            var bytes: [UInt8] = []
            var writer = HTMLWriter(document)
            writer.append(to: &bytes)
            return bytes
        }
    }

    /// Runs `body` and writes the report into the file that was named, or to standard output.
    ///
    /// - Parameters:
    ///   - output: Where rows are printed, if no file was named.
    ///   - body: Writes the report.
    /// - Returns: What `body` returned.
    /// - Throws: `LedgerError`, `OutputError`, and what `body` throws.
    func writing<Result>(to output: Output, _ body: (Output) throws -> Result) throws -> Result {
        guard let name = file else {
            return try (isDocument ? .standard : output).writing(body)
        }
        let kept = Output.kept
        let result = try body(kept)
        try HandedOutFile.put(kept.bytes, at: name, isReplacing: replace)
        try Output.standard.writing { output in
            try output.writeLine("Wrote \(Excerpt.escaped(name)), \(kept.bytes.count) bytes.")
        }
        return result
    }
}

extension Document.Code {
    /// The code of a head: the text that signing it would sign (a C2SP checkpoint).
    init?(_ head: LedgerHead, of ledger: Ledger) {
        guard let treeHead = TreeHead(head) else { return nil }
        let text = HeadNote(origin: ledger.defaultKeyName, head: treeHead).text
        guard let code = QRCode(Array(text.utf8)) else { return nil }
        self.init(text: text, modules: code.modules)
    }
}
