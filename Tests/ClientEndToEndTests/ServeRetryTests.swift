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
