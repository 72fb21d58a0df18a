import DriveSimulation
import Foundation
import TestSupport
import Testing
import TripEvents

/// A recorder that is killed between any two events of a drive loses nothing: the open trip is
/// there after each restart, and the finished one is that of a run that nothing interrupted.
@Suite struct KilledRecorderTests {
    /// The moment at which the process is killed.
    enum Moment: CaseIterable {
        /// It has said that the event is safe, and waits for the next one.
        case afterReceipt

        /// It may not have read the event yet, or not have said so.
        case beforeReceipt
    }

    private static let events = DriveSimulator.events(of: .homeToOffice)

    @Test(arguments: Moment.allCases)
    func `a drive that is recorded by a process per event, each killed, is the same trip`(
        moment: Moment
    ) throws {
        let expected = try Self.uninterrupted()
        let book = try LedgerProcess()
        try book.begin()
        for (index, event) in Self.events.enumerated() {
            try Self.record(event, in: book, killed: moment)
            guard index < Self.events.count - 1 else { continue }
            let status = try Self.status(of: book, asOf: event)
            #expect(status["trip"] as? String == expected.id, "after event \(index)")
            let fixes = Self.events.prefix(index + 1).count { $0.body.kind == .fixRecorded }
            #expect(status["phase"] as? String == (fixes < 2 ? "arming" : "tracking"))
        }
        #expect(try book.tripsWithoutArrival() == expected.trips)
        try book.expectViewsConfirmed("\(moment)")
    }

    @Test(arguments: 1..<events.count)
    func `a drive goes on after its recorder was killed at any event`(killedAfter count: Int) throws
    {
        let expected = try Self.uninterrupted()
        let book = try LedgerProcess()
        try book.begin()
        let process = book.process(["append", "--receipts"])
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = .pipe(input)
        process.standardOutput = .pipe(output)
        try process.start()
        for event in Self.events.prefix(count) {
            try input.fileHandleForWriting.write(contentsOf: DriveLines.data([event.json]))
            #expect(!output.fileHandleForReading.availableData.isEmpty)
        }
        kill(process.processIdentifier, SIGKILL)
        #expect(process.waitForEnd().wasKilled)

        let status = try Self.status(of: book, asOf: Self.events[count - 1])
        #expect(status["trip"] as? String == expected.id)
        let rest = DriveLines.lines(Self.events.dropFirst(count))
        #expect(try book.append(DriveLines.data(rest)).appended == rest.count)
        #expect(try book.tripsWithoutArrival() == expected.trips)
        try book.expectViewsConfirmed("killed after \(count) events")
    }

    /// Records an event with a process that is killed, and again if there was no receipt.
    private static func record(
        _ event: TripEvent,
        in book: LedgerProcess,
        killed moment: Moment
    ) throws {
        let line = DriveLines.data([event.json])
        let process = book.process(["append", "--receipts"])
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = .pipe(input)
        process.standardOutput = .pipe(output)
        try process.start()
        try input.fileHandleForWriting.write(contentsOf: line)
        if moment == .afterReceipt { _ = output.fileHandleForReading.availableData }
        kill(process.processIdentifier, SIGKILL)
        #expect(process.waitForEnd().wasKilled)
        if moment == .afterReceipt {
            #expect(try book.append(line).duplicate == 1, "what was acknowledged is there")
        } else {
            let again = try book.append(line)
            #expect(again.appended + again.duplicate == 1)
        }
    }

    /// Returns the id of the trip, and all trips, of a run that nothing interrupted.
    private static func uninterrupted() throws -> (id: String, trips: [String]) {
        let book = try LedgerProcess()
        try book.begin()
        try book.append(DriveLines.data(DriveLines.lines(events)))
        let trips = try book.tripsWithoutArrival()
        let trip = try JSONSerialization.jsonObject(with: Data(try #require(trips.first).utf8))
        let members = try #require(trip as? [String: Any])
        #expect(trips.count == 1)
        #expect(members["status"] as? String == "completed")
        return (try #require(members["id"] as? String), trips)
    }

    /// Returns what `ledger status` says of the recorder at the time of an event.
    private static func status(
        of book: LedgerProcess,
        asOf event: TripEvent
    ) throws -> [String: Any] {
        try book.activity(asOf: event.occurredAt)
    }
}
