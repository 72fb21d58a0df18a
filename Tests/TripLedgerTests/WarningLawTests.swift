import DriveSimulation
import Geodesy
import LedgerTestSupport
import Projections
import TestSupport
import Testing
import TripEvents
import TripLedger
import TripsProjection

/// A likely mistake is accepted, and gives a warning at once.
@Suite struct WarningLawTests {
    private static let now = EventTime(Timestamp(milliseconds: 1_950_000_000_000))

    private static func hour(_ hour: Int) -> EventTime {
        EventTime(Timestamp(milliseconds: 1_800_000_000_000 + Int64(hour) * 3_600_000))
    }

    private static func vehicle(_ random: inout SplitMix64) -> String? {
        ["van", "car", "lorry", nil].randomElement(using: &random) ?? nil
    }

    private static func report(_ random: inout SplitMix64) -> TripReported {
        let start = Int.random(in: 0..<60, using: &random)
        return TripReported(
            startedAt: hour(start),
            endedAt: hour(start + Int.random(in: 1...3, using: &random)),
            distanceMeters: Bool.random(using: &random) ? 10_000 : 20_000,
            details: TripDetails(vehicle: vehicle(&random))
        )
    }

    private static func reading(_ random: inout SplitMix64) -> OdometerRead {
        OdometerRead(
            vehicle: vehicle(&random) ?? "van",
            value: ExactDecimal(integerLiteral: Int64.random(in: 0...200, using: &random)),
            unit: .kilometers
        )
    }

    private static func events(_ random: inout SplitMix64) -> [TripEvent] {
        (0..<Int.random(in: 0...20, using: &random))
            .map { number in
                let body: EventBody =
                    switch Int.random(in: 0..<5, using: &random) {
                    case 0:
                        .vehicleRegistered(VehicleRegistered(vehicle: vehicle(&random) ?? "van"))
                    case 1: .odometerRead(reading(&random))
                    default: .tripReported(report(&random))
                    }
                return TripEvent(
                    source: "manual",
                    occurredAt: hour(Int.random(in: 0..<60, using: &random)).timestamp,
                    id: "\(number)",
                    body: body
                )
            }
    }

    private static func decision(
        about trips: [TripID],
        _ random: inout SplitMix64
    ) -> LedgerDecision {
        func trip() -> TripReference {
            trips.randomElement(using: &random).map { .prefix($0.description) } ?? .last
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let read = reading(&random)
            let corrected = hour(Int.random(in: 0..<60, using: &random))
            return .readOdometer(
                vehicle: read.vehicle,
                read.value,
                .typed,
                corrects: Bool.random(using: &random) ? corrected : nil
            )
        case 1:
            var edit = TripEdit()
            edit.vehicle = vehicle(&random).map { .set($0) } ?? .cleared
            return .edit(trip(), edit)
        case 2: return .merge([trip(), trip()])
        default: return .reportTrip(report(&random))
        }
    }

    private static func trips(_ ledger: Ledger) throws -> [TripRow] {
        try ledger.read { try $0.trips(TripFilter(includesUncounted: true)) }
    }

    @Test(arguments: Seeds.fresh(40))
    func `warnings depend on the book and the decision alone`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let events = Self.events(&random)
        let (one, other) = (try TemporaryLedger(), try TemporaryLedger())
        try one.append(events)
        for event in events.shuffled(using: &random) { try other.append([event]) }
        for _ in 0..<5 {
            let trips = try Self.trips(one.ledger).map(\.trip.id)
            let decision = Self.decision(about: trips, &random)
            let answers = [one, other]
                .map { book in
                    Result { try book.ledger.decide(decision, by: "Eva", now: Self.now) }
                }
            let said = answers.map { try? $0.get().warnings }
            #expect(said[0] == said[1], "seed \(seed)")
            guard case .success(let outcome) = answers[0] else { continue }
            // A statement that may be true is never refused.
            #expect(outcome.receipt.storedPosition != nil, "seed \(seed)")
            #expect(outcome.warnings.allSatisfy { $0.undo.hasPrefix("ledger ") }, "seed \(seed)")
            try expectCodes(of: outcome, in: one.ledger, "seed \(seed)")
        }
        try expectSound(one.ledger, "seed \(seed)")
    }

    /// Expects the warnings about a report that a look at all trips gives.
    private func expectCodes(
        of outcome: DecisionOutcome,
        in ledger: Ledger,
        _ comment: Comment
    ) throws {
        guard case .tripReported = outcome.event.body, case .appended = outcome.receipt,
            let row = outcome.trips.first
        else { return }
        let vehicle = row.booked.details.vehicle
        var isSame = false
        var overlaps = false
        for other in try Self.trips(ledger) where other.trip.id != row.trip.id {
            guard other.booked.counts, other.booked.details.vehicle == vehicle else { continue }
            if other.trip.startedAt.timestamp == row.trip.startedAt.timestamp,
                other.trip.endedAt?.timestamp == row.trip.endedAt?.timestamp,
                other.booked.claimedDistance == row.booked.claimedDistance,
                other.booked.parts.isEmpty
            {
                isSame = true
            } else if vehicle != nil, let end = row.trip.endedAt?.timestamp {
                let start = row.trip.startedAt.timestamp
                let own = (start: other.trip.startedAt, end: other.trip.endedAt)
                let parts = other.booked.parts.map { (start: $0.startedAt, end: $0.endedAt) }
                // Between the parts of a merged trip nothing was under way.
                overlaps =
                    overlaps
                    || (parts.isEmpty ? [own] : parts)
                        .contains { part in
                            part.start.timestamp < end
                                && part.end.map { start < $0.timestamp } ?? true
                        }
            }
        }
        let codes = Set(outcome.warnings.map(\.code))
        #expect(codes.contains(.sameTripReported) == isSame, comment)
        #expect(codes.contains(.tripsOverlap) == overlaps, comment)
    }

    @Test func `the second of several decisions about one unknown vehicle says nothing new`() throws
    {
        var random = SplitMix64(seed: 1)
        let book = try TemporaryLedger()
        var report = Self.report(&random)
        report.details.vehicle = nil
        var later = report
        later.startedAt = Self.hour(100)
        later.endedAt = Self.hour(101)
        try book.append(
            [report, later]
                .map {
                    TripEvent(
                        source: "manual",
                        occurredAt: $0.startedAt.timestamp,
                        body: .tripReported($0)
                    )
                }
        )
        var edit = TripEdit()
        edit.vehicle = .set("van")
        let outcomes = try book.ledger.decide(
            try Self.trips(book.ledger).map { .edit(.prefix($0.trip.id.description), edit) },
            by: "Eva",
            now: Self.now
        )
        #expect(outcomes.flatMap(\.warnings).map(\.code) == [.unknownVehicle])
    }

    @Test func `a duplicate says nothing, for it changed nothing`() throws {
        var random = SplitMix64(seed: 1)
        let book = try TemporaryLedger()
        let decision = LedgerDecision.reportTrip(Self.report(&random))
        let answers = try (0..<2)
            .map { _ in
                try book.ledger.decide(decision, by: "Eva", id: "1", now: Self.now)
            }
        #expect(answers[1].receipt == .duplicate(of: answers[0].receipt.storedPosition ?? 0))
        #expect(answers[1].warnings.isEmpty)
    }
}
