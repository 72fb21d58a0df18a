import Foundation
import TestSupport
import Testing

/// Deliveries of apps that could not be read at first, and are tried again.
@Suite struct ServeRetryTests {
    private static func data(_ text: String) -> Data { Data(text.utf8) }

    /// Made by another program, in Python, with the key `our key`.
    private static let encrypted =
        #"{"_type":"encrypted","data":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXHhwikzWKtLR1xiUfeuYryJ70"#
        + "4HnE4VqqbN/Wb/Kdza/8qZwWu8be8C9pgSOANt60McLEkNnX5p2cXPnSJIlXxV+anBX1gEyZvUu2zf+Mu0Sk"
        + #"gHhr7oTQCL2Yr4YEpc/WFF6XNZk5hX0E+dA6"}"#

    @Test func `what waits for a key or a zone is stored once there is one`() throws {
        let server = try ServedLedger()
        let token = try server.token("phone")
        let local = "/in/\(token)/osmand?lat=51.9&lon=4.3&timestamp=2026-11-20%2008:31:00"
        func deliver() throws {
            let answer = try server.post(Self.data(Self.encrypted), to: "/in/\(token)/owntracks")
            #expect(answer.status == 200 && answer.body == "[]")
            #expect(try server.ask("GET \(local) HTTP/1.1").hasPrefix("HTTP/1.1 200 OK"))
        }
        try deliver()
        let process = server.process
        #expect(try process.run("log", "--format", "json").lines.count == 1)
        let waiting = try process.run("refused", "--format", "json").lines
        #expect(waiting.map { $0.contains(#""may_pass_later":true"#) } == [true, true])
        #expect(waiting.map { $0.contains(#""whole":true"#) } == [true, true])
        let still = try process.run("refused", "--retry", "--columns", "number,appended,reason")
        #expect(still.exitCode == 1)
        #expect(still.lines.count == 3 && still.lines[1].contains("encrypted"), "\(still.lines)")
        try Data("our key\n".utf8).write(to: process.directory.url.appending(path: "key"))
        #expect(try process.run("token", "change", "phone", "--owntracks-key", "key").exitCode == 0)
        let half = try process.run("refused", "--retry", "--format", "json")
        #expect(half.exitCode == 1)
        #expect(half.lines.map { $0.contains(#""appended":1"#) } == [true, false])
        let zone = try process.run("token", "change", "phone", "--time-zone", "Europe/Amsterdam")
        #expect(zone.exitCode == 0)
        // The server knows of both without being started again.
        try deliver()
        let rest = try process.run("refused", "--retry", "--format", "json")
        #expect(rest.exitCode == 0)
        #expect(rest.lines.map { $0.contains(#""appended":0,"duplicate":1"#) } == [true])
        if JSONSchemaValidator.isPresent {
            #expect(
                try JSONSchemaValidator.complaints(
                    about: half.lines + rest.lines,
                    schema: "retried-item"
                ) == ["", "", ""]
            )
        }
        #expect(try process.run("refused", "--format", "json").lines == [])
        #expect(try process.run("refused", "--retry", "--format", "json").exitCode == 0)
        let log = try process.run("log", "--format", "json").lines
        // With the rules that the ledger adopts, and the source of decisions.
        let last = log.count - 1
        #expect(log.count == 6)
        #expect(log[2].contains(#""lat":52.0116"#) && log[2].contains(#""speed":10"#), "\(log[2])")
        #expect(
            log[last].contains(#""occurred_at":"2026-11-20T08:31:00.000+01:00""#),
            "\(log[last])"
        )
        #expect(try process.run("verify").exitCode == 0)
    }

    @Test func `each position of a batch that waits for a zone is stored once there is one`() throws
    {
        let server = try ServedLedger()
        let process = server.process
        let token = try server.token("phone")
        let times = (1...3).map { "2025-11-28T11:00:0\($0)" }
        let features = times.map {
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[4.3,51.9]},"#
                + #""properties":{"timestamp":"\#($0)"}}"#
        }
        for batch in [features[..<1], features[1...]] {
            let body = #"{"locations":[\#(batch.joined(separator: ","))]}"#
            let answer = try server.post(Self.data(body), to: "/in/\(token)/overland")
            #expect(answer.status == 200, "\(answer)")
        }
        let waiting = try process.run("refused", "--format", "json").lines
        #expect(waiting.map { $0.contains(#""may_pass_later":true"#) } == [true, true, true])
        let zone = try process.run("token", "change", "phone", "--time-zone", "Europe/Amsterdam")
        #expect(zone.exitCode == 0)
        #expect(try process.run("refused", "--retry", "--format", "json").exitCode == 0)
        #expect(try process.run("refused", "--format", "json").lines == [])
        let log = try process.run("log", "--format", "json").lines
        for time in times {
            #expect(log.contains { $0.contains("\(time).000+01:00") }, "\(log)")
        }
    }

    /// Holds another encrypted message; made as the one above.
    private static let encryptedTwice =
        #"{"_type":"encrypted","data":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXm/xjHi/nFuegbdCMS7N4QZ704"#
        + #"HnE4VqqbN/fbvKOwLbnotoYtYjb5XkyliuMR67ERsyb"}"#

    @Test func `what can never be read waits for nothing`() throws {
        let server = try ServedLedger()
        let process = server.process
        let token = try server.token("phone")
        let path = "/in/\(token)/owntracks"
        func items() throws -> [String] { try process.run("refused", "--format", "json").lines }
        #expect(try server.post(Self.data(Self.encryptedTwice), to: path).status == 200)
        #expect(try items().map { $0.contains(#""may_pass_later":true"#) } == [true])
        try Data("our key\n".utf8).write(to: process.directory.url.appending(path: "key"))
        #expect(try process.run("token", "change", "phone", "--owntracks-key", "key").exitCode == 0)
        let retried = try process.run("refused", "--retry", "--format", "json")
        #expect(retried.exitCode == 1)
        #expect(retried.lines.map { $0.contains("encrypted twice") } == [true], "\(retried.lines)")
        // It comes again, and is the same item.
        #expect(try server.post(Self.data(Self.encryptedTwice), to: path).status == 200)
        let kept = try items()
        #expect(kept.map { $0.contains(#""may_pass_later":false"#) } == [true], "\(kept)")
        #expect(kept.allSatisfy { $0.contains(#""code":"invalid_value""#) }, "\(kept)")
        #expect(try process.run("refused", "--retry", "--format", "json").lines == [])
    }

    @Test func `what a device of a group has delivered is read with no token of another`() throws {
        let server = try ServedLedger()
        _ = try server.token("phone", "--time-zone", "Europe/Amsterdam")
        let other = try server.token("other", "--group", "17", "--source", "phone")
        let local = "/in/\(other)/osmand?lat=51.9&lon=4.3&timestamp=2026-11-20%2008:31:00"
        #expect(try server.ask("GET \(local) HTTP/1.1").hasPrefix("HTTP/1.1 200 OK"))
        let process = server.process
        let still = try process.run("refused", "--retry", "--format", "json")
        #expect(still.exitCode == 1 && still.lines.count == 1, "\(still.lines)")
        #expect(try process.run("log", "--format", "json").lines.count == 1)
        // The control: with the zone of its own clock it is read, and is of its group.
        let zone = try process.run("token", "change", "other", "--time-zone", "Europe/Amsterdam")
        #expect(zone.exitCode == 0)
        #expect(try process.run("refused", "--retry", "--format", "json").exitCode == 0)
        let log = try process.run("log", "--format", "json").lines
        #expect(log.contains { $0.contains(#""source":"phone","group":"17""#) }, "\(log)")
    }

    @Test func `what waits is read when the group of its token was put right`() throws {
        let server = try ServedLedger()
        let process = server.process
        _ = try server.token("phone")
        #expect(try process.run("token", "revoke", "phone").exitCode == 0)
        let phone = try server.token("phone", "--group", "17", "--source", "phone")
        let local = "/in/\(phone)/osmand?lat=51.9&lon=4.3&timestamp=2026-11-20%2008:31:00"
        #expect(try server.ask("GET \(local) HTTP/1.1").hasPrefix("HTTP/1.1 200 OK"))
        let zone = try process.run("token", "change", "phone", "--time-zone", "Europe/Amsterdam")
        #expect(zone.exitCode == 0)
        #expect(try process.run("refused", "--retry", "--format", "json").exitCode == 0)
        #expect(try process.run("refused", "--format", "json").lines == [])
    }

    @Test func `what waits for one's own time zone is not given up by another one's`() throws {
        let server = try ServedLedger()
        let process = server.process
        _ = try server.token("tag", "--source", "phone", "--time-zone", "Europe/Amsterdam")
        let phone = try server.token("phone", "--source", "phone")
        // There the clocks went back, and showed this time twice.
        let local = "/in/\(phone)/osmand?lat=51.9&lon=4.3&timestamp=2026-10-25%2002:30:00"
        #expect(try server.ask("GET \(local) HTTP/1.1").hasPrefix("HTTP/1.1 200 OK"))
        #expect(try process.run("refused", "--retry", "--format", "json").exitCode == 1)
        let kept = try process.run("refused", "--format", "json").lines
        #expect(kept.map { $0.contains(#""may_pass_later":true"#) } == [true], "\(kept)")
        let zone = try process.run("token", "change", "phone", "--time-zone", "Africa/Algiers")
        #expect(zone.exitCode == 0)
        #expect(try process.run("refused", "--retry", "--format", "json").exitCode == 0)
    }

    @Test func `what waits of one phone is not pushed out by what another one delivers`() throws {
        let server = try ServedLedger()
        let phone = try server.token("phone")
        let tracker = try server.token("tracker")
        let answer = try server.post(Self.data(Self.encrypted), to: "/in/\(phone)/owntracks")
        #expect(answer.status == 200)
        // More than were kept before of all tokens together.
        for request in 0..<11 {
            let points = (0..<1_000)
                .map { number in
                    #"{"_type":"location","lat":91,"lon":\#(request),"tst":\#(number)}"#
                }
            let body = Self.data("[\(points.joined(separator: ","))]")
            #expect(try server.post(body, to: "/in/\(tracker)/owntracks").status == 200)
        }
        let waiting = try server.process.run("refused", "--source", "phone", "--format", "json")
        #expect(waiting.lines.count == 1)
        #expect(waiting.errors.contains("9000 older items of tracker made room for newer ones"))
        let all = try server.process.run("refused", "--format", "json")
        #expect(all.lines.count == 2_001)
    }
}
