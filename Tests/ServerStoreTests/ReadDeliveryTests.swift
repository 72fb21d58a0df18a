import Importers
import Testing
import TripEvents

@testable import ServerStore

/// What is set aside of a delivery.
@Suite struct ReadDeliveryTests {
    private static let now = Timestamp(milliseconds: 1_900_000_000_000)

    private static func read(_ locations: [String]) -> ReadDelivery {
        var token = Token(name: "phone", scopes: [.ingest], createdAt: now)
        token.sources = ["phone"]
        let body = #"{"location":[\#(locations.joined(separator: ","))]}"#
        return ReadDelivery(
            DeliveredRequest(body: Array(body.utf8)),
            at: .osmand,
            with: token,
            at: now
        )
    }

    /// The time for looking at the whole once for each would grow with the square of their number.
    @Test func `a delivery with very many faults in one record is set aside once, as a whole`() {
        let read = Self.read(Array(repeating: "{}", count: 50_000))
        #expect(read.items.isEmpty)
        #expect(read.aside.map(\.byteCount) == [#"{"location":[]}"#.utf8.count + 149_999])
        #expect(read.aside.allSatisfy { $0.code == "missing_field" && !$0.mayPassLater })
    }

    @Test func `times without a zone wait for one, beside faults that stay`() {
        let location =
            #"{"timestamp":"2030-03-17 10:00:00","coords":{"latitude":52.1,"longitude":5}}"#
        let read = Self.read(Array(repeating: location, count: 2_000))
        #expect(read.items.isEmpty && read.aside.count == 1)
        #expect(read.aside.allSatisfy { $0.code == "invalid_time" && $0.mayPassLater })
        let mixed = Self.read(["{}", location])
        #expect(mixed.aside.map(\.code) == ["invalid_time"])
        #expect(mixed.aside.allSatisfy { !$0.mayPassLater })
    }

    // MARK: Batches

    /// Deliveries of two positions whose times have no zone, and one with a zone.
    private static let batches: [(DeliveryDoor, String)] = {
        let times = ["2029-11-28T11:00:01", "2029-11-28T11:00:02", "2029-11-28T11:00:03Z"]
        let features = times.map {
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[5.1,52.1]},"#
                + #""properties":{"timestamp":"\#($0)"}}"#
        }
        let objects = times.map {
            #"{"timestamp":"\#($0)","coords":{"latitude":52.1,"longitude":5.1}}"#
        }
        let points = times.map { #"[52.1,5.1,"\#($0)"]"# }
        let flat = times.map { #"{"lat":52.1,"lon":5.1,"time":"\#($0)"}"# }
        return [
            (.overland, #"{"locations":[\#(features.joined(separator: ","))]}"#),
            (.colota, #"{"locations":[\#(features.joined(separator: ","))]}"#),
            (.overland, "[\(features.joined(separator: ","))]"),
            (.osmand, "[\(objects.joined(separator: ","))]"),
            (.phonetrack, #"{"points":[\#(points.joined(separator: ","))]}"#),
            (.gpslogger, "[\(flat.joined(separator: ","))]"),
        ]
    }()

    /// Reads a delivery with a token that has a zone, or none.
    private static func read(
        _ body: [UInt8],
        at door: DeliveryDoor,
        zone: String? = nil
    ) -> ReadDelivery {
        var token = Token(name: "phone", scopes: [.ingest], createdAt: now)
        token.sources = ["phone"]
        token.timeZone = zone
        return ReadDelivery(DeliveredRequest(body: body), at: door, with: token, at: now)
    }

    @Test(arguments: batches)
    func `each position of a batch that lacks a zone waits, and becomes what it would have been`(
        door: DeliveryDoor,
        body: String
    ) {
        let zone = "Europe/Amsterdam"
        let read = Self.read(Array(body.utf8), at: door)
        #expect(read.items.count == 1 && read.aside.count == 2)
        #expect(read.aside.allSatisfy { $0.code == "invalid_time" && $0.mayPassLater })
        #expect(read.aside.allSatisfy { $0.reason.contains("--time-zone") })
        let later = read.aside.map { Self.read($0.content, at: door, zone: zone) }
        #expect(later.allSatisfy { $0.items.count == 1 && $0.aside.isEmpty })
        let whole = Self.read(Array(body.utf8), at: door, zone: zone)
        #expect(whole.items.count == 3 && whole.aside.isEmpty)
        let bytes = later.flatMap(\.bytes)
        #expect(whole.bytes.starts(with: bytes))
        #expect(String(decoding: bytes, as: UTF8.self).contains("11:00:02.000+01:00"))
    }

    @Test func `faults in the events of one record set it aside once, as it was sent`() {
        let faulty = #"{"coords":{"latitude":"x","longitude":5},"timestamp":1890000000}"#
        let twice = #"{"location":[\#(faulty),\#(faulty)]}"#
        let regions =
            #"{"_type":"waypoints","waypoints":["#
            + #"{"desc":"A","lat":"x","lon":5,"rad":9,"tst":1890000000},"#
            + #"{"desc":"B","lat":"x","lon":5,"rad":9,"tst":1890000000}]}"#
        let list = Self.read(Array(#"[\#(twice),{"location":[]}]"#.utf8), at: .osmand)
        #expect(list.aside.map(\.content) == [Array(faulty.utf8), Array(faulty.utf8)])
        let messages = Self.read(Array(#"[\#(regions),{"_type":"lwt"}]"#.utf8), at: .owntracks)
        #expect(messages.aside.map(\.content) == [Array(regions.utf8)])
    }
}
