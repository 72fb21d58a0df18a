import ArgumentParser
import Documents
import LedgerKeeping
import Platform
import Proofs
import QRCodes
import RowFormats
import TripLedger

/// The options of reports, which are printed, or handed over as documents.
struct DocumentOptions: ParsableArguments {
    @Option(
        help: """
            How the report is written: text, json, csv, html, pdf, or document, the JSON of which \
            ledger-print makes PDF (default: by the name of --output, else text).
            """
    )
    var format: ReportFormat?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file in which it is written, such as log.pdf.", valueName: "file"),
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

    /// The format that was asked for, also by the end of the file's name.
    var chosen: ReportFormat {
        let ending = output.flatMap { $0.lowercased().split(separator: ".").last }
        return format ?? ending.flatMap { ReportFormat(rawValue: String($0)) } ?? .text
    }

    func validate() throws {
        guard chosen != .pdf || output != nil || !Terminal.isStandardOutput else {
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
        guard let name = self.output else {
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
