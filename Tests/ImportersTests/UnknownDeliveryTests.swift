import Testing
import TripEvents

@testable import Importers

/// A door answers that all is safe: what it does not know is rejected, so that it is kept.
@Suite struct UnknownDeliveryTests {
    struct Delivery: CustomTestStringConvertible {
        let door: DeliveryDoor
        var query = ""
        var body = ""

        var testDescription: String { "\(door.rawValue)?\(query) \(body)" }

        var outcomes: [ImportBatch.Outcome] {
            var options = DeliveryOptions(sources: ["phone"])
            options.receivedAt = Timestamp(milliseconds: 1_900_000_000_000)
            return DeliveredRequest(query: query, body: Array(body.utf8))
                .events(at: door, options).items.map(\.outcome)
        }

        var rejections: Int {
            outcomes.count { if case .rejected = $0 { true } else { false } }
        }
    }

    private static let position = "lat=52.1&lon=5.1&timestamp=1900000000"

    private static let oneFeature =
        #"{"locations":{"type":"Feature","geometry":{"type":"Point","coordinates":[5.1,52.1]},"#
        + #""properties":{"timestamp":"2026-11-20T07:31:00Z"}}}"#

    private static let unknown = [
        Delivery(door: .owntracks, query: position), Delivery(door: .overland, query: position),
        Delivery(door: .traccarForward, query: position),
        Delivery(
            door: .gpslogger,
            body: #"{"points":[[52.1,5.1,1900000000,3,5,50,7,"ua",4,90]]}"#
        ),
        Delivery(
            door: .gpslogger,
            body: #"{"location":{"coords":{"latitude":52.1,"longitude":5.1}}}"#
        ), Delivery(door: .gpslogger, body: "time,lat,lon\n2026-11-29T20:00:00Z,52.1,5.1\n"),
        Delivery(door: .osmand, body: "hello world"),
        Delivery(door: .colota, body: #"{"_type":"encrypted","data":"AAAA"}"#),
        Delivery(door: .phonetrack, body: #"{"points":"[[52.1,5.1,1900000000]]"}"#),
        Delivery(door: .phonetrack, body: #"{"points":{"lat":52.1,"lon":5.1}}"#),
        Delivery(door: .overland, body: #"{"locations":"52.1,5.1"}"#),
    ]

    @Test(arguments: unknown)
    func `a position in an unknown form is rejected once`(delivery: Delivery) {
        #expect(delivery.rejections == 1 && !delivery.outcomes.contains(.event))
    }

    @Test(arguments: [
        Delivery(door: .colota, query: "lat=52.1&lon=5.1&tst=1900000000&acc=5&vel=3&bear=90"),
        Delivery(door: .gpslogger, query: position, body: " {} "),
        Delivery(door: .overland, body: oneFeature), Delivery(door: .colota, body: oneFeature),
    ])
    func `a position in a query, or without the list around it, is an event`(delivery: Delivery) {
        #expect(delivery.outcomes == [.event])
    }

    @Test(arguments: [
        Delivery(door: .owntracks, query: "u=eva&d=phone"), Delivery(door: .gpslogger),
        Delivery(door: .owntracks, body: "[]"),
        Delivery(door: .owntracks, body: #"{"_type":"lwt"}"#),
        Delivery(door: .overland, body: #"{"locations":[]}"#),
        Delivery(door: .phonetrack, body: #"{"points": [ ] }"#),
    ])
    func `what has no position is passed over`(delivery: Delivery) {
        #expect(delivery.rejections == 0)
    }

    @Test func `a report of motion from the future does not outlast one of the present`() {
        let now = Timestamp(milliseconds: 1_900_000_000_000)
        let present = HeardMotion(state: .stationary, at: now)
        let earlier = HeardMotion(state: .walking, at: now.advanced(byMilliseconds: -60_000))
        let ahead = HeardMotion(state: .automotive, at: now.advanced(byMilliseconds: 7_200_000))
        let further = HeardMotion(state: .walking, at: now.advanced(byMilliseconds: 7_260_000))
        for (one, other, latest) in [
            (present, earlier, present), (present, ahead, present), (ahead, further, further),
        ] {
            #expect(one.latest(beside: other, now: now) == latest)
            #expect(other.latest(beside: one, now: now) == latest)
        }
    }
}
