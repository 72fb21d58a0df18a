import DriveSimulation
import LedgerTestSupport
import Projections
import Testing
import TripEvents

@testable import TripLedger

@Suite struct ReminderTests {
    private static let start = DriveSimulator.scenarioStart

    private static func days(_ count: Int64) -> Timestamp {
        start.advanced(byMilliseconds: count * Timestamp.millisecondsPerDay)
    }

    private static func due(
        _ book: TemporaryLedger,
        _ day: Int64
    ) throws -> [LedgerNotification.Kind] {
        try book.ledger.read(asOf: days(day)) { try $0.reminders(asOf: days(day)).map(\.kind) }
    }

    private static func reading(_ kilometers: ExactDecimal, _ day: Int64) -> TripEvent {
        let reading = OdometerRead(vehicle: "golf", value: kilometers, unit: .kilometers)
        return TripEvent(source: "manual", occurredAt: days(day), body: .odometerRead(reading))
    }

    private static func country(_ code: String) -> TripEvent {
        TripEvent(
            source: "manual",
            occurredAt: start,
            body: .settingsChanged(SettingsChanged(country: .set(code)))
        )
    }

    @Test(arguments: [(4, false), (5, true), (31, true), (33, false)] as [(Int64, Bool)])
    func `a trip that waits is told of from the fifth day on`(day: Int64, isDue: Bool) throws {
        let book = try TemporaryLedger()
        try book.append(DriveSimulator.events(of: .homeToOffice))
        #expect(try Self.due(book, day) == (isDue ? [.purposeWaiting] : []))
    }

    @Test func `a trip that has a class and a purpose waits no longer`() throws {
        let book = try TemporaryLedger()
        try book.append(DriveSimulator.events(of: .homeToOffice))
        let trip = try book.ledger.trip(.last).trip
        let details = DetailsEdited(
            trip: trip.id,
            tripStartedAt: trip.startedAt,
            purpose: .set("Sales"),
            tripClass: .set(.business)
        )
        try book.append([
            TripEvent(source: "manual", occurredAt: Self.days(1), body: .detailsEdited(details))
        ])
        #expect(try Self.due(book, 6).isEmpty)
    }

    @Test(arguments: [("nl", 58, false), ("nl", 62, true), ("de", 62, false), ("de", 366, true)])
    func `an odometer is read every two months in the Netherlands, elsewhere every year`(
        country: String,
        day: Int64,
        isDue: Bool
    ) throws {
        let book = try TemporaryLedger()
        try book.append([Self.country(country), Self.reading(1_000, 0)])
        #expect(try Self.due(book, day).contains(.readingDue) == isDue)
        try book.append([Self.reading(1_000, day)])
        #expect(try !Self.due(book, day).contains(.readingDue))
    }

    @Test func `a distance on the odometer that no trip explains is reported`() throws {
        let book = try TemporaryLedger()
        try book.append([Self.reading(1_000, 0), Self.reading(1_000, 1), Self.reading(1_050, 2)])
        let found = try book.ledger.read(asOf: Self.days(3)) {
            try $0.reminders(asOf: Self.days(3))
        }
        #expect(found.map(\.kind) == [.odometerOnly])
        guard case .reminder(let reminder) = found.first?.subject else {
            Issue.record("it is a reminder")
            return
        }
        #expect(reminder.about == "golf")
        #expect(reminder.distance?.millimeters == 50_000_000)
        #expect(try Self.due(book, 40).isEmpty)
    }

    @Test func `reminders hold, with the same name, until what they remind of is done`() throws {
        let book = try TemporaryLedger()
        try book.append(DriveSimulator.events(of: .homeToOffice) + [Self.reading(1_000, 0)])
        func names(_ day: Int64) throws -> [String] {
            try book.ledger.read(asOf: Self.days(day)) {
                try $0.reminders(asOf: Self.days(day)).map(\.reminderName)
            }
        }
        #expect(try names(5) == names(9))
        #expect(try names(5).count == 1)
    }

    @Test(arguments: [(20, false), (21, true), (23, true), (60, false)] as [(Int64, Bool)])
    func `a source that drove on a weekday for three weeks is missed on the fourth`(
        day: Int64,
        isSilent: Bool
    ) throws {
        let book = try TemporaryLedger()
        for week in [0, 7, 14] as [Int64] {
            let events = DriveSimulator.events(of: .homeToOffice)
                .map { event in
                    var event = event
                    event.occurredAt = event.occurredAt
                        .advanced(byMilliseconds: week * Timestamp.millisecondsPerDay)
                    event.id = nil
                    return event
                }
            try book.append(events)
        }
        // Two hours after its usual start.
        let now = Self.days(day).advanced(byMilliseconds: 7_300_000)
        let found = try book.ledger.read(asOf: now) { try $0.silentSources(asOf: now).count }
        #expect((found == 1) == isSilent)
        let early = Self.days(21).advanced(byMilliseconds: 7_000_000)
        #expect(try book.ledger.read(asOf: early) { try $0.silentSources(asOf: early).isEmpty })
    }
}
