import Foundation
import TestSupport
import Testing

/// The current position that Overland sends while a backlog waits: it is shown, and stored when it
/// comes again.
@Suite struct ServePresentTests {
    private let now = Date()

    /// Returns a feature so many seconds from now.
    private func feature(_ seconds: Double, latitude: Double) -> String {
        let time = now.addingTimeInterval(seconds).ISO8601Format()
        return #"{"type":"Feature","geometry":{"type":"Point","coordinates":[4.3,\#(latitude)]},"#
            + #""properties":{"timestamp":"\#(time)","horizontal_accuracy":5,"speed":13}}"#
    }

    /// Two features, so that the trip is under way.
    private var way: String {
        feature(-560, latitude: 52.099) + "," + feature(-540, latitude: 52.1)
    }

    private func deliver(_ server: ServedLedger, _ token: String, _ body: String) throws {
        let answer = try server.post(
            Data(body.utf8),
            as: "application/json",
            to: "/in/\(token)/overland"
        )
        #expect(answer.status == 200 && answer.body == #"{"result":"ok"}"#, "\(answer)")
    }

    /// Returns where the phone was seen last, and when.
    private static func seen(
        _ server: ServedLedger,
        _ token: String
    ) throws -> (latitude: Double?, at: String?) {
        let answer = try server.get("/v1/status?source=phone", "Authorization: Bearer \(token)")
        #expect(answer.status == 200, "\(answer)")
        let object = try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
        let sources = (object as? [String: Any])?["sources"] as? [[String: Any]]
        let source = try #require(sources?.first)
        if JSONSchemaValidator.isPresent {
            #expect(
                try JSONSchemaValidator.complaints(about: [answer.body], schema: "status") == [""]
            )
        }
        let position = source["last_position"] as? [String: Double]
        return (position?["lat"], source["last_position_at"] as? String)
    }

    /// A server that is asked by a phone and two others.
    private struct Asked {
        let server: ServedLedger
        let phone: String
        let live: String
        let read: String
    }

    /// A server with a trip of the phone, and the tokens of the phone and others.
    private func serve() throws -> Asked {
        let server = try ServedLedger()
        let phone = try server.token("phone")
        let began = now.addingTimeInterval(-600).ISO8601Format()
        try server.process.append(
            DriveLines.data([
                #"{"type":"go_pressed","source":"phone","occurred_at":"\#(began)"}"#
            ])
        )
        return Asked(
            server: server,
            phone: phone,
            live: try server.token("live", "--scope", "live"),
            read: try server.token("read", "--scope", "read")
        )
    }

    @Test func `it is shown at once, and stored once, when it is delivered`() throws {
        let asked = try serve()
        let (server, phone, live, read) = (asked.server, asked.phone, asked.live, asked.read)
        let waits = feature(-540, latitude: 52.1)
        let current = feature(-60, latitude: 52.2)
        try deliver(server, phone, #"{"locations":[\#(waits)],"current":\#(current)}"#)
        #expect(try Self.seen(server, live).latitude == 52.2)
        let (latitude, at) = try Self.seen(server, read)
        #expect(latitude == 52.2)
        let fixes = {
            try server.process.run("log", "--format", "json", "--type", "fix_recorded").lines
        }
        #expect(try fixes().count == 1)
        // It comes again, with a later one that is not stored yet; an older one changes nothing.
        try deliver(server, phone, #"{"locations":[\#(current)],"current":\#(waits)}"#)
        #expect(try fixes().count == 2)
        let later = try Self.seen(server, read)
        #expect(later.latitude == 52.2 && later.at == at)
        try deliver(
            server,
            phone,
            #"{"locations":[],"current":\#(feature(-30, latitude: 52.3))}"#
        )
        #expect(try Self.seen(server, read).latitude == 52.3)
        #expect(try fixes().count == 2)
        #expect(try server.process.run("project", "--check").exitCode == 0)
    }

    @Test func `a device of another group says nothing of a source of the same name`() throws {
        let asked = try serve()
        let (server, phone, read) = (asked.server, asked.phone, asked.read)
        try deliver(server, phone, #"{"locations":[\#(way)]}"#)
        let other = try server.token("other", "--group", "17", "--source", "phone")
        let current = feature(-20, latitude: 40.1)
        let driving = { (seconds: Double) in
            feature(seconds, latitude: 52.11)
                .replacingOccurrences(of: #""speed":13"#, with: #""motion":["driving"]"#)
        }
        try deliver(server, other, #"{"locations":[\#(driving(-500))],"current":\#(current)}"#)
        #expect(try Self.seen(server, read).latitude == 52.1)
        let motions = {
            try server.process.run("log", "--format", "json", "--type", "motion_changed").lines
        }
        #expect(try motions().isEmpty)
        // The control: its own device is heard, also of what the other one has said before.
        let later = feature(-15, latitude: 52.3)
        try deliver(server, phone, #"{"locations":[\#(driving(-480))],"current":\#(later)}"#)
        #expect(try Self.seen(server, read).latitude == 52.3)
        #expect(try motions().count == 1)
    }

    @Test func `what cannot be is not shown`() throws {
        let asked = try serve()
        let (server, phone, read) = (asked.server, asked.phone, asked.read)
        try deliver(server, phone, #"{"locations":[\#(way)]}"#)
        for impossible in [feature(90_000, latitude: 52.2), feature(-20, latitude: 91)] {
            try deliver(server, phone, #"{"locations":[],"current":\#(impossible)}"#)
            #expect(try Self.seen(server, read).latitude == 52.1)
        }
    }

    @Test func `who sees the present alone sees it on trips only`() throws {
        let server = try ServedLedger()
        let phone = try server.token("phone")
        let live = try server.token("live", "--scope", "live")
        let read = try server.token("read", "--scope", "read")
        let (old, current) = (feature(-600, latitude: 52.1), feature(-5, latitude: 52.2))
        try deliver(server, phone, #"{"locations":[\#(old)],"current":\#(current)}"#)
        #expect(try Self.seen(server, read).latitude == 52.2)
        let status = try server.get("/v1/status", "Authorization: Bearer \(live)").body
        #expect(status.contains(#""sources":[]"#) && !status.contains("phone"), "\(status)")
    }

    @Test func `those who follow are told`() throws {
        let asked = try serve()
        let (server, phone, live) = (asked.server, asked.phone, asked.live)
        try deliver(server, phone, #"{"locations":[\#(way)]}"#)
        let connection = try server.connect()
        try connection.send(
            "GET /v1/stream HTTP/1.1\r\nHost: localhost:\(server.port)\r\n"
                + "Authorization: Bearer \(live)\r\n\r\n"
        )
        _ = try connection.answer(upTo: #""last_position":{"lat":52.1"#)
        try deliver(
            server,
            phone,
            #"{"locations":[],"current":\#(feature(-20, latitude: 52.25))}"#
        )
        let text = try connection.answer(upTo: #""last_position":{"lat":52.25"#)
        #expect(text.contains("event: status\ndata: {\"source\":\"phone\""), "\(text)")
    }
}
