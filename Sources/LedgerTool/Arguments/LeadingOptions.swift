import ArgumentParser

/// Lets options that every command has stand before the command's name too.
enum LeadingOptions {
    private static let names = ["--ledger", "--format"]

    /// Returns the arguments with such options moved behind the name of the command, which is one
    /// of `root`: `--ledger book rules show` becomes `rules show --ledger book`.
    static func behindSubcommand(
        _ arguments: [String],
        of root: any ParsableCommand.Type
    ) -> [String] {
        let index = count(in: arguments)
        guard index < arguments.count, !arguments[index].hasPrefix("-") else { return arguments }
        let named = command(arguments[index...], in: root)
        let words = Array(arguments[index...].prefix(named.depth))
        let rest = Array(arguments[(index + named.depth)...])
        // A word that is no command is to be complained about, and commands that only hold others
        // print their help: neither has such options.
        return named.isGroup ? words + rest : words + Array(arguments[..<index]) + rest
    }

    /// Returns how many of the arguments lead: such options and their values.
    private static func count(in arguments: [String]) -> Int {
        var index = 0
        while index < arguments.count {
            if names.contains(arguments[index]) {
                index += 2
            } else if names.contains(where: { arguments[index].hasPrefix($0 + "=") }) {
                index += 1
            } else {
                break
            }
        }
        return index
    }

    /// Returns how many of the first words name a command and those within it, and whether there
    /// are more within the last.
    private static func command(
        _ words: ArraySlice<String>,
        in command: any ParsableCommand.Type
    ) -> (depth: Int, isGroup: Bool) {
        let commands = command.configuration.subcommands
        guard let word = words.first,
            let next = commands.first(where: { $0.configuration.commandName == word })
        else { return (0, !commands.isEmpty) }
        let found = Self.command(words.dropFirst(), in: next)
        return (found.depth + 1, found.isGroup)
    }
}
