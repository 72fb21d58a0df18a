import DriveSimulation
import Foundation
import TestSupport
import Testing

/// Files that are dropped on the page: what would become of them, and what becomes of them.
@Suite struct ServeDropsTests {
    private struct Drop: Decodable {
        struct Year: Decodable {
            var year: Int
            var trips: Int
        }

        struct Note: Decodable {
            var kind: String
            var text: String
        }

        struct Summary: Decodable {
            var notes: [Note]?
            var read: Int
            var appended: Int
            var duplicate: Int
            var rejected: Int
            var size: UInt64
        }

        struct Columns: Decodable {
            var names: [String]
            var complete: Bool
        }

        struct Failure: Decodable {
            var code: String
            var file: String
            var message: String
        }

        struct Problem: Decodable {
            var file: String
            var line: Int
        }

        var drop: String
        var name: String
        var bytes: Int
        var stage: String
        var summary: Summary?
        var years: [Year]?
        var trips: [String]?
        var problems: [Problem]?
        var columns: Columns?
        var unreadable: [Failure]?
        var failed: Failure?

        var isBusy: Bool { ["arriving", "looking", "adding"].contains(stage) }
    }

    private static let octets = "application/octet-stream"

    private static func decode(_ answer: ServedLedger.Answer) throws -> Drop {
        try JSONDecoder().decode(Drop.self, from: Data(answer.body.utf8))
    }

    /// Waits until nothing is done with a file any more.
    private static func settled(
        _ drop: Drop,
        in server: ServedLedger,
        _ fields: String...
    ) throws -> Drop {
        var drop = drop
        while drop.isBusy {
            let answer =
                fields.isEmpty
                ? try server.get("/v1/drops/\(drop.drop)")
                : try server.get("/v1/drops/\(drop.drop)", fields[0])
            try #require(answer.status == 200, "\(answer.body)")
            drop = try decode(answer)
        }
        return drop
    }

    /// Sends a file, and waits until it was looked at.
    private static func look(
        at file: Data,
        named name: String,
        _ server: ServedLedger
    ) throws -> Drop {
        let answer = try server.post(file, as: octets, to: "/v1/drops?name=\(name)")
        try #require(answer.status == 202, "\(answer.body)")
        return try settled(decode(answer), in: server)
    }

    private static func say(
        _ what: String,
        _ drop: Drop,
        _ server: ServedLedger,
        body: String = "{}"
    ) throws -> ServedLedger.Answer {
        try server.post(
            Data(body.utf8),
            as: "application/json",
            to: "/v1/drops/\(drop.drop)/\(what)"
        )
    }

    private static func size(_ server: ServedLedger) throws -> Int {
        try server.process.run("log", "--format", "json").lines.count
    }

    /// Where dropped files lie.
    private static func folder(_ server: ServedLedger) -> String {
        server.process.directory.path("book/server/drop")
    }

    @Test(arguments: Seeds.fresh(2))
    func `what is added is what was said before, and what the command adds`(seed: UInt64) throws {
        let server = try ServedLedger.onSocket()
        let file = DriveLines.data(DriveLines.mixed(seed: seed))
        let before = try Self.size(server)
        let looked = try Self.look(at: file, named: "drives.jsonl", server)
        let remark: Comment = "seed \(seed)"
        #expect(looked.stage == "looked" && looked.bytes == file.count, remark)
        #expect(try Self.size(server) == before, "a look adds nothing; seed \(seed)")
        let answer = try Self.say("add", looked, server)
        #expect(answer.status == 200, "\(answer.body)")
        let added = try Self.settled(Self.decode(answer), in: server)
        #expect(added.stage == "added", remark)
        #expect(added.summary?.appended == looked.summary?.appended, remark)
        #expect(added.trips == looked.trips && added.trips?.isEmpty == false, remark)
        #expect(!FileManager.default.fileExists(atPath: Self.folder(server)), remark)
        // The same file by the command: all of it is there.
        let other = try LedgerProcess()
        try other.begin()
        try other.append(file)
        let command = try other.run("trips", "--format", "ids").lines
        let trips = try server.process.run("trips", "--format", "ids").lines
        #expect(Set(trips) == Set(command), remark)
        #expect(added.years?.map(\.trips).reduce(0, +) == added.trips?.count, remark)
        let again = try Self.look(at: file, named: "drives.jsonl", server)
        #expect(again.summary?.appended == 0, remark)
        #expect(again.summary?.duplicate == looked.summary?.appended, remark)
        #expect(again.trips == nil, remark)
    }

    @Test func `the trips of a file are voided by decisions, and what was recorded stays`() throws {
        let server = try ServedLedger.onSocket()
        let file = DriveLines.data(DriveLines.mixed(seed: 7))
        let looked = try Self.look(at: file, named: "drives.jsonl", server)
        let added = try Self.settled(
            Self.decode(try Self.say("add", looked, server)),
            in: server
        )
        let trips = try #require(added.trips)
        let size = try Self.size(server)
        let decisions = trips.map { #"{"type":"trip_voided","trip":"\#($0)","why":"Wrong file"}"# }
        let body = #"{"decisions":[\#(decisions.joined(separator: ","))]}"#
        let answer = try server.post(Data(body.utf8), as: "application/json", to: "/v1/decisions")
        #expect(answer.status == 200, "\(answer.body)")
        let left = Set(try server.process.run("trips", "--format", "ids").lines)
        #expect(left.isDisjoint(with: trips))
        #expect(try Self.size(server) >= size + trips.count)
    }

    @Test func `a table of no known app has its columns asked for`() throws {
        let server = try ServedLedger.onSocket()
        let table = Data("Begin;How far;What for\n14.03.2026 09:30;12,5;Visit\n".utf8)
        let looked = try Self.look(at: table, named: "book.csv", server)
        #expect(looked.summary?.appended == 0 && looked.unreadable?.count == 1)
        let map = """
            {"rows":"trips","delimiter":";","decimal_mark":",","time_format":"dd.MM.yyyy HH:mm",\
            "columns":{"started_at":"Begin","distance":{"column":"How far","unit":"km"},\
            "purpose":"What for"}}
            """
        let said = try JSONEncoder().encode(["map": map, "time_zone": "Europe/Berlin"])
        let body = String(decoding: said, as: UTF8.self)
        let answer = try Self.say("look", looked, server, body: body)
        #expect(answer.status == 200, "\(answer.body)")
        let mapped = try Self.settled(Self.decode(answer), in: server)
        #expect(mapped.stage == "looked", "\(String(describing: mapped.failed))")
        #expect(mapped.trips?.count == 1 && mapped.years?.first?.year == 2026)
        #expect(try Self.say("look", mapped, server, body: #"{"time_zone":"Moon"}"#).status == 400)
        // A map that is none says so, and the file can be looked at again.
        let wrong = try Self.say("look", mapped, server, body: #"{"map":"[]"}"#)
        let failed = try Self.settled(Self.decode(wrong), in: server)
        #expect(failed.stage == "failed" && failed.failed?.code == "unreadable_input")
        #expect(failed.failed?.file == "book.csv")
        #expect(try Self.say("add", failed, server).status == 409)
        let repeated = try Self.say("look", failed, server, body: body)
        #expect(try Self.settled(Self.decode(repeated), in: server).trips == mapped.trips)
    }

    @Test func `what is no table has no columns, and is told what it is`() throws {
        let server = try ServedLedger.onSocket()
        let table = "Begin;How far;What for\n14.03.2026 09:30;12,5;Visit\n"
        // A picture has ends of lines in it, and chance makes columns as well.
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0A]
        let picture = Data(signature) + Data(table.utf8)
        let looked = try Self.look(at: picture, named: "shot.png", server)
        #expect(looked.columns == nil)
        #expect(looked.unreadable?.map(\.message) == ["This is a picture."])
        for empty in ["", " \n\n"] {
            let nothing = try Self.look(at: Data(empty.utf8), named: "empty.gpx", server)
            #expect(nothing.columns == nil && nothing.summary?.read == 0)
            #expect(nothing.unreadable?.map(\.message) == ["The file is empty."])
            #expect(nothing.unreadable?.map(\.file) == ["empty.gpx"])
        }
        // A text in another encoding has zeros in it, and may be a table.
        var units: [UInt8] = [0xFF, 0xFE]
        for byte in table.utf8 { units += [byte, 0] }
        let other = try Self.look(at: Data(units), named: "book.csv", server)
        #expect(other.columns?.names == ["Begin", "How far", "What for"])
    }

    @Test func `an answer names the file as its sender did, and no path of the server`() throws {
        let server = try ServedLedger.onSocket()
        let home = server.process.directory.path("")
        let looked = try Self.look(at: Data("a;b\n1;2\n".utf8), named: "book.csv", server)
        func failure(_ body: String) throws -> Drop.Failure {
            let answer = try Self.say("look", looked, server, body: body)
            let failed = try Self.settled(Self.decode(answer), in: server)
            let shown = try server.get("/v1/drops/\(looked.drop)").body
            #expect(!shown.contains(home), "\(shown)")
            return try #require(failed.failed)
        }
        let map = #"{"rows":"trips","delimiter":";","colour":"red"}"#
        let said = try JSONEncoder().encode(["map": map])
        let member = try failure(String(decoding: said, as: UTF8.self))
        #expect(member.file == "book.csv")
        #expect(member.message == "In the map, colour: there is no such member.")
        // What goes wrong in the ledger has its place there.
        let log = server.process.directory.path("book/log")
        try FileManager.default.moveItem(atPath: log, toPath: log + ".away")
        let missing = try failure("{}")
        try FileManager.default.moveItem(atPath: log + ".away", toPath: log)
        #expect(missing.file == "book.csv")
    }

    @Test func `records that are no events are said with their places`() throws {
        let server = try ServedLedger.onSocket()
        let lines = """
            {"type":"go_pressed","source":"car","occurred_at":"2026-03-14T09:00:00Z"}
            {"type":"go_pressed","source":"car","occurred_at":"yesterday"}

            """
        let looked = try Self.look(at: Data(lines.utf8), named: "odd.jsonl", server)
        #expect(looked.summary?.rejected == 1 && looked.summary?.appended == 1)
        #expect(looked.problems?.map(\.line) == [2])
        #expect(looked.problems?.map(\.file) == ["odd.jsonl"])
    }

    @Test func `a week rollover is said before the file is added`() throws {
        let server = try ServedLedger.onSocket()
        let points = (0..<60)
            .map { number in
                let day = number < 30 ? "2003-03-11" : "2025-03-11"
                return "<trkpt lat='52.\(100 + number)' lon='4'>"
                    + "<time>\(day)T07:\(10 + number / 6):\(number % 6)0Z</time></trkpt>"
            }
        let file = "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
        let looked = try Self.look(at: Data(file.utf8), named: "mixed.gpx", server)
        let note = looked.summary?.notes?.first { $0.kind == "week_rollover" }
        #expect(note?.text.contains("some of its times are of 2003-03-11") == true)
    }

    @Test func `one who edits adds what apps recorded, and no events of the ledger's own`() throws {
        let process = try LedgerProcess()
        try process.begin()
        let server = try ServedLedger(process)
        let editor = try server.token("editor", "--scope", "edit")
        let reader = try server.token("reader", "--scope", "read")
        let phone = try server.token("phone", "--scope", "ingest", "--source", "phone")
        for token in [reader, phone] {
            let field = "Authorization: Bearer \(token)"
            let answer = try server.post(Data(), as: Self.octets, to: "/v1/drops?name=a", field)
            #expect(answer.status == 403)
        }
        let field = "Authorization: Bearer \(editor)"
        func look(_ text: String, _ name: String) throws -> Drop {
            let answer = try server.post(
                Data(text.utf8),
                as: Self.octets,
                to: "/v1/drops?name=\(name)",
                field
            )
            try #require(answer.status == 202, "\(answer.body)")
            return try Self.settled(Self.decode(answer), in: server, field)
        }
        let own = try look(
            #"{"type":"go_pressed","source":"car","occurred_at":"2026-03-14T09:00:00Z"}"# + "\n",
            "own.jsonl"
        )
        #expect(own.stage == "failed" && own.failed?.message.contains("administrator") == true)
        let points = (0..<3)
            .map {
                #"<trkpt lat="52.\#($0)" lon="4"><time>2026-03-14T09:0\#($0):00Z</time></trkpt>"#
            }
        let gpx = "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
        let track = try look(gpx, "track.gpx")
        #expect(track.stage == "looked" && track.summary?.appended == 3)
        // No other token has it.
        let other = try server.token("other", "--scope", "edit")
        let asked = try server.get("/v1/drops/\(track.drop)", "Authorization: Bearer \(other)")
        #expect(asked.status == 404)
    }

    @Test func `a file lies where only its owner reads it, and is gone when it is given up`() throws
    {
        let server = try ServedLedger.onSocket()
        let file = Data("nothing that is known\n".utf8)
        let looked = try Self.look(at: file, named: "..%2F.hidden%2F..a%20b.txt", server)
        #expect(looked.name == "a b.txt")
        let path = Self.folder(server) + "/\(looked.drop)/file/a b.txt"
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? Int) == 0o600)
        let folder = try FileManager.default.attributesOfItem(atPath: Self.folder(server))
        #expect((folder[.posixPermissions] as? Int) == 0o700)
        #expect(try server.get("/v1/drops/\(looked.drop)", method: "DELETE").status == 204)
        #expect(!FileManager.default.fileExists(atPath: Self.folder(server)))
        #expect(try server.get("/v1/drops/\(looked.drop)").status == 404)
        #expect(try server.get("/v1/drops/\(looked.drop)", method: "DELETE").status == 404)
        // What the server keeps beside it is well.
        #expect(try server.process.run("doctor").exitCode == 0)
    }

    @Test func `one that was refused is next, before other files of the one that was served`()
        throws
    {
        let process = try LedgerProcess()
        try process.begin()
        let server = try ServedLedger(process)
        func field(_ name: String) throws -> String {
            "Authorization: Bearer \(try server.token(name, "--scope", "edit"))"
        }
        let (first, second) = (try field("first"), try field("second"))
        func send(_ field: String) throws -> ServedLedger.Answer {
            try server.post(Data("x\n".utf8), as: Self.octets, to: "/v1/drops?name=a", field)
        }
        let file = try Self.settled(Self.decode(send(first)), in: server, first)
        // Without one that waits, the next file takes the place of the own one.
        let next = try Self.settled(Self.decode(send(first)), in: server, first)
        #expect(next.drop != file.drop)
        #expect(try send(second).status == 503)
        let again = try send(first)
        #expect(again.status == 503 && again.head.contains("Retry-After: 30"), "\(again)")
        #expect(try server.get("/v1/drops/\(next.drop)", first).status == 200)
        #expect(try server.get("/v1/drops/\(next.drop)", method: "DELETE", first).status == 204)
        #expect(try send(first).status == 503)
        #expect(try send(second).status == 202)
    }

    @Test func `a file that comes slowly keeps no other one from the desk, and is read after it`()
        throws
    {
        let process = try LedgerProcess()
        try process.begin()
        let server = try ServedLedger(process)
        func field(_ name: String) throws -> String {
            "Authorization: Bearer \(try server.token(name, "--scope", "edit"))"
        }
        let (slow, fast) = (try field("slow"), try field("fast"))
        let connection = try server.connect()
        let head = [
            "POST /v1/drops?name=slow HTTP/1.1", "Host: localhost:\(server.port)", slow,
            "Content-Type: \(Self.octets)", "Content-Length: 5", "Connection: close", "", "ab",
        ]
        try connection.send(head.joined(separator: "\r\n"))
        while !FileManager.default.fileExists(atPath: Self.folder(server)) {
            _ = try server.get("/health")
        }
        func sendFast() throws -> ServedLedger.Answer {
            try server.post(Data("x\n".utf8), as: Self.octets, to: "/v1/drops?name=a", fast)
        }
        let answer = try sendFast()
        #expect(answer.status == 202, "\(answer)")
        // It has come while the other one has the desk, and is not sent again.
        try connection.send("cd\n")
        let late = try ServedLedger.Answer(connection.answer())
        #expect(late.status == 202, "\(late)")
        let waiting = try Self.decode(late)
        #expect(waiting.stage == "arriving" && waiting.bytes == 5)
        let first = try Self.settled(Self.decode(answer), in: server, fast)
        let asked = try Self.decode(server.get("/v1/drops/\(waiting.drop)", slow))
        #expect(asked.stage == "arriving")
        // It is next, before other files of the one that was served.
        #expect(try server.get("/v1/drops/\(first.drop)", method: "DELETE", fast).status == 204)
        #expect(try sendFast().status == 503)
        let read = try Self.settled(waiting, in: server, slow)
        #expect(read.bytes == 5 && !read.isBusy)
        #expect(try server.get("/v1/drops/\(read.drop)", method: "DELETE", slow).status == 204)
        #expect(!FileManager.default.fileExists(atPath: Self.folder(server)))
    }

    @Test func `files come one at a time, and none that is too large`() throws {
        let server = try ServedLedger.onSocket()
        let connection = try server.connect()
        let head = [
            "POST /v1/drops?name=slow HTTP/1.1", "Host: localhost:0",
            "Content-Type: \(Self.octets)", "Content-Length: 5", "Connection: close", "", "ab",
        ]
        try connection.send(head.joined(separator: "\r\n"))
        // The first one has begun as soon as its file is there.
        while !FileManager.default.fileExists(atPath: Self.folder(server)) {
            _ = try server.get("/health")
        }
        let second = try server.post(Data("x".utf8), as: Self.octets, to: "/v1/drops?name=fast")
        #expect(second.status == 503 && second.body.contains("urn:ledger:busy"))
        #expect(second.head.contains("Retry-After: 30"), "\(second)")
        try connection.send("cde")
        #expect(try connection.answer().contains(" 202 "))
        let large = try server.ask(
            "POST /v1/drops?name=large HTTP/1.1",
            "Host: localhost:0",
            "Content-Type: \(Self.octets)",
            "Content-Length: \(3 << 30)"
        )
        #expect(large.contains(" 413 "))
        #expect(try server.post(Data(), as: Self.octets, to: "/v1/drops").status == 400)
    }
}
