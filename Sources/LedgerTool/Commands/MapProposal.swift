import ArgumentParser
import Importers
import RowFormats
import TripLedger

/// What `--suggest-map` does: it proposes what the columns of a table mean, for its owner to check.
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
        var heads: [[UInt8]] = []
        var opener = InputOpener(InputForm(format: .csv)) { throw $0 }
        try opener.open(name) { input, stream in
            try input.readHead(of: stream) { $0.count >= ImportFormat.headByteCount }
            heads.append(input.head)
        }
        guard let suggestion = heads.lazy.compactMap({ ColumnSuggestion(head: $0.span) }).first
        else {
            throw LedgerError(
                .unreadableInput,
                at: name,
                cause: "no line of it names columns of fixes or of trips",
                hint: "Write a map yourself: `ledger schema column-map` says how"
            )
        }
        try Output.standard.writing { try $0.write(suggestion.json) }
        for note in suggestion.notes { Diagnostic.note(String(note.dropLast())) }
        Diagnostic.say(
            "Check it, put it into a file, and say `ledger append --map FILE`.\n"
        )
        if !suggestion.isComplete { throw ExitCode(1) }
    }

    /// Says what to do with an input whose format is not known, if it looks like a table.
    static func mention(_ input: ImportedInput) {
        guard !input.isKnown, input.format == .jsonl, ColumnSuggestion(head: input.head.span) != nil
        else { return }
        let name = input.place.name
        let file = name == "-" ? "FILE" : name
        Diagnostic.note(
            "\(name) looks like a table: `ledger append --suggest-map \(file)` proposes what its "
                + "columns mean"
        )
    }
}
