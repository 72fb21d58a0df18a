import Foundation
import TestSupport
import Testing

/// Exchanges as apps have them, from the shared data: each request is answered to the letter, and
/// the ledger then holds what its sender meant.
@Suite struct ServeSamplesTests {
    /// They want a server that can store nothing now, and are tried where that is so.
    private static let ofBadTimes = ["owntracks/18-disk-full", "overland/07-busy"]

    /// One request, its answer, and what is stored after it.
    private struct Exchange {
        let name: String
        let request: Data
        let answer: ServedLedger.Answer
        let events: [[String: Any]]

        /// Reads the exchange, with other tokens than the sample's.
        init(_ directory: String, _ file: String, token: String) throws {
            name = "\(directory)/\(file)"
            let path = "server/samples/\(name)"
            let raw = try SharedData.data(path + ".request.http")
            let end = try #require(raw.range(of: Data("\r\n\r\n".utf8)))
            let head = try ServeSamplesTests.head(
                String(decoding: raw[..<end.lowerBound], as: UTF8.self),
                token: token
            )
            request = Data((head + "\r\nConnection: close\r\n\r\n").utf8) + raw[end.upperBound...]
            let response = try SharedData.data(path + ".response.http")
            answer = try ServedLedger.Answer(String(decoding: response, as: UTF8.self))
            let lines = (try? SharedData.data(path + ".events.jsonl")) ?? Data()
            events = try lines.split(separator: UInt8(ascii: "\n"))
                .compactMap { try JSONSerialization.jsonObject(with: $0) as? [String: Any] }
        }

        /// The content of the answer, as a value.
        static func value(_ answer: ServedLedger.Answer) -> NSObject? {
            (try? JSONSerialization.jsonObject(with: Data(answer.body.utf8))) as? NSObject
        }
    }

    /// Returns the head of a request with another token, also where base64 hides it.
    private static func head(_ text: String, token: String) throws -> String {
        let sample = #/tl1_in_[0-9A-Za-z]{43}_[0-9a-f]{8}/#
        var text = text.replacing(sample, with: token)
        if let basic = text.firstMatch(of: #/Basic ([0-9A-Za-z+\/]+=*)/#) {
            let bytes = try #require(Data(base64Encoded: String(basic.1)))
            let credentials = String(decoding: bytes, as: UTF8.self).replacing(sample, with: token)
            text.replaceSubrange(
                basic.1.startIndex..<basic.1.endIndex,
                with: Data(credentials.utf8).base64EncodedString()
            )
        }
        return text
    }

    /// The key of the encrypted messages, which stands in the name of one of them.
    private static func key() throws -> String {
        let name = try #require(names(in: "owntracks").first { $0.contains("key-is-") })
        return try #require(name.components(separatedBy: "key-is-").last)
            .replacingOccurrences(of: "-", with: " ")
    }

    private static func mediaType(_ answer: ServedLedger.Answer) -> String? {
        answer.head.firstMatch(of: #/\r\n(?i:content-type): ([^;\r\n]+)/#).map { String($0.1) }
    }

    private static func names(in directory: String) throws -> [String] {
        try FileManager.default
            .contentsOfDirectory(atPath: SharedData.url("server/samples/\(directory)").path)
            .filter { $0.hasSuffix(".request.http") }
            .map { $0.replacingOccurrences(of: ".request.http", with: "") }
            .sorted()
            .filter { !ofBadTimes.contains("\(directory)/\($0)") }
    }

    /// Returns what is stored from a position on, but for what the ledger adds itself and what an
    /// app claims of whole trips, which the samples leave out.
    private static func stored(
        _ process: LedgerProcess,
        from count: Int
    ) throws -> [[String: Any]] {
        try process.run("log", "--format", "json").lines.dropFirst(count)
            .compactMap { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
            .filter {
                !["source_registered", "rules_adopted", "inference_reported"]
                    .contains($0["type"] as? String)
            }
    }

    private static func milliseconds(_ value: Any?) throws -> Int {
        if let number = value as? Int { return number }
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let text = try #require(value as? String)
        let date = try (try? format.parse(text)) ?? Date.ISO8601FormatStyle().parse(text)
        return Int((date.timeIntervalSince1970 * 1_000).rounded())
    }

    /// Compares an event that is stored with what a sample wants.
    private static func expect(
        _ stored: [String: Any],
        means wanted: [String: Any],
        in name: String
    ) throws {
        for (member, value) in wanted where member != "occurred_at" {
            guard let number = value as? Double else {
                #expect(stored[member] as? NSObject == value as? NSObject, "\(name): \(member)")
                continue
            }
            let found = try #require(stored[member] as? Double, "\(name): \(member) in \(stored)")
            #expect(abs(found - number) < 0.005, "\(name): \(member)")
        }
        #expect(
            try milliseconds(stored["occurred_at"]) == milliseconds(wanted["occurred_at"]),
            "\(name)"
        )
        if let text = wanted["occurred_at"] as? String {
            #expect((stored["occurred_at"] as? String)?.suffix(6) == text.suffix(6), "\(name)")
        }
        // Nothing is stored that the app did not say.
        let own: Set = ["position", "recorded_at", "confidence", "automatic"]
        #expect(Set(stored.keys).subtracting(own) == Set(wanted.keys), "\(name): \(stored)")
    }

    @Test(
        .enabled(if: SharedData.isPresent, SharedData.missing),
        arguments: [
            "owntracks", "overland", "traccar", "gpslogger", "colota", "phonetrack", "dawarich",
        ]
    )
    func `apps are answered as they want it, and their facts are stored`(
        directory: String
    ) throws {
        let process = try LedgerProcess()
        try process.begin()
        // Overland shows what the ledger is called.
        #expect(try process.shell("ln -s book \"Eva's ledger\"").exitCode == 0)
        let server = try ServedLedger(
            process,
            ["--ledger", "Eva's ledger", "--host-name", "ledger.example"]
        )
        try Data(Self.key().utf8).write(to: process.directory.url.appending(path: "key"))
        let token = try server.token("phone", "--owntracks-key", "key")
        var count = try process.run("log", "--format", "json").lines.count
        var eventCount = 0
        for file in try Self.names(in: directory) {
            let exchange = try Exchange(directory, file, token: token)
            let connection = try server.connect()
            try connection.send(exchange.request)
            let answer = try ServedLedger.Answer(connection.answer())
            #expect(answer.status == exchange.answer.status, "\(exchange.name): \(answer)")
            if let mediaType = Self.mediaType(exchange.answer) {
                #expect(Self.mediaType(answer) == mediaType, "\(exchange.name)")
            }
            if answer.status < 300 {
                #expect(
                    Exchange.value(answer) == Exchange.value(exchange.answer)
                        && (Exchange.value(answer) != nil || answer.body == exchange.answer.body),
                    "\(exchange.name): \(answer.body)"
                )
            }
            let stored = try Self.stored(process, from: count)
            count = try process.run("log", "--format", "json").lines.count
            eventCount += stored.count
            // Some samples say nothing of what is stored.
            let hasEvents = !exchange.events.isEmpty || directory == "owntracks"
            guard hasEvents else { continue }
            guard stored.count == exchange.events.count else {
                Issue.record("\(exchange.name): \(stored)")
                continue
            }
            for (event, wanted) in zip(stored, exchange.events) {
                try Self.expect(event, means: wanted, in: exchange.name)
            }
        }
        #expect(eventCount > 0)
        #expect(try process.run("verify").exitCode == 0)
        let end = server.end(with: SIGTERM)
        #expect(end.exitCode == 0 && end.errors == "", "\(end.errors)")
    }

    @Test(.enabled(if: SharedData.isPresent, SharedData.missing))
    func `an app keeps its queue while the disk is full`() throws {
        let process = try LedgerProcess()
        try process.begin()
        let made = try process.run("token", "new", "phone", "--format", "json")
        let token = try #require(
            made.lines.joined().firstMatch(of: #/"token":"([^"]+)"/#).map { String($0.1) }
        )
        let exchange = try Exchange("owntracks", "18-disk-full", token: token)
        // Files of this process and of those that it becomes cannot grow.
        let command = "ulimit -f 1; exec ledger serve --port 0 --host-name ledger.example"
        let shell = process.process(["-c", command])
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        let server = try FollowedProcess(shell)
        let line = try #require(server.nextLine())
        let digits = try #require(line.firstMatch(of: #/http://127\.0\.0\.1:(\d+)\. /#)?.1)
        let port = try #require(UInt16(digits))
        for _ in 0..<2 {
            let connection = try ServedLedger.Connection(port: port)
            try connection.send(exchange.request)
            let answer = try ServedLedger.Answer(connection.answer())
            #expect(answer.status == exchange.answer.status, "\(answer)")
            #expect(answer.head.contains("Retry-After: "), "\(answer)")
            #expect(Self.mediaType(answer) == Self.mediaType(exchange.answer))
        }
        #expect(server.end(with: SIGTERM).exitCode == 0)
        #expect(try process.run("log", "--format", "json").lines.count == 1)
        // Items that were kept are stored once there is room.
        let healthy = try ServedLedger(process, ["--host-name", "ledger.example"])
        let connection = try healthy.connect()
        try connection.send(exchange.request)
        #expect(try ServedLedger.Answer(connection.answer()).status == 200)
        // With the rules that the ledger adopts, and the source of decisions.
        #expect(try process.run("log", "--format", "json").lines.count == 5)
    }

    @Test(.enabled(if: SharedData.isPresent, SharedData.missing))
    func `an app keeps its batch while the server is busy, and shows why`() throws {
        let server = try ServedLedger("--host-name", "ledger.example")
        let token = try server.token("phone")
        let exchange = try Exchange("overland", "07-busy", token: token)
        // The server is reading so much of others that there is no room for more: two bodies that
        // lack a byte each. It may not have read yet all that was sent.
        let part = Data(repeating: UInt8(ascii: " "), count: (16 << 20) - 1)
        var connections: [ServedLedger.Connection] = []
        var answer: ServedLedger.Answer
        var tries: UInt32 = 0
        repeat {
            connections = []
            for _ in 0..<2 {
                let connection = try server.connect()
                try connection.send(
                    "POST /in/\(token)/overland HTTP/1.1\r\nHost: ledger.example\r\n"
                        + "Content-Length: 16777216\r\n\r\n"
                )
                try? connection.send(part)
                connections.append(connection)
            }
            usleep(100_000 << tries)
            tries += 1
            let connection = try server.connect()
            try connection.send(exchange.request)
            answer = try ServedLedger.Answer(connection.answer())
        } while answer.status == 200 && tries < 8
        #expect(answer.status == exchange.answer.status, "\(answer)")
        #expect(answer.head.contains("Retry-After: "), "\(answer)")
        #expect(Self.mediaType(answer) == Self.mediaType(exchange.answer))
        let said = try #require(Exchange.value(answer) as? [String: Any])
        #expect((said["error"] as? String)?.isEmpty == false)
        connections = []
        var status = answer.status
        while status == 503 {
            let connection = try server.connect()
            try connection.send(exchange.request)
            status = try ServedLedger.Answer(connection.answer()).status
        }
        #expect(status == 200)
        #expect(try server.process.run("log", "--format", "json").lines.count == 4)
    }
}
