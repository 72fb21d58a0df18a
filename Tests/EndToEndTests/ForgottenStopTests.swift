import DriveSimulation
import Foundation
import TestSupport
import Testing
import TripEvents

/// The driver does not press STOP: the driver is asked, the trip ends by itself, and late data may
/// prove that wrong.
@Suite struct ForgottenStopTests {
    /// GO at 08:30, five fixes from 08:31 on, and then the car stands at the office for an hour.
    private static let events = DriveSimulator.events(of: .forgottenStop)
    private static let start = DriveSimulator.scenarioStart

    /// When the car last moved: at the fifth fix.
    private static let arrival = minute(5)

    private static func minute(_ number: Int) -> Timestamp {
        start.advanced(byMilliseconds: Int64(number) * 60_000)
    }

    @Test func `the driver is asked from ten minutes without movement on`() throws {
        let book = try LedgerProcess()
        try book.begin()
        for count in [6, 12, 15] {
            let seen = Self.events.prefix(count)
            try book.append(DriveLines.data(DriveLines.lines(seen)))
            let last = try #require(seen.last).occurredAt
            for seconds in [0, 30, 59] {
                let instant = last.advanced(byMilliseconds: Int64(seconds) * 1_000)
                let asks = try book.activity(asOf: instant)["asks_still_recording"] as? Bool
                #expect(asks == (instant.milliseconds(since: Self.arrival) >= 600_000))
            }
        }
        let tenMinutesLater = Self.arrival.advanced(byMilliseconds: 600_000)
        let before = try book.activity(asOf: tenMinutesLater.advanced(byMilliseconds: -1))
        #expect(before["asks_still_recording"] as? Bool == false)
        let after = try book.activity(asOf: tenMinutesLater)
        #expect(after["asks_still_recording"] as? Bool == true)
        #expect(after["message"] as? String == "Still recording? Nothing has moved for 10 min")
        #expect(after["suggested_action"] as? String == "ledger stop --source simulated-phone")
    }

    @Test func `after 45 minutes the trip ends by itself, where and when it last moved`() throws {
        let book = try LedgerProcess()
        try book.begin()
        let open = Self.events.filter { $0.occurredAt < Self.minute(50) }
        try book.append(DriveLines.data(DriveLines.lines(open)))
        let going = try book.trip("active", asOf: Self.minute(49))
        #expect(going["status"] as? String == "active")
        let proof = Self.events.filter { $0.occurredAt == Self.minute(50) }
        try #require(proof.count == 1)
        try book.append(DriveLines.data(DriveLines.lines(proof)))
        let trip = try book.trip("last")
        #expect(trip["status"] as? String == "completed")
        #expect(trip["ended_by"] as? String == "no_movement")
        #expect(trip["ended_at"] as? String == "2025-03-03T08:35:00.000+01:00")
        #expect(trip["flags"] as? [String] == ["auto_stopped"])
        let status = try book.activity(asOf: Self.minute(50))
        #expect(status["message"] as? String == "Trip ended 08:35 by itself; say what it was for")
        #expect(status["trip"] is NSNull)
    }

    @Test func `late fixes that show it driving open the trip again, and correct it`() throws {
        let book = try LedgerProcess()
        try book.begin()
        // The reports of the phone from the way to the bakery and back come later than the rest.
        let away = Self.minute(16)...Self.minute(26)
        let inTime = Self.events.filter { !away.contains($0.occurredAt) }
        let trip = try Self.ride(in: away)
        try book.append(DriveLines.data(DriveLines.lines(inTime)))
        let ended = try book.trip("last")
        #expect(ended["flags"] as? [String] == ["auto_stopped"])

        try book.append(DriveLines.data(trip))
        let reopened = try book.trip("last", asOf: Self.minute(65))
        #expect(reopened["id"] as? String == ended["id"] as? String)
        #expect(reopened["status"] as? String == "active")
        let status = try book.activity(asOf: Self.minute(65))
        #expect(status["trip"] as? String == ended["id"] as? String)

        // At home again at 08:56 it stands still, and 45 minutes later that is the end.
        let proof = try Self.fix(at: Self.minute(26 + 45), metersEast: 0)
        try book.append(DriveLines.data([proof]))
        let corrected = try book.trip("last")
        #expect(corrected["id"] as? String == ended["id"] as? String)
        #expect(corrected["status"] as? String == "completed")
        #expect(corrected["ended_at"] as? String == "2025-03-03T08:56:00.000+01:00")
        #expect(corrected["flags"] as? [String] == ["auto_stopped"])
        let added =
            try #require(corrected["distance_m"] as? Double)
            - (try #require(ended["distance_m"] as? Double))
        // Five times 600 m there and back, but for the few metres that the parked phone drifted.
        #expect((5_950...6_050).contains(added))
        let rows = try book.tripsWithoutArrival()
        let inOrder = try LedgerProcess()
        try inOrder.begin()
        let all = DriveLines.lines(inTime) + trip + [proof]
        try inOrder.append(DriveLines.data(all.sorted { Self.time(of: $0) < Self.time(of: $1) }))
        #expect(try inOrder.tripsWithoutArrival() == rows)
    }

    /// Returns a fix every minute: away from the office, and back at the end.
    private static func ride(in range: ClosedRange<Timestamp>) throws -> [String] {
        try (0...10)
            .map { minute in
                let at = range.lowerBound.advanced(byMilliseconds: Int64(minute) * 60_000)
                return try fix(at: at, metersEast: 600 * Double(5 - abs(5 - minute)))
            }
    }

    /// Returns a fix east of the office (51.9420, 4.4850) as a line: there, a degree of longitude
    /// is 68,800 m on the ellipsoid.
    private static func fix(at instant: Timestamp, metersEast: Double) throws -> String {
        let longitude = ((4.485 + metersEast / 68_800) * 1e7).rounded() / 1e7
        let time = RFC3339.text(instant, utcOffset: UTCOffset(minutes: 60))
        return #"{"type":"fix_recorded","source":"simulated-phone","lat":51.942,"#
            + #""lon":\#(longitude),"accuracy":10,"occurred_at":"\#(time)"}"#
    }

    private static func time(of line: String) -> Int64 {
        let match = line.firstMatch(of: /"occurred_at":"([^"]+)"/)
        return match.flatMap { RFC3339.time(String($0.output.1)) }?.timestamp.milliseconds ?? 0
    }
}
