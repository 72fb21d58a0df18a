import ArgumentParser
import TripEvents
import TripLedger

/// A command line that the program cannot carry out.
struct UsageError: Error {
    /// The command that was meant, as far as that is clear.
    let command: NamedCommand

    /// The error in it.
    let message: String

    /// The help of the wrong argument; empty if no single argument is wrong.
    private var help = ""

    /// Takes over an error that a command, or this program, has found in its arguments.
    init(_ error: ValidationError, in command: NamedCommand) {
        self.command = command
        message = error.message
    }

    /// Takes over an error of the argument parser, and adds what may have been meant.
    init(parsing error: any Error, in command: NamedCommand) {
        self.command = command
        let form = CommandForm(command.type)
        if let complaint = form?.complaintAboutOption(in: command.arguments) {
            message = complaint
            return
        }
        let said = LedgerCommand.message(for: error)
        let question = form?.questionAboutChoice(in: said) ?? form?.adviceOnForm(in: said)
        message = question.map { Self.inserting($0, into: said) } ?? said
        help =
            LedgerCommand.fullMessage(for: error).split(separator: "\n")
            .first { $0.hasPrefix(Self.helpPrefix) }
            .map { String($0) + "\n" } ?? ""
    }

    /// The text for people: the error, and how the command is used.
    var text: String {
        "\(ProgramName.shown(message))\n\(ProgramName.named(help + command.usage))"
    }

    /// The word with which the argument parser begins the help about an argument.
    private static let helpPrefix = "Help:  "

    /// The words with which the argument parser lists the values that an argument takes.
    private static let listPrefix = " Please provide one of"

    /// Asks which value was meant before all of them are listed.
    private static func inserting(_ question: String, into message: String) -> String {
        guard let list = message.firstRange(of: listPrefix) else {
            return message.hasSuffix(".") ? "\(message) \(question)" : "\(message). \(question)"
        }
        return message[..<list.lowerBound] + " \(question)" + message[list.lowerBound...]
    }
}

/// The options and arguments of a command, for finding out what was mistyped.
///
/// It parses nothing: the argument parser has refused the command line, and this finds the word
/// that was meant.
struct CommandForm {
    /// An option, a flag or an argument.
    private struct Part {
        /// How it is written, with its hyphens; nothing for an argument.
        var names: [String]

        /// What its value is called in messages; `nil` for a flag.
        var valueName: String?

        /// Whether a value follows its name.
        var takesValue: Bool

        /// The values that it takes; none if they cannot be listed.
        var choices: [String]

        /// How messages of the argument parser name it, such as `--format <format>`.
        var labels: [String] {
            guard let valueName else { return [] }
            return names.isEmpty ? ["<\(valueName)>"] : names.map { "\($0) <\(valueName)>" }
        }
    }

    /// The options that every command accepts without listing them.
    private static let builtIn = ["--help", "-h", "-help", "--version"]

    private var parts: [Part] = []

    /// Reads the argument parser's description of a command (its `ToolInfo`); `nil` if its form is
    /// unknown here.
    init?(_ command: any ParsableCommand.Type) {
        let description = Array(command._dumpHelp().utf8)
        guard let root = try? JSONValue(description.span),
            let found = root["command"]?["arguments"]?.elements
        else { return nil }
        for part in found {
            guard let kind = part["kind"]?.text else { return nil }
            parts.append(
                Part(
                    names: Self.names(of: part),
                    valueName: kind == "flag" ? nil : part["valueName"]?.text,
                    takesValue: kind == "option",
                    choices: part["allValues"]?.texts ?? []
                )
            )
        }
    }

    /// Returns a message about the first option that the command does not have; `nil` if it has all
    /// of them.
    ///
    /// The parser would first complain about what is missing, which a mistyped option may give.
    func complaintAboutOption(in words: [String]) -> String? {
        let known = parts.flatMap(\.names) + Self.builtIn
        let valued = Set(parts.filter(\.takesValue).flatMap(\.names))
        var rest = words[...]
        while let word = rest.popFirst(), word != "--" {
            guard word.hasPrefix("-"), word != "-" else { continue }
            let name = String(word.prefix { $0 != "=" })
            if !known.contains(name) { return Self.complaint(aboutOption: name, among: known) }
            if valued.contains(name), name == word { _ = rest.popFirst() }
        }
        return nil
    }

    private static func complaint(aboutOption name: String, among known: [String]) -> String {
        let complaint = "Unknown option '\(Excerpt.escaped(name))'"
        let question = NearestNames(
            to: withoutHyphens(name),
            among: known.filter { $0.hasPrefix("--") }.map(withoutHyphens)
        )
        .question { "'--\($0)'" }
        return question.map { "\(complaint). \($0)" } ?? complaint
    }

    /// Returns a question about the values that may have been meant instead of one that is not a
    /// choice; `nil` if there is no such value, or none is near.
    ///
    /// - Parameter message: What the argument parser says is wrong.
    /// - Returns: A question.
    func questionAboutChoice(in message: String) -> String? {
        guard let (value, part) = refusal(in: message), !part.choices.isEmpty else { return nil }
        return NearestNames(to: value, among: part.choices).question
    }

    /// Returns advice on the form of a day, a time or a number, if one was given in a wrong form.
    ///
    /// - Parameter message: What the argument parser says is wrong.
    /// - Returns: A sentence; `nil` if the value is none of these.
    func adviceOnForm(in message: String) -> String? {
        guard let (value, part) = refusal(in: message), part.choices.isEmpty else { return nil }
        let usual: String? =
            switch part.valueName {
            case "date": "Say a day, a month or a year: 2026-03-14, 14.03.2026, 2026-03 or 2026."
            case "day": "Say a day: 2026-03-14 or 14.03.2026."
            case "month": "Say a month: 2026-03, 03.2026, this or last."
            default: nil
            }
        guard usual != nil || part.valueName == "time" else { return TypedNumber(value).advice }
        return TypedDate.advice(onTime: value) ?? usual
    }

    /// Returns the value that the argument parser refuses, and the part that it was given for.
    private func refusal(in message: String) -> (value: String, part: Part)? {
        guard let start = message.firstRange(of: "The value '"),
            let end = message.firstRange(of: "' is invalid for '"),
            start.upperBound <= end.lowerBound
        else { return nil }
        let place = message[end.upperBound...]
        let part = parts.first { $0.labels.contains { place.hasPrefix("\($0)'") } }
        return part.map { (String(message[start.upperBound..<end.lowerBound]), $0) }
    }

    private static func names(of part: JSONValue) -> [String] {
        (part["names"]?.elements ?? [])
            .compactMap { name in
                guard let text = name["name"]?.text, let kind = name["kind"]?.text else {
                    return nil
                }
                return (kind == "long" ? "--" : "-") + text
            }
    }

    private static func withoutHyphens(_ name: String) -> String {
        String(name.drop { $0 == "-" })
    }
}
