import Foundation
import TestSupport
import Testing

/// A shard of a fleet, and tokens of groups that another shard has.
@Suite struct ServeShardTests {
    /// Two shards with half of the hashes each; the groups 7 and 18 are of `s0`, 17 is of `s1`.
    private static let halves = (0..<2)
        .map { #"{"name":"s\#($0)","groups_from":"hash","of":2,"is":\#($0)}"# }

    /// Serves the shard `s0` of some.
    private static func served(_ shards: [String] = halves) throws -> ServedLedger {
        let process = try LedgerProcess()
        try process.begin()
        let file = process.directory.path("fleet.json")
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

    @Test func `a group that no shard has is answered by none, and it is said what to do`() throws {
        let server = try Self.served([
            #"{"name":"s0","groups":["7"]}"#, #"{"name":"s1","groups":["18"]}"#,
        ])
        let reader = try server.token("reader", "--group", "17", "--scope", "read")
        let answer = try server.get("/v1/trips", "Authorization: Bearer \(reader)")
        #expect(answer.status == 403, "\(answer)")
        #expect(answer.body.contains(#""type":"urn:ledger:wrong-shard""#), "\(answer)")
        #expect(answer.body.contains("Name the group 17 at a shard"), "\(answer)")
        #expect(!answer.body.contains(#""shard":"#), "\(answer)")
    }

    @Test func `a shard that names a group after the hashes has it`() throws {
        let server = try Self.served(Self.halves + [#"{"name":"s2","groups":["7","17"]}"#])
        for group in ["7", "17"] {
            let reader = try server.token("r\(group)", "--group", group, "--scope", "read")
            let answer = try server.get("/v1/trips", "Authorization: Bearer \(reader)")
            #expect(answer.body.contains(#""shard":"s2""#), "\(answer)")
        }
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

    @Test(arguments: [
        (#"{"name":"s0"}"#, "no shard of the name s1"),
        (halves[1], #"no shard has the hashes "of":2,"is":0"#),
    ])
    func `a layout without this shard or with groups of none is refused at the start`(
        shard: String,
        reason: String
    ) throws {
        let process = try LedgerProcess()
        try process.begin()
        let file = process.directory.path("fleet.json")
        try Data(#"{"shards":[\#(shard)]}"#.utf8).write(to: URL(fileURLWithPath: file))
        let refused = try process.run("serve", "--port", "0", "--shard", "\(file)#s1")
        #expect(refused.exitCode == 65, "\(refused)")
        #expect(refused.errors.contains(reason), "\(refused)")
    }
}
