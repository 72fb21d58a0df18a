import ArgumentParser

/// A command line that says nothing which the program could do.
struct UsageError: Error {
    /// The command that was meant, as far as that is clear.
    let command: NamedCommand

    /// The error in it.
    let message: String

    /// The help of the wrong argument; empty if no single argument is wrong.
    private var help = ""

    /// Says what a command itself, or this program, has found wrong about its arguments.
    init(_ error: ValidationError, in command: NamedCommand) {
        self.command = command
        message = error.message
    }

    /// Says what the argument parser has found wrong, and what may have been meant.
    init(parsing error: any Error, in command: NamedCommand) {
        self.command = command
        let form = CommandForm(command.type)
        if let complaint = form?.complaintAboutOption(in: command.arguments) {
            message = complaint
            return
        }
        let said = LedgerCommand.message(for: error)
        let question = form?.questionAboutChoice(in: said)
        message = question.map { Self.inserting($0, into: said) } ?? said
        help =
            LedgerCommand.fullMessage(for: error).split(separator: "\n")
            .first { $0.hasPrefix(Self.helpPrefix) }
            .map { String($0) + "\n" } ?? ""
    }

    /// The text for people: the error, and how the command is used.
    var text: String { "\(message)\n\(help)\(command.usage)" }

    /// The word with which the argument parser begins what the help says about an argument.
    private static let helpPrefix = "Help:  "

    /// The words with which the argument parser lists the values that an argument takes.
    private static let listPrefix = " Please provide one of"

    /// Asks which value was meant before all of them are listed.
    private static func inserting(_ question: String, into message: String) -> String {
        guard let list = message.firstRange(of: listPrefix) else { return "\(message) \(question)" }
        return message[..<list.lowerBound] + " \(question)" + message[list.lowerBound...]
    }
}
