import DriveSimulation
import Geodesy
import LedgerTestSupport
import Projections
import Testing
import TripEvents
import TripTracking
import TripsProjection

@testable import TripLedger

/// A split is measured by the tracker of the trip's source, for any actor and at any time.
@Suite struct SplitTests {
    private static let midnight: Int64 = 1_740_960_000_000

    /// A drive of 10 m every second, north from GO to STOP.
    private static func drive(
        _ seconds: ClosedRange<Int64>,
        source: String = "phone"
    ) throws -> [TripEvent] {
        func event(_ body: EventBody, at second: Int64) -> TripEvent {
            TripEvent(source: source, occurredAt: Self.at(second), body: body)
        }
        let fixes = try seconds.dropFirst().dropLast()
            .map { second in
                event(
                    .fixRecorded(
                        FixRecorded(
                            latitude: try #require(
                                ExactDecimal(significand: 519_000_000 + second * 900, decimals: 7)
                            ),
                            longitude: try #require(ExactDecimal(significand: 44, decimals: 1))
                        )
                    ),
                    at: second
                )
            }
        return [event(.goPressed(GoPressed(vehicle: "van")), at: seconds.lowerBound)] + fixes
            + [event(.stopPressed(StopPressed()), at: seconds.upperBound)]
    }

    private static func at(_ second: Int64) -> Timestamp {
        Timestamp(milliseconds: midnight + second * 1_000)
    }

    private static func decision(_ body: EventBody, at second: Int64) -> TripEvent {
        TripEvent(source: "manual", occurredAt: at(second), body: body)
    }

    private static func split(_ trip: TripID, at second: Int64, decidedAt: Int64) -> TripEvent {
        let split = TripSplit(trip: trip, splitAt: EventTime(at(second)))
        return decision(.tripSplit(split), at: decidedAt)
    }

    private func trips(_ book: TemporaryLedger) throws -> [TripRow] {
        try book.ledger.trips().reversed()
    }

    /// Appends events one at a time, with the views brought up to date in between.
    private func append(_ events: [TripEvent], to book: TemporaryLedger) throws {
        for event in events {
            try book.append([event])
            _ = try book.ledger.project()
        }
    }

    @Test func `a trip is split, split again before that, and made whole again`() throws {
        let book = try TemporaryLedger()
        try book.append(try Self.drive(0...100))
        let whole = try #require(try trips(book).first)
        try book.append([Self.split(whole.trip.id, at: 60, decidedAt: 1_000)])
        let halves = try trips(book)
        #expect(halves.count == 2)
        let second = try #require(halves.last).trip
        #expect(second.startedAt.timestamp == Self.at(59))
        #expect(second.endedAt == whole.trip.endedAt)
        #expect(second.startedBy == .split && second.endedBy == .press)
        #expect(halves.map(\.trip.vehicle) == ["van", "van"])
        #expect(halves.allSatisfy { $0.booked.flags == .split })
        #expect(halves.map(\.trip.distance).reduce(.zero, +) == whole.trip.distance)

        try book.append([Self.split(whole.trip.id, at: 30, decidedAt: 1_010)])
        let thirds = try trips(book)
        #expect(thirds.map { $0.trip.startedAt.timestamp } == [0, 29, 59].map(Self.at))
        #expect(thirds.last?.trip == second)
        #expect(thirds.map(\.trip.distance).reduce(.zero, +) == whole.trip.distance)

        let restored = TripRestored(trip: whole.trip.id)
        try book.append([Self.decision(.tripRestored(restored), at: 1_020)])
        let again = try trips(book)
        #expect(again.map(\.trip) == [whole.trip])
        try expectSound(book.ledger)
    }

    @Test func `a later split of the same trip beyond its new end changes nothing`() throws {
        let book = try TemporaryLedger()
        try book.append(try Self.drive(0...100))
        let whole = try #require(try trips(book).first).trip.id
        try book.append([Self.split(whole, at: 30, decidedAt: 1_000)])
        try book.append([Self.split(whole, at: 60, decidedAt: 1_010)])
        #expect(try trips(book).map { $0.trip.startedAt.timestamp } == [0, 29].map(Self.at))
        let part = try #require(try trips(book).last).trip.id
        try book.append([Self.split(part, at: 60, decidedAt: 1_020)])
        #expect(try trips(book).count == 3)
        try expectSound(book.ledger)
    }

    @Test(arguments: [-5, 0, 1, 100, 101, 5_000])
    func `a split outside the way of the trip changes nothing, and shows in its history`(
        second: Int64
    ) throws {
        let book = try TemporaryLedger()
        try book.append(try Self.drive(0...100))
        let whole = try #require(try trips(book).first)
        try book.append([Self.split(whole.trip.id, at: second, decidedAt: 1_000)])
        #expect(try trips(book).map(\.trip) == [whole.trip])
        let history = try book.ledger.history(of: whole.trip.id)
        #expect(history.map(\.change.field) == ["split_at"])
        try expectSound(book.ledger)
    }

    @Test func `a split that comes before its trip waits for it`() throws {
        let book = try TemporaryLedger()
        let drive = try Self.drive(0...100)
        let other = try TemporaryLedger()
        try other.append(drive)
        let whole = try #require(try trips(other).first).trip.id
        let events = [Self.split(whole, at: 60, decidedAt: 1_000)] + drive.reversed()
        try append(events, to: book)
        #expect(try trips(book).map { $0.trip.startedAt.timestamp } == [0, 59].map(Self.at))
        try expectSound(book.ledger)
    }

    @Test func `the second part keeps its edits while late fixes move where it starts`() throws {
        let book = try TemporaryLedger()
        let drive = try Self.drive(0...100)
        try book.append(drive.filter { $0.occurredAt != Self.at(59) })
        let whole = try #require(try trips(book).first).trip.id
        try book.append([Self.split(whole, at: 60, decidedAt: 1_000)])
        let second = try #require(try trips(book).last).trip
        #expect(second.startedAt.timestamp == Self.at(58))
        let edit = DetailsEdited(trip: second.id, purpose: .set("roof"))
        try book.append([Self.decision(.detailsEdited(edit), at: 1_010)])
        try book.append(drive.filter { $0.occurredAt == Self.at(59) })
        let moved = try #require(try trips(book).last)
        #expect(moved.trip.id == second.id)
        #expect(moved.trip.startedAt.timestamp == Self.at(59))
        #expect(moved.booked.details.purpose == "roof")
        try expectSound(book.ledger)
    }

    @Test func `what was decided about the second part goes when the whole comes back`() throws {
        let book = try TemporaryLedger()
        try book.append(try Self.drive(0...100))
        let before = try #require(try trips(book).first)
        let whole = before.trip.id
        try book.append([Self.split(whole, at: 60, decidedAt: 1_000)])
        let second = try #require(try trips(book).last).trip
        let edits = [
            DetailsEdited(
                trip: second.id,
                tripStartedAt: second.startedAt,
                purpose: .set("roof")
            ),
            DetailsEdited(trip: second.id, title: .set("Visit")),
        ]
        let adjustment = DistanceAdjusted(
            trip: second.id,
            tripStartedAt: second.startedAt,
            distanceMeters: try #require(ExactDecimal(literal: "50000")),
            why: "odometer"
        )
        try book.append(edits.map { Self.decision(.detailsEdited($0), at: 1_010) })
        try book.append([Self.decision(.distanceAdjusted(adjustment), at: 1_015)])
        try book.append([Self.decision(.tripRestored(TripRestored(trip: whole)), at: 1_020)])
        let back = try #require(try trips(book).last)
        #expect(back.trip == before.trip)
        #expect(back.booked.details == before.booked.details)
        #expect(back.booked.claimedDistance == before.booked.claimedDistance)
        let left = try book.ledger.decisionsWithoutEffect()
        #expect(left.map(\.trip) == Array(repeating: second.id, count: 3))
        #expect(left.map(\.splitFrom) == Array(repeating: whole, count: 3))

        // Another split makes another part: nothing was decided about that one.
        try book.append([Self.split(whole, at: 50, decidedAt: 1_030)])
        let other = try #require(try trips(book).last)
        #expect(other.trip.startedAt.timestamp == Self.at(49))
        #expect(other.booked.claimedDistance == other.trip.distance)
        #expect(other.booked.details == before.booked.details)
        try expectSound(book.ledger)
    }

    @Test func `once the whole is back, no line calls its distance that of a part`() throws {
        let book = try TemporaryLedger()
        try book.append(try Self.drive(0...100))
        let whole = try #require(try trips(book).first).trip
        try book.append([Self.split(whole.id, at: 60, decidedAt: 1_000)])
        let first = try #require(try trips(book).first).trip
        let adjustment = DistanceAdjusted(
            trip: whole.id,
            distanceMeters: try #require(ExactDecimal(literal: "50000")),
            why: "odometer"
        )
        try book.append([Self.decision(.distanceAdjusted(adjustment), at: 1_010)])
        func distances() throws -> [FieldChange] {
            try book.ledger.history(of: whole.id).map(\.change)
                .filter { $0.field == "distance_m" }
        }
        func meters(_ distance: Distance) -> CustomValue? {
            ExactDecimal(significand: distance.millimeters, decimals: 3).map(CustomValue.number)
        }
        let told = try #require(meters(Distance(nearestTo: adjustment.distanceMeters)))
        #expect(try distances().map(\.old) == [meters(first.distance)])
        #expect(try distances().map(\.new) == [told])
        let restored = TripRestored(trip: whole.id)
        try book.append([Self.decision(.tripRestored(restored), at: 1_020)])
        #expect(try distances().map(\.old) == [nil, told])
        #expect(try distances().map(\.new) == [told, meters(whole.distance)])
        let fields = try book.ledger.history(of: whole.id).map(\.change.field)
        #expect(!fields.contains("status"))
        try expectSound(book.ledger)
    }

    @Test func `a split of one source's trip folds no other source again`() throws {
        let book = try TemporaryLedger()
        for source in ["phone", "van", "bike"] {
            try book.append(try Self.drive(0...100, source: source))
        }
        let whole = try #require(try trips(book).first { $0.trip.source == "van" }).trip.id
        try book.append([Self.split(whole, at: 60, decidedAt: 1_000)])
        #expect(try book.ledger.project().refoldedSources == 1)
        #expect(try trips(book).count == 4)
        try expectSound(book.ledger)
    }

    @Test func `a trip under way can be split, and its second part goes on`() throws {
        let book = try TemporaryLedger()
        let drive = try Self.drive(0...100)
        try book.append(Array(drive.prefix(50)))
        let whole = try #require(try trips(book).first).trip.id
        try book.append([Self.split(whole, at: 30, decidedAt: 49)])
        #expect(try book.ledger.trip(.active).trip.startedBy == .split)
        try book.append(Array(drive.dropFirst(50)))
        #expect(try trips(book).map(\.trip.status) == [.completed, .completed])
        try expectSound(book.ledger)
    }
}
