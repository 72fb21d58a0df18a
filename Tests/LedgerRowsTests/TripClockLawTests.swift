import DriveSimulation
import LedgerRows
import LedgerTestSupport
import Maps
import Projections
import Reports
import RoutinesProjection
import Tables
import TestSupport
import Testing
import TotalsProjection
import TripEvents
import TripLedger

/// A trip is shown and counted by the same clock.
@Suite struct TripClockLawTests {
    /// Zones whose clocks change by an hour, by half an hour, on either half of the earth, and at
    /// the date line; and what is not a whole number of hours from UTC.
    private static let zones = [
        "UTC", "Europe/Amsterdam", "America/New_York", "America/St_Johns", "Asia/Kolkata",
        "Australia/Lord_Howe", "Pacific/Auckland", "Pacific/Apia", "Pacific/Kiritimati",
        "Pacific/Chatham", "America/Sao_Paulo",
    ]

    /// Around what tells one day, month or year from another, and around changes of clocks, in
    /// minutes since 1970.
    private static let centres = [
        "2024-12-31T23:30:00Z", "2025-03-30T01:00:00Z", "2025-10-26T00:30:00Z",
        "2025-04-05T15:00:00Z", "2025-02-28T12:00:00Z", "2011-12-30T10:00:00Z",
        "2025-11-02T06:00:00Z",
    ]
    .compactMap { RFC3339.time($0)?.timestamp }

    private static let offsets = [-720, -300, -210, 0, 60, 120, 330, 345, 780, 840]
    private static let tripCount = 20

    /// Returns the start of a trip.
    private static func start(_ random: inout SplitMix64) throws -> Timestamp {
        try #require(centres.randomElement(using: &random))
            .advanced(byMilliseconds: Int64.random(in: -2_880...2_880, using: &random) * 60_000)
    }

    /// Returns the starts of as many trips, no two of which are at one time: those would be one
    /// drive, which counts once.
    private static func starts(_ random: inout SplitMix64) throws -> [Timestamp] {
        var starts: [Timestamp] = []
        while starts.count < tripCount {
            let next = try start(&random)
            let isApart = starts.allSatisfy { abs(next.milliseconds(since: $0)) > 1_200_000 }
            if isApart { starts.append(next) }
        }
        return starts
    }

    /// A trip whose distance, in metres, no sum over other trips has.
    private static func trip(
        _ number: Int,
        at start: Timestamp,
        _ random: inout SplitMix64
    ) throws -> TripEvent {
        let offset =
            Bool.random(using: &random)
            ? nil : offsets.randomElement(using: &random).flatMap { UTCOffset(minutes: $0) }
        let report = TripReported(
            startedAt: EventTime(start, utcOffset: offset),
            endedAt: EventTime(start.advanced(byMilliseconds: 1_200_000), utcOffset: offset),
            distanceMeters: try #require(
                ExactDecimal(significand: Int64(1) << Int64(number), decimals: 0)
            )
        )
        return TripEvent(
            source: "paper",
            occurredAt: start,
            utcOffset: offset,
            id: "trip \(number)",
            body: .tripReported(report)
        )
    }

    /// The groups of a total in which the trips stand, by the numbers of the trips.
    private static func groups(_ table: TotalsTable) throws -> [Int: String] {
        var groups: [Int: String] = [:]
        for line in table.lines {
            let meters = line.sums.distance.millimeters / 1_000
            let name = try #require(line.name)
            for number in 0..<tripCount where meters & (Int64(1) << Int64(number)) != 0 {
                #expect(groups[number] == nil, "a trip counts once")
                groups[number] = name
            }
        }
        return groups
    }

    @Test(arguments: Seeds.fresh(24))
    func `the date that a list shows is that of the day, month and year in which a trip counts`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let zone = try #require(Self.zones.randomElement(using: &random))
        guard (try? TimeZoneRules.ofMachine(named: zone)) != nil else { return }
        let book = try TemporaryLedger(settings: LedgerSettings(timeZone: zone))
        let starts = try Self.starts(&random)
        try book.append(
            try starts.enumerated().map { try Self.trip($0, at: $1, &random) }
        )
        let asked = LocalDay(
            zone: try TimeZoneRules.ofMachine(
                named: try #require(Self.zones.randomElement(using: &random))
            ),
            usesOwnOffsets: false
        )
        for clock in [try book.ledger.requireClock(), asked] {
            try book.ledger.read { snapshot in
                let period = LocalPeriod(localDay: clock)
                let counted = try [TotalsGrouping.day, .month, .year]
                    .map { try Self.groups(try snapshot.totals(by: $0, in: period)) }
                let shown = try ShownDays(snapshot, clock)
                for (face, days) in shown.days {
                    #expect(days.count == Self.tripCount, "\(face), seed \(seed)")
                    for (number, day) in days {
                        let groups = counted.map { $0[number] }
                        #expect(
                            groups == [day, String(day.prefix(7)), String(day.prefix(4))],
                            "\(face), trip \(number), zone \(zone), seed \(seed)"
                        )
                    }
                }
            }
        }
    }

    @Test(arguments: Seeds.fresh(40))
    func `a time in a table, or in JSON, is one instant to who knows the zone`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let name = try #require(Self.zones.randomElement(using: &random))
        guard let zone = try? TimeZoneRules.ofMachine(named: name) else { return }
        let clock = LocalDay(zone: zone, usesOwnOffsets: Bool.random(using: &random))
        let style = TextStyle(clock: clock)
        for _ in 0..<200 {
            let event = try Self.trip(0, at: try Self.start(&random), &random)
            let time = event.time
            let words = Cell.dayAndMinute(time).text(in: style).split(separator: " ")
            let date = try #require(CivilDate(String(words[0])))
            let minute = words[1].split(separator: ":").compactMap { Int64($0) }
            let moment = try #require(
                CivilMoment(date, millisecondOfDay: (minute[0] * 60 + minute[1]) * 60_000)
            )
            if words.count == 2 {
                let meant = moment.times(in: zone).map(\.timestamp)
                #expect(meant == [time.timestamp], "\(words) in \(name), seed \(seed)")
            } else {
                let text = "\(words[0])T\(words[1]):00\(words[2])"
                #expect(RFC3339.time(text)?.timestamp == time.timestamp, "\(text), seed \(seed)")
            }
            let told = clock.local(time)
            #expect(told.timestamp == time.timestamp)
            if clock.usesOwnOffsets, let own = time.utcOffset { #expect(told.utcOffset == own) }
        }
    }
}

/// The days that lists show for trips, by what shows them and by the numbers of the trips.
private struct ShownDays {
    private(set) var days: [String: [Int: String]] = [:]

    init(_ snapshot: borrowing Snapshot, _ clock: LocalDay) throws {
        let style = TextStyle(clock: clock)
        let routines = try snapshot.routines()
        let sheet = TripSheet(
            clock: clock,
            vehicles: try snapshot.vehicles(),
            fields: try snapshot.fields()
        )
        for row in try snapshot.trips(TripFilter(includesUncounted: true)) {
            let named = NamedTrip(row.booked)
            let meters = row.booked.claimedDistance.millimeters / 1_000
            let number = meters.trailingZeroBitCount
            func note(_ face: String, _ text: String) { days[face, default: [:]][number] = text }
            let started = try NamedTrip.columns.choosing(["started_at"])
            note("trips", Self.cell(started, named, .text, style))
            note("trips, JSON", Self.startOfJSON(NamedTrip.columns, named, clock))
            note("trips, CSV", Self.cell(started, named, .csv, style))
            let waiting = WaitingTrip(row.booked, places: PlaceBook(), of: routines)
            note(
                "inbox",
                Self.cell(try WaitingTrip.columns.choosing(["started_at"]), waiting, .text, style)
            )
            note("inbox, JSON", Self.startOfJSON(WaitingTrip.columns, waiting, clock))
            var spreadsheet = style
            spreadsheet.spreadsheet = .comma
            note(
                "spreadsheet",
                Self.cell(try sheet.columns.choosing(["date"]), named, .csv, spreadsheet)
            )
            note("map", Self.mapTitle(named, style))
            note(
                "change",
                Self.cell(
                    try LedgerChanges.AddedTrip.columns.choosing(["started"]),
                    LedgerChanges.AddedTrip(booked: row.booked),
                    .text,
                    style
                )
            )
            for format in [TripListFormat.hledger, .beancount, .mileiq, .kml] {
                note(format.rawValue, try Self.document(of: named, format, style))
            }
        }
        try noteLog(snapshot, clock, style)
    }

    /// Notes what the lines of the mileage log say.
    private mutating func noteLog(
        _ snapshot: borrowing Snapshot,
        _ clock: LocalDay,
        _ style: TextStyle
    ) throws {
        let columns = try MileageLine.columns.choosing(["date", "distance"])
        let period = LocalPeriod(localDay: clock)
        let sheet = MileageSheet(in: period, columns: columns, style: style, format: .csv)
        var bytes: [UInt8] = []
        _ = try sheet.write(snapshot) { $0(&bytes) }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst() {
            let fields = line.split(separator: ",")
            let kilometers = try #require(ExactDecimal(literal: String(fields[1])))
            let meters = try #require(kilometers.units(places: 3))
            days["log", default: [:]][meters.trailingZeroBitCount] = String(fields[0])
        }
        let whole = MileageSheet(in: period, style: style, format: .json)
        bytes = []
        _ = try whole.write(snapshot) { $0(&bytes) }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            guard let start = line.firstMatch(of: /"started_at":"([\d-]{10})/),
                let meters = line.firstMatch(of: /"distance_m":(\d+)/).flatMap({ Int64($0.1) })
            else { continue }
            days["log, JSON", default: [:]][meters.trailingZeroBitCount] = String(start.1)
        }
    }

    /// Returns the first ten characters that the only column of a row has.
    private static func cell<Row>(
        _ columns: Columns<Row>,
        _ row: Row,
        _ format: RowFormat,
        _ style: TextStyle
    ) -> String {
        var bytes: [UInt8] = []
        var writer = RowWriter(columns, as: format, style: style)
        writer.begin(to: &bytes)
        writer.add(row, to: &bytes)
        writer.finish { $0(&bytes) }
        let lines = String(decoding: bytes, as: UTF8.self).split { $0.isNewline }
        return String(lines.last?.prefix(10) ?? "")
    }

    private static func startOfJSON<Row>(
        _ columns: Columns<Row>,
        _ row: Row,
        _ clock: LocalDay
    ) -> String {
        var bytes: [UInt8] = []
        columns.appendJSON(row, to: &bytes, by: clock)
        let json = String(decoding: bytes, as: UTF8.self)
        return json.firstMatch(of: /"started_at":"([\d-]{10})/).map { String($0.1) } ?? ""
    }

    private static func mapTitle(_ named: NamedTrip, _ style: TextStyle) -> String {
        let map = TripMap([named], style, isYear: false, showsRejected: false)
        return String(map.content(PlaceBook(), period: nil, evidence: .own("")).title.prefix(10))
    }

    /// Returns the first day in a list of one trip in the format of another program.
    private static func document(
        of named: NamedTrip,
        _ format: TripListFormat,
        _ style: TextStyle
    ) throws -> String {
        var writer = try #require(format.writer(style))
        var bytes: [UInt8] = []
        writer.begin(to: &bytes)
        writer.add(named, to: &bytes)
        writer.end(to: &bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        if let day = text.firstMatch(of: #/(\d\d)/(\d\d)/(\d{4}) /#) {
            return "\(day.3)-\(day.1)-\(day.2)"
        }
        let pattern =
            format == .kml ? #/<name>(\d{4}-\d\d-\d\d) /# : #/(\d{4}-\d\d-\d\d)/#
        return text.firstMatch(of: pattern).map { String($0.1) } ?? ""
    }
}
