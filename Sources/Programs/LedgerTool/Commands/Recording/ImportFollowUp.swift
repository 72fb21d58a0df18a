import ArgumentParser
import Platform
import Projections
import Tables
import TripEvents
import TripLedger
import TripTracking

/// The work of `ledger append` after files in other formats: it adopts the rules that fit how they
/// were recorded, sets the vehicle of their trips, records what was paid on them, and lists drives
/// that were in the ledger already.
struct ImportFollowUp {
    /// The rules to adopt for sources that have none.
    enum Rules: Hashable {
        /// Those that fit how they record, for sources of files in other formats.
        case measured

        /// These, also for sources of the ledger's own lines.
        case preset(TrackingPreset)

        /// None.
        case none

        /// Whether they concern sources of the ledger's own lines, too.
        var concernOwnLines: Bool {
            if case .preset = self { true } else { false }
        }
    }

    /// The adopted rules.
    private(set) var rules: [MeasuredRules] = []

    /// How many trips were assigned to the vehicle.
    private(set) var editedTrips = 0

    /// The expenses on trips of these files; `nil` if they were not checked.
    private(set) var expenses: ImportedExpenses?

    /// Trips of these files that were made in one car with a trip of another source.
    private(set) var overlaps: [TripOverlap] = []

    private var warnings: [LedgerWarning] = []
    private let vehicle: String?

    /// The most sources for which rules are named, and the most trips.
    private static let mostNamed = 3

    /// The most earlier entries that may be read for a note.
    private static let mostEntriesBehind: UInt64 = 10_000

    /// Looks at the appended events, and does the follow-up work.
    ///
    /// - Parameters:
    ///   - summary: The sums over the input; its head is the log's afterwards.
    ///   - ledger: The ledger.
    ///   - choice: The rules to adopt.
    ///   - vehicle: The vehicle of trips that name none.
    ///   - payments: The number of amounts that trips name as paid, by the sign of their currency.
    /// - Throws: `LedgerError`.
    init(
        _ summary: inout IntakeSummary,
        in ledger: Ledger,
        rules choice: Rules,
        vehicle: String?,
        payments: [String: Int]
    ) throws {
        self.vehicle = vehicle
        guard !summary.stretches.isEmpty, summary.heldBack == 0 else { return }
        try adoptRules(for: summary, in: ledger, choice)
        try nameVehicle(of: summary, in: ledger)
        summary.head = try ledger.head()
        let lag = try ledger.lag() ?? summary.head.size
        guard lag <= UInt64(summary.appended) + Self.mostEntriesBehind else { return }
        // This includes earlier trips, because the country may be known by now.
        if !payments.isEmpty {
            expenses = try ImportedExpenses(
                payments,
                ofTrips: { [summary] row in
                    row.booked.importedFrom != nil
                        && Self.isOne(
                            of: summary,
                            row.trip.source,
                            row.trip.startedAt.timestamp,
                            row.trip.endedAt?.timestamp
                        )
                },
                in: ledger
            )
            summary.head = try ledger.head()
        }
        guard summary.appended > 0 else { return }
        overlaps =
            try ledger.readNow { snapshot in
                try snapshot.relateTrips(into: ()) { _, _ in }.1.all
            }
            .filter { Self.isOne(of: summary, $0.ends) }
    }

    private mutating func adoptRules(
        for summary: IntakeSummary,
        in ledger: Ledger,
        _ choice: Rules
    ) throws {
        switch choice {
        case .none: return
        case .measured:
            let imported = summary.stretches.filter { $0.value.isImported }
            rules = try ledger.adoptMeasuredRules(
                for: imported.mapValues(\.count),
                now: WallClock.now
            )
        case .preset(let preset):
            rules = try ledger.adoptMeasuredRules(
                for: summary.stretches.mapValues(\.count),
                preset: preset,
                now: WallClock.now
            )
        }
    }

    /// Sets the vehicle of trips that name none.
    private mutating func nameVehicle(of summary: IntakeSummary, in ledger: Ledger) throws {
        guard let vehicle else { return }
        var edit = TripEdit()
        edit.vehicle = .set(vehicle)
        let trips = try ledger.readNow { try $0.trips(TripFilter(isOldestFirst: true)) }
            .filter { row in
                row.booked.details.vehicle == nil
                    && Self.isOne(
                        of: summary,
                        row.trip.source,
                        row.trip.startedAt.timestamp,
                        row.trip.endedAt?.timestamp
                    )
            }
        guard !trips.isEmpty else { return }
        let now = WallClock.now
        let outcomes = try ledger.decide(
            trips.map { .edit(.prefix($0.trip.id.description), edit) },
            by: DecisionOptions.decider(nil),
            now: EventTime(now, utcOffset: WallClock.utcOffset(at: now))
        )
        editedTrips = outcomes.count { $0.receipt.isStored }
        warnings = outcomes.flatMap(\.warnings)
    }

    private static func isOne(of summary: IntakeSummary, _ ends: TripEnds) -> Bool {
        isOne(of: summary, ends.source, ends.startedAt.timestamp, ends.endedAt)
    }

    /// Whether a trip of a source was under way while the input was recorded.
    static func isOne(
        of summary: IntakeSummary,
        _ source: String,
        _ start: Timestamp,
        _ end: Timestamp?
    ) -> Bool {
        guard let times = summary.stretches[NameKey(source)]?.times else { return false }
        return start <= times.upperBound && times.lowerBound <= end ?? times.upperBound
    }
}

extension ImportFollowUp {
    /// Says to people what was done.
    func say() {
        for rules in rules.prefix(Self.mostNamed) {
            let source = Excerpt.escaped(rules.source)
            let others = TrackingPreset.allCases.filter { $0 != rules.preset }.map(\.rawValue)
            let word = ShellWord.quoted(rules.source)
            Diagnostic.say(
                "\(source): \(Self.reason(rules)), so its trips go by the rules "
                    + "\(rules.preset.rawValue); "
                    + "`ledger rules preset \(others.joined(separator: "|")) --source \(word)` "
                    + "changes that.\n"
            )
        }
        if rules.count > Self.mostNamed {
            let more = Count.text(rules.count - Self.mostNamed, "source", "sources")
            Diagnostic.say("\(more) more: see `ledger rules show`.\n")
        }
        if editedTrips > 0, let vehicle {
            let trips = Count.text(editedTrips, "trip is", "trips are")
            Diagnostic.say("\(trips) of \(Excerpt.escaped(vehicle)) now.\n")
        }
        expenses?.say()
        if let warning = warnings.first { Diagnostic.say(WarningText(warning).text) }
        for overlap in sameDrives.prefix(Self.mostNamed) {
            Diagnostic.say(OverlapAdvice.sentence(overlap) + "\n")
        }
        if sameDrives.count > Self.mostNamed {
            Diagnostic.say(
                "\(sameDrives.count - Self.mostNamed) more such drives: `ledger trips` names "
                    + "them.\n"
            )
        }
    }

    /// The overlaps, each drive once.
    var sameDrives: [TripOverlap] {
        var told: Set<TripID> = []
        return overlaps.filter { overlap in
            defer { told.formUnion([overlap.ends.trip, overlap.other.trip]) }
            return !told.contains(overlap.ends.trip) && !told.contains(overlap.other.trip)
        }
    }

    private static func reason(_ rules: MeasuredRules) -> String {
        let habit = rules.habit
        let interval = habit.medianIntervalMilliseconds.map { LocalTime.span(milliseconds: $0) }
        let often = interval.map { "a fix every \($0)" } ?? "a fix"
        guard rules.preset == habit.preset else { return "as you said" }
        if habit.isOnlyForDriving {
            return "\(often), and only while driving (\(habit.drives) of \(habit.sessions) times)"
        }
        if habit.hasMotion { return "\(often), and a motion sensor" }
        let sessions = Count.text(habit.sessions, "recording", "recordings")
        return habit.hasFewSessions
            ? "\(often), in \(sessions), too few to tell whether it is on only while driving"
            : "\(often), and not only while driving"
    }
}

/// The options that say what is done after files were appended.
struct FollowUpOptions: ParsableArguments {
    @Option(help: "The rules for new sources.")
    var preset = ImportFollowUp.Rules.measured
}

extension ImportFollowUp.Rules: ExpressibleByArgument {
    /// Reads the name of a preset, or none.
    init?(argument: String) {
        if argument == "none" {
            self = .none
        } else if let preset = TrackingPreset(rawValue: argument) {
            self = .preset(preset)
        } else {
            return nil
        }
    }

    static var allValueStrings: [String] { TrackingPreset.allCases.map(\.rawValue) + ["none"] }
}

extension MeasuredRules: Tabular {
    /// Rules that were adopted for a source, in `summary.v1.schema.json`.
    static let columns = Columns<MeasuredRules> {
        Column.text("source") { $0.source }
        Column.name("preset") { $0.preset.rawValue }
        Column.duration("sampling_interval_s") { $0.habit.medianIntervalMilliseconds }.optional
        Column.boolean("has_motion") { $0.habit.hasMotion }
        Column.boolean("only_while_driving") { $0.habit.isOnlyForDriving }
    }
}

/// Two trips of one drive, one of which would be voided, in `summary.v1.schema.json`.
struct SameDrive: Tabular {
    let overlap: TripOverlap

    static let columns = Columns<SameDrive> {
        Column.trip("trip") { $0.overlap.worse.trip }
        Column.text("source") { $0.overlap.worse.source }
        Column.trip("same_as") { $0.better.trip }
        Column.text("same_as_source") { $0.better.source }
    }

    private var better: TripEnds {
        overlap.worse.trip == overlap.ends.trip ? overlap.other : overlap.ends
    }
}
