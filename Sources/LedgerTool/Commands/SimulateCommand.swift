import ArgumentParser
import DriveSimulation
import RowFormats
import TripEvents

/// The command `ledger simulate`.
struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Prints the events of a simulated drive, ready for `ledger append`.",
        discussion: """
            The same seed gives the same events on every machine. `bulk` gives any number of long \
            drives, `day` whole days of people who drive, walk, cycle and take bus and train, with \
            one or two recorders and the rules for each; every other scenario is one situation.

            --truth writes what really happened on these days: for each recorder the preset that \
            fits it, and who did what from when to when, without a gap. A recorder's source is \
            called by --source, the day's number and the kind of the recorder.

            Examples:
              ledger simulate --list
              ledger simulate tunnel | ledger append
              ledger simulate bulk --drives 100 --seed 7 > drives.jsonl
              ledger simulate day --days 20 --truth truth.json | ledger append
            """
    )

    @OptionGroup var options: GlobalOptions

    @Argument(help: "What happens; see --list.")
    var scenario: SimulatedSituation?

    @Flag(help: "List the scenarios.")
    var list = false

    @Option(help: "The seed of the random numbers.")
    var seed: UInt64 = 1

    @Option(
        help: """
            The source of the events (default: \(DriveSimulator.defaultSource)); with day, how \
            sources begin (default: \(DriveSimulator.defaultDaySource)).
            """
    )
    var source: String?

    @Option(help: "How many drives; only with bulk (default: 1).")
    var drives: Int?

    @Option(help: "How many fixes each drive has; only with bulk (default: 600 to 1800).")
    var fixes: Int?

    @Option(help: "How many days; only with day (default: 1).")
    var days: Int?

    @Option(help: "The number of the first day; only with day (default: 0).")
    var firstDay: Int?

    @Option(
        help: "The file to write the truth of the days to; only with day. Nothing may be there.",
        completion: .file()
    )
    var truth: String?

    func validate() throws {
        try options.refuseCSV()
        guard list != (scenario != nil) else {
            throw ValidationError("Name one scenario, or use --list to see all.")
        }
        guard scenario == .bulk || (drives == nil && fixes == nil) else {
            throw ValidationError("--drives and --fixes work with the scenario bulk only.")
        }
        guard drives ?? 0 >= 0, fixes ?? 0 >= 0 else {
            throw ValidationError("--drives and --fixes must not be negative.")
        }
        guard scenario == .day || (days == nil && firstDay == nil && truth == nil) else {
            throw ValidationError(
                "--days, --first-day and --truth work with the scenario day only."
            )
        }
        let mostDays = SimulatedDays.mostNumber
        guard (0...mostDays).contains(days ?? 0), (0...mostDays).contains(firstDay ?? 0) else {
            throw ValidationError("--days and --first-day must be 0 to \(mostDays).")
        }
    }

    func run() throws {
        let source = source ?? DriveSimulator.defaultSource
        try Output.standard.writing { output in
            switch scenario {
            case nil:
                let facts = SimulatedSituation.all.map { (label: $0.name, fact: $0.summary) }
                try output.write(FactSheet(facts).text)
            case .scenario(let scenario):
                let events = DriveSimulator.events(of: scenario, seed: seed, source: source)
                try write(events, to: output)
            case .bulk:
                let drives = DriveSimulator.drives(
                    seed: seed,
                    count: drives ?? 1,
                    fixesPerDrive: fixes.map { $0...$0 } ?? 600...1_800,
                    source: source
                )
                try write(drives, to: output)
            case .day: try writeDays(to: output)
            }
        }
    }

    private func writeDays(to output: Output) throws {
        let first = firstDay ?? 0
        let days = DriveSimulator.days(
            seed: seed,
            numbers: first..<first + (days ?? 1),
            source: source ?? DriveSimulator.defaultDaySource
        )
        guard let truth else {
            for day in days { try write(day.events, to: output) }
            return
        }
        var file = try DayTruthFile(at: truth)
        for day in days {
            try write(day.events, to: output)
            try file.add(day.streams)
        }
        try file.finish()
    }

    private func write(
        _ events: some Sequence<TripEvent>,
        to output: Output
    ) throws(OutputError) {
        var line: [UInt8] = []
        for event in events {
            line.removeAll(keepingCapacity: true)
            event.appendJSON(to: &line)
            try output.writeLine(line)
        }
    }
}

/// What `ledger simulate` can simulate.
enum SimulatedSituation: Hashable, ExpressibleByArgument {
    /// One named situation.
    case scenario(Scenario)

    /// Any number of long drives.
    case bulk

    /// Any number of days with known truth.
    case day

    /// Everything there is, in the order of the list.
    static let all = Scenario.allCases.map { SimulatedSituation.scenario($0) } + [.bulk, .day]

    /// Finds the situation with a name.
    init?(argument: String) {
        guard let found = Self.all.first(where: { $0.name == argument }) else { return nil }
        self = found
    }

    /// What it is called.
    var name: String {
        switch self {
        case .scenario(let scenario): scenario.rawValue
        case .bulk: "bulk"
        case .day: "day"
        }
    }

    /// What happens, in one sentence.
    var summary: String {
        switch self {
        case .scenario(let scenario): scenario.summary
        case .bulk: "Long drives one after the other, with a fix every second: --drives, --fixes."
        case .day: "Days of people who drive, walk, cycle and ride, with truth: --days, --truth."
        }
    }

    static var allValueStrings: [String] { all.map(\.name) }
}
