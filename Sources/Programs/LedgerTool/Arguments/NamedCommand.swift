import ArgumentParser
import TripEvents

/// The command that the words of a command line name; `ledger` itself if they name none.
struct NamedCommand {
    /// The words that name it, without `ledger`: `["rules", "show"]`.
    let words: [String]

    /// The command; `ledger` itself if the first word names none.
    let type: any ParsableCommand.Type

    /// The arguments after these words.
    let rest: [String]

    /// The options that stood before them.
    private var leading: [String] = []

    /// Finds the command whose name the words begin with.
    init(_ words: some Collection<String>, within root: any ParsableCommand.Type) {
        var type = root
        var rest = Array(words)[...]
        while let word = rest.first, let next = Self.commands(of: type)[word] {
            type = next
            rest.removeFirst()
        }
        if let word = rest.first, word.hasPrefix("-"), !Self.asksForHelp.contains(word),
            let standard = type.configuration.defaultSubcommand
        {
            // Options of a command group belong to its default command.
            type = standard
        }
        self.words = words.dropLast(rest.count).map(\.self)
        self.type = type
        self.rest = Array(rest)
    }

    /// Finds the command that the arguments of `ledger` name, after any leading options.
    init(arguments: [String]) {
        let count = LeadingOptions.count(in: arguments)
        self.init(arguments.dropFirst(count), within: LedgerCommand.self)
        leading = Array(arguments.prefix(count))
    }

    /// Its options and arguments; command groups have no leading ones.
    var arguments: [String] { (isGroup ? [] : leading) + rest }

    /// Whether there are commands within it.
    var isGroup: Bool { !type.configuration.subcommands.isEmpty }

    /// Whether its help is requested, by an option or by `help`.
    var isForHelp: Bool {
        words.isEmpty && rest.first == Self.help || rest.contains(where: Self.asksForHelp.contains)
    }

    /// The command with its arguments, which are read for it alone.
    ///
    /// Parsing from `ledger` down describes the options of the command twice as often, and takes up
    /// to twice as long in a debug build, which also checks each description. But only that way
    /// gives the help and the messages about wrong arguments, so this is `nil` except for plain
    /// commands with correct arguments.
    var parsed: (any ParsableCommand)? {
        guard !words.isEmpty, !isGroup, let command = try? type.parseAsRoot(arguments),
            Swift.type(of: command) == type
        else { return nil }
        return command
    }

    /// The line that people type to run it, such as `ledger rules show`.
    var line: String { ([ProgramName.current] + words).joined(separator: " ") }

    /// How it is used, and where to read more.
    var usage: String { "Usage: \(LedgerCommand.usageString(for: type))\n  \(advice)." }

    /// The advice where to read how it is used, as a sentence without a full stop.
    var advice: String { "See '\(line) --help' for more information" }

    /// Checks that the command line names a command where it must, and that `help` gets names of
    /// commands.
    ///
    /// - Throws: `ValidationError` that says which command may be meant.
    func requireCommand() throws {
        guard !words.isEmpty || !rest.isEmpty || leading.isEmpty else {
            throw ValidationError(
                "Name a command after the options, such as `ledger --ledger DIR trips`."
            )
        }
        if words.isEmpty, rest.first == Self.help {
            let topic = NamedCommand(
                rest.dropFirst().filter { !$0.hasPrefix("-") },
                within: type
            )
            try topic.requireNothingElse(besides: HelpTopic.names)
        } else if isGroup {
            try requireNothingElse(besides: [Self.help])
        }
    }

    /// Checks that no unknown word follows.
    ///
    /// - Parameter others: The names that the first word may have besides the commands of `ledger`.
    /// - Throws: `ValidationError` that says which command may be meant.
    private func requireNothingElse(besides others: [String]) throws {
        guard let word = rest.first, !word.hasPrefix("-") else { return }
        let named = (words + [word]).joined(separator: " ")
        // Those that begin with "_" are parts of other commands.
        var known = Self.commands(of: type).keys.filter { !$0.hasPrefix("_") }.sorted()
        if words.isEmpty { known += others }
        let usual =
            words.isEmpty
            ? Self.otherWords[word.lowercased()]
            : Self.otherVerbs[word.lowercased()].map { $0.filter(known.contains) }
                .flatMap { $0.isEmpty ? nil : $0 }
        let question =
            usual.map { "Did you mean \($0.map { "'\($0)'" }.joined(separator: " or "))?" }
            ?? NearestNames(to: word, among: known).question
        throw ValidationError(
            ["There is no command '\(Excerpt.escaped(named))'.", question]
                .compactMap(\.self)
                .joined(separator: " ")
        )
    }

    /// The names of commands in other programs.
    private static let otherWords = [
        "undo": ["restore"], "delete": ["void"], "remove": ["void"], "rm": ["void"],
        "list": ["trips"], "ls": ["trips"], "show": ["trip", "trips"], "add": ["append"],
        "load": ["append"], "config": ["settings"], "start": ["go"], "end": ["stop"],
        "server": ["serve"], "check": ["verify", "doctor"], "classify": ["inbox", "edit"],
    ]

    /// The names of subcommands in other programs.
    private static let otherVerbs = [
        "add": ["register", "save", "define", "new"], "new": ["register", "save", "define"],
        "create": ["register", "save", "define", "new"],
        "set": ["register", "save", "define", "change"],
        "edit": ["register", "save", "define", "change"],
        "delete": ["remove", "revoke", "void"], "rm": ["remove", "revoke", "void"],
        "remove": ["revoke", "void"], "ls": ["list"],
    ]

    /// The command that explains others.
    static let help = "help"

    /// The options that ask any command to explain itself.
    private static let asksForHelp = ["--help", "-h", "-help"]

    /// Returns the commands within one, by their names.
    static func commands(
        of type: any ParsableCommand.Type
    ) -> [String: any ParsableCommand.Type] {
        let named = type.configuration.subcommands.compactMap { command in
            command.configuration.commandName.map { ($0, command) }
        }
        return Dictionary(named) { first, _ in first }
    }
}
