import DriveSimulation
import LedgerTestSupport
import TestSupport
import Testing
import TripLedger

@testable import TripEvents

/// The ledger can read all that it takes: an event that is stored stays, and one that made the
/// views unreadable would make the ledger unreadable.
@Suite struct AnyEventsTests {
    /// When the events happen: within a week.
    private static let week: ClosedRange<Int64> = 1_790_000_000_000...1_790_604_800_000

    @Test(arguments: Seeds.fresh(12))
    func `views can be read after any events`(seed: UInt64) throws {
        let book = try TemporaryLedger()
        var random = RandomEvents(seed: seed)
        var reader = EventLineReader()
        try book.append(Self.drives(seed))
        let kinds = EventKind.allCases.filter { !$0.isReserved }
        var taken = 0
        for _ in 0..<4 {
            let trips = try book.ledger.trips().map(\.booked)
            let events = try (0..<60)
                .compactMap { _ in
                    var event = try random.event(
                        kinds[Int.random(in: kinds.indices, using: &random.generator)]
                    )
                    // Few sources, so that events meet.
                    event.source = ["a", "phone"].randomElement(using: &random.generator) ?? "a"
                    event.occurredAt = Timestamp(
                        milliseconds: Int64.random(in: Self.week, using: &random.generator)
                    )
                    let trip = trips.randomElement(using: &random.generator)
                    return try? reader.event(
                        Self.line(event, about: trip?.id.description).span,
                        recordedAt: RandomEvents.recordedAt
                    )
                }
            for receipt in try book.append(events) {
                if case .appended = receipt { taken += 1 }
            }
            try Self.readEverything(of: book.ledger)
        }
        #expect(taken > 50, "seed \(seed): only \(taken) events were taken")
        try expectSound(book.ledger, "seed \(seed)")
    }

    /// Some drives of a week.
    private static func drives(_ seed: UInt64) -> [TripEvent] {
        Array(
            DriveSimulator.drives(
                seed: seed,
                count: 6,
                fixesPerDrive: 60...120,
                source: "phone",
                startingAt: Timestamp(milliseconds: week.lowerBound)
            )
        )
    }

    /// Returns an event as a line, in which the trips that it is about are one that there is.
    private static func line(_ event: TripEvent, about trip: String?) -> [UInt8] {
        var bytes: [UInt8] = []
        event.appendJSON(to: &bytes)
        guard let trip else { return bytes }
        let text = String(decoding: bytes, as: UTF8.self)
            .replacing(#/"(trip|into)":"[0-9a-f]{32}"/#) { "\"\($0.1)\":\"\(trip)\"" }
        return Array(text.utf8)
    }

    private static func readEverything(of ledger: Ledger) throws {
        _ = try ledger.visits()
        _ = try ledger.inferences()
        _ = try ledger.routines()
        _ = try ledger.places()
        _ = try ledger.vehicles()
        _ = try ledger.decisionsWithoutEffect()
        _ = try ledger.status(asOf: RandomEvents.recordedAt)
        for row in try ledger.trips() {
            _ = try ledger.history(of: row.booked.id)
            _ = try ledger.explain(.prefix(row.booked.id.description))
        }
    }
}
