import ArgumentParser
import Platform
import Tables
import TripEvents

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
    /// A shell that asks for words gets some or none, and no errors, because a person is typing.
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

    @OptionGroup var options: GlobalOptions<RowFormat>
}

/// A word that a person may want to type, with its meaning.
struct CompletionCandidate {
    /// The word, as it is to stand on the command line.
    let word: String

    /// The meaning that is shown beside it; empty if there is nothing to say.
    let meaning: String

    init(_ word: String, _ meaning: String = "") {
        self.word = word
        self.meaning = meaning
    }

    /// Returns the lines from which the completion script of a shell makes its offers.
    ///
    /// Names come from other people: a name with characters that act on a terminal is not offered,
    /// and bash, which expands the lines like a command, gets them in quotes.
    static func lines(_ candidates: [CompletionCandidate], for shell: AskingShell) -> [String] {
        candidates
            .filter { !$0.word.isEmpty && Excerpt.escaped($0.word) == $0.word }
            .map { $0.line(for: shell) }
    }

    private func line(for shell: AskingShell) -> String {
        let meaning = Excerpt.escaped(meaning)
        switch shell {
        case .bash: return ShellWord.quoted(word)
        case .zsh:
            let escaped = word.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
            return meaning.isEmpty ? escaped : "\(escaped):\(meaning)"
        case .fish: return meaning.isEmpty ? word : "\(word)\t\(meaning)"
        case .other: return word
        }
    }
}

/// The shell that asks what may be typed next.
enum AskingShell {
    case bash
    case zsh
    case fish
    case other

    /// The shell whose completion script runs this process.
    static var asking: AskingShell {
        switch ProcessEnvironment.variable("SAP_SHELL") {
        case "bash": .bash
        case "zsh": .zsh
        case "fish": .fish
        default: .other
        }
    }
}

/// The words after `help` in the completion script of a shell: commands, topics and `all`.
///
/// The argument parser adds its command `help` to a script itself, without proposals for its
/// arguments, and without a setting to change that.
enum HelpCompletion {
    /// The words, commands in the order of `ledger --help`; none needs quotes.
    private static let words =
        LedgerCommand.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        .compactMap { $0.configuration.commandName } + HelpTopic.names

    /// Returns a script of the argument parser with these words; one whose form is not known here
    /// stays as it is.
    static func added(to script: String) -> String {
        var lines = script.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let head = "_\(NamedCommand.help)() {"
        if let start = lines.firstIndex(where: { $0.hasSuffix(head) }),
            let end = lines[start...].firstIndex(of: "}")
        {
            let action = "'*:subcommands:'"
            if let index = lines[start..<end].firstIndex(where: { $0.hasSuffix(action) }) {
                // zsh: the action gives the possible words.
                lines[index].removeLast()
                lines[index] += "(\(words.joined(separator: " ")))'"
            } else {
                // bash: the function of a command ends with what it offers.
                let list = words.map { "'\($0)'" }.joined(separator: "$'\\n'")
                lines.insert(
                    "    _\(lines[start].dropLast(head.count))_add_completions -W \(list)",
                    at: end
                )
            }
        } else {
            // fish: a line for each option of a command, and for each place of an argument.
            let command = "\"\(ProgramName.current) \(NamedCommand.help)\""
            let option = "flags_or_options \(command) "
            guard let index = lines.firstIndex(where: { $0.contains(option) }),
                let place = lines[index].firstRange(of: option)
            else { return script }
            lines.insert(
                "\(lines[index][..<place.lowerBound])positional \(command) -eq 1' "
                    + "-fka '\(words.joined(separator: " "))'",
                at: index
            )
        }
        return lines.joined(separator: "\n")
    }
}
