import DriveSimulation
import LedgerTestSupport
import TestSupport
import Testing
import TripEvents

@testable import TripLedger

/// Trips are found by the words in them.
@Suite struct TextSearchLawTests {
    private static let words = [
        "Bakker", "roof", "ZOË", "straße", "r2", "d", "Ünal", "office", "Кофе", "a/b",
    ]

    /// Returns a reported trip with some words in its details, and these.
    private static func trip(
        _ number: Int,
        using random: inout SplitMix64
    ) -> (event: TripEvent, said: [String]) {
        var said: [String] = []
        func text() -> String? {
            guard Bool.random(using: &random) else { return nil }
            let text = (0..<Int.random(in: 1...3, using: &random))
                .map { _ in words.randomElement(using: &random) ?? "" }
                .joined(separator: " ")
            said.append(text)
            return text
        }
        let start = Timestamp(milliseconds: 1_740_960_000_000 + Int64(number) * 3_600_000)
        var details = TripDetails(
            title: text(),
            purpose: text(),
            notes: text(),
            client: text(),
            vehicle: text()
        )
        if let field = text() {
            var fields = CustomFields()
            fields["order"] = .text(field)
            details.fields = fields
        }
        let report = TripReported(
            startedAt: EventTime(start),
            endedAt: EventTime(start.advanced(byMilliseconds: 60_000)),
            origin: text(),
            destination: text(),
            distanceMeters: ExactDecimal(1_000),
            details: details
        )
        let event = TripEvent(
            source: "paper",
            occurredAt: start.advanced(byMilliseconds: 60_000),
            body: .tripReported(report)
        )
        return (event, said)
    }

    @Test(arguments: Seeds.fresh(4))
    func `a trip is found by any words of it and by no others`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let book = try TemporaryLedger()
        let trips = (0..<40).map { Self.trip($0, using: &random) }
        try book.append(trips.map(\.event))
        for _ in 0..<60 {
            let words = (0..<Int.random(in: 0...2, using: &random))
                .map { _ in
                    let word = Self.words.randomElement(using: &random) ?? ""
                    let part = word.prefix(Int.random(in: 1...6, using: &random))
                    return Bool.random(using: &random) ? part.uppercased() : part.lowercased()
                }
            var filter = TripFilter()
            filter.text = TextSearch(words.joined(separator: "  "))
            let found = try book.ledger.trips(filter).map(\.booked.trip.startedAt.timestamp)
            let expected = trips.filter { trip in
                words.allSatisfy { word in
                    trip.said.contains { $0.lowercased().contains(word.lowercased()) }
                }
            }
            let starts = expected.reversed()
                .map { $0.event.occurredAt.advanced(byMilliseconds: -60_000) }
            #expect(found == starts, "seed \(seed): \(words)")
        }
    }
}
