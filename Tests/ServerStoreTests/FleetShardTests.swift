import ServerStore
import TestSupport
import Testing

/// The groups of a shard, by the layout of its fleet.
@Suite struct FleetShardTests {
    private static func layout(_ shards: String...) -> [UInt8] {
        Array(#"{"shards":[\#(shards.joined(separator: ",\n"))]}"#.utf8)
    }

    private static func part(_ number: Int, of count: Int) -> String {
        #"{"name":"s\#(number)","groups_from":"hash","of":\#(count),"is":\#(number)}"#
    }

    @Test func `each group is of one shard, and all the others name it`() throws {
        let parts = (0..<4).map { Self.part($0, of: 4) }
        let layout = Array(#"{"shards":[\#(parts.joined(separator: ","))]}"#.utf8)
        let shards = try (0..<4).map { try FleetShard(in: layout, named: "s\($0)") }
        for group in (0..<200).map({ "g\($0)" }) + ["ä", "a b"] {
            let others = shards.map { $0.other(with: group) }
            let owner = try #require(others.firstIndex(of: nil))
            for (index, other) in others.enumerated() where index != owner {
                #expect(other == "s\(owner)", "\(group)")
            }
        }
    }

    /// Computed with Python: `int.from_bytes(sha256(group).digest()[:8], "big") % 64`.
    @Test(arguments: [("7", 14), ("17", 23), ("18", 54), ("v0001", 46), ("ä", 12)])
    func `the hash is that of other programs`(group: String, number: Int) throws {
        let layout = Self.layout(Self.part(number, of: 64), #"{"name":"other"}"#)
        #expect(try FleetShard(in: layout, named: "other").other(with: group) == "s\(number)")
    }

    @Test func `a group that a shard names goes before a hash that follows`() throws {
        let layout = Self.layout(#"{"name":"own","groups":["17","x"]}"#, Self.part(3, of: 4))
        let hashed = try FleetShard(in: layout, named: "s3")
        #expect(hashed.other(with: "17") == "own")
        #expect(try FleetShard(in: layout, named: "own").other(with: "17") == nil)
        // No shard has it, so none is to be asked instead.
        #expect(hashed.other(with: "7") == nil)
    }

    @Test(arguments: [
        ("{", "no JSON"), ("[]", "no list"), (#"{"shards":[{}]}"#, "shard 1 has no name"),
        (#"{"shards":[{"name":"a","groups":[1]}]}"#, "no list of texts"),
        (#"{"shards":[{"name":"a","groups_from":"hash","of":2,"is":2}]}"#, "from 0 to N - 1"),
        (#"{"shards":[{"name":"a","groups_from":"name","of":2,"is":1}]}"#, "from 0 to N - 1"),
        (#"{"shards":[{"name":"a","groups_from":"hash","of":0,"is":0}]}"#, "from 0 to N - 1"),
        (#"{"shards":[{"name":"a"},{"name":"a"}]}"#, "two shards"),
        (#"{"shards":[{"name":"b"}]}"#, "no shard of the name a"),
    ])
    func `what is no layout is refused, and it is said why`(text: String, reason: String) {
        let fault = #expect(throws: FleetShard.Fault.self) {
            try FleetShard(in: Array(text.utf8), named: "a")
        }
        #expect(fault?.description.contains(reason) == true, "\(fault as Any)")
    }
}
