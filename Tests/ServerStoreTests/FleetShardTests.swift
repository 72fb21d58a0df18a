import ServerStore
import TestSupport
import Testing

/// The groups of a shard, by the layout of its fleet.
@Suite struct FleetShardTests {
    private static func layout(_ shards: [String]) -> [UInt8] {
        Array(#"{"shards":[\#(shards.joined(separator: ",\n"))]}"#.utf8)
    }

    private static func part(_ number: Int, of count: Int) -> String {
        #"{"name":"s\#(number)","groups_from":"hash","of":\#(count),"is":\#(number)}"#
    }

    private static func fault(_ shards: String...) -> String? {
        let text = layout(shards)
        let fault = #expect(throws: FleetShard.Fault.self) {
            try FleetShard(in: text, named: "s0")
        }
        return fault?.description
    }

    /// The second part of three is split in the second layout.
    @Test(arguments: [[(0, 4), (1, 4), (2, 4), (3, 4)], [(0, 3), (1, 6), (4, 6), (2, 3)]])
    func `each group is of one shard, and all the others name it`(parts: [(Int, Int)]) throws {
        let layout = Self.layout(parts.map { Self.part($0.0, of: $0.1) })
        let names = parts.map { "s\($0.0)" }
        let shards = try names.map { try FleetShard(in: layout, named: $0) }
        for group in (0..<200).map({ "g\($0)" }) + ["ä", "a b"] {
            let places = shards.map { $0.place(of: group) }
            let owner = try #require(places.firstIndex(of: .here))
            for (index, place) in places.enumerated() where index != owner {
                #expect(place == .elsewhere(names[owner]), "\(group)")
            }
        }
    }

    /// Computed with Python: `int.from_bytes(sha256(group).digest()[:8], "big") % 64`.
    @Test(arguments: [("7", 14), ("17", 23), ("18", 54), ("v0001", 46), ("ä", 12)])
    func `the hash is that of other programs`(group: String, number: Int) throws {
        let parts = (0..<64).map { Self.part($0, of: 64) } + [#"{"name":"other"}"#]
        let layout = Self.layout(parts)
        let shard = try FleetShard(in: layout, named: "other")
        #expect(shard.place(of: group) == .elsewhere("s\(number)"))
    }

    @Test(arguments: ["17", "18", "x"])
    func `a shard that names a group goes before hashes, wherever it stands`(group: String) throws {
        let named = #"{"name":"own","groups":["17","18","x"]}"#
        let parts = (0..<2).map { Self.part($0, of: 2) }
        for shards in [[named] + parts, parts + [named], [parts[0], named, parts[1]]] {
            let layout = Self.layout(shards)
            #expect(try FleetShard(in: layout, named: "own").place(of: group) == .here)
            for name in ["s0", "s1"] {
                let shard = try FleetShard(in: layout, named: name)
                #expect(shard.place(of: group) == .elsewhere("own"), "\(name)")
            }
        }
    }

    @Test func `a group that no shard names is of none where nothing goes by hashes`() throws {
        let layout = Self.layout([
            #"{"name":"a","groups":["7"]}"#, #"{"name":"b","groups":["8"]}"#,
        ])
        let shard = try FleetShard(in: layout, named: "a")
        #expect(["7", "8", "9"].map { shard.place(of: $0) } == [.here, .elsewhere("b"), .nowhere])
    }

    @Test func `a layout in which two shards have something, or none has it, is refused`() {
        let named = #"{"name":"s0","groups":["a","b"]}"#
        #expect(
            Self.fault(named, #"{"name":"s1","groups":["b"]}"#)
                == "the group b is of two shards, s0 and s1"
        )
        #expect(Self.fault(Self.part(0, of: 2)) == #"no shard has the hashes "of":2,"is":1"#)
        #expect(
            Self.fault(Self.part(0, of: 2), Self.part(1, of: 4))
                == #"no shard has the hashes "of":4,"is":3"#
        )
        let second = #"{"name":"s1","groups_from":"hash","of":2,"is":0}"#
        #expect(
            Self.fault(Self.part(0, of: 2), second)
                == #"the hashes "of":2,"is":0 are of two shards, s0 and s1"#
        )
        #expect(
            Self.fault(Self.part(0, of: 3), Self.part(1, of: 2))
                == #""of":2 of the shard s1 does not divide "of":3"#
        )
    }

    @Test(arguments: [
        ("{", "no JSON"), ("[]", "no list"), (#"{"shards":[{}]}"#, "shard 1 has no name"),
        (#"{"shards":[{"name":"a","groups":[1]}]}"#, "no list of texts"),
        (#"{"shards":[{"name":"a","groups_from":"hash","of":2,"is":2}]}"#, "from 0 to N - 1"),
        (#"{"shards":[{"name":"a","groups_from":"name","of":2,"is":1}]}"#, "from 0 to N - 1"),
        (#"{"shards":[{"name":"a","groups_from":"hash","of":0,"is":0}]}"#, "from 0 to N - 1"),
        (#"{"shards":[{"name":"a","of":1,"is":0}]}"#, "from 0 to N - 1"),
        (
            #"{"shards":[{"name":"a","groups_from":"hash","of":65537,"is":0}]}"#,
            "with N up to 65536"
        ),
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
