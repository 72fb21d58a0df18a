import ArgumentParser
import TripEvents

/// The options and arguments that a command takes, as far as that says what was mistyped.
struct CommandForm {
    /// An option, a flag or an argument.
    private struct Part {
        /// How it is written, with its hyphens; nothing for an argument.
        var names: [String]

        /// Whether a value follows its name.
        var takesValue: Bool

        /// The values that it takes; none if they cannot be listed.
        var choices: [String]

        /// The value that it has where nothing is written.
        var defaultValue: String?

        /// Its first long name, without its hyphens.
        var longName: String? {
            names.first { $0.hasPrefix("--") }.map(CommandForm.withoutHyphens)
        }
    }

    /// An option or a flag as a command line sets it.
    struct Setting: Hashable {
        /// Its first long name, without its hyphens.
        var name: String

        /// Its value; `nil` for a flag.
        var value: String?
    }

    /// What every command knows without saying so.
    private static let builtIn = ["--help", "-h", "-help", "--version"]

    private var options: [Part] = []
    private var arguments: [Part] = []

    /// Reads what the argument parser says of a command (its `ToolInfo`); `nil` if that has a form
    /// that is not known here.
    init?(_ command: any ParsableCommand.Type) {
        let description = Array(command._dumpHelp().utf8)
        guard let root = try? JSONValue(description.span),
            case .list(let parts)? = root["command"]?["arguments"]
        else { return nil }
        for part in parts {
            guard case .text(let kind)? = part["kind"] else { return nil }
            let found = Part(
                names: Self.names(of: part),
                takesValue: kind == "option",
                choices: Self.texts(in: part["allValues"]),
                defaultValue: kind == "option" ? Self.text(part["defaultValue"]) : nil
            )
            if kind == "positional" { arguments.append(found) } else { options.append(found) }
        }
    }

    /// Returns what to say of the first option that the command does not have; `nil` if it has all
    /// that were written.
    func complaintAboutOption(in words: [String]) -> String? {
        for case .option(let name, nil, value: _) in reading(words)
        where !Self.builtIn.contains(name) {
            let complaint = "Unknown option '\(Excerpt.escaped(name))'"
            let known = (options.flatMap(\.names) + Self.builtIn).filter { $0.hasPrefix("--") }
            let question = NearestNames(
                to: Self.withoutHyphens(name),
                among: known.map(Self.withoutHyphens)
            )
            .question { "'--\($0)'" }
            return question.map { "\(complaint). \($0)" } ?? complaint
        }
        return nil
    }

    /// Returns what words set, and what is set without being written; what is written twice holds
    /// as it is written last.
    func settings(in words: [String]) -> [Setting] {
        var values: [String: Setting] = [:]
        for part in options {
            guard let name = part.longName, let value = part.defaultValue else { continue }
            values[name] = Setting(name: name, value: value)
        }
        for case .option(_, let part?, let value) in reading(words) {
            guard let name = part.longName else { continue }
            values[name] = Setting(name: name, value: value)
        }
        return values.values.sorted { $0.name < $1.name }
    }

    /// Returns which values may have been meant where one was written that is no choice; `nil` if
    /// there is no such value, or none is near.
    ///
    /// - Parameters:
    ///   - words: What was written.
    ///   - isRefused: Whether a value is what was complained about.
    /// - Returns: A question.
    func questionAboutChoice(in words: [String], where isRefused: (String) -> Bool) -> String? {
        for word in reading(words) {
            let value: String
            let choices: [String]
            switch word {
            case .option(_, let part?, value: let written?):
                (value, choices) = (written, part.choices)
            case .argument(let written, let part?): (value, choices) = (written, part.choices)
            case .option, .argument: continue
            }
            guard !choices.isEmpty, !choices.contains(value), isRefused(value) else { continue }
            return NearestNames(to: value, among: choices).question
        }
        return nil
    }

    // MARK: Reading a command line

    private enum Word {
        case option(String, Part?, value: String?)
        case argument(String, Part?)
    }

    private func reading(_ words: [String]) -> [Word] {
        var found: [Word] = []
        var argumentCount = 0
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" { break }
            guard word.hasPrefix("-"), word != "-" else {
                let part =
                    arguments.indices.contains(argumentCount)
                    ? arguments[argumentCount] : arguments.last
                found.append(.argument(word, part))
                argumentCount += 1
                continue
            }
            let pieces = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(pieces[0])
            let part = options.first { $0.names.contains(name) }
            var value = pieces.count > 1 ? String(pieces[1]) : nil
            if value == nil, part?.takesValue == true { value = rest.popFirst() }
            found.append(.option(name, part, value: value))
        }
        return found
    }

    private static func names(of part: JSONValue) -> [String] {
        guard case .list(let names)? = part["names"] else { return [] }
        return names.compactMap { name in
            guard case .text(let text)? = name["name"], case .text(let kind)? = name["kind"]
            else { return nil }
            return (kind == "long" ? "--" : "-") + text
        }
    }

    private static func texts(in list: JSONValue?) -> [String] {
        guard case .list(let values)? = list else { return [] }
        return values.compactMap(text)
    }

    private static func text(_ value: JSONValue?) -> String? {
        if case .text(let text)? = value { text } else { nil }
    }

    private static func withoutHyphens(_ name: String) -> String {
        String(name.drop { $0 == "-" })
    }
}
