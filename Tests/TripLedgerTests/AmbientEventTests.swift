import DriveSimulation
import LedgerTestSupport
import TestSupport
import Testing
import TripEvents
import TripTracking
import TripsProjection

@testable import TripLedger

/// Events of one source can concern the trips of all.
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

    @Test func `a decision about another trip lets time pass for one in progress`() throws {
        let book = try TemporaryLedger()
        try book.append(try Self.drive)
        _ = try book.ledger.project()
        #expect(try book.ledger.trips().first?.trip.status == .active)
        let decision = TripEvent(
            source: "manual",
            occurredAt: Self.start.advanced(byMilliseconds: 30 * 86_400_000),
            body: .recoveryDecided(RecoveryDecided(trip: TripID(high: 1, low: 2), decision: .save))
        )
        try book.append([decision])
        _ = try book.ledger.project()
        #expect(try book.ledger.trips().first?.trip.status == .completed)
        try expectSound(book.ledger)
    }

    @Test(arguments: Seeds.fresh(6))
    func `what many sources say of all of them means the same in any pieces and any order`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let drive = try Self.drive
        var events: [TripEvent] = []
        for number in 0..<8 {
            for event in drive {
                var event = event
                event.source = "car-\(number)"
                events.append(event)
            }
            // Before, during and after the drives; some of each kind.
            for _ in 0..<4 {
                let named = ["car-0", "car-5", nil].randomElement(using: &random) ?? nil
                let body: EventBody =
                    [
                        .rulesAdopted(RulesAdopted(preset: "logger", appliesTo: named)),
                        .rulesAdopted(RulesAdopted(preset: "history", appliesTo: named)),
                        .placeSaved(Self.place(number)),
                    ]
                    .randomElement(using: &random) ?? .placeSaved(Self.place(number))
                events.append(
                    TripEvent(
                        source: ["car-\(number)", "manual"].randomElement(using: &random) ?? "",
                        occurredAt: Self.start.advanced(
                            byMilliseconds: Int64.random(in: -2...12, using: &random) * 10_000
                        ),
                        id: "\(number)-\(random.next())",
                        body: body
                    )
                )
            }
        }
        let once = try TemporaryLedger()
        try once.append(events)
        let expected = try once.ledger.trips(TripFilter(includesUncounted: true))
        #expect(expected.count >= 8)
        let book = try TemporaryLedger()
        var rest = events.shuffled(using: &random)[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...40, using: &random))
            rest = rest.dropFirst(piece.count)
            try book.append(Array(piece))
            _ = try book.ledger.project()
        }
        let found = try book.ledger.trips(TripFilter(includesUncounted: true))
        #expect(found.map(\.withoutArrival) == expected.map(\.withoutArrival), "seed \(seed)")
        try expectSound(book.ledger, "seed \(seed)")
        try expectSound(once.ledger, "seed \(seed)")
    }

    private static func place(_ number: Int) -> PlaceSaved {
        PlaceSaved(
            place: "place \(number)",
            latitude: ExactDecimal(52),
            longitude: ExactDecimal(4),
            radiusMeters: ExactDecimal(200),
            skips: true
        )
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
