import DriveSimulation
import Foundation
import TestSupport
import Testing

/// The log as tiles over HTTP: `/log/checkpoint` and `/log/tile/…` (C2SP tlog-tiles).
@Suite struct ServeTilesTests {
    /// Returns the files below a directory by their paths.
    private static func files(_ process: LedgerProcess, _ name: String) throws -> [String: Data] {
        let folder = process.directory.path(name)
        let paths = try #require(FileManager.default.enumerator(atPath: folder))
        var files: [String: Data] = [:]
        for case let path as String in paths {
            files[path] = try? Data(contentsOf: URL(fileURLWithPath: folder + "/" + path))
        }
        return files
    }

    private static func shell(_ process: LedgerProcess, _ commands: String) throws {
        let outcome = try process.shell("set -e\n" + commands)
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
    }

    /// Compares every file of an export with what is served at its path.
    private static func expectSame(
        _ files: [String: Data],
        from server: ServedLedger,
        _ comment: Comment,
        _ fields: String = "X: y"
    ) throws {
        #expect(files.keys.contains("checkpoint"), comment)
        #expect(files.keys.contains { $0.hasPrefix("tile/entries/") }, comment)
        for (path, bytes) in files where path != "export.json" {
            let (head, body) = try server.bytes("/log/\(path)", fields)
            #expect(head.status == 200 && body == bytes, "\(path), \(comment)")
            let (mediaType, cache) =
                switch path {
                case "checkpoint": ("text/plain; charset=utf-8", "no-cache")
                case _ where path.hasPrefix("tile/entries/"):
                    ("application/octet-stream", "private, no-cache")
                default: ("application/octet-stream", "private, max-age=31536000, immutable")
                }
            #expect(head.head.contains("\r\nContent-Type: \(mediaType)\r\n"), "\(path): \(head)")
            let fields = head.head + "\r\n"
            #expect(fields.contains("\r\nCache-Control: \(cache)\r\n"), "\(path): \(head)")
        }
    }

    @Test(arguments: Seeds.fresh(2))
    func `a ledger that grows and is erased from has the tiles of its exports`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let process = try LedgerProcess()
        try process.begin()
        try Self.shell(process, "ledger key new --name ledger.example/book")
        let server = try ServedLedger(onSocketOf: process)
        #expect(try server.get("/log/checkpoint").status == 404)
        #expect(try server.get("/log/checkpoint").body.contains("No head was signed yet."))
        #expect(try server.get("/log/tile/0/000.p/1").status == 404)
        var older: [[String: Data]] = []
        for turn in 0..<3 {
            try process.append(DriveLines.data(DriveLines.mixed(seed: seed &+ UInt64(turn))))
            let trips = try process.run("trips", "--format", "json").lines
            let trip = trips[Int(random.next() % UInt64(trips.count))]
            let id = try #require(trip.firstMatch(of: #/"id":"([0-9a-f]{32})"/#)?.1)
            // A trip on which others rest cannot be erased; then there is one erasure less.
            _ = try process.run("erase", "--trip", String(id), "--why", "mine", "--yes")
            try Self.shell(
                process,
                "ledger head --sign > /dev/null; ledger export --as tiles t\(turn) > /dev/null"
            )
            let files = try Self.files(process, "t\(turn)")
            try Self.expectSame(files, from: server, "turn \(turn), seed \(seed)")
            for files in older {
                for (path, bytes) in files where path.hasPrefix("tile/") {
                    let (head, body) = try server.bytes("/log/\(path)")
                    #expect(head.status == 200, "\(path), seed \(seed)")
                    if !path.hasPrefix("tile/entries/") { #expect(body == bytes, "seed \(seed)") }
                }
            }
            older.append(files)
        }
        // Tiles of entries that were not signed are not there yet.
        let size = try #require(
            older.last?["checkpoint"]
                .flatMap { String(decoding: $0, as: UTF8.self).split(separator: "\n")[1] }
                .flatMap { Int($0) }
        )
        try process.append(DriveLines.data(DriveLines.mixed(seed: seed &+ 9)))
        let last = "entries/\(Self.index(size / 256)).p/\(size % 256 + 1)"
        #expect(try server.get("/log/tile/" + last).status == 404, "seed \(seed)")
        #expect(try process.run("verify").exitCode == 0)
        let end = server.end(with: SIGTERM)
        #expect(end.exitCode == 0 && end.errors == "", "\(end.errors)")
    }

    private static func index(_ number: Int) -> String {
        String(repeating: "0", count: 3 - "\(number)".utf8.count) + "\(number)"
    }

    @Test func `seventy thousand entries have tiles of three levels`() throws {
        let process = try LedgerProcess()
        try Self.shell(
            process,
            """
            ledger init > /dev/null
            ledger simulate bulk --drives 1 --fixes 70000 | ledger append > /dev/null
            ledger key new --name ledger.example/book > /dev/null
            ledger head --sign > /dev/null
            ledger export --as tiles out > /dev/null
            """
        )
        let files = try Self.files(process, "out")
        #expect(files.keys.contains("tile/2/000.p/1"))
        try Self.expectSame(files, from: ServedLedger(onSocketOf: process), "70,004 entries")
    }

    @Test func `entries that were withheld from a copy have no length`() throws {
        let process = try LedgerProcess()
        try process.begin()
        try process.append(DriveLines.data(DriveLines.mixed(seed: 5)))
        try Self.shell(
            process,
            """
            ledger export part --withhold unclassified > /dev/null
            ledger import part --ledger copy > /dev/null
            ledger key new --name ledger.example/copy --ledger copy > /dev/null
            ledger head --sign --ledger copy > /dev/null
            ledger export --as tiles out --ledger copy > /dev/null
            """
        )
        let files = try Self.files(process, "out")
        let server = try ServedLedger(process, ["--ledger", "copy"])
        let token = try #require(
            try process.run(
                "token",
                "new",
                "auditor",
                "--scope",
                "audit",
                "--ledger",
                "copy",
                "--format",
                "json"
            )
            .lines.joined().firstMatch(of: #/"token":"([^"]+)"/#).map { String($0.1) }
        )
        try Self.expectSame(files, from: server, "a copy", "Authorization: Bearer \(token)")
        let bundle = try #require(files.first { $0.key.hasPrefix("tile/entries/") }?.value)
        #expect(bundle.range(of: Data([0, 0, 0, 0])) != nil)
    }

    @Test func `without the right there seems to be nothing`() throws {
        let server = try ServedLedger()
        try Self.shell(
            server.process,
            "ledger key new --name ledger.example/book; ledger head --sign > /dev/null"
        )
        let nothing = try server.get("/nothing/at/all")
        #expect(nothing.status == 404)
        var fields = ["X: y", "Authorization: Bearer tl1_audit_x", "Authorization: Basic eDp5"]
        for scope in ["ingest", "read", "edit", "live", "sync"] {
            fields.append("Authorization: Bearer " + (try server.token(scope, "--scope", scope)))
        }
        let paths = [
            "checkpoint", "tile/0/000.p/1", "tile/entries/000.p/1", "tile/0/999", "tile/x",
        ]
        for field in fields {
            for path in paths {
                let answer = try server.get("/log/" + path, field)
                #expect(answer.status == 404, "\(path) \(field)")
                #expect(answer.body == nothing.body, "\(path) \(field)")
            }
        }
        for scope in ["audit", "admin"] {
            let token = try server.token(scope, "--scope", scope)
            let statuses = try paths.map {
                try server.get("/log/" + $0, "Authorization: Bearer \(token)").status
            }
            #expect(statuses == [200, 200, 200, 404, 404])
            let head = try server.get(
                "/log/checkpoint",
                method: "HEAD",
                "Authorization: Bearer \(token)"
            )
            #expect(head.status == 200 && head.body == "")
        }
    }

    @Test func `a log that is older than its last signed head is not served as tiles`() throws {
        let process = try LedgerProcess()
        try process.begin()
        try Self.shell(
            process,
            """
            ledger key new --name ledger.example/book > /dev/null
            cp -r book old
            ledger fix --lat 51.9 --lon 4.3 --accuracy 5 > /dev/null
            ledger head --sign > /dev/null
            """
        )
        let server = try ServedLedger(process, ["--ledger", "old"])
        let token = try #require(
            try process.run(
                ["token", "new", "a", "--scope", "audit", "--ledger", "old", "--format", "json"]
            )
            .lines.joined().firstMatch(of: #/"token":"([^"]+)"/#).map { String($0.1) }
        )
        let answer = try server.get("/log/checkpoint", "Authorization: Bearer \(token)")
        #expect(answer.status == 503, "\(answer)")
        #expect(answer.body.contains(#""type":"urn:ledger:not-readable""#))
        let end = server.end(with: SIGTERM)
        #expect(end.errors.contains("this log has never had the signed head"), "\(end.errors)")
    }
}
