import DriveSimulation
import LedgerRows
import Projections
import ProjectorTestSupport
import Tables
import TestSupport
import Testing
import TripEvents
import TripTracking

/// Trips as events of a calendar.
@Suite struct CalendarWriterTests {
    private func calendar(_ trips: [BookedTrip]) throws -> String {
        var writer = try #require(TripListFormat.ics.writer(TextStyle()))
        var bytes: [UInt8] = []
        writer.begin(to: &bytes)
        for trip in trips { writer.add(NamedTrip(trip), to: &bytes) }
        writer.end(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: Seeds.fresh(4))
    func `a line has 75 bytes at most, and unfolds to what was written`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for length in 0..<200 {
            let letters = ["a", "é", "€", "🚗", ";", ",", "\\"]
            let purpose = (0..<length).compactMap { _ in letters.randomElement(using: &random) }
                .joined()
            var booked = BookedTrip(SampleTrip.full)
            booked.details.purpose = purpose
            let text = try calendar([booked])
            let lines = text.unicodeScalars.split(separator: "\n").map(String.init)
            for line in lines {
                #expect(line.hasSuffix("\r"), "seed \(seed)")
                #expect(line.utf8.count <= 76, "seed \(seed): \(line)")
            }
            let unfolded = text.replacing("\r\n ", with: "")
            let escaped = purpose.replacing("\\", with: "\\\\")
                .replacing(";", with: "\\;").replacing(",", with: "\\,")
            #expect(unfolded.contains(escaped), "seed \(seed): \(unfolded)")
        }
    }

    @Test(arguments: Seeds.fresh(4))
    func `an event is as old as the last that the ledger stored about its trip`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<40 {
            var booked = BookedTrip(SampleTrip.full)
            let day = try #require(RFC3339.time("2025-03-03T00:00:00Z")).timestamp
            let times = (0..<3)
                .map { _ in
                    day.advanced(
                        byMilliseconds: Int64.random(in: 0..<86_400, using: &random) * 1_000
                    )
                }
            booked.trip.recorded = Trip.Recorded(firstAt: times[0], lastAt: times[0])
            booked.detailsRecorded =
                Bool.random(using: &random)
                ? Trip.Recorded(firstAt: times[1], lastAt: times[1]) : nil
            let decidedAt = Bool.random(using: &random) ? times[2] : nil
            var writer = try #require(TripListFormat.ics.writer(TextStyle()))
            var bytes: [UInt8] = []
            writer.add(NamedTrip(booked, decidedAt: decidedAt), to: &bytes)
            let text = String(decoding: bytes, as: UTF8.self)
            let last = [times[0], booked.detailsRecorded?.lastAt, decidedAt]
                .compactMap(\.self).max()
            let stamp = RFC3339.text(try #require(last)).prefix(19)
                .filter { $0 != "-" && $0 != ":" }
            #expect(text.contains("\r\nDTSTAMP:\(stamp)Z\r\n"), "seed \(seed): \(text)")
        }
    }

    @Test func `a trip that goes on is none of its events`() throws {
        let text = try calendar([BookedTrip(SampleTrip.active(high: 1))])
        #expect(!text.contains("VEVENT"))
        #expect(text.hasPrefix("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"))
        #expect(text.hasSuffix("END:VCALENDAR\r\n"))
    }
}
