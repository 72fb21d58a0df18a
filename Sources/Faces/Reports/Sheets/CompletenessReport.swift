import Papers
import Projections
package import Tables
import TripEvents
package import TripLedger
import TripTracking

/// The gaps of a mileage log: `completeness.v1.schema.json`.
package struct CompletenessReport: PrintedReport {
    /// How many trips a list of JSON names; its count says how many there are.
    private static let mostNamed = 1_000

    /// How many trips people see of each check, and stretches of days.
    private static let mostShown = 3

    /// A check with the trips that it concerns.
    package struct Finding: Sendable {
        let check: CompletenessCheck
        let concerns: [Completeness.Concern]
    }

    /// A trip that a check concerns, for CSV.
    package struct Line: Sendable {
        let check: CompletenessCheck
        let concern: Completeness.Concern
    }

    /// The days and entries from which it was made.
    package let frame: ReportFrame

    private let jurisdiction: LogJurisdiction?
    private let completeness: Completeness
    private let requirements: [CheckedRequirement]
    private let emptyDays: [Completeness.Days]

    /// Reads a ledger.
    ///
    /// - Parameters:
    ///   - snapshot: The ledger.
    ///   - frame: The days and the vehicle.
    ///   - jurisdiction: The jurisdiction whose requirements are checked; `nil` for none.
    ///   - daysForEntries: The number of days after which an entry is late.
    /// - Throws: `.damaged`, `.inputOutput`.
    package init(
        _ snapshot: borrowing Snapshot,
        _ frame: ReportFrame,
        for jurisdiction: LogJurisdiction?,
        daysForEntries: Int64
    ) throws {
        self.frame = frame
        self.jurisdiction = jurisdiction
        let vehicles = try snapshot.namedVehicles()
        let period = frame.period
        var completeness = Completeness(daysForEntries: daysForEntries)
        let (ways, overlaps) = try snapshot.relateTrips(into: [UnrecordedWay]()) { $0.append($1) }
        for way in ways
        where period.contains(way.later.startedAt)
            && (frame.vehicle.map { way.later.isOf(vehicle: $0) } ?? true)
        {
            completeness.add(way, on: period.localDay.day(of: way.later.startedAt))
        }
        var log = try MileageLog(
            in: period,
            vehicle: frame.vehicle,
            places: try snapshot.places(),
            vehicles: vehicles,
            notingAll: { note in
                try snapshot.readTrips(TripFilter(isOldestFirst: true)) { row in
                    if !overlaps.leaveOut(row.booked.id) { note(row.booked) }
                    return true
                }
            }
        )
        log.overlaps = overlaps
        log.drivers = try snapshot.drivers()
        let filter = TripFilter(
            includesUncounted: true,
            period: period,
            vehicle: overlaps.fillsTrips ? nil : frame.vehicle,
            isOldestFirst: true
        )
        try snapshot.readTrips(filter) { row in
            if let line = log.line(of: row.booked) {
                completeness.note(line.date)
                completeness.add(line)
            }
            return true
        }
        for rest in log.odometerRests { completeness.add(rest) }
        for concern in completeness.undecided
        where try Self.hasLatePurpose(concern.trip, snapshot, after: daysForEntries) {
            completeness.addLatePurpose(concern)
        }
        self.completeness = completeness
        requirements =
            jurisdiction.map { CheckedRequirement.all(of: $0, completeness, in: period, vehicles) }
            ?? []
        emptyDays = completeness.emptyDays(in: period)
    }

    /// Whether the first purpose of a trip was entered late.
    private static func hasLatePurpose(
        _ trip: TripID,
        _ snapshot: borrowing Snapshot,
        after days: Int64
    ) throws -> Bool {
        let first = try snapshot.history(of: trip)
            .first { line in
                ["purpose", "title"].contains(line.change.field) && line.change.old == nil
                    && line.withoutEffect == nil
            }
        return (first?.daysAfterTrip ?? 0) > days
    }

    private var findings: [Finding] {
        CompletenessCheck.allCases.map { Finding(check: $0, concerns: completeness[$0]) }
    }

    /// The columns of JSON.
    package static let columns = Columns<CompletenessReport> {
        Column.name("report") { _ in "completeness" }
        Column.name("jurisdiction") { $0.jurisdiction?.rawValue }
        ReportFrame.columns.of { $0.frame }
        Column.integer("trips") { $0.completeness.trips }
        Column.integer("late_after_days") { $0.completeness.daysForEntries }
        Contemporaneity.columns.of("details.") { $0.completeness.details }
        Column.integer("days_with_trips") { $0.completeness.dayCount }
        Column.integer("days_without_trips") { $0.emptyDays.reduce(0) { $0 + $1.count } }
        Column.rows("days", Completeness.Days.columns) { $0.emptyDays }
        Column.rows("checklist", CheckedRequirement.columns) { $0.requirements }
        Column.rows("findings", Finding.columns) { $0.findings }
    }

    /// The columns of CSV: a line for each trip that a check concerns.
    package static let lineColumns = Columns<Line> {
        Column.name("check") { $0.check.rawValue }
        Column.trip("trip") { $0.concern.trip }
        Column.day("date") { $0.concern.date }
        Column.name("class") { $0.concern.tripClass.rawValue }
    }

    /// The lines of CSV.
    package var lines: [Line] {
        findings.flatMap { finding in
            finding.concerns.map { Line(check: finding.check, concern: $0) }
        }
    }

    /// Returns what people read.
    package func page(_ style: TextStyle) -> ReportPage {
        let facts =
            frame.facts(in: style.unit)
            + (jurisdiction.map { [ReportFact($0)] } ?? [])
            + [ReportFact(.tripsLabel, Phrase("\(completeness.trips)"))]
        var page = ReportPage(.completeness, facts, frame, .landscape, style)
        let unclassified = completeness[.unclassified].count
        if completeness.trips == 0 {
            page.add([Phrase.noTripInDays])
        } else if unclassified > 0 {
            page.add([Phrase.withoutClass(unclassified, of: completeness.trips)])
        }
        // Requirements that are met are faint, so that missing ones stand out.
        let columns = CheckedRequirement.columns.emphasizing { $0.state == .met ? .faint : .none }
        page.add(requirements, columns, under: .checklist)
        page.add(
            findings.filter { !$0.concerns.isEmpty },
            Finding.columns,
            under: .found
        )
        let longest = emptyDays.sorted { ($1.count, $0.from) < ($0.count, $1.from) }
        page.add(
            Array(longest.prefix(Self.mostShown)),
            Completeness.Days.columns,
            under: .longestWithoutTrip
        )
        let empty = emptyDays.reduce(0) { $0 + $1.count }
        var sentences: [Phrase] = [
            .tripDays(completeness.dayCount, without: empty), completeness.details.phrase,
        ]
        if jurisdiction != nil { sentences.append(.taxOfficeDecides) }
        sentences.append(frame.period.localDay.phrase)
        page.add(sentences)
        return page
    }

    /// Returns the first trips that are concerned, for people.
    fileprivate static func shown(_ concerns: [Completeness.Concern]) -> Cell {
        guard !concerns.isEmpty else { return .none }
        let named = concerns.prefix(mostShown).map(\.trip.short)
        let rest = concerns.count > mostShown ? " …" : ""
        return .name(named.joined(separator: " ") + rest)
    }

    /// Returns the ids of the first trips that are concerned.
    fileprivate static func ids(_ concerns: [Completeness.Concern]) -> [String] {
        concerns.prefix(mostNamed).map(\.trip.description)
    }
}

extension CompletenessReport.Finding: Tabular {
    /// A check with its trips.
    package static let columns = Columns<CompletenessReport.Finding> {
        Column.name("check") { $0.check.rawValue }
        Column.shown(.what) { .phrase($0.check.phrase) }
        Column.integer("trips", .trips) { $0.concerns.count }
        Column.list("ids", .suchAs) { CompletenessReport.ids($0.concerns) }
            .shown(as: { CompletenessReport.shown($0.concerns) })
    }
}

extension CheckedRequirement: Tabular {
    /// A requirement with what it comes to.
    package static let columns = Columns<CheckedRequirement> {
        Column.name("requirement") { $0.requirement.name }
        Column.name("level", .level) { $0.requirement.level.rawValue }
            .shown(as: { .phrase($0.requirement.level.phrase) })
        Column.phrase("text", .askedFor) { $0.requirement.subject.phrase }
            .narrowing(.shortens(to: 30))
        Column.name("state", .state) { $0.state.rawValue }
            .shown(as: { .phrase($0.state.phrase) })
        Column.integer("trips", .trips) { $0.concerns.count }
            .shown(onlyWhere: { !$0.concerns.isEmpty })
        Column.list("ids", .suchAs) { CompletenessReport.ids($0.concerns) }
            .shown(as: { CompletenessReport.shown($0.concerns) })
            .narrowing(.leaves(2))
        Column.list("vehicles", .vehicles) { $0.vehicles }
            .shown(onlyWhere: { !$0.vehicles.isEmpty })
        Column.phrase("remark", .remark) { $0.remark }
            .narrowing(.leaves(1))
        Column.name("help", .help) { $0.help }
            .shown(as: { $0.helpPhrase.map { .phrase($0) } ?? .none })
            .narrowing(.leaves(3))
    }
}

extension Completeness.Days: Tabular {
    /// Days in a row.
    package static let columns = Columns<Completeness.Days> {
        Column.day("from", .fromTime) { $0.from }
        Column.day("to", .toTime) { $0.to }
        Column.integer("count", .days) { $0.count }
    }
}

extension Contemporaneity: Tabular {
    /// How soon something was recorded.
    package static let columns = Columns<Contemporaneity> {
        Column.integer("within_a_day") { $0.withinDay }
        Column.integer("within_7_days") { $0.withinWeek }
        Column.integer("later") { $0.later }
        Column.integer("never") { $0.never }
    }
}
