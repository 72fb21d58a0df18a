import DriveSimulation
import TestSupport
import Testing
import TripEvents

@testable import Importers

/// The current position that Overland sends beside its deliveries.
@Suite struct DeliveredPresentTests {
    private static let feature =
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[4.41,51.9305]},"#
        + #""properties":{"timestamp":"2026-11-20T07:40:00Z","speed":13,"horizontal_accuracy":5,"#
        + #""motion":["driving"]}}"#

    private static func present(
        _ body: String,
        at door: DeliveryDoor = .overland
    ) -> PresentPosition? {
        DeliveredRequest(body: Array(body.utf8))
            .presentPosition(at: door, DeliveryOptions(sources: ["phone"]))
    }

    @Test func `it is found beside what waits, and is no event`() throws {
        let body = #"{"locations":[\#(Self.feature)],"current":\#(Self.feature),"trip":{}}"#
        let position = try #require(Self.present(body))
        #expect(position.at.milliseconds == 1_795_160_400_000)
        #expect(position.latitude == 51.9305 && position.longitude == 4.41)
        #expect(Self.present(body, at: .colota) == position)
        let alone = #"{"current":\#(Self.feature),"locations":[]}"#
        #expect(Self.present(alone) == position)
        let batch = DeliveredRequest(body: Array(alone.utf8))
            .events(at: .overland, DeliveryOptions(sources: ["phone"]))
        #expect(!batch.items.contains { $0.outcome == .event })
    }

    @Test(arguments: [
        "", "[]", "{", #"{"locations":[]}"#, #"{"locations":[],"current":null}"#,
        #"{"locations":[],"current":"home"}"#, #"{"locations":[],"current":{}}"#,
        #"{"locations":[],"current":[1]}"#,
        #"{"locations":[],"current":{"properties":{"timestamp":"2026-11-20T07:40:00Z"}}}"#,
        #"{"locations":[],"current":{"geometry":{"type":"Point","coordinates":[4.41,51.9]}}}"#,
        #"{"locations":[],"current":{"properties":{"timestamp":"soon"},"geometry":"#
            + #"{"type":"Point","coordinates":[4.41,51.9]}}}"#,
        #"{"locations":[],"current":{"properties":{"action":"visit"}}}"#,
        #"{"locations":[{"type":"current"}]}"#,
    ])
    func `what is no position is none`(body: String) {
        #expect(Self.present(body) == nil)
    }

    @Test func `other apps say no such thing`() {
        let body = #"{"locations":[],"current":\#(Self.feature)}"#
        for door in [DeliveryDoor.owntracks, .osmand, .gpslogger, .phonetrack, .traccarForward] {
            #expect(Self.present(body, at: door) == nil, "\(door)")
        }
    }

    @Test(arguments: Seeds.fresh(8))
    func `whatever it says, what is delivered beside it stays what it is`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let options = DeliveryOptions(sources: ["phone"])
        for _ in 0..<200 {
            var current = Array(Self.feature.utf8)
            for _ in 0..<(random.next() % 4) {
                let place = Int(random.next() % UInt64(current.count))
                current[place] = UInt8(truncatingIfNeeded: 0x20 + random.next() % 0x5F)
            }
            let list = Array(#"{"locations":[\#(Self.feature)]"#.utf8)
            let request = DeliveredRequest(
                body: list + Array(#","current":"#.utf8) + current + Array("}".utf8)
            )
            if let position = request.presentPosition(at: .overland, options) {
                #expect(position.latitude.isFinite && position.longitude.isFinite, "seed \(seed)")
            }
            let events = request.events(at: .overland, options)
            let without = DeliveredRequest(body: list + Array("}".utf8))
                .events(at: .overland, options)
            // Damage to the whole body is another matter.
            guard
                !events.items.contains(where: {
                    if case .rejected = $0.outcome { true } else { false }
                })
            else { continue }
            #expect(
                events.items.map { events.bytes[$0.range] }
                    == without.items.map { without.bytes[$0.range] },
                "seed \(seed): \(String(decoding: current, as: UTF8.self))"
            )
        }
    }
}
