import ArgumentParser
import Importers
import TripEvents
import TripLedger

/// The work of `--suggest-map`: it proposes a map of a table's columns, for its owner to check.
struct MapProposal {
    private let name: String

    /// Prepares to propose a map for a file.
    ///
    /// - Throws: `ValidationError` if it is not one.
    init(_ files: [String]) throws {
        guard files.count <= 1 else {
            throw ValidationError("A map is proposed for one table at a time.")
        }
        name = files.first ?? "-"
    }

    /// Prints the map, and says what is to be looked at.
    ///
    /// - Throws: `ExitCode` if the map is not complete, `LedgerError` if there is no table.
    func run() throws {
        let heads = try Self.heads(of: name)
        guard let suggestion = Self.suggestion(for: heads) else {
            throw LedgerError(
                .unreadableInput,
                at: name,
                cause: "no line of it names columns of fixes or of trips",
                hint: "Write a map yourself: `ledger schema column-map` says how"
            )
        }
        if heads.contains(where: Self.needsNoMap) {
            let file = name == "-" ? "FILE" : ShellWord.quoted(name)
            Diagnostic.note("it needs no map: `ledger append \(file)` reads it as it is")
            // An incomplete map would not help.
            guard suggestion.isComplete else { return }
        }
        try Output.standard.writing { try $0.write(suggestion.json) }
        for note in suggestion.notes { Diagnostic.note(String(note.dropLast())) }
        let table = name == "-" ? "FILE" : ShellWord.quoted(name)
        Diagnostic.say(
            "Check it, put it into a file such as map.json, and say `ledger append \(table) --map "
                + "map.json`.\n"
        )
        if !suggestion.isComplete { throw ExitCode(1) }
    }

    /// Proposes a map for a file; `nil` if no line of it names columns.
    ///
    /// - Throws: `LedgerError`.
    static func suggestion(for name: String) throws -> ColumnSuggestion? {
        suggestion(for: try heads(of: name))
    }

    private static func suggestion(for heads: [[UInt8]]) -> ColumnSuggestion? {
        // In bytes that are not text, columns may appear by chance.
        heads.lazy.filter { UnknownInput($0.span) ?? .text == .text }
            .compactMap { ColumnSuggestion(head: $0.span) }.first
    }

    /// Whether `ledger append` can read an input with this beginning without a map.
    ///
    /// The names of columns are not enough for that, because only a map may explain how the times
    /// and numbers below them are written.
    private static func needsNoMap(_ head: [UInt8]) -> Bool {
        // The ledger has a zone for times without one; any zone will do here.
        guard let format = ImportFormat.recognized(in: head.span),
            var importer = FileImporter(format, options: ImportOptions(zone: .utc))
        else { return false }
        var batch = ImportBatch()
        importer.take(head.span, into: &batch)
        importer.finish(into: &batch)
        let first = batch.items.lazy.map(\.outcome)
            .first { if case .ignored = $0 { false } else { true } }
        return first == nil || first == .event
    }

    /// Returns the beginnings of what a file holds.
    private static func heads(of name: String) throws -> [[UInt8]] {
        var heads: [[UInt8]] = []
        var opener = InputOpener(InputForm(format: .csv)) { throw $0 }
        try opener.open(name) { input, stream in
            try input.readHead(of: stream) { $0.count >= ImportFormat.headByteCount }
            heads.append(input.head)
        }
        return heads
    }

    /// Whether an input whose format is not known looks like a table.
    static func isTable(_ input: ImportedInput) -> Bool {
        !input.isKnown && input.format == .jsonl && ColumnSuggestion(head: input.head.span) != nil
    }

    /// Whether lines that are not JSON may be those of a table, judged by the first line.
    static func mayBeTable(_ head: [UInt8]) -> Bool {
        var line = head.prefix { $0 != UInt8(ascii: "\n") }
        while line.starts(with: byteOrderMark) { line.removeFirst(byteOrderMark.count) }
        guard let first = line.first(where: { $0 != UInt8(ascii: " ") }),
            first != UInt8(ascii: "{"), first != UInt8(ascii: "[")
        else { return false }
        let separators: [Unicode.Scalar] = [",", ";", "\t"]
        return separators.contains { separator in
            line.count(where: { $0 == UInt8(ascii: separator) }) >= 2
        }
    }

    /// The mark that some editors write before a text in UTF-8.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Returns what to do with such a table.
    static func cure(for name: String) -> String {
        let file = name == "-" ? "FILE" : ShellWord.quoted(name)
        return "`ledger append --suggest-map \(file)` proposes a map of its columns for --map"
    }
}
