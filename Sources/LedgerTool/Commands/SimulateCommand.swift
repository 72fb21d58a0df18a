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
            drives; every other scenario is one situation.

            Examples:
              ledger simulate --list
              ledger simulate tunnel | ledger append
              ledger simulate bulk --drives 100 --seed 7 > drives.jsonl
            """
    )

    @OptionGroup var options: GlobalOptions

    @Argument(help: "What happens; see --list.")
    var scenario: SimulatedSituation?

    @Flag(help: "List the scenarios.")
    var list = false

    @Option(help: "The seed of the random numbers.")
    var seed: UInt64 = 1

    @Option(help: "The source of the events.")
    var source = DriveSimulator.defaultSource

    @Option(help: "How many drives; only with bulk (default: 1).")
    var drives: Int?

    @Option(help: "How many fixes each drive has; only with bulk (default: 600 to 1800).")
    var fixes: Int?

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
    }

    func run() throws {
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
            }
        }
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

    /// Everything there is, in the order of the list.
    static let all = Scenario.allCases.map { SimulatedSituation.scenario($0) } + [.bulk]

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
        }
    }

    /// What happens, in one sentence.
    var summary: String {
        switch self {
        case .scenario(let scenario): scenario.summary
        case .bulk: "Long drives one after the other, with a fix every second: --drives, --fixes."
        }
    }

    static var allValueStrings: [String] { all.map(\.name) }
}
