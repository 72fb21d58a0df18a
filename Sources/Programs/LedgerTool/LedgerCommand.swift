import ArgumentParser
import EmbeddedFiles
import Platform
import TripLedger

/// The command `ledger`.
@main
struct LedgerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: ProgramName.current,
        abstract: "Keeps a driver's mileage as an append-only, provable book of events.",
        discussion: """
            Events go in with `append`, `go`, `stop`, `fix` and `motion`, and are never changed \
            again. Trips are derived from them, and can be derived again at any time.

            Examples:
              ledger init
              ledger simulate home-to-office | ledger append
              ledger trips
              ledger edit last --purpose "Client visit" --class business
              ledger explain last

            `ledger help trips` explains a command, and `ledger help` with formats, columns, \
            dates, filters, reports, files, tokens or server what several have in common; `ledger \
            help all` prints everything.

            The ledger is the directory that --ledger or LEDGER_DIR names, else \
            ~/.local/share/ledger. --ledger and --format may stand before the subcommand too.

            Exit codes: 0 done; 1 done, but some items were not accepted, or something is wrong \
            with the ledger; 2 could not tell; 64 wrong usage; 65 input, ledger or trip that \
            cannot be read; 74 the disk or the system reported an error. With --format json an \
            error is a line of JSON on standard error: `ledger schema error`. `ledger --licences` \
            prints what the program is linked with.
            """,
        version: version,
        groupedSubcommands: [
            CommandGroup(
                name: "Recording",
                subcommands: [
                    AppendCommand.self,
                    ConvertCommand.self,
                    GoCommand.self,
                    StopCommand.self,
                    FixCommand.self,
                    MotionCommand.self,
                    OdometerCommand.self,
                    ExpenseCommand.self,
                ]
            ),
            CommandGroup(
                name: "Trip",
                subcommands: [
                    StatusCommand.self,
                    WatchCommand.self,
                    RecoverCommand.self,
                    TripsCommand.self,
                    TripCommand.self,
                    ExplainCommand.self,
                    TrackCommand.self,
                    VisitsCommand.self,
                    InferencesCommand.self,
                    HistoryCommand.self,
                    ChangesCommand.self,
                ]
            ),
            CommandGroup(
                name: "Decision",
                subcommands: [
                    InboxCommand.self,
                    EditCommand.self,
                    AdjustCommand.self,
                    VoidCommand.self,
                    RestoreCommand.self,
                    ReportTripCommand.self,
                    MergeCommand.self,
                    SplitCommand.self,
                    ExcludeCommand.self,
                    ShiftClockCommand.self,
                ]
            ),
            CommandGroup(
                name: "Report",
                subcommands: [
                    TotalsCommand.self,
                    ChartCommand.self,
                    CalendarCommand.self,
                    MapCommand.self,
                    ReportCommand.self,
                    BundleCommand.self,
                    MonthlyCommand.self,
                ]
            ),
            CommandGroup(
                name: "Settings",
                subcommands: [
                    SettingsCommand.self,
                    RulesCommand.self,
                    RatesCommand.self,
                    FieldCommand.self,
                    PlaceCommand.self,
                    VehicleCommand.self,
                    RoutineCommand.self,
                ]
            ),
            CommandGroup(
                name: "Ledger",
                subcommands: [
                    InitCommand.self,
                    ProjectCommand.self,
                    LogCommand.self,
                    VerifyCommand.self,
                    ScrubCommand.self,
                    BackupCommand.self,
                    RestoreBackupCommand.self,
                    RescueCommand.self,
                    DoctorCommand.self,
                    EraseCommand.self,
                    CompactCommand.self,
                    ExportCommand.self,
                    ImportCommand.self,
                ]
            ),
            CommandGroup(
                name: "Proof",
                subcommands: [
                    HeadCommand.self,
                    ProveCommand.self,
                    KeyCommand.self,
                    WitnessCommand.self,
                ]
            ),
            CommandGroup(
                name: "Server",
                subcommands: [
                    TokenCommand.self,
                    RefusedCommand.self,
                ]
            ),
            CommandGroup(
                name: "Other",
                subcommands: [
                    ServeCommand.self,
                    SyncCommand.self,
                    ReplicateCommand.self,
                    WorkerCommand.self,
                    SchemaCommand.self,
                    SimulateCommand.self,
                    ScanCommand.self,
                    DropCommand.self,
                ]
            ),
        ]
    )

    /// The version of the program, as in the changelog.
    static let version = ProgramVersion.current.description

    /// Parses the arguments, runs the command that they name, and exits.
    static func main() {
        do {
            try LedgerError.translating(at: "/dev/null") { try StandardStreams.open() }
            FileSizeLimit.failWithError()
            // Without arguments, the parser would print help and exit with success.
            guard !CommandLine.arguments.isEmpty else {
                throw LedgerError(
                    .inputOutput,
                    at: "ledger",
                    cause: "the arguments cannot be read",
                    hint: "The system gives them by way of /proc; see that it is mounted"
                )
            }
            try requireText()
            try run(arguments)
        } catch {
            let command = NamedCommand(arguments: arguments)
            Ending(error, of: command).finish(command)
        }
    }

    /// Refuses arguments that are not UTF-8: `CommandLine` would replace their bytes, so that two
    /// names would become one in a log that cannot be changed.
    private static func requireText() throws {
        guard let index = ProgramArguments.firstThatIsNotText else { return }
        let shown = Excerpt.escaped(CommandLine.arguments[index])
        throw ValidationError(
            "Argument \(index), \(shown), is not UTF-8. "
                + "Set the terminal to UTF-8, or rename the file."
        )
    }

    private static var arguments: [String] { Array(CommandLine.arguments.dropFirst()) }

    private static func run(_ arguments: [String]) throws {
        // Statements about the program itself depend on no ledger and no format.
        let bare = Array(arguments.dropFirst(LeadingOptions.count(in: arguments)))
        if let answer = ProgramFacts.answer(to: bare, version: ProgramVersion.current) {
            try Output.standard.writing { try $0.write(answer) }
        } else if let append = AppendRequest(arguments) {
            try append.run()
        } else if let completion = CompletionRequest(arguments) {
            try completion.answer()
        } else if let overview = OverviewPage(arguments) {
            try overview.show()
        } else if let topic = TopicRequest(bare) {
            try topic.answer()
        } else {
            let named = NamedCommand(arguments: arguments)
            try named.requireCommand()
            var command =
                try named.parsed
                ?? parseAsRoot(LeadingOptions.behindSubcommand(arguments, of: LedgerCommand.self))
            try command.run()
        }
    }
}

/// Lets options that every command has also come before the command's name.
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
        let named = NamedCommand(arguments[index...], within: root)
        // An unknown word is to be reported, and command groups print their help: neither takes
        // such options.
        return named.isGroup
            ? named.words + named.rest : named.words + Array(arguments[..<index]) + named.rest
    }

    /// Returns how many of the arguments lead: such options and their values.
    static func count(in arguments: [String]) -> Int {
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
}
