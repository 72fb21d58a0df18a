import DriveSimulation
import LedgerTestSupport
import Testing
import TripEvents
import TripTracking
import TripsProjection

@testable import TripLedger

/// A source waits for the purpose of its trip until a person has said it, with whichever program.
@Suite struct DetailsPhaseTests {
    private static let later = Timestamp(milliseconds: 1_800_000_000_000)

    private func live(_ book: TemporaryLedger) throws -> LiveStatus {
        let sources = try book.ledger.status(asOf: Self.later).sources
        return try #require(sources.first { $0.name == "phone" }).live
    }

    private func say(
        _ body: EventBody,
        afterMinutes minutes: Int64,
        to book: TemporaryLedger
    )
        throws
    {
        let trip = try #require(try book.ledger.trips(TripFilter(includesUncounted: true)).first)
        let endedAt = try #require(trip.trip.endedAt).timestamp
        try book.append([
            TripEvent(
                source: "manual",
                occurredAt: endedAt.advanced(byMilliseconds: minutes * 60_000),
                body: body
            )
        ])
    }

    @Test(arguments: [-3, 0, 5] as [Int64])
    func `an edit from another source ends the wait at once, however early it came`(
        minutes: Int64
    ) throws {
        let book = try TemporaryLedger()
        try book.append(DriveSimulator.events(of: .homeToOffice, source: "phone"))
        #expect(try live(book).phase == .details)
        let trip = try book.ledger.trip(.last).trip
        let edit = DetailsEdited(trip: trip.id, purpose: .set("roof"))
        try say(.detailsEdited(edit), afterMinutes: minutes, to: book)
        #expect(try live(book).phase == .idle)
        let since = try #require(trip.endedAt).timestamp
            .advanced(byMilliseconds: max(0, minutes) * 60_000)
        #expect(try live(book).since == since)
        #expect(try book.ledger.project().refoldedSources == 0)
    }

    @Test func `an applied routine ends the wait, and so does taking the trip away`() throws {
        let bodies: [(TripID) -> EventBody] = [
            { .routineApplied(RoutineApplied(trip: $0, routine: "Office")) },
            { .tripVoided(TripVoided(trip: $0, why: "no trip")) },
        ]
        for body in bodies {
            let book = try TemporaryLedger()
            try book.append(DriveSimulator.events(of: .homeToOffice, source: "phone"))
            let trip = try book.ledger.trip(.last).trip
            try say(body(trip.id), afterMinutes: 1, to: book)
            #expect(try live(book).phase == .idle)
        }
    }

    @Test func `what is said about another trip ends no wait`() throws {
        let book = try TemporaryLedger()
        try book.append(DriveSimulator.events(of: .homeToOffice, source: "phone"))
        let edit = DetailsEdited(trip: TripID(high: 1, low: 2), purpose: .set("roof"))
        try say(.detailsEdited(edit), afterMinutes: 1, to: book)
        #expect(try live(book).phase == .details)
    }
}
