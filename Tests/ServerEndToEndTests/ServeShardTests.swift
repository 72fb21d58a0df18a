import Foundation
import TestSupport
import Testing

/// A shard of a fleet, and tokens of groups that another shard has.
@Suite struct ServeShardTests {
    /// Serves the shard `s0` of two; the groups 7 and 18 are its own by their hashes, 17 is not.
    private static func served() throws -> ServedLedger {
        let process = try LedgerProcess()
        try process.begin()
        let file = process.directory.path("fleet.json")
        let shards = (0..<2).map { #"{"name":"s\#($0)","groups_from":"hash","of":2,"is":\#($0)}"# }
        try Data(#"{"shards":[\#(shards.joined(separator: ","))]}"#.utf8)
            .write(to: URL(fileURLWithPath: file))
        return try ServedLedger(process, ["--shard", "\(file)#s0"])
    }

    private static let position = "/osmand?lat=51.9&lon=4.3&timestamp=1740992400"

    @Test func `a token of another shard is told which, and its deliveries wait`() throws {
        let server = try Self.served()
        let reader = try server.token("reader", "--group", "17", "--scope", "read")
        let answer = try server.get("/v1/trips", "Authorization: Bearer \(reader)")
        #expect(answer.status == 403, "\(answer)")
        #expect(answer.body.contains(#""type":"urn:ledger:wrong-shard""#), "\(answer)")
        #expect(answer.body.contains(#""shard":"s1""#), "\(answer)")
        // A phone keeps what it could not deliver.
        let phone = try server.token("phone", "--group", "17")
        let size = try server.process.run("head", "--format", "json").lines
        let delivered = try server.get("/in/\(phone)\(Self.position)")
        #expect(delivered.status == 503, "\(delivered)")
        #expect(delivered.head.lowercased().contains("retry-after: "), "\(delivered)")
        #expect(delivered.body.contains("s1"), "\(delivered)")
        #expect(try server.process.run("head", "--format", "json").lines == size)
    }

    @Test func `tokens of its own groups and of the owner are answered as ever`() throws {
        let server = try Self.served()
        for options in [["--group", "18"], []] {
            let name = "phone\(options.count)"
            let made = try server.process.run(
                ["token", "new", name, "--format", "json"] + options
            )
            let token = try #require(
                made.lines.joined().firstMatch(of: #/"token":"([^"]+)"/#)?.1
            )
            #expect(try server.get("/in/\(token)\(Self.position)").status == 200, "\(options)")
        }
    }

    @Test func `a layout that has no such shard is refused at the start`() throws {
        let process = try LedgerProcess()
        try process.begin()
        let file = process.directory.path("fleet.json")
        try Data(#"{"shards":[{"name":"s0"}]}"#.utf8).write(to: URL(fileURLWithPath: file))
        let refused = try process.run("serve", "--port", "0", "--shard", "\(file)#s1")
        #expect(refused.exitCode == 65, "\(refused)")
        #expect(refused.errors.contains("no shard of the name s1"), "\(refused)")
    }
}
