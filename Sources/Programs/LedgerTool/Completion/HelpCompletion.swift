import ArgumentParser

/// The words after `help` in the completion script of a shell: commands, topics and `all`.
///
/// The argument parser adds its command `help` to a script itself, with nothing to offer after it
/// and no setting to change that.
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
                // zsh: the action says what may stand there.
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
