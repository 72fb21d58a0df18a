import DriveSimulation
import TestSupport
import Testing
import TripEvents

@testable import Importers

/// Laws that hold for every delivery.
@Suite struct DeliveryLawTests {
    private static let bodies: [(DeliveryDoor, String)] = [
        (
            .owntracks,
            #"[{"_type":"location","lat":51.9,"lon":4.3,"acc":5,"vel":36,"cog":90,"alt":-2,"#
                + #""tst":1795159860,"motionactivities":["automotive"],"topic":"o/e/p"},"#
                + #"{"_type":"encrypted","data":"AAAA"},{"_type":"waypoints","waypoints":["#
                + #"{"desc":"Home","lat":51.9,"lon":4.3,"rad":75,"tst":1795159860}]}]"#
        ),
        (
            .overland,
            #"{"locations":[{"type":"Feature","#
                + #""geometry":{"type":"Point","coordinates":[4.3,51.9]},"#
                + #""properties":{"timestamp":"2026-11-20T08:31:30+0100","speed":13,"course":-1,"#
                + #""motion":["driving"]}},{"properties":{"type":"trip","mode":"car","#
                + #""start":"2026-11-20T07:30:00Z","end":"2026-11-20T07:40:00Z","distance":9}}]}"#
        ),
        (.osmand, "id=a&lat=51.9&lon=4.3&timestamp=1795159860&speed=26.4&odometer=9&ignition=true"),
        (
            .osmand,
            #"{"location":{"timestamp":"2026-11-20T07:32:15.000Z","coords":{"latitude":51.9,"#
                + #""longitude":4.3,"accuracy":5.1,"speed":-1},"activity":{"type":"in_vehicle"}}}"#
        ),
        (
            .gpslogger,
            "lat=51.9&lon=4.3&acc=4.7&alt=3&spd=13&dir=271&prov=gps&timestamp=1795159860"
                + "&timeoffset=%2B01:00&time=2026-11-20T07:31:00.000Z"
        ),
        (.colota, #"{"lat":51.9,"lon":4.3,"acc":5,"alt":3,"vel":13.6,"tst":1795159860,"bear":2}"#),
        (
            .phonetrack,
            #"{"points":[[51.9,4.3,1795159860,3.2,5,83,14,"P",13.6,271],[51.9,4.3,1795159875]]}"#
        ),
        (
            .traccarForward,
            #"{"position":{"fixTime":"2026-11-20T07:31:00.000+00:00","valid":true,"#
                + #""latitude":51.9,"longitude":4.3,"attributes":{"ignition":true,"odometer":9}},"#
                + #""device":{"uniqueId":"van"}}"#
        ),
    ]

    /// Changes a few bytes at random: other ones, missing ones, repeated ones.
    private static func changed(
        _ bytes: [UInt8],
        using random: inout SplitMix64
    ) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let start = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, start + Int.random(in: 1...12, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[start] = UInt8.random(in: 0...255, using: &random)
            case 1:
                bytes[start] = Array(#"{}[]",:0-9e.&=%+ "#.utf8).randomElement(using: &random) ?? 0
            case 2: bytes.removeSubrange(start..<end)
            case 3: bytes.insert(contentsOf: bytes[start..<end], at: start)
            default: bytes.removeSubrange(end...)
            }
        }
        return bytes
    }

    @Test(arguments: Seeds.fresh(2))
    func `each event is one of the token's source, and what is rejected is there to be kept`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        var reader = EventLineReader(isStrict: true)
        var counts = (events: 0, rejections: 0)
        for round in 0..<4_000 {
            let (door, text) = Self.bodies[round % Self.bodies.count]
            let body = Self.changed(Array(text.utf8), using: &random)
            var options = DeliveryOptions(sources: ["van"])
            options.open = { $0 == "AAAA" ? Array(#"{"_type":"location","tst":"#.utf8) : nil }
            let request =
                round % 3 == 0 && door == .osmand
                ? DeliveredRequest(query: String(decoding: body, as: UTF8.self), body: [])
                : DeliveredRequest(body: body)
            let batch = request.events(at: door, options)
            let place: Comment = "seed \(seed), round \(round)"
            #expect(request.events(at: door, options).items == batch.items, place)
            for item in batch.items {
                switch item.outcome {
                case .ignored: break
                case .rejected(let rejection):
                    counts.rejections += 1
                    #expect(
                        !rejection.sentence.isEmpty && item.range.count <= body.count + 400,
                        place
                    )
                case .event:
                    do throws(Rejection) {
                        try reader.read(
                            batch.bytes.span.extracting(item.range),
                            recordedAt: Timestamp(milliseconds: 1_795_159_860_000)
                        )
                        counts.events += 1
                        #expect(reader.candidate.source == "van", place)
                        #expect(batch.kind(of: item) == reader.candidate.kind, place)
                    } catch {
                        // The ledger refuses it with this reason, which is kept with the line.
                        #expect(error.code != .invalidJSON && error.code != .unknownType, place)
                    }
                }
            }
        }
        #expect(counts.events > 1_000 && counts.rejections > 300, "\(counts)")
    }
}
