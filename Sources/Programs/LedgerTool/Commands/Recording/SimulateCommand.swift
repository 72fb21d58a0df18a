import ArgumentParser
import DriveSimulation
import Tables
import TripEvents

/// The command `ledger simulate`.
struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Prints the events of simulated drives, ready for `ledger append`.",
        discussion: """
            The same seed gives the same events on every machine. `driver` gives the days of one \
            driver with one car, `day` whole days of people who drive, walk, cycle and take bus \
            and train, `bulk` any number of long drives; every other scenario is one situation. \
            The driver goes to work, to clients, to shops and on holiday, in the Netherlands and \
            by their calendar, and presses GO and STOP, but not always; phones die and tunnels \
            have no signal. --person decides where the driver lives and goes: the same name at \
            the same places. A day follows from the person, the seed and its date, so that years \
            that are made apart fit together. The car is registered, and its odometer read on the \
            first of each month and on 31 December.

            --truth writes what really happened on the days: for each recorder the preset that \
            fits it, and who did what from when to when, without a gap. With `day` a recorder's \
            source is called by --source, the day's number and the kind of the recorder.

            Examples:
              ledger simulate --list
              ledger simulate --days 365 | ledger append
              ledger simulate --start 2024-01-01 --days 366 --person anna --vehicle van
              ledger simulate bulk --drives 100 --seed 7 > drives.jsonl
              ledger simulate day --days 20 --truth truth.json | ledger append
            """
    )

    @OptionGroup var options: GlobalOptions<TableFormat>

    @Argument(help: "What happens; see --list (default with --days or --start: driver).")
    var scenario: SimulatedSituation?

    @Flag(help: "List the scenarios.")
    var list = false

    @Option(help: "The seed of the random numbers.")
    var seed: UInt64 = 1

    @Option(
        help: """
            The source of the events (default: \(DriveSimulator.defaultSource)); with driver, the \
            phone (default: PERSON-phone); with day, how sources begin (default: \
            \(DriveSimulator.defaultDaySource)).
            """
    )
    var source: String?

    @Option(help: "How many days; with driver or day (default: 1).")
    var days: Int?

    @Option(
        help: ArgumentHelp(
            "The first day; with driver (default: \(DriveSimulator.driverStart)).",
            valueName: "date"
        )
    )
    var start: CivilDate?

    @Option(
        help: ArgumentHelp(
            "Who drives; with driver (default: \(DriveSimulator.defaultDriver)).",
            valueName: "name"
        )
    )
    var person: String?

    @Option(
        help: ArgumentHelp("The car; with driver (default: PERSON-car).", valueName: "name")
    )
    var vehicle: String?

    @Flag(help: "Save the driver's places first; with driver.")
    var places = false

    @Option(help: "The number of the first day; with day (default: 0).")
    var firstDay: Int?

    @Option(
        help: "The new file for the truth; with driver or day.",
        completion: .file()
    )
    var truth: String?

    @Option(help: "How many drives; with bulk (default: 1).")
    var drives: Int?

    @Option(help: "Fixes of each drive; with bulk (default: 600 to 1800).")
    var fixes: Int?

    /// The situation to simulate: days without a name are those of the driver.
    private var situation: SimulatedSituation? {
        scenario ?? (days != nil || start != nil ? .driver : nil)
    }

    func validate() throws {
        if !list { try options.refuseCSV() }
        guard list != (situation != nil) else {
            throw ValidationError(
                "Name one scenario, give --days for those of a driver, or use --list to see all."
            )
        }
        guard situation == .bulk || (drives == nil && fixes == nil) else {
            throw ValidationError("--drives and --fixes work with the scenario bulk only.")
        }
        guard drives ?? 0 >= 0, fixes ?? 0 >= 0 else {
            throw ValidationError("--drives and --fixes must not be negative.")
        }
        try validateDays()
    }

    private func validateDays() throws {
        guard situation == .driver || situation == .day || (days == nil && truth == nil) else {
            throw ValidationError("--days and --truth work with the scenarios driver and day only.")
        }
        guard situation == .day || firstDay == nil else {
            throw ValidationError("--first-day works with the scenario day only.")
        }
        let isOfDriver = start != nil || person != nil || vehicle != nil || places
        guard situation == .driver || !isOfDriver else {
            throw ValidationError(
                "--start, --person, --vehicle and --places work with the scenario driver only."
            )
        }
        let mostDays = SimulatedDays.mostNumber
        guard (0...mostDays).contains(days ?? 0), (0...mostDays).contains(firstDay ?? 0) else {
            throw ValidationError("--days and --first-day must be 0 to \(mostDays).")
        }
        guard situation == .driver else { return }
        guard DriveSimulator.canDrive(from: start ?? DriveSimulator.driverStart, count: days ?? 1)
        else {
            let possible = SimulatedDriver.days
            throw ValidationError(
                "A driver's days lie between \(possible.lowerBound) and \(possible.upperBound); "
                    + "change --start or --days."
            )
        }
        for name in [person, vehicle, source] {
            guard let name else { continue }
            guard DriveSimulator.canName(name) else {
                throw ValidationError(
                    "--person, --vehicle and --source take a name of 1 to "
                        + "\(DriveSimulator.mostNameBytes) bytes without control characters."
                )
            }
        }
    }

    func run() throws {
        if list { return try writeList() }
        let source = source ?? DriveSimulator.defaultSource
        try Output.standard.writing { output in
            switch situation {
            case nil: break
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
            case .driver: try writeDriver(to: output)
            case .day:
                let first = firstDay ?? 0
                let days = DriveSimulator.days(
                    seed: seed,
                    numbers: first..<first + (days ?? 1),
                    source: self.source ?? DriveSimulator.defaultDaySource
                )
                try write(days: days, to: output)
            }
        }
    }

    private func writeList() throws {
        guard options.format == .text else { return try options.list(SimulatedSituation.all) }
        let facts = SimulatedSituation.all.map { (label: $0.name, fact: $0.summary) }
        try Output.standard.writing {
            try $0.write(FactSheet(facts).text(width: Screen.columnCount))
        }
    }

    private func writeDriver(to output: Output) throws {
        let driver = DriveSimulator.driver(
            named: person ?? DriveSimulator.defaultDriver,
            seed: seed,
            startingOn: start ?? DriveSimulator.driverStart,
            count: days ?? 1,
            vehicle: vehicle,
            source: source
        )
        try write([driver.registration], to: output)
        if places { try write(driver.places, to: output) }
        try write(days: driver, to: output)
    }

    private func write(days: some Sequence<SimulatedDay>, to output: Output) throws {
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

/// A situation that `ledger simulate` can simulate.
enum SimulatedSituation: Hashable, ExpressibleByArgument {
    /// One named situation.
    case scenario(Scenario)

    /// Any number of long drives.
    case bulk

    /// Any number of days of one driver.
    case driver

    /// Any number of days of many people.
    case day

    /// Everything there is, in the order of the list.
    static let all =
        Scenario.allCases.map { SimulatedSituation.scenario($0) } + [.bulk, .driver, .day]

    /// Finds the situation with a name.
    init?(argument: String) {
        guard let found = Self.all.first(where: { $0.name == argument }) else { return nil }
        self = found
    }

    /// The name of the situation.
    var name: String {
        switch self {
        case .scenario(let scenario): scenario.rawValue
        case .bulk: "bulk"
        case .driver: "driver"
        case .day: "day"
        }
    }

    /// A summary in one sentence.
    var summary: String {
        switch self {
        case .scenario(let scenario): scenario.summary
        case .bulk: "Long drives one after the other, with a fix every second: --drives, --fixes."
        case .driver: "Days of one driver, to work, clients and shops: --days, --start, --person."
        case .day: "Days of people who drive, walk, cycle and ride, with truth: --days, --truth."
        }
    }

    static var allValueStrings: [String] { all.map(\.name) }
}

extension SimulatedSituation: Tabular {
    /// The situations that can be simulated: `scenario.v1.schema.json`.
    static let columns = Columns<SimulatedSituation> {
        Column.name("scenario", "SCENARIO") { $0.name }
        Column.text("summary", "SUMMARY") { $0.summary }
    }
}
