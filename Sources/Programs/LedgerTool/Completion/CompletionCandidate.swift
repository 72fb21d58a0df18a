import ArgumentParser
import Platform
import TripEvents

/// A word that a person may want to type, and what it stands for.
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
    /// Names are other people's words: one with characters that act on a terminal is not offered,
    /// and bash, which expands such lines as it does a command, gets them in quotes.
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

    /// The one whose completion script runs this process.
    static var asking: AskingShell {
        switch ProcessEnvironment.variable("SAP_SHELL") {
        case "bash": .bash
        case "zsh": .zsh
        case "fish": .fish
        default: .other
        }
    }
}
