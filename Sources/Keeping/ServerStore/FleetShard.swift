import JSONText
import Proofs
import TripEvents

/// One shard of a fleet, and what the fleet's layout (`fleet.json`) says of the others.
///
/// The layout is `{"shards":[SHARD …]}`. A shard has the groups that it names,
/// `{"name":"s001","groups":["7"]}`, or those whose hash falls to it,
/// `{"name":"s001","groups_from":"hash","of":4,"is":1}`: the first 8 bytes of the group's SHA-256,
/// big-endian, modulo `of`. The first shard in the list that has a group keeps it.
package struct FleetShard: Sendable {
    /// Why something is no layout, or has no such shard, as a sentence without its full stop.
    package struct Fault: Error, Hashable, CustomStringConvertible {
        /// The sentence.
        package let description: String
    }

    private struct Shard {
        var name: String

        /// The groups that it names.
        var groups: Set<NameKey> = []

        /// How many parts there are of all hashes, and the number of its part from 0 on.
        var part: (of: UInt64, number: UInt64)?
    }

    private let name: String
    private let shards: [Shard]

    /// Reads a layout.
    ///
    /// - Parameters:
    ///   - layout: The bytes of `fleet.json`.
    ///   - name: The name of this shard in it.
    /// - Throws: The fault in it.
    package init(in layout: [UInt8], named name: String) throws(Fault) {
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue(layout.filter { $0 != 0x0A && $0 != 0x0D }.span)
        } catch {
            throw Fault(description: "it is no JSON")
        }
        guard let elements = value["shards"]?.elements else {
            throw Fault(description: #"it has no list "shards""#)
        }
        var shards: [Shard] = []
        for element in elements {
            let shard = try Self.shard(element, number: shards.count + 1)
            guard !shards.contains(where: { $0.name.hasSameBytes(as: shard.name) }) else {
                throw Fault(description: "two shards have the name \(Excerpt.escaped(shard.name))")
            }
            shards.append(shard)
        }
        guard shards.contains(where: { $0.name.hasSameBytes(as: name) }) else {
            throw Fault(description: "it has no shard of the name \(Excerpt.escaped(name))")
        }
        self.name = name
        self.shards = shards
    }

    private static func shard(_ value: JSONValue, number: Int) throws(Fault) -> Shard {
        guard let name = value["name"]?.text, !name.isEmpty else {
            throw Fault(description: "shard \(number) has no name")
        }
        var shard = Shard(name: name)
        if let groups = value["groups"] {
            guard let texts = groups.texts, texts.count == groups.elements?.count else {
                throw Fault(description: "the groups of shard \(number) are no list of texts")
            }
            shard.groups = Set(texts.map { NameKey($0) })
        }
        if let source = value["groups_from"] {
            guard source.text == "hash", let count = value["of"]?.number,
                let part = value["is"]?.number, part < count
            else {
                throw Fault(
                    description: #"shard \#(number) needs "groups_from":"hash","of":N and "is" "#
                        + "from 0 to N - 1"
                )
            }
            shard.part = (count, part)
        }
        return shard
    }

    /// Returns the name of the shard that has a group; `nil` if this one has it, or none does.
    package func other(with group: String) -> String? {
        let digest = SHA256.digest(Array(group.utf8).span).bytes
        var hash: UInt64 = 0
        for index in 0..<8 { hash = hash << 8 | UInt64(digest[index]) }
        let key = NameKey(group)
        let found = shards.first { shard in
            shard.groups.contains(key)
                || shard.part.map { hash % $0.of == $0.number } ?? false
        }
        guard let found, !found.name.hasSameBytes(as: name) else { return nil }
        return found.name
    }
}
