import DriveSimulation
import LedgerTestSupport
import Projections
import Testing
import TripEvents

@testable import TripLedger

@Suite struct VisitWatchTests {
    /// The commute from home to the office, fix by fix, a minute apart.
    private static let events = DriveSimulator.events(of: .homeToOffice)
    private static let start = DriveSimulator.scenarioStart

    /// Saves the office as a place.
    private static func office(
        _ name: String = "office",
        tellsEntry: Bool = true,
        tellsExit: Bool = true,
        at time: Timestamp = start.advanced(byMilliseconds: -60_000)
    ) throws -> TripEvent {
        let place = PlaceSaved(
            place: name,
            latitude: try #require(ExactDecimal(literal: "51.9420")),
            longitude: try #require(ExactDecimal(literal: "4.4850")),
            radiusMeters: try #require(ExactDecimal(literal: "100")),
            label: "The office",
            notifiesOnEntry: tellsEntry,
            notifiesOnExit: tellsExit
        )
        return TripEvent(source: "manual", occurredAt: time, body: .placeSaved(place))
    }

    /// A fix somewhere far away, minutes after the start.
    private static func farAway(_ minutes: Int64) throws -> TripEvent {
        let fix = FixRecorded(
            latitude: try #require(ExactDecimal(literal: "51.9")),
            longitude: try #require(ExactDecimal(literal: "4.4")),
            accuracy: nil
        )
        return TripEvent(
            source: DriveSimulator.defaultSource,
            occurredAt: start.advanced(byMilliseconds: minutes * 60_000),
            body: .fixRecorded(fix)
        )
    }

    private static func visits(_ found: [LedgerNotification]) -> [String] {
        found.compactMap { notification in
            guard case .visit(let visit) = notification.subject else { return nil }
            return "\(notification.kind.rawValue) \(visit.visit.place.name)"
        }
    }

    @Test func `a place is told of once when it is entered and once when it is left`() throws {
        let book = try TemporaryLedger()
        try book.append([try Self.office()])
        var watch = try LedgerWatch(book.ledger, since: 1)
        var told: [String] = []
        for event in Self.events + [try Self.farAway(60), try Self.farAway(61)] {
            try book.append([event])
            told += Self.visits(try watch.notifications(asOf: event.occurredAt))
        }
        #expect(told == ["place_entered office", "place_left office"])
        let visits = try book.ledger.visits()
        #expect(visits.map(\.visit.place.name) == ["office"], "and `visits` says the same")
    }

    @Test(arguments: [(true, false), (false, true), (false, false)])
    func `only what people want to be told is told`(entry: Bool, exit: Bool) throws {
        let book = try TemporaryLedger()
        try book.append([try Self.office(tellsEntry: entry, tellsExit: exit)])
        var watch = try LedgerWatch(book.ledger, since: 1)
        try book.append(Self.events + [try Self.farAway(60)])
        let told = Self.visits(try watch.notifications(asOf: Self.start))
        let expected = (entry ? ["place_entered office"] : []) + (exit ? ["place_left office"] : [])
        #expect(told == expected)
    }

    @Test func `a place that is saved while a source is there is not told to be entered`() throws {
        let book = try TemporaryLedger()
        try book.append(Self.events)
        var watch = try LedgerWatch(book.ledger)
        #expect(try watch.notifications(asOf: Self.start).isEmpty)
        let later = Self.start.advanced(byMilliseconds: 600_000)
        try book.append([try Self.office(at: later)])
        #expect(Self.visits(try watch.notifications(asOf: later)).isEmpty)
        try book.append([try Self.farAway(60)])
        let told = Self.visits(try watch.notifications(asOf: later))
        #expect(told == ["place_left office"])
    }

    @Test func `a fix that comes too late says nothing about now`() throws {
        let book = try TemporaryLedger()
        try book.append([try Self.office(), try Self.farAway(60)])
        var watch = try LedgerWatch(book.ledger)
        _ = try watch.notifications(asOf: Self.start)
        try book.append(Self.events)
        let found = try watch.notifications(asOf: Self.start.advanced(byMilliseconds: 3_600_000))
        #expect(Self.visits(found).isEmpty)
        #expect(found.map(\.kind) == [.tripStarted, .tripEnded])
    }
}
