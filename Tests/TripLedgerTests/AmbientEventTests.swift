import LedgerTestSupport
import Testing
import TripEvents
import TripTracking
import TripsProjection

@testable import TripLedger

/// What one source reports can concern the trips of all.
@Suite struct AmbientEventTests {
    private static let start = Timestamp(milliseconds: 1_700_000_000_000)

    @Test func `a decision to save ends the trip of a recorder that died, without a word of it`()
        throws
    {
        let book = try TemporaryLedger()
        try book.append(try Self.drive)
        let open = try #require(try book.ledger.trips().first)
        #expect(open.trip.status == .active)
        try book.append([Self.recovery(.save, of: open.trip.id)])
        let saved = try #require(try book.ledger.trips().first)
        #expect(saved.trip.status == .completed)
        #expect(saved.trip.endedBy == .recovery)
        #expect(saved.trip.distance == open.trip.distance)
        try expectSound(book.ledger)
    }

    @Test func `a trip that was saved goes on if its recorder had already said more`() throws {
        let book = try TemporaryLedger()
        try book.append(try Self.drive)
        let id = try #require(try book.ledger.trips().first).trip.id
        try book.append([Self.recovery(.save, of: id)])
        #expect(try book.ledger.trips().first?.trip.endedBy == .recovery)
        try book.append([Self.event(.stopPressed(StopPressed()), after: 55)])
        #expect(try book.ledger.trips().first?.trip.endedBy == .press)
        try expectSound(book.ledger)
    }

    @Test(arguments: [nil, "phone", "van"])
    func `rules that another source reports hold for those they are for`(target: String?) throws {
        let book = try TemporaryLedger()
        try book.append(try Self.drive)
        let rules = RulesAdopted(preset: "logger", appliesTo: target)
        let adoption = TripEvent(
            source: "manual",
            occurredAt: Self.start.advanced(byMilliseconds: -1),
            body: .rulesAdopted(rules)
        )
        #expect(try book.ledger.trips().first?.trip.rules.rawValue == "v1")
        try book.append([adoption])
        let name = target == "van" ? "v1" : "v1/logger"
        #expect(try book.ledger.trips().first?.trip.rules.rawValue == name)
        #expect(try book.ledger.explain(.last).isConfirmed)
        try expectSound(book.ledger)
    }

    private static var drive: [TripEvent] {
        get throws {
            let fixes = try (0..<10)
                .map { index in
                    event(
                        .fixRecorded(
                            FixRecorded(
                                latitude: try decimal(519_000_000 + Int64(index) * 2_000, 7),
                                longitude: try decimal(44_000_000, 7)
                            )
                        ),
                        after: Int64(index) * 5
                    )
                }
            return [event(.goPressed(GoPressed()), after: 0)] + fixes
        }
    }

    private static func recovery(_ decision: RecoveryDecision, of trip: TripID) -> TripEvent {
        TripEvent(
            source: "manual",
            occurredAt: start.advanced(byMilliseconds: 60_000),
            body: .recoveryDecided(RecoveryDecided(trip: trip, decision: decision))
        )
    }

    private static func event(_ body: EventBody, after seconds: Int64) -> TripEvent {
        TripEvent(
            source: "phone",
            occurredAt: start.advanced(byMilliseconds: seconds * 1_000),
            body: body
        )
    }

    private static func decimal(_ significand: Int64, _ decimals: Int) throws -> ExactDecimal {
        try #require(ExactDecimal(significand: significand, decimals: decimals))
    }
}
