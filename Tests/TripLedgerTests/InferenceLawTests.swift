import DriveSimulation
import Geodesy
import LedgerTestSupport
import Projections
import TestSupport
import Testing
import TripEvents
import TripLedger

/// Inferences of other programs are kept beside the trips, and change none of them.
@Suite struct InferenceLawTests {
    private static let sources = ["google", "phone", "van"]

    /// Returns what others inferred about the time of some events, often of the same sources.
    private static func inferences(
        about events: [TripEvent],
        count: Int,
        using random: inout SplitMix64
    ) -> [TripEvent] {
        let sources = Self.sources + Array(Set(events.map(\.source))).sorted()
        return (0..<count)
            .compactMap { _ in
                guard let event = events.randomElement(using: &random) else { return nil }
                let lengths: [Int64] = [0, 1, 59_999, 60_000, 600_000, 40_000_000, 9_000_000_000]
                let start = event.occurredAt.advanced(
                    byMilliseconds: -Int64.random(in: 0...2_000_000, using: &random)
                )
                let length = lengths.randomElement(using: &random) ?? 0
                let end = start.advanced(byMilliseconds: length)
                var inference = InferenceReported(
                    inferredBy: ["Google", "Overland"].randomElement(using: &random) ?? "",
                    inference: InferenceKind.allCases.randomElement(using: &random) ?? .visit,
                    startedAt: EventTime(start),
                    endedAt: EventTime(end)
                )
                if Bool.random(using: &random) { inference.claimedMeters = 12_300 }
                if Bool.random(using: &random) {
                    (inference.latitude, inference.longitude) = (51.93, 4.4)
                }
                return TripEvent(
                    source: sources.randomElement(using: &random) ?? "",
                    occurredAt: end,
                    body: .inferenceReported(inference)
                )
            }
    }

    @Test(arguments: [Arrival.seedWithTrips] + Seeds.fresh(12))
    func `trips and their distances are the same with inferences and without`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let events = try Arrival.events(seed: seed)
        let without = try TemporaryLedger()
        try without.append(events)
        let expected = try without.rowsWithoutArrival()
        // Decisions left to chance may take every trip away; at one seed there are some for sure.
        if seed == Arrival.seedWithTrips { #expect(!expected.isEmpty, "seed \(seed)") }

        let inferences = Self.inferences(about: events, count: 60, using: &random)
        let all = (events + inferences).sorted { $0.occurredAt < $1.occurredAt }
        for arrival in Arrival.allCases {
            let book = try TemporaryLedger()
            let arriving = arrival.order(all, using: &random)
            let cut = Int.random(in: 0...arriving.count, using: &random)
            try book.append(Array(arriving[..<cut]))
            if Bool.random(using: &random) { _ = try book.ledger.project() }
            try book.append(Array(arriving[cut...]))
            #expect(try book.rowsWithoutArrival() == expected, "seed \(seed), \(arrival)")
            #expect(
                try book.ledger.inferences().map(\.inference).count == Set(inferences).count,
                "seed \(seed), \(arrival)"
            )
            for trip in try book.ledger.trips(TripFilter(includesUncounted: true)) {
                let explained = try book.ledger.explain(.prefix(trip.trip.id.description))
                #expect(explained.isConfirmed, "seed \(seed), \(arrival)")
                let kinds = explained.events.compactMap(\.stored.event.body.kind)
                #expect(!kinds.contains(.inferenceReported), "seed \(seed), \(arrival)")
            }
            try expectSound(book.ledger, "seed \(seed), \(arrival)")
        }
    }

    @Test(arguments: Seeds.fresh(12))
    func `a look-up finds what lies in a span of time, newest first, and nothing else`(
        seed: UInt64
    ) throws {
        let comment: Comment = "seed \(seed)"
        var random = SplitMix64(seed: seed)
        let fixes = Array(DriveSimulator.drives(seed: seed, count: 3, fixesPerDrive: 20...40))
        let said = Self.inferences(about: fixes, count: 120, using: &random)
        let book = try TemporaryLedger()
        try book.append(said)
        // Once more: nothing is appended.
        let size = try book.ledger.head().size
        try book.append(said.shuffled(using: &random))
        #expect(try book.ledger.head().size == size, comment)
        for _ in 0..<40 {
            let event = try #require(said.randomElement(using: &random))
            guard case .inferenceReported(let inferred) = event.body else { continue }
            let from = inferred.startedAt.timestamp.advanced(
                byMilliseconds: Int64.random(in: -2...2, using: &random)
            )
            let filter = InferenceFilter(
                kind: Bool.random(using: &random) ? .visit : nil,
                source: Bool.random(using: &random) ? event.source : nil,
                from: Bool.random(using: &random) ? from : nil,
                to: Bool.random(using: &random)
                    ? from.advanced(byMilliseconds: Int64.random(in: 1...90_000, using: &random))
                    : nil
            )
            let expected = Set(said.filter { Self.lets($0, through: filter) })
            let found = try book.ledger.inferences(filter)
            #expect(found.count == expected.count, comment)
            #expect(
                Set(found.map(\.inference)).count
                    == Set(
                        expected.compactMap { event -> InferenceReported? in
                            guard case .inferenceReported(let body) = event.body else { return nil }
                            return body
                        }
                    )
                    .count,
                comment
            )
            #expect(found == found.sorted().reversed(), comment)
            var limited = filter
            limited.limit = 3
            #expect(try book.ledger.inferences(limited) == Array(found.prefix(3)), comment)
        }
        try expectSound(book.ledger, comment)
    }

    /// Whether a filter lets an event through, by its words.
    private static func lets(_ event: TripEvent, through filter: InferenceFilter) -> Bool {
        guard case .inferenceReported(let inferred) = event.body else { return false }
        let start = inferred.startedAt.timestamp
        let end = inferred.endedAt.timestamp
        let isLate = filter.to.map { start >= $0 } ?? false
        let isEarly = filter.from.map { end < $0 || end == $0 && start < end } ?? false
        return !isLate && !isEarly && (filter.kind ?? inferred.inference) == inferred.inference
            && (filter.source ?? event.source) == event.source
    }

    @Test func `another source's inference stands beside a trip only if it may be about its way`()
        throws
    {
        let book = try TemporaryLedger()
        try book.append(
            DriveSimulator.events(of: .homeToOffice, seed: 1, source: "phone")
        )
        let trip = try #require(try book.ledger.trips().first)
        let start = trip.trip.startedAt
        let end = try #require(trip.trip.endedAt)
        func inferred(by source: String, at place: (ExactDecimal, ExactDecimal)?) -> TripEvent {
            var inference = InferenceReported(
                inferredBy: source,
                inference: .activity,
                startedAt: start,
                endedAt: end
            )
            inference.latitude = place?.0
            inference.longitude = place?.1
            return TripEvent(
                source: source,
                occurredAt: end.timestamp,
                body: .inferenceReported(inference)
            )
        }
        try book.append([
            inferred(by: "phone", at: (10, 10)), inferred(by: "near", at: (51.93, 4.362)),
            inferred(by: "far", at: (52.5, 4.362)), inferred(by: "silent", at: nil),
        ])
        let beside = try book.ledger.inferences(beside: trip.booked)
        #expect(Set(beside.map(\.source)) == ["phone", "near", "silent"])
    }
}
