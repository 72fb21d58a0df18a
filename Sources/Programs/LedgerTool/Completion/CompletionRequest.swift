import ArgumentParser

/// A request of a shell while a person types a command: once for the completion script, then for
/// the words that may come next.
struct CompletionRequest {
    /// How an answer for a shell begins: with the commands, two hyphens and what is completed.
    static let question = "---completion"

    private static let scriptOption = "--generate-completion-script"

    private let arguments: [String]

    /// Takes the arguments of such a question, or returns `nil` for those of a person.
    init?(_ arguments: [String]) {
        guard let first = arguments.first,
            first == Self.question || first.split(separator: "=").first == Self.scriptOption[...]
        else { return nil }
        self.arguments = arguments
    }

    /// Writes the script or the words.
    ///
    /// A shell that asks for words gets some or none and no complaint: a person is typing.
    ///
    /// - Throws: `OutputError`; what the argument parser says if it knows no script for a shell.
    func answer() throws {
        guard arguments.first == Self.question else { return try writeScript() }
        do {
            _ = try LedgerCommand.parseAsRoot(arguments)
        } catch {
            guard LedgerCommand.exitCode(for: error).isSuccess else { return }
            let words = LedgerCommand.message(for: error)
            try Output.standard.writing { try $0.writeLine(words) }
        }
    }

    private func writeScript() throws {
        do {
            _ = try CompletionRoot.parseAsRoot(arguments)
        } catch {
            guard CompletionRoot.exitCode(for: error).isSuccess else { throw error }
            let script = HelpCompletion.added(to: CompletionRoot.message(for: error))
            try Output.standard.writing { try $0.writeLine(script) }
        }
    }
}

/// The command `ledger` as a shell completes it: with the options that may stand before the name
/// of a command, which the argument parser does not know of.
private struct CompletionRoot: ParsableCommand {
    static let configuration = LedgerCommand.configuration

    @OptionGroup var options: GlobalOptions
}
