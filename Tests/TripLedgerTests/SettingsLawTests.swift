import DriveSimulation
import LedgerTestSupport
import Projections
import TestSupport
import Testing
import TripEvents

@testable import TripLedger

/// A trip counts by the zone that was in force when it began, whenever that was said.
@Suite struct SettingsLawTests {
    private static let zones = [
        "UTC", "Europe/Amsterdam", "Asia/Tokyo", "America/New_York", "Pacific/Apia",
        "Australia/Lord_Howe",
    ]

    private static let start = Timestamp(milliseconds: 1_735_689_600_000)

    /// Trips in every hour of some days; some of them know their own offset.
    private static func trips(using random: inout SplitMix64) -> [TripEvent] {
        (0..<150)
            .map { number in
                let hours = Int64(number) * 5
                let startedAt = start.advanced(
                    byMilliseconds: hours * 3_600_000
                        + Int64.random(in: 0..<3_000_000, using: &random)
                )
                let minutes = Int.random(in: -700...700, using: &random)
                let own = random.next() % 4 == 0 ? UTCOffset(minutes: minutes) : nil
                let report = TripReported(
                    startedAt: EventTime(startedAt, utcOffset: own),
                    endedAt: EventTime(startedAt.advanced(byMilliseconds: 600_000), utcOffset: own),
                    distanceMeters: 1_000
                )
                return TripEvent(
                    source: "phone",
                    occurredAt: startedAt,
                    id: "trip \(number)",
                    body: .tripReported(report)
                )
            }
    }

    /// Settings that the owner and a group say, each at an instant of its own.
    private static func changes(using random: inout SplitMix64) -> [TripEvent] {
        (0..<14)
            .map { number in
                let isOfGroup = number % 5 == 4
                return TripEvent(
                    source: isOfGroup ? "manual/17" : "manual",
                    group: isOfGroup ? "17" : nil,
                    occurredAt: start.advanced(
                        byMilliseconds: Int64.random(in: 0..<750 * 3_600, using: &random) * 1_000
                            + Int64(number)
                    ),
                    actor: "Eva",
                    body: .settingsChanged(
                        SettingsChanged(
                            timeZone: number % 4 == 3 ? nil : zones.randomElement(using: &random),
                            language: number % 4 == 3
                                ? (number % 8 == 3 ? .set("de") : .cleared) : .unchanged
                        )
                    )
                )
            }
    }

    /// Returns the name of the zone in force, found without the book.
    private static func zone(at instant: Timestamp, _ changes: [TripEvent]) -> String {
        var (latest, name) = (Timestamp.beforeAll, "Europe/Amsterdam")
        for event in changes where event.group == nil {
            guard case .settingsChanged(let change) = event.body, let zone = change.timeZone,
                event.occurredAt >= latest
            else { continue }
            // It holds from the next whole minute on.
            let minute = (event.occurredAt.milliseconds + 59_999) / 60_000 * 60_000
            if minute <= instant.milliseconds { (latest, name) = (event.occurredAt, zone) }
        }
        return name
    }

    @Test(arguments: Seeds.fresh(4))
    func `a trip counts on its day in the zone that was in force, in any order of arrival`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let trips = Self.trips(using: &random)
        let changes = Self.changes(using: &random)
        var expected: [String: Int64] = [:]
        for event in trips {
            guard case .tripReported(let report) = event.body else { continue }
            let zone = Self.zone(at: report.startedAt.timestamp, changes)
            let clock = LocalDay(zone: try TimeZoneRules.ofMachine(named: zone))
            expected["\(clock.day(of: report.startedAt))", default: 0] += 1
        }
        var rows: Set<[String]> = []
        for _ in 0..<3 {
            let book = try TemporaryLedger(settings: LedgerSettings(timeZone: "Europe/Amsterdam"))
            var rest = (trips + changes).shuffled(using: &random)[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...60, using: &random)
                try book.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
                let clock = try book.ledger.read { $0.clock }
                #expect(clock != nil && clock == book.ledger.clock, "seed \(seed)")
            }
            let period = LocalPeriod(localDay: try book.ledger.requireClock())
            let lines = try book.ledger.totals(by: .day, in: period).lines
            let counted = lines.map { ($0.name ?? "", $0.sums.trips) }
            #expect(Dictionary(uniqueKeysWithValues: counted) == expected, "seed \(seed)")
            try Self.expectListed(expected, book.ledger, "seed \(seed)")
            rows.insert(try book.rowsWithoutArrival())
            try expectSound(book.ledger, "seed \(seed)")
        }
        #expect(rows.count == 1, "seed \(seed)")
    }

    /// Expects that each day's list has the trips that its sum counts.
    private static func expectListed(
        _ expected: [String: Int64],
        _ ledger: Ledger,
        _ comment: Comment
    ) throws {
        let clock = try ledger.requireClock()
        for (text, count) in expected {
            let day = CivilDate(text)
            let period = LocalPeriod(from: day, to: day, localDay: clock)
            let trips = try ledger.trips(TripFilter(period: period))
            #expect(Int64(trips.count) == count, comment)
        }
    }

    /// Settings that cannot stand: with a value that is not known, beside others that are.
    private static func unfit(using random: inout SplitMix64) -> [TripEvent] {
        let changes = [
            SettingsChanged(timeZone: "Mars/X"),
            SettingsChanged(timeZone: "../UTC", units: .miles),
            SettingsChanged(timeZone: "localtime", keeper: .set("Eva")),
            SettingsChanged(timeZone: "Asia/Tokyo", country: .set("zz")),
            SettingsChanged(language: .set("xx"), paper: .set(.letter)),
            SettingsChanged(language: .set("en-UK"), driver: .set("Eva"), appliesTo: "phone"),
        ]
        return changes.enumerated()
            .map { number, change in
                let second = Int64.random(in: 0..<750 * 3_600, using: &random)
                let milliseconds = second * 1_000 + 100 + Int64(number)
                return TripEvent(
                    source: "elsewhere",
                    occurredAt: start.advanced(byMilliseconds: milliseconds),
                    body: .settingsChanged(change)
                )
            }
    }

    /// Returns what a ledger tells of each setting, and the trips that it counts by day.
    private static func facts(_ book: TemporaryLedger) throws -> [String] {
        let settings = try book.ledger.settings()
        let period = LocalPeriod(localDay: try book.ledger.requireClock())
        let lines = try book.ledger.totals(by: .day, in: period).lines
        let changes = try book.ledger.read { try $0.settingChanges() }
        return SettingName.allCases.map { "\(settings.sayings(of: $0))" }
            + ["\(settings.driverSayings(at: start.advanced(byMilliseconds: 1 << 40)))"]
            + lines.map { "\($0.name ?? ""): \($0.sums.trips)" }
            + changes.map { "\($0.change)" }
    }

    @Test(arguments: Seeds.fresh(4))
    func `settings that cannot stand change nothing and are named, in any order of arrival`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let trips = Self.trips(using: &random)
        let changes = Self.changes(using: &random)
        let without = changes.filter { $0.group != nil } + Self.unfit(using: &random)
        let founding = LedgerSettings(timeZone: "Europe/Amsterdam")
        let right = try TemporaryLedger(settings: founding)
        try right.append(trips + changes.filter { $0.group == nil })
        #expect(try right.ledger.decisionsWithoutEffect().isEmpty, "seed \(seed)")
        let expected = try Self.facts(right)
        let times = without.map(\.occurredAt).sorted()
        for _ in 0..<3 {
            let book = try TemporaryLedger(settings: founding)
            let all = trips + changes.filter { $0.group == nil } + without
            try book.append(all.shuffled(using: &random))
            #expect(try Self.facts(book) == expected, "seed \(seed)")
            let named = try book.ledger.decisionsWithoutEffect()
            #expect(named.map(\.decision.event.occurredAt) == times, "seed \(seed)")
            #expect(named.allSatisfy { $0.trip == nil }, "seed \(seed)")
            #expect(try book.ledger.knownDecisionsWithoutEffect() == named, "seed \(seed)")
            try expectSound(book.ledger, "seed \(seed)")
        }
    }

    @Test func `settings are read without views, and as they were at a head`() throws {
        let book = try TemporaryLedger(settings: LedgerSettings(timeZone: "UTC", units: .miles))
        func change(_ change: SettingsChanged, at hour: Int64) -> TripEvent {
            TripEvent(
                source: "manual",
                occurredAt: Self.start.advanced(byMilliseconds: hour * 3_600_000),
                body: .settingsChanged(change)
            )
        }
        try book.append([
            change(SettingsChanged(timeZone: "Asia/Tokyo", language: .set("nl")), at: 2)
        ])
        let size = try book.ledger.head().size
        #expect(try book.ledger.settings().timeZones.map(\.name) == ["UTC", "Asia/Tokyo"])
        try book.append([
            change(SettingsChanged(units: .kilometers, paper: .set(.letter)), at: 1),
            change(SettingsChanged(language: .cleared, paper: .cleared), at: 3),
        ])
        let settings = try book.ledger.settings()
        let hours = (0..<4).map { Self.start.advanced(byMilliseconds: $0 * 3_600_000) }
        #expect(hours.map { settings.units(at: $0) } == [.miles] + [.kilometers] * 3)
        #expect(hours.map { settings.language(at: $0) } == [nil, nil, "nl", nil])
        #expect(hours.map { settings.paper(at: $0) } == [nil, .letter, .letter, nil])
        #expect(hours.map { settings.timeZone(at: $0) } == ["UTC", "UTC"] + ["Asia/Tokyo"] * 2)
        #expect(try book.ledger.read { $0.settings } == settings)
        let then = try book.ledger.readFromLog(upTo: size) { $0.settings }
        #expect(then.units(at: hours[3]) == .miles && then.language(at: hours[3]) == "nl")
        // Another process that has never looked finds the same.
        try book.whileClosed {}
        #expect(try book.ledger.settings() == settings)
    }
}

private func * <Element>(_ elements: [Element], _ count: Int) -> [Element] {
    (0..<count).flatMap { _ in elements }
}
