import DriveSimulation
import Geodesy
import LedgerTestSupport
import TestSupport
import Testing
import TripEvents
import TripLedger
import TripTracking

/// Saying that a clock was wrong gives the trips that the events would have given by a right clock.
@Suite struct ClockShiftLawTests {
    /// The figures that do not depend on the reported times of events.
    private struct Figures: Equatable {
        var startedAt: EventTime
        var endedAt: EventTime?
        var distance: Distance
        var gaps: GapTotal
        var fixes: VerdictCounts
        var status: TripStatus

        init(_ trip: Trip) {
            startedAt = trip.startedAt
            endedAt = trip.endedAt
            distance = trip.distance
            gaps = trip.gaps
            fixes = trip.fixes
            status = trip.status
        }
    }

    /// A shift with the time at which it was decided.
    private struct Saying {
        var decidedAt: Timestamp
        var from: Timestamp
        var to: Timestamp
        var milliseconds: Int64
    }

    private static let source = "van"

    private static func figures(_ book: TemporaryLedger) throws -> [Figures] {
        try book.ledger.trips(TripFilter(includesUncounted: true))
            .filter { $0.trip.source == source }
            .map { Figures($0.trip) }
    }

    private static func events(
        seed: UInt64,
        using random: inout SplitMix64
    ) -> (drives: [TripEvent], sayings: [Saying]) {
        let drives = Array(
            DriveSimulator.drives(seed: seed, count: 4, fixesPerDrive: 10...40, source: source)
        )
        let latest = drives.map(\.occurredAt).max() ?? Timestamp(milliseconds: 0)
        let sayings = (0..<5)
            .map { index in
                let first = drives.randomElement(using: &random)?.occurredAt ?? latest
                let seconds = Int64.random(in: 1...3_000, using: &random)
                // No event comes to stand at the instant of another, where identities tell.
                let shift = [-3_600_250, -60_125, 0, 90_375, 3_600_500][index]
                return Saying(
                    decidedAt: latest.advanced(
                        byMilliseconds: Int64.random(in: 1...1_000_000, using: &random)
                    ),
                    from: first,
                    to: first.advanced(byMilliseconds: seconds * 1_000),
                    milliseconds: Int64(shift)
                )
            }
        return (drives, sayings)
    }

    /// Returns the event as it would be by a right clock: what was said last of its time counts.
    private static func corrected(_ event: TripEvent, _ sayings: [Saying]) -> TripEvent {
        let said = sayings.filter { $0.from <= event.occurredAt && event.occurredAt < $0.to }
        guard let last = said.max(by: { $0.decidedAt < $1.decidedAt }) else { return event }
        var event = event
        event.occurredAt = event.occurredAt.advanced(byMilliseconds: last.milliseconds)
        return event
    }

    private static func event(_ saying: Saying) throws -> TripEvent {
        TripEvent(
            source: "manual",
            occurredAt: saying.decidedAt,
            body: .clockShifted(
                ClockShifted(
                    appliesTo: source,
                    from: EventTime(saying.from),
                    to: EventTime(saying.to),
                    bySeconds: try #require(
                        ExactDecimal(significand: saying.milliseconds, decimals: 3)
                    )
                )
            )
        )
    }

    @Test(arguments: Seeds.fresh(12))
    func `a shifted clock gives the trips of a right one, in any order of arrival`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let (drives, sayings) = Self.events(seed: seed, using: &random)
        let right = try TemporaryLedger()
        try right.append(
            drives.map { Self.corrected($0, sayings) }.sorted { $0.occurredAt < $1.occurredAt }
        )
        let expected = try Self.figures(right)

        let events = try drives + sayings.map { try Self.event($0) }
        for arrival in Arrival.allCases {
            let comment: Comment = "seed \(seed), \(arrival)"
            let book = try TemporaryLedger()
            var rest = arrival.order(events, using: &random)[...]
            while !rest.isEmpty {
                let batch = rest.prefix(Int.random(in: 1...200, using: &random))
                rest = rest.dropFirst(batch.count)
                try book.append(Array(batch))
                if Bool.random(using: &random) { _ = try book.ledger.project() }
            }
            #expect(try Self.figures(book) == expected, comment)
            #expect(try book.ledger.checkViews() == [], comment)
            for row in try book.ledger.trips(TripFilter(includesUncounted: true)) {
                let explained = try book.ledger.explain(.prefix(row.trip.id.description))
                #expect(explained.isConfirmed, comment)
            }
        }
    }

    @Test func `a shift by nothing takes back the one before`() throws {
        var random = SplitMix64(seed: 7)
        let (drives, sayings) = Self.events(seed: 7, using: &random)
        let book = try TemporaryLedger()
        try book.append(drives)
        let before = try book.rowsWithoutArrival()
        var shift = sayings[4]
        try book.append([Self.event(shift)])
        #expect(try book.rowsWithoutArrival() != before)
        shift.decidedAt = shift.decidedAt.advanced(byMilliseconds: 1)
        shift.milliseconds = 0
        try book.append([Self.event(shift)])
        #expect(try book.rowsWithoutArrival() == before)
    }

    @Test func `a source that reports only later goes by the clock that was said`() throws {
        var random = SplitMix64(seed: 8)
        let (drives, sayings) = Self.events(seed: 8, using: &random)
        let book = try TemporaryLedger()
        try book.append(sayings.map { try Self.event($0) })
        _ = try book.ledger.project()
        try book.append(drives)
        let right = try TemporaryLedger()
        try right.append(drives.map { Self.corrected($0, sayings) })
        #expect(try Self.figures(book) == Self.figures(right))
    }
}
