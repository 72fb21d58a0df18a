import LedgerRows
import Projections
import ProjectorTestSupport
import Tables
import Testing
import TripEvents

/// Trips that count nowhere, in the lists that other programs read.
@Suite struct UncountedTripTests {
    private static let formats: [TripListFormat] = [.ics, .gpx, .kml]

    /// Returns a list of one trip without the line ends that fold it.
    private static func list(
        of status: BookedStatus,
        _ format: TripListFormat,
        _ style: TextStyle
    ) throws -> String {
        var booked = BookedTrip(SampleTrip.full)
        booked.status = status
        var writer = try #require(format.writer(style))
        var bytes: [UInt8] = []
        writer.begin(to: &bytes)
        writer.add(NamedTrip(booked), to: &bytes)
        writer.end(to: &bytes)
        return String(decoding: bytes, as: UTF8.self).replacing("\r\n ", with: "")
    }

    @Test(arguments: Language.allCases)
    func `a list says why a trip counts nowhere, and nothing of one that counts`(
        language: Language
    ) throws {
        var style = TextStyle()
        style.language = language
        for format in Self.formats {
            let counted = try Self.list(of: .completed, format, style)
            for status in BookedStatus.allCases {
                let phrase = style.words.text(status.phrase)
                let text = try Self.list(of: status, format, style)
                #expect(
                    text.contains(phrase) == (status != .completed),
                    "\(format), \(status): \(text)"
                )
                #expect(!counted.contains(phrase), "\(format), \(status): \(counted)")
            }
        }
    }

    @Test func `an event of a calendar is cancelled where its trip counts nowhere`() throws {
        for status in BookedStatus.allCases where status != .active {
            let text = try Self.list(of: status, .ics, TextStyle())
            #expect(
                text.contains("\r\nSTATUS:CANCELLED\r\n") == (status != .completed),
                "\(status): \(text)"
            )
        }
    }
}
