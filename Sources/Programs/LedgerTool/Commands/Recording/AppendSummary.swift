import Geodesy
import LedgerKeeping
import LedgerRows
import Platform
import Projections
import Tables
import TripEvents
import TripLedger
import TripsProjection

/// The last line of `ledger append`.
struct AppendSummary: Tabular {
    /// The sums over the input.
    let intake: IntakeSummary

    /// The work that was done after it.
    let followUp: ImportFollowUp

    /// Its decisions that have no effect.
    let withoutEffect: EffectNotice

    /// The notes on files of other apps.
    let notes: [IntakeNote]

    /// The changes of trips; `nil` if they were not requested, or could not be read.
    let trips: AppendedTrips?

    /// Whether the trips are listed.
    let listsTrips: Bool

    /// The head of the ledger, if all this happened to a copy of it.
    let headBefore: LedgerHead?

    /// Its members: `summary.v1.schema.json`.
    static let columns = Columns<AppendSummary> {
        Column.boolean("dry_run") { $0.headBefore != nil }
            .optional(onlyWhere: { $0.headBefore != nil })
        IntakeSummary.counts.of { $0.intake }
        Column.rows("rules", MeasuredRules.columns) { $0.followUp.rules }
            .optional(onlyWhere: { !$0.followUp.rules.isEmpty })
        Column.integer("vehicle_named") { summary in
            summary.followUp.editedTrips > 0 ? summary.followUp.editedTrips : nil
        }
        .optional
        Column.rows("same_drives", SameDrive.columns) { summary in
            summary.followUp.sameDrives.map { SameDrive(overlap: $0) }
        }
        .optional(onlyWhere: { !$0.followUp.sameDrives.isEmpty })
        EffectNotice.columns.of { $0.withoutEffect }
        Column.rows("notes", IntakeNote.columns) { $0.notes }
            .optional(onlyWhere: { !$0.notes.isEmpty })
        Column.rows("trips", AppendedTrips.Line.columns) { $0.trips?.lines ?? [] }
            .optional(onlyWhere: { $0.listsTrips && $0.trips != nil })
        Column.integer("size") { ($0.headBefore ?? $0.intake.head).size }
        Column.name("root") { ($0.headBefore ?? $0.intake.head).root }
    }
}

extension AppendSummary {
    /// Writes it for people: the changes of trips, with the next command, and the outcomes of
    /// lines.
    func write(to output: Output, style: TextStyle) throws {
        if let trips {
            try output.writeSentences(trips.sentence(style) + "\n", style)
            if listsTrips, !trips.lines.isEmpty {
                try output.write(
                    trips.lines,
                    AppendedTrips.Line.columns,
                    as: .text,
                    style: style
                )
                try output.writeZone(of: AppendedTrips.Line.columns, style)
            }
        }
        try output.writeSentences(balance + "\n", style)
    }

    /// The outcomes of everything that was read; the other figures add up to the first.
    var balance: String {
        guard intake.read > 0 else { return "Nothing was read." }
        let appended = headBefore == nil ? "appended" : "would be appended"
        let kinds = intake.ignored.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        let more = kinds.count > Self.mostKinds ? ", ..." : ""
        let ignored = kinds.prefix(Self.mostKinds).joined(separator: ", ") + more
        let parts: [(count: Int, what: String)] = [
            (intake.appended, appended), (intake.duplicate, "there already"),
            (intake.conflict, "in conflict"), (intake.rejected, "rejected"),
            (intake.heldBack, "held back"), (intake.passedOver, "passed over"),
            (intake.ignored.values.reduce(0, +), "not used (\(Excerpt.escaped(ignored)))"),
            (intake.blank, "blank"),
        ]
        let told = parts.filter { $0.count > 0 }.map { "\(Count.grouped($0.count)) \($0.what)" }
        return "Of \(Count.grouped(intake.read)) read: \(told.joined(separator: ", "))." + extra
    }

    /// The members that were kept although their types do not have them, in a sentence.
    private var extra: String {
        guard intake.withExtra > 0 else { return "" }
        let names = intake.extraNames.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        let more = names.count > Self.mostKinds ? ", ..." : ""
        let named = Excerpt.escaped(names.prefix(Self.mostKinds).joined(separator: ", ") + more)
        return " Kept as extra, which counts nowhere: \(named), of "
            + "\(Count.text(intake.withExtra, "event", "events"))."
    }

    /// How many kinds of unused records are named.
    private static let mostKinds = 3
}

/// The trips that count or go on, before events are appended.
struct TripsBefore {
    fileprivate let trips: [TripID: AppendedTrips.Line]

    /// Trips that were abandoned.
    fileprivate let nothings: Set<TripID>

    /// The decisions that had no effect.
    fileprivate let withoutEffect: Set<IdentityDigest>

    /// The time of this state: entries that were stored later are not included.
    fileprivate let instant: Timestamp

    /// Brings the views up to date, and reads them; `nil` if they cannot be read, which keeps
    /// nothing from being appended.
    init?(_ ledger: Ledger) {
        instant = WallClock.now
        guard let found = try? AppendedTrips.found(in: ledger) else { return nil }
        trips = found.lines
        nothings = Set(found.nothings.keys)
        withoutEffect = Set(found.withoutEffect.map(\.decision.order.identity))
    }
}

/// The changes of trips by the appended events.
struct AppendedTrips {
    /// The kind of change of a trip.
    enum Change: String {
        /// The trip is new.
        case began

        /// Its times, its figures or its details have changed.
        case changed

        /// It no longer counts, and is not in progress.
        case gone
    }

    /// A trip, in `summary.v1.schema.json` and for people.
    struct Line: Tabular {
        let trip: TripID
        var change = Change.began
        let startedAt: EventTime
        let distance: Distance
        let source: String

        /// Whether it counts; otherwise it goes on.
        let counts: Bool

        /// The detail that a person still has to add.
        let missing: MissingDetail?

        /// Tells apart what people see of it.
        fileprivate let state: Int

        static let columns = Columns<Line> {
            Column.trip("trip", "TRIP") { $0.trip }
            Column.name("change", "CHANGE") { $0.change.rawValue }
            Column.time("started_at", "STARTED") { $0.startedAt }
            Column.distance("distance_m", "DISTANCE") { $0.distance }
            Column.boolean("counts") { $0.counts }
            Column.name("missing", "MISSING") { $0.missing?.rawValue }.optional
            Column.text("source", "SOURCE") { $0.source }
        }

        fileprivate init(_ booked: BookedTrip) {
            trip = booked.id
            startedAt = booked.trip.startedAt
            distance = booked.claimedDistance
            source = booked.trip.source
            counts = booked.counts
            missing = booked.missingDetail
            var hasher = Hasher()
            hasher.combine(booked.trip.startedAt)
            hasher.combine(booked.trip.endedAt)
            hasher.combine(booked.trip.distance)
            hasher.combine(booked.trip.gaps)
            hasher.combine(booked.claimedDistance)
            hasher.combine(booked.status)
            hasher.combine(booked.details)
            hasher.combine(booked.origin)
            hasher.combine(booked.destination)
            state = hasher.finalize()
        }
    }

    /// The trips that began, changed or are gone, each kind in order of starts.
    let lines: [Line]

    /// The trips that are abandoned now, each with the reason why it counts nowhere.
    private let nothings: [(trip: TripID, why: TripCounting)]

    /// How many earlier decisions have no effect any more.
    private let lostDecisions: Int

    /// How many sources are named at most.
    private static let mostSources = 3

    /// Brings the views up to date, and compares the trips with those of before; `nil` if they
    /// cannot be read: an error here does not undo what is stored.
    init?(in ledger: Ledger, after before: TripsBefore) {
        guard let found = try? Self.found(in: ledger) else { return nil }
        let now = found.lines
        nothings = found.nothings.filter { !before.nothings.contains($0.key) }
            .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        var lines: [Line] = []
        for line in now.values {
            guard let known = before.trips[line.trip] else {
                lines.append(line)
                continue
            }
            guard known.state != line.state else { continue }
            lines.append(line.with(.changed))
        }
        for line in before.trips.values where now[line.trip] == nil {
            lines.append(line.with(.gone))
        }
        let lost = found.withoutEffect.map(\.decision)
            .filter { $0.recordedAt <= before.instant }
        lostDecisions = Set(lost.map(\.order.identity)).subtracting(before.withoutEffect).count
        self.lines = lines.sorted { one, other in
            (one.change.rawValue, one.startedAt.timestamp, one.trip)
                < (other.change.rawValue, other.startedAt.timestamp, other.trip)
        }
    }

    /// Returns the trips that count or go on, those that came to nothing although they may have
    /// been trips, and the decisions that have no effect.
    fileprivate static func found(
        in ledger: Ledger
    ) throws -> (
        lines: [TripID: Line], nothings: [TripID: TripCounting],
        withoutEffect: [DecisionWithoutEffect]
    ) {
        try ledger.readNow { snapshot in
            var lines: [TripID: Line] = [:]
            try snapshot.readTrips { row in
                lines[row.booked.id] = Line(row.booked)
                return true
            }
            var filter = TripFilter(includesUncounted: true)
            filter.status = .abandoned
            var nothings: [TripID: TripCounting] = [:]
            try snapshot.readTrips(filter) { row in
                switch row.booked.abandonReason {
                case .noPosition?, .walkingPace?, .notByCar?:
                    nothings[row.booked.id] = TripCounting(row.booked)
                case .falseStart?, .afterStop?, .discarded?, nil: break
                }
                return true
            }
            return (lines, nothings, try snapshot.decisionsWithoutEffect())
        }
    }

    /// What to do about trips that count nowhere, in a sentence or two; empty if there are none.
    private var nothingSentence: String {
        guard let first = nothings.first else { return "" }
        guard nothings.count == 1 else {
            return " \(Count.grouped(nothings.count)) trips count nowhere: `ledger trips --status "
                + "abandoned` lists them, and `ledger trip ID` says what makes one count."
        }
        return " Trip \(first.trip.short) came to nothing. \(first.why.text ?? "")"
    }

    /// The trips that began and count, with their distance, days and sources, the other changes of
    /// trips, and the next command.
    ///
    /// Such as `81 trips, 1,034 km, 2025-03-10 to 2025-04-30, from pixel. Next: ledger inbox`.
    func sentence(_ style: TextStyle) -> String {
        let began = lines.filter { $0.change == .began && $0.counts }
        var parts: [String] = []
        if !began.isEmpty { parts.append(Self.sum(of: began, style)) }
        let active = lines.count { $0.change != .gone && !$0.counts }
        if active > 0 { parts.append(Count.text(active, "trip goes on", "trips go on")) }
        let changed = lines.count { $0.change == .changed && $0.counts }
        if changed > 0 { parts.append(Count.text(changed, "trip changed", "trips changed")) }
        let gone = lines.count { $0.change == .gone }
        if gone > 0 {
            parts.append(Count.text(gone, "trip counts no longer", "trips count no longer"))
        }
        if lostDecisions > 0 {
            let lost = Count.text(lostDecisions, "earlier decision has", "earlier decisions have")
            let command = ProgramName.shown(command: "ledger changes --orphans")
            parts.append("\(lost) no effect any more: \(command)")
        }
        guard !parts.isEmpty else { return "No trip began or changed." + nothingSentence }
        let end = nothings.isEmpty ? "" : "." + nothingSentence
        return parts.joined(separator: "; ") + ". Next: \(next)" + end
    }

    /// The command that goes on with these trips.
    private var next: String {
        if lines.contains(where: { $0.change != .gone && $0.missing != nil }) {
            return ProgramName.shown(command: "ledger inbox")
        }
        return ProgramName.shown(
            command: lines.contains { $0.counts } ? "ledger trips" : "ledger status"
        )
    }

    private static func sum(of lines: [Line], _ style: TextStyle) -> String {
        let distance = lines.reduce(Distance.zero) { $0 + $1.distance }
        let clock = style.clock ?? LocalDay(zone: .utc)
        let days = lines.map { clock.day(of: $0.startedAt) }
        var facts = [
            Count.grouped(lines.count) + (lines.count == 1 ? " trip" : " trips"),
            whole(distance, in: style.unit),
        ]
        if let first = days.min(), let last = days.max() {
            facts.append(first == last ? "\(first)" : "\(first) to \(last)")
        }
        facts.append("from " + sources(of: lines))
        return facts.joined(separator: ", ")
    }

    private static func sources(of lines: [Line]) -> String {
        let names = Set(lines.map(\.source)).sorted()
        let named = names.prefix(mostSources).map { Excerpt.escaped($0) }.joined(separator: ", ")
        let more = names.count - mostSources
        return more > 0 ? "\(named) and \(Count.text(more, "other", "others"))" : named
    }

    /// Returns a distance in whole units; with two decimals if there are few of them.
    private static func whole(_ distance: Distance, in unit: DistanceUnit) -> String {
        let number = DistanceText.scaled(distance, in: unit, decimals: 0)
        guard number >= fewUnits else { return DistanceText.text(distance, in: unit) }
        return "\(Count.grouped(Int(number))) \(unit.rawValue)"
    }

    /// The fewest kilometres or miles that are shown without decimals.
    private static let fewUnits: Int64 = 100
}

extension AppendedTrips.Line {
    fileprivate func with(_ change: AppendedTrips.Change) -> Self {
        var line = self
        line.change = change
        return line
    }
}

extension EffectNotice {
    /// How many decisions are named to people.
    private static let mostNamed = 5

    /// Says it to people, in one line.
    func say() {
        let sentences = sentences(most: Self.mostNamed + 1)
        guard !sentences.isEmpty else { return }
        let named = sentences.prefix(Self.mostNamed)
        let more = sentences.count > named.count ? ["and others"] : []
        let decisions = Count.text(count, "decision has", "decisions have")
        Diagnostic.say(
            "\(decisions) no effect: \(Excerpt.escaped((named + more).joined(separator: "; "))). "
                + "`ledger changes --orphans` says what to do.\n"
        )
    }
}
