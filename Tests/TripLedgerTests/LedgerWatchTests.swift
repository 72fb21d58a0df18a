import DriveSimulation
import Geodesy
import LedgerTestSupport
import Projections
import ProjectorTestSupport
import TestSupport
import Testing
import TripEvents
import TripTracking
import TripsProjection

@testable import TripLedger

@Suite struct LedgerWatchTests {
    private static let start = DriveSimulator.scenarioStart

    /// The knowledge of a reader of the notifications alone.
    private struct Told: Equatable {
        var isOver: [TripID: Bool] = [:]

        mutating func take(_ found: LedgerNotification) {
            guard let id = found.trip?.id else { return }
            switch found.kind {
            case .tripStarted:
                #expect(isOver[id] == nil, "a trip starts once")
                isOver[id] = false
            case .tripEnded:
                #expect(isOver[id] != nil, "a trip that ends has started")
                isOver[id] = true
            case .tripResumed:
                #expect(isOver[id] == true, "a trip that is resumed had ended")
                isOver[id] = false
            case .tripWithdrawn:
                #expect(isOver[id] != nil, "a trip that is withdrawn was told of")
                isOver[id] = nil
            case .signalLost, .stillRecording, .recovering, .placeEntered, .placeLeft:
                #expect(isOver[id] == false, "only a trip that goes on needs attention")
            case .sourceSilent, .odometerOnly, .purposeWaiting, .readingDue, .ratesEnd, .backupDue,
                .witnessDue:
                Issue.record("a watch does not remind")
            }
        }
    }

    @Test(arguments: Seeds.fresh(3), Arrival.allCases)
    func `who is told everything knows every trip, in any order of arrival and whenever one looks`(
        seed: UInt64,
        arrival: Arrival
    ) throws {
        var random = SplitMix64(seed: seed)
        var events = try ProjectorLaws.randomDrives(seed: seed)
        events += Scenario.allCases.flatMap {
            DriveSimulator.events(of: $0, seed: seed, source: $0.rawValue)
        }
        let arrived = arrival.order(events, using: &random)
        let book = try TemporaryLedger()
        var watch = try LedgerWatch(book.ledger, since: 1)
        var told = Told()
        let past = Timestamp(milliseconds: 0)
        var rest = arrived[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...200, using: &random))
            rest = rest.dropFirst(piece.count)
            try book.append(Array(piece))
            for found in try watch.notifications(asOf: past) { told.take(found) }
            let isCaughtUp = watch.isCaughtUp
            #expect(isCaughtUp)
        }
        var expected = Told()
        for row in try book.ledger.trips(TripFilter(includesUncounted: true)) {
            expected.isOver[row.trip.id] = row.trip.status != .active
        }
        for source in try book.ledger.status(asOf: past).sources {
            if let ended = source.endedByTime { expected.isOver[ended.id] = true }
        }
        #expect(told == expected, "seed \(seed)")
        #expect(!expected.isOver.isEmpty)
    }

    /// Kinds, trips and times: what happens at one instant has no order of its own.
    private static func names(_ found: [LedgerNotification]) -> [String] {
        found.map { "\($0.kind.rawValue) \($0.trip.map { "\($0.id)" } ?? "") \($0.at)" }.sorted()
    }

    @Test(arguments: Seeds.fresh(3), Arrival.allCases)
    func `a watch that goes on where another one ended tells what that one would have told`(
        seed: UInt64,
        arrival: Arrival
    ) throws {
        var random = SplitMix64(seed: seed)
        let events = Scenario.allCases.flatMap {
            DriveSimulator.events(of: $0, seed: seed, source: $0.rawValue)
        }
        let arrived = arrival.order(events, using: &random)
        let book = try TemporaryLedger()
        var watch = try LedgerWatch(book.ledger, since: 1)
        var instant = Self.start
        var rest = arrived[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...60, using: &random))
            rest = rest.dropFirst(piece.count)
            _ = try watch.notifications(asOf: instant)
            let position = watch.position
            var next = try LedgerWatch(book.ledger, since: position, lookedAt: instant)
            try book.append(Array(piece))
            instant = instant.advanced(byMilliseconds: .random(in: 0...9_000_000, using: &random))
            let expected = Self.names(try watch.notifications(asOf: instant))
            #expect(try Self.names(next.notifications(asOf: instant)) == expected, "seed \(seed)")
        }
    }

    @Test func `a whole trip that comes at once has started and ended`() throws {
        let book = try TemporaryLedger()
        var watch = try LedgerWatch(book.ledger)
        #expect(try watch.notifications(asOf: Self.start).isEmpty)
        try book.append(DriveSimulator.events(of: .homeToOffice))
        let found = try watch.notifications(asOf: Self.minutes(5))
        #expect(found.map(\.kind) == [.tripStarted, .tripEnded])
        #expect(found.map(\.position) == [1, 1])
        #expect(found.last?.trip?.trip.distance.millimeters ?? 0 > 8_000_000)
        #expect(try watch.notifications(asOf: Self.minutes(6)).isEmpty)
    }

    @Test(arguments: Seeds.fresh(2))
    func `a notification of a backlog is told again from its position`(seed: UInt64) throws {
        let book = try TemporaryLedger()
        let drives = try ProjectorLaws.randomDrives(seed: seed)
        let events = Scenario.allCases.flatMap {
            DriveSimulator.events(of: $0, seed: seed, source: $0.rawValue)
        }
        try book.append(drives + events)
        func told(since position: UInt64) throws -> [LedgerNotification] {
            var watch = try LedgerWatch(book.ledger, since: position)
            var found: [LedgerNotification] = []
            repeat {
                found += try watch.notifications(asOf: Timestamp(milliseconds: 0))
            } while !watch.isCaughtUp
            return found
        }
        let all = try told(since: 1)
        let size = try book.ledger.head().size
        // Each 256 entries have a position of their own.
        #expect(Set(all.map(\.position)).count > 1 || size <= 512, "seed \(seed)")
        #expect(all.map(\.position) == all.map(\.position).sorted())
        for one in [all.first, all.last, all[all.count / 2]].compactMap(\.self) {
            let again = try told(since: one.position)
            #expect(
                again.contains { $0.kind == one.kind && $0.trip?.id == one.trip?.id },
                "seed \(seed): \(one.kind) at \(one.position)"
            )
        }
    }

    @Test(arguments: Seeds.fresh(2))
    func `a watch after the cursor of a notice tells the others, and each once`(
        seed: UInt64
    ) throws {
        let book = try TemporaryLedger()
        try book.append(
            Scenario.allCases.flatMap {
                DriveSimulator.events(of: $0, seed: seed, source: $0.rawValue)
            }
        )
        func told(by watch: consuming LedgerWatch) throws -> [LedgerNotification] {
            var found: [LedgerNotification] = []
            repeat {
                found += try watch.notifications(asOf: Timestamp(milliseconds: 0))
            } while !watch.isCaughtUp
            // Alarms follow from the time, and are told while they hold.
            let alarms: Set<LedgerNotification.Kind> = [.signalLost, .stillRecording, .recovering]
            return found.filter { !alarms.contains($0.kind) }
        }
        let all = try told(by: LedgerWatch(book.ledger, since: 1))
        let cursors = try all.map { try #require($0.cursor) }
        #expect(Set(cursors).count == all.count, "seed \(seed)")
        for index in Seeds.sample(of: Array(all.indices)) {
            let text = cursors[index].description
            let cursor = try #require(WatchCursor(text))
            let rest = try told(by: LedgerWatch(book.ledger, after: cursor))
            #expect(
                Self.names(rest) == Self.names(Array(all[(index + 1)...])),
                "seed \(seed), after \(text)"
            )
        }
    }

    @Test(arguments: ["", "12", "1-2", "2-1.0", "01-2.3", "1-2.3.4", "1-2.-3", "1.2-3", "a-2.3"])
    func `other texts are no cursors`(text: String) {
        #expect(WatchCursor(text) == nil)
    }

    @Test func `what was before is not told, unless one asks for it`() throws {
        let book = try TemporaryLedger()
        try book.append(DriveSimulator.events(of: .homeToOffice))
        var fromNow = try LedgerWatch(book.ledger)
        #expect(try fromNow.notifications(asOf: Self.minutes(60)).isEmpty)
        var fromThen = try LedgerWatch(book.ledger, since: 1)
        let found = try fromThen.notifications(asOf: Self.minutes(60)).map(\.kind)
        #expect(found == [.tripStarted, .tripEnded])
        #expect(throws: LedgerError.self) { _ = try LedgerWatch(book.ledger, since: 100) }
    }

    @Test func `silence is told step by step, each once`() throws {
        let book = try TemporaryLedger()
        try book.append(Array(DriveSimulator.events(of: .homeToOffice).prefix(4)))
        var watch = try LedgerWatch(book.ledger, since: 1)
        let kinds = try (3...125)
            .flatMap { minute in
                try watch.notifications(asOf: Self.minutes(minute)).map { ($0.kind, minute) }
            }
        #expect(kinds.map(\.0) == [.tripStarted, .signalLost, .stillRecording, .tripEnded])
        // The last fix is from 08:33: the signal is lost after 2 min (3 intervals are known), the
        // question comes after 10 min, and the trip ends after two hours without a report.
        #expect(kinds.map(\.1) == [3, 6, 13, 123])
    }

    @Test func `a trip that time has ended is resumed when late data shows that it went on`() throws
    {
        let book = try TemporaryLedger()
        let events = DriveSimulator.events(of: .homeToOffice)
        try book.append(Array(events.prefix(4)))
        var watch = try LedgerWatch(book.ledger, since: 1)
        let ended = try watch.notifications(asOf: Self.minutes(150))
        #expect(ended.map(\.kind) == [.tripStarted, .tripEnded])
        #expect(ended.last?.trip?.trip.endedBy == .deviceOff)
        let late = try #require(events.dropFirst(4).first)
        try book.append([late])
        // The fix is from 08:34, and an hour later its trip goes on.
        let resumed = try watch.notifications(asOf: Self.minutes(64))
        #expect(resumed.map(\.kind).contains(.tripResumed))
        try book.append(Array(events.dropFirst(5)))
        let over = try watch.notifications(asOf: Self.minutes(150))
        #expect(over.map(\.kind) == [.tripEnded])
        #expect(over.last?.trip?.trip.endedBy == .press)
        #expect(over.last?.trip?.id == ended.last?.trip?.id)
    }

    @Test func `an end that late data moves is told again`() throws {
        let book = try TemporaryLedger()
        let events = DriveSimulator.events(of: .lateUpload)
        try book.append(Array(events.dropLast(2)))
        var watch = try LedgerWatch(book.ledger, since: 1)
        let before = try watch.notifications(asOf: Self.minutes(6))
        try book.append(Array(events.suffix(2)))
        let after = try watch.notifications(asOf: Self.minutes(6))
        #expect(before.map(\.kind) == [.tripStarted, .tripEnded])
        #expect(after.map(\.kind) == [.tripEnded])
        #expect(after.last?.trip?.trip.distance != before.last?.trip?.trip.distance)
    }

    @Test func `a trip whose start was wrong is withdrawn, and the right one reported`() throws {
        let book = try TemporaryLedger()
        let events = DriveSimulator.events(of: .doubleGo)
        let presses = events.indices.filter { events[$0].body.kind == .goPressed }
        try #require(presses.count == 2)
        var without = events
        let first = without.remove(at: presses[0])
        try book.append(without)
        var watch = try LedgerWatch(book.ledger, since: 1)
        let wrong = try watch.notifications(asOf: Self.minutes(6))
        #expect(wrong.map(\.kind) == [.tripStarted, .tripEnded])
        try book.append([first])
        let right = try watch.notifications(asOf: Self.minutes(6))
        #expect(right.map(\.kind) == [.tripWithdrawn, .tripStarted, .tripEnded])
        #expect(right.first?.trip?.id == wrong.first?.trip?.id)
        #expect(right.last?.trip?.id != wrong.first?.trip?.id)
    }

    @Test func `a recorder that comes back with its trip open is told`() throws {
        let book = try TemporaryLedger()
        let events = DriveSimulator.events(of: .batteryDeath)
        let back = try #require(
            events.firstIndex { $0.body.kind == .authorizationChanged }
        )
        try book.append(Array(events.prefix(back)))
        var watch = try LedgerWatch(book.ledger)
        _ = try watch.notifications(asOf: events[back - 1].occurredAt)
        try book.append([events[back]])
        let found = try watch.notifications(asOf: events[back].occurredAt)
        #expect(found.map(\.kind).contains(.recovering))
        #expect(found.first { $0.kind == .recovering }?.at.timestamp == events[back].occurredAt)
    }

    @Test func `what people say and decide is not told, for they know`() throws {
        let book = try TemporaryLedger()
        try book.append(DriveSimulator.events(of: .homeToOffice))
        var watch = try LedgerWatch(book.ledger)
        _ = try watch.notifications(asOf: Self.minutes(6))
        let trip = try book.ledger.trip(.last).trip
        let bodies: [EventBody] = [
            .detailsEdited(
                DetailsEdited(trip: trip.id, tripStartedAt: trip.startedAt, purpose: .set("Work"))
            ),
            .tripVoided(
                TripVoided(trip: trip.id, tripStartedAt: trip.startedAt, why: "a test drive")
            ),
        ]
        for (index, body) in bodies.enumerated() {
            let at = Self.minutes(10 + index)
            try book.append([TripEvent(source: "manual", occurredAt: at, body: body)])
            #expect(try watch.notifications(asOf: at).isEmpty)
        }
        let voided = try book.ledger.trip(.prefix(trip.id.description))
        #expect(voided.booked.status == .voided)
    }

    @Test func `other processes may bring the views up to date, or delete them`() throws {
        let book = try TemporaryLedger()
        var watch = try LedgerWatch(book.ledger)
        _ = try watch.notifications(asOf: Self.start)
        try book.append(DriveSimulator.events(of: .homeToOffice))
        _ = try book.ledger.project(isRebuild: true)
        #expect(try watch.notifications(asOf: Self.minutes(6)).count == 2)
    }

    private static func minutes(_ count: Int) -> Timestamp {
        start.advanced(byMilliseconds: Int64(count) * 60_000)
    }
}
