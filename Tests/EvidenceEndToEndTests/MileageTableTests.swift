import Foundation
import TestSupport
import Testing

/// The table of a long mileage log.
@Suite struct MileageTableTests {
    private static let trips = 4_000

    /// Purposes of trips: long enough for several pieces of memory, and the last one is wider.
    private static func purpose(_ trip: Int) -> String {
        trip == trips - 1
            ? String(repeating: "é", count: 90)
            : String(repeating: trip % 3 == 0 ? "ü" : "u", count: 60 + trip % 7)
    }

    private static func line(_ trip: Int) -> String {
        let start = Date(timeIntervalSince1970: 1_735_725_600 + 7_200 * Double(trip))
        let end = start.addingTimeInterval(600)
        return """
            {"type":"trip_reported","source":"paper","occurred_at":"2026-01-02T00:00:00Z",\
            "id":"\(trip)","started_at":"\(start.formatted(.iso8601))",\
            "ended_at":"\(end.formatted(.iso8601))","distance_m":\(trip),\
            "class":"business","purpose":"\(purpose(trip))"}

            """
    }

    @Test func `cells stand below their titles, also in lines from before a column grew`() throws {
        let ledger = try LedgerProcess()
        try ledger.begin()
        let input = (0..<Self.trips).map(Self.line).joined()
        #expect(try ledger.append(Data(input.utf8)).appended == Self.trips)
        let lines = try ledger.run("report", "log").lines.map(Array.init)
        let titles = try #require(lines.firstIndex { $0.starts(with: "DATE") })
        let header = String(lines[titles])
        let purpose = try #require(header.range(of: "PURPOSE")).lowerBound
        let tripClass = try #require(header.range(of: "CLASS")).lowerBound
        let start = header.distance(from: header.startIndex, to: purpose)
        let end = header.distance(from: header.startIndex, to: tripClass)
        #expect(end - start == 90 + 2)
        let wrong = (0..<Self.trips)
            .filter { trip in
                let line = lines[titles + 1 + trip]
                let cell = Self.purpose(trip)
                let padded = cell + String(repeating: " ", count: end - start - cell.count)
                return String(line[start..<end]) != padded
                    || !line[end...].starts(with: "business  ")
            }
        #expect(wrong.isEmpty)
    }
}
