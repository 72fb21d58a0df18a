import Foundation
import Testing
import TripEvents

@testable import Importers

/// Deliveries of apps, door by door; times are of 2026-11-20.
@Suite struct DeliveryTests {
    /// The content of a delivery: events without the members that they share, and the reasons for
    /// rejections.
    private static func read(
        _ door: DeliveryDoor,
        _ body: String,
        query: String = "",
        sources: [String] = ["phone"],
        zone: TimeZoneRules? = nil,
        open: (@Sendable (String) -> [UInt8]?)? = nil
    ) -> [String] {
        let request = DeliveredRequest(query: query, body: Array(body.utf8))
        var options = DeliveryOptions(sources: sources)
        options.zone = zone
        options.open = open
        let batch = request.events(at: door, options)
        return batch.items.map { item in
            switch item.outcome {
            case .event: String(decoding: batch.bytes[item.range], as: UTF8.self)
            case .rejected(let rejection): "rejected: \(rejection.code.rawValue)"
            case .ignored(let kind): "ignored: \(kind)"
            }
        }
    }

    private static func fix(
        _ time: String,
        _ members: String,
        of source: String = "phone"
    ) -> String {
        #"{"type":"fix_recorded","source":"\#(source)","occurred_at":"2026-11-20T\#(time)","#
            + members + "}"
    }

    private static let ownTracks =
        #"{"_type":"location","lat":51.9,"lon":4.3,"acc":5,"vel":36,"tst":1795159860"#

    @Test(arguments: [DeliveryDoor.homeassistant, .osmand, .colota])
    func `Home Assistant's messages are told apart at doors of others`(door: DeliveryDoor) {
        let message =
            #"{"timestamp":"2026-11-20T07:31:00Z","location":{"latitude":51.9,"#
            + #""longitude":4.3,"gps_accuracy":5,"speed":10,"course":90},"battery":{"level":83}}"#
        let fix = Self.fix(
            "07:31:00.000Z",
            #""lat":51.9,"lon":4.3,"accuracy":5,"speed":10,"course":90"#
        )
        #expect(Self.read(door, message) == [fix])
        #expect(DeliveredRequest(body: Array(message.utf8)).batteryPercent == 83)
    }

    @Test func `a state of Home Assistant, and its members alone, are positions too`() {
        let state =
            #"{"entity_id":"device_tracker.phone","state":"not_home","attributes":{"#
            + #""latitude":51.9,"longitude":4.3,"gps_accuracy":5},"#
            + #""last_updated":"2026-11-20T07:31:00+00:00"}"#
        let alone = #"{"latitude":51.9,"longitude":4.3,"accuracy":5,"timestamp":1795159860}"#
        for body in [state, alone] {
            let read = Self.read(.homeassistant, body)
            #expect(
                read.count == 1 && read[0].contains(#""lat":51.9,"lon":4.3,"accuracy":5"#),
                "\(read)"
            )
            #expect(read[0].contains("2026-11-20T07:31:00.000Z"), "\(read)")
        }
        #expect(Self.read(.homeassistant, #"{"a":1}"#) == ["rejected: missing_field"])
        #expect(
            Self.read(.homeassistant, #"{"latitude":51.9,"longitude":4.3}"#)
                == ["rejected: missing_field"]
        )
    }

    @Test func `what OwnTracks says of its mode is known`() {
        func mode(_ body: String) -> Int? {
            DeliveredRequest(body: Array(body.utf8)).ownTracksMode
        }
        #expect(mode(Self.ownTracks + #","m":2}"#) == 2)
        #expect(mode("[" + Self.ownTracks + #","m":1},"# + Self.ownTracks + #","m":2}]"#) == 2)
        #expect(mode(Self.ownTracks + "}") == nil)
        #expect(mode("") == nil)
    }

    @Test func `OwnTracks counts kilometres an hour, unless another app may speak`() {
        let place = #""lat":51.9,"lon":4.3,"accuracy":5"#
        let slow = Self.fix("07:31:00.000Z", place)
        let fast = Self.fix("07:31:00.000Z", place + #","speed":10"#)
        let inner = Array((Self.ownTracks + #","tid":"ev"}"#).utf8)
        #expect(Self.read(.owntracks, Self.ownTracks + "}") == [fast])
        #expect(Self.read(.owntracks, Self.ownTracks + #","tid":"ev","topic":"o/e/p"}"#) == [fast])
        #expect(Self.read(.owntracks, Self.ownTracks + #","tid":"ev"}"#) == [slow])
        let encrypted = #"{"_type":"encrypted","data":"a"}"#
        #expect(Self.read(.owntracks, encrypted) == ["rejected: encrypted"])
        #expect(Self.read(.owntracks, encrypted) { _ in nil } == ["rejected: encrypted"])
        #expect(Self.read(.owntracks, encrypted) { $0 == "a" ? inner : nil } == [fast])
        let twice = Array(encrypted.utf8)
        #expect(Self.read(.owntracks, encrypted) { _ in twice } == ["rejected: invalid_value"])
    }

    @Test(
        arguments: [
            ("", []), ("[]", []), (#"{"_type":"lwt","tst":1}"#, ["ignored: lwt"]),
            (#"{"_type":"steps","steps":3}"#, ["ignored: steps"]),
            (#"{"_type":"location","lat":51.9,"lon":4.3}"#, ["rejected: missing_field"]),
            (#"{"_type":"location","lat":"#, ["rejected: invalid_json"]),
            ("lat=51.9&lon=4.3&timestamp=1795159860", ["rejected: invalid_value"]),
        ] as [(String, [String])]
    )
    func `what OwnTracks says beside positions is of no use, and nothing is lost unseen`(
        body: String,
        outcomes: [String]
    ) {
        #expect(Self.read(.owntracks, body) == outcomes)
    }

    @Test func `fixes of one instant are the same, however they are delivered`() {
        let other = Self.ownTracks.replacingOccurrences(of: "51.9", with: "51.8")
        let alone = Self.read(.owntracks, other + "}")
        let together = Self.read(.owntracks, "[\(Self.ownTracks)},\(other)}]")
        #expect(together.suffix(1) == alone[...])
    }

    @Test(
        arguments: [
            (#"{"locations":[]}"#, []), ("", []),
            (#"{"points":[]}"#, ["rejected: missing_field"]),
            (
                #"{"locations":[{"type":"Feature","properties":{"action":"exited_pause"}}]}"#,
                [
                    "ignored: exited_pause"
                ]
            ),
            (
                #"{"locations":[{"type":"Feature","geometry":null,"properties":{}}]}"#,
                [
                    "rejected: missing_field"
                ]
            ),
            (#"{"locations":[{"type":"Feature""#, ["rejected: invalid_json"]),
        ] as [(String, [String])]
    )
    func `Overland's lists may hold nothing, but other lists are noticed`(
        body: String,
        outcomes: [String]
    ) {
        #expect(Self.read(.overland, body) == outcomes)
    }

    @Test(arguments: ["osmand", "gpslogger", "phonetrack"])
    func `a query and a form say the same`(name: String) throws {
        let door = try #require(DeliveryDoor(rawValue: name))
        let words = "id=a&lat=51.9&lon=4.3&timestamp=1795159860&accuracy=5&speed=10"
        let fix = Self.read(door, "", query: words)
        #expect(fix.count == 1 && fix[0].contains(#""lat":51.9,"lon":4.3,"accuracy":5,"speed":"#))
        #expect(fix[0].contains(door == .osmand ? #""speed":5.14"# : #""speed":10}"#), "\(fix)")
        #expect(Self.read(door, words) == fix)
        #expect(Self.read(door, words + "\r\n") == fix)
        #expect(Self.read(door, words, query: "lat=1&buffer=true") == fix)
        #expect(Self.read(door, "", query: "id=a&batt=79") == ["rejected: missing_field"])
        #expect(Self.read(door, "").isEmpty || Self.read(door, "") == ["ignored: other"])
    }

    @Test func `a time without a zone waits for one`() throws {
        let query = "lat=51.9&lon=4.3&timestamp=2026-11-20%2008:31:00"
        #expect(Self.read(.osmand, "", query: query) == ["rejected: invalid_time"])
        #expect(
            Self.read(.osmand, "", query: query, zone: .utc)
                == [Self.fix("08:31:00.000+00:00", #""lat":51.9,"lon":4.3"#)]
        )
        // A form may hold a space as it is.
        let form = query.replacingOccurrences(of: "%20", with: " ")
        #expect(Self.read(.osmand, form, zone: .utc).first?.contains("08:31:00.000+00:00") == true)
    }

    @Test(arguments: [DeliveryDoor.osmand, .gpslogger, .homeassistant, .colota])
    func `an offset whose plus sign became a space is read`(door: DeliveryDoor) {
        let name = door == .colota ? "tst" : "timestamp"
        let fix = Self.fix("08:31:00.000+01:00", #""lat":51.9,"lon":4.3"#)
        for offset in ["%2B01:00", "+01:00", "%2001:00", "+0100"] {
            let query = "lat=51.9&lon=4.3&\(name)=2026-11-20T08:31:00\(offset)"
            #expect(Self.read(door, "", query: query) == [fix], "\(query)")
        }
        let unknown = "lat=51.9&lon=4.3&\(name)=2026-11-20T08:31:00+01:0"
        #expect(Self.read(door, "", query: unknown) == ["rejected: invalid_time"])
    }

    @Test(arguments: [("false", true), ("False", true), ("0", true), ("true", false), ("1", false)])
    func `a position that is not valid is ignored, however that is written`(
        word: String,
        isIgnored: Bool
    ) {
        let query = "lat=51.9&lon=4.3&timestamp=1795159860&valid=\(word)"
        let read = Self.read(.osmand, "", query: query)
        #expect(read.count == 1 && (read[0] == "ignored: invalid") == isIgnored, "\(read)")
    }

    @Test func `Overland's trip that ends before it starts is refused as a whole`() {
        let trip =
            #"{"locations":[{"type":"Feature","properties":{"type":"trip","mode":"car","#
            + #""start":"2026-11-20T07:40:00Z","end":"2026-11-20T07:30:00Z","distance":9}}]}"#
        #expect(Self.read(.overland, trip) == ["rejected: invalid_value"])
    }

    @Test(arguments: ["lat=0.0&lon=0.0", "lat=0&lon=-0", "latitude=0&long=0.000", "lon=0&lat=-0.0"])
    func `GPSLogger's zeros are stored as they are, and judged later`(position: String) {
        let fixes = Self.read(.gpslogger, "", query: "\(position)&timestamp=1795159880&acc=")
        #expect(fixes.count == 1 && fixes[0].contains("fix_recorded"), "\(fixes)")
        let half = Self.read(.gpslogger, "", query: "lat=0&lon=4.3&timestamp=1795159880")
        #expect(half.first?.contains(#""lat":0,"lon":4.3"#) == true, "\(half)")
    }

    @Test func `GPSLogger's offset is the device's`() {
        let names = "latitude=51.9&lng=4.3&time=2026-11-20T07:31:00.000Z&timeoffset="
        for (offset, text) in [("%2B01:00", "08:31:00"), ("+01:00", "08:31:00")] {
            let fixes = Self.read(.gpslogger, "", query: names + offset)
            #expect(fixes.first?.contains("T\(text).000+01:00") == true, "\(fixes)")
        }
        let west = Self.read(.gpslogger, "", query: names + "-05:30")
        #expect(west.first?.contains("T02:01:00.000-05:30") == true, "\(west)")
    }

    @Test func `Colota counts metres a second in each of its shapes`() {
        let words = #""lat":51.9,"lon":4.3,"acc":5,"vel":10,"tst":1795159860"#
        let fix = Self.fix("07:31:00.000Z", #""lat":51.9,"lon":4.3,"accuracy":5,"speed":10"#)
        #expect(Self.read(.colota, "{\(words)}") == [fix])
        #expect(Self.read(.colota, #"{"_type":"location","tid":"CO",\#(words)}"#) == [fix])
        let shapes = [
            "{\(words)}", #"{"_type":"location",\#(words)}"#, #"{"locations":[]}"#,
        ]
        .map { DeliveredRequest(body: Array($0.utf8)).shape(at: .colota) }
        #expect(shapes == [.colota, .owntracks, .overland])
        #expect(Self.read(.colota, #"{"latitude":51.9}"#) == ["rejected: missing_field"])
    }

    @Test func `PhoneTrack's points are lists of numbers, some unknown`() {
        let body =
            #"{"points":[[51.9,4.3,1795159860,3.2,5,83,14,"P",13.6,271],"#
            + #"[51.9,4.3,1795159875,null,6,83,null,"P",null,null],[51.9],{"lat":1}]}"#
        #expect(
            Self.read(.phonetrack, body) == [
                Self.fix(
                    "07:31:00.000Z",
                    #""lat":51.9,"lon":4.3,"accuracy":5,"altitude":3.2,"speed":13.6,"course":271"#
                ),
                Self.fix("07:31:15.000Z", #""lat":51.9,"lon":4.3,"accuracy":6"#),
                "rejected: missing_field", "rejected: invalid_json",
            ]
        )
    }

    @Test func `Traccar's server forwards devices of several sources`() {
        func body(_ device: String) -> String {
            #"{"position":{"fixTime":"2026-11-20T07:31:00.000+00:00","valid":true,"#
                + #""latitude":51.9,"longitude":4.3,"accuracy":5.0},"#
                + #""device":{"uniqueId":"\#(device)"}}"#
        }
        let members = #""lat":51.9,"lon":4.3,"accuracy":5"#
        let read = { (device: String, sources: [String]) in
            Self.read(.traccarForward, body(device), sources: sources)
        }
        // The offset of Traccar's times is that of its server.
        #expect(read("other", ["van"]).map { $0.contains(#""source":"van""#) } == [true])
        let bus = read("bus", ["van", "bus"])
        #expect(
            bus.first?.contains(#""source":"bus""#) == true && bus[0].contains(members),
            "\(bus)"
        )
        #expect(read("tram", ["van", "bus"]) == ["rejected: invalid_value"])
    }

    @Test func `what is rejected is there as a whole`() {
        let message =
            #"{"_type":"encrypted","data":""# + String(repeating: "x", count: 1_000) + #""}"#
        let body = #"[\#(message),{"_type":"lwt"}]"#
        let batch = DeliveredRequest(body: Array(body.utf8))
            .events(at: .owntracks, DeliveryOptions(sources: ["phone"]))
        #expect(batch.items.first.map { Array(batch.bytes[$0.range]) } == Array(message.utf8))
    }

    @Test(
        arguments: [
            (
                .owntracks, #"[@,{"_type":"lwt"}]"#,
                #"{"_type":"location","lat":"x","lon":4.3,"tst":1795159860,"t":"u"}"#
            ),
            (
                .overland, #"{"locations":[@]}"#,
                #"{"geometry":{"type":"Point","coordinates":[4.3,"x"]},"#
                    + #""properties":{"timestamp":"2026-11-20T07:31:00Z","wifi":"home"}}"#
            ),
            (
                .osmand, #"{"location":[{},@]}"#,
                #"{"timestamp":1795159860,"coords":{"latitude":"x","longitude":4.3},"odometer":9}"#
            ), (.phonetrack, #"{"points":[@]}"#, #"["x",4.3,1795159860,3,5,83,14,"P"]"#),
        ] as [(DeliveryDoor, String, String)]
    )
    func `a record with a number that cannot be read is there as it was sent`(
        door: DeliveryDoor,
        body: String,
        record: String
    ) {
        let sent = body.replacingOccurrences(of: "@", with: record)
        let batch = DeliveredRequest(body: Array(sent.utf8))
            .events(at: door, DeliveryOptions(sources: ["phone"]))
        let rejected = batch.items.filter {
            if case .rejected(let rejection) = $0.outcome {
                rejection.code == .invalidNumber
            } else {
                false
            }
        }
        let kept = rejected.map { String(decoding: batch.bytes[$0.range], as: UTF8.self) }
        #expect(kept == [record])
    }

    @Test(
        arguments: [
            (0, "automotive", []), (300, "automotive", []), (301, "automotive", ["motion_changed"]),
            (-1, "automotive", ["motion_changed"]), (10, "stationary", ["motion_changed"]),
        ] as [(Int64, String, [String])]
    )
    func `a state of motion is told again only where it may have been another`(
        seconds: Int64,
        state: String,
        told: [String]
    ) {
        let heardAt = Timestamp(milliseconds: 1_795_159_860_000)
        var options = DeliveryOptions(sources: ["phone"])
        options.heard = ["phone": HeardMotion(state: .automotive, at: heardAt)]
        let second = 1_795_159_860 + seconds
        let message =
            #"{"_type":"location","lat":51.9,"lon":4.3,"tst":\#(second),"motionactivities":["#
            + #""\#(state)"]}"#
        let batch = DeliveredRequest(body: Array(message.utf8)).events(at: .owntracks, options)
        #expect(
            batch.items.compactMap { batch.kind(of: $0)?.name } == told + ["fix_recorded"]
        )
        #expect(batch.heard["phone"]?.state.rawValue == state)
        #expect(batch.heard["phone"]?.at == Timestamp(milliseconds: second * 1_000))
    }
}
