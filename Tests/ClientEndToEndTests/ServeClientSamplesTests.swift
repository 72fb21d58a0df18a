import Foundation
import TestSupport
import Testing

/// Exchanges as two apps have them that know a server of their own, from the shared data.
@Suite struct ServeClientSamplesTests {
    /// One request, and its answer.
    private struct Exchange {
        let name: String
        let request: Data
        let answer: ServedLedger.Answer

        /// Reads the exchange, with other tokens than the sample's, by the scope in their names.
        init(_ directory: String, _ file: String, _ tokens: [String: String]) throws {
            name = "\(directory)/\(file)"
            let path = "server/samples/\(name)"
            let raw = try SharedData.data(path + ".request.http")
            let end = try #require(raw.range(of: Data("\r\n\r\n".utf8)))
            let head = String(decoding: raw[..<end.lowerBound], as: UTF8.self)
                .replacing(#/tl1_([a-z]+)_[0-9A-Za-z]{43}_[0-9a-f]{8}/#) {
                    tokens[String($0.output.1)] ?? ""
                }
            request = Data((head + "\r\nConnection: close\r\n\r\n").utf8) + raw[end.upperBound...]
            answer = try ServedLedger.Answer(
                String(decoding: SharedData.data(path + ".response.http"), as: UTF8.self)
            )
        }

        /// Returns the fields of an answer that its client looks at.
        static func fields(_ answer: ServedLedger.Answer) -> [String: String] {
            var fields: [String: String] = [:]
            for line in answer.head.components(separatedBy: "\r\n").dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
                let name = parts[0].lowercased()
                guard parts.count == 2,
                    ["content-type", "x-idempotency-replayed", "www-authenticate"].contains(name)
                else { continue }
                fields[name] = parts[1].trimmingCharacters(in: .whitespaces)
            }
            return fields
        }
    }

    private static func value(_ answer: ServedLedger.Answer) -> NSObject? {
        (try? JSONSerialization.jsonObject(with: Data(answer.body.utf8))) as? NSObject
    }

    /// Returns the names of members and the types of values, which differ from ledger to ledger no
    /// more than lists differ in length.
    private static func shape(_ value: Any?) -> String {
        switch value {
        case let object as [String: Any]:
            let members = object.sorted { $0.key < $1.key }.map { "\($0.key):\(shape($0.value))" }
            return "{\(members.joined(separator: ","))}"
        case let list as [Any]: return "[\(list.map(shape).joined(separator: ","))]"
        case is String: return "text"
        case let number as NSNumber:
            return type(of: number) == type(of: NSNumber(value: true)) ? "boolean" : "number"
        default: return "null"
        }
    }

    private static func names(in directory: String) throws -> [String] {
        try FileManager.default
            .contentsOfDirectory(atPath: SharedData.url("server/samples/\(directory)").path)
            .filter { $0.hasSuffix(".request.http") }
            .map { $0.replacingOccurrences(of: ".request.http", with: "") }
            .sorted()
    }

    private static func send(
        _ exchange: Exchange,
        to server: ServedLedger
    ) throws -> ServedLedger.Answer {
        let connection = try server.connect()
        try connection.send(exchange.request)
        return try ServedLedger.Answer(connection.answer())
    }

    private static func answer(
        to exchange: Exchange,
        from server: ServedLedger
    ) throws -> ServedLedger.Answer {
        let answer = try send(exchange, to: server)
        expect(answer, to: exchange)
        return answer
    }

    private static func expect(_ answer: ServedLedger.Answer, to exchange: Exchange) {
        #expect(answer.status == exchange.answer.status, "\(exchange.name): \(answer)")
        for (name, wanted) in Exchange.fields(exchange.answer) {
            #expect(Exchange.fields(answer)[name] == wanted, "\(exchange.name): \(answer.head)")
        }
    }

    @Test(.enabled(if: SharedData.isPresent, SharedData.missing))
    func `the webhook app is answered to the letter, but for times and ways`() throws {
        let server = try ServedLedger("--host-name", "ledger.example")
        let tokens = ["in": try server.token("phone")]
        var seen = 0
        for file in try Self.names(in: "zeroclick") {
            let exchange = try Exchange("zeroclick", file, tokens)
            let answer = try Self.answer(to: exchange, from: server)
            let (found, wanted) = (Self.value(answer), Self.value(exchange.answer))
            if file.hasPrefix("03") || file.hasPrefix("04") {
                #expect(Self.shape(found) == Self.shape(wanted), "\(exchange.name): \(answer)")
            } else {
                #expect(answer.body == exchange.answer.body, "\(exchange.name)")
            }
            seen += 1
        }
        #expect(seen == 8)
        let types = try server.process.run("log", "--format", "json").lines
            .compactMap { $0.firstMatch(of: #/"type":"([a-z_]+)"/#).map { String($0.1) } }
        #expect(
            types == [
                "ledger_created", "source_registered", "go_pressed", "fix_recorded",
                "fix_recorded", "fix_recorded", "stop_pressed",
            ]
        )
    }

    /// Makes the ledger of the samples: entry by entry, so that changes have the same numbers.
    private static func make(_ server: ServedLedger, _ token: String) throws {
        let process = server.process
        func read() throws {
            let answer = try server.get(
                "/api/v1/changes",
                "Authorization: Bearer \(token)"
            )
            #expect(answer.status == 200, "\(answer)")
        }
        func quiet(_ count: Int, from second: Int) -> [String] {
            (0..<count)
                .map {
                    event("authorization_changed", second + $0, #""status":"always""#)
                }
        }
        func event(_ type: String, _ second: Int, _ members: String = "") -> String {
            let time = String(
                format: "2026-11-20T%02d:%02d:%02dZ",
                7 + second / 3_600,
                second / 60 % 60,
                second % 60
            )
            let rest = members.isEmpty ? "" : "," + members
            return #"{"type":"\#(type)","source":"phone","occurred_at":"\#(time)"\#(rest)}"#
        }
        func drive(_ count: Int, from second: Int) -> [String] {
            let fixes = (0..<count)
                .map { index in
                    let latitude = 51.927 + Double(index) * 0.0018
                    return event(
                        "fix_recorded",
                        second + 10 * index,
                        #""lat":\#(latitude),"lon":4.362,"accuracy":5"#
                    )
                }
            return [event("go_pressed", second)] + fixes
                + [event("stop_pressed", second + 10 * count)]
        }
        try read()
        try process.append(DriveLines.data(quiet(8, from: 0)))
        let place = try process.run(
            ["place", "save", "home", "--label", "Home", "--lat", "51.927", "--lon", "4.362"]
                + ["--notify-exit"]
        )
        #expect(place.exitCode == 0, "\(place.errors)")
        try read()
        let first = drive(49, from: 1_800)
        try process.append(DriveLines.data(first))
        let edited = try process.run("edit", "last", "--notes", "Client visit")
        #expect(edited.exitCode == 0, "\(edited.errors)")
        try read()
        try process.append(DriveLines.data(drive(21, from: 7_200)))
        let voided = try process.run("void", "last", "--why", "It was a test")
        #expect(voided.exitCode == 0, "\(voided.errors)")
        try read()
        #expect(try process.run("log", "--format", "json").lines.count == 88)
    }

    /// Asks so often that it is too often, and returns the answer to that; the count begins anew
    /// each minute.
    private static func answer(
        toTooMany exchange: Exchange,
        from server: ServedLedger
    ) throws -> ServedLedger.Answer {
        let answer = try Scene.played {
            for _ in 0...600 {
                let answer = try send(exchange, to: server)
                if answer.status == exchange.answer.status { return answer }
            }
            return nil
        }
        expect(answer, to: exchange)
        return answer
    }

    @Test(.enabled(if: SharedData.isPresent, SharedData.missing))
    func `the feed client is answered as it wants it, from a ledger like the sample's`() throws {
        let server = try ServedLedger("--host-name", "ledger.example")
        let tokens = [
            "rd": try server.token("page", "--scope", "read"),
            "ed": try server.token("Eva", "--scope", "edit", "--scope", "read"),
        ]
        try Self.make(server, try #require(tokens["rd"]))
        var seen = 0
        var shapes = 0
        for file in try Self.names(in: "feed-client") {
            let exchange = try Exchange("feed-client", file, tokens)
            let answer =
                file.hasPrefix("13")
                ? try Self.answer(toTooMany: exchange, from: server)
                : try Self.answer(to: exchange, from: server)
            let (found, wanted) = (Self.value(answer), Self.value(exchange.answer))
            if answer.status < 300 {
                #expect(
                    Self.shape(found) == Self.shape(wanted),
                    "\(exchange.name): \(answer.body)"
                )
                shapes += 1
            } else {
                let error = (found as? [String: Any])?["error"] as? String
                #expect(error == (wanted as? [String: Any])?["error"] as? String, "\(answer)")
            }
            // Numbers and messages are the sample's own.
            for member in ["cursor", "next_cursor", "has_more", "errors", "total", "fields"] {
                let values = [found, wanted].map { ($0 as? [String: Any])?[member] as? NSObject }
                if file.hasPrefix("06") { continue }
                #expect(values[0] == values[1], "\(exchange.name): \(member) in \(answer.body)")
            }
            seen += 1
        }
        #expect(seen == 13 && shapes == 9)
        let reported = try server.process.run("log", "--format", "json").lines.dropFirst(88)
        #expect(reported.count == 2)
        for (line, number) in zip(reported, [1, 4]) {
            #expect(line.contains(#""type":"trip_reported""#))
            #expect(line.contains(#""id":"019a9f30-5c10-7a11-8e00-00000000000\#(number)""#))
            #expect(line.contains(#""actor":"Eva""#) && line.contains(#""source":"manual""#))
        }
        #expect(try server.process.run("verify").exitCode == 0)
    }
}
