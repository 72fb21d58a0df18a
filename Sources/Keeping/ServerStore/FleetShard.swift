import JSONText
import Proofs
import TripEvents

/// One shard of a fleet, and what the fleet's layout (`fleet.json`) says of the others.
///
/// The layout is `{"shards":[SHARD …]}`. A shard has the groups that it names,
/// `{"name":"s001","groups":["7"]}`, or those whose hash falls to it,
/// `{"name":"s001","groups_from":"hash","of":4,"is":1}`: the first 8 bytes of the group's SHA-256,
/// big-endian, modulo `of`. A shard that names a group takes precedence over one with its hash,
/// whatever their order in the list. No group and no hash belongs to two shards, and if any hash
/// belongs to a shard, every hash does.
package struct FleetShard: Sendable {
    /// Where a group belongs.
    package enum Place: Hashable, Sendable {
        /// This shard has it.
        case here

        /// Another shard has it; its name.
        case elsewhere(String)

        /// No shard has it.
        case nowhere
    }

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

    /// The most parts of all hashes.
    private static let mostParts: UInt64 = 65_536

    private let name: String
    private let shards: [Shard]

    /// Reads a layout.
    ///
    /// - Parameters:
    ///   - layout: The bytes of `fleet.json`.
    ///   - name: The name of this shard in it.
    /// - Throws: The fault in it.
    package init(in layout: [UInt8], named name: String) throws(Fault) {
        // Swift 6.3.1 cannot compile the span of an array without a name here in a debug build.
        let line = layout.filter { $0 != 0x0A && $0 != 0x0D }
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue(line.span)
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
        try Self.requireOneShardForEachGroup(of: shards)
        try Self.requireOneShardForEachHash(of: shards)
        self.name = name
        self.shards = shards
    }

    /// Throws if two shards name one group.
    private static func requireOneShardForEachGroup(of shards: [Shard]) throws(Fault) {
        var holders: [NameKey: String] = [:]
        for shard in shards {
            for group in shard.groups.sorted() {
                guard let other = holders.updateValue(shard.name, forKey: group) else { continue }
                throw Fault(
                    description: "the group \(Excerpt.escaped(group.name)) is of two shards, "
                        + "\(Excerpt.escaped(other)) and \(Excerpt.escaped(shard.name))"
                )
            }
        }
    }

    /// Throws if two shards have the same hashes, or if some hashes belong to no shard while others
    /// do.
    ///
    /// A part may be split in further ones, so that the largest number of parts measures them all.
    private static func requireOneShardForEachHash(of shards: [Shard]) throws(Fault) {
        guard let count = shards.compactMap({ $0.part?.of }).max() else { return }
        var holders = [String?](repeating: nil, count: Int(count))
        for shard in shards {
            guard let part = shard.part else { continue }
            guard count.isMultiple(of: part.of) else {
                throw Fault(
                    description: #""of":\#(part.of) of the shard \#(Excerpt.escaped(shard.name)) "#
                        + #"does not divide "of":\#(count)"#
                )
            }
            for number in stride(from: part.number, to: count, by: Int(part.of)) {
                if let other = holders[Int(number)] {
                    throw Fault(
                        description: #"the hashes "of":\#(count),"is":\#(number) "#
                            + "are of two shards, \(Excerpt.escaped(other)) and "
                            + Excerpt.escaped(shard.name)
                    )
                }
                holders[Int(number)] = shard.name
            }
        }
        if let number = holders.firstIndex(of: nil) {
            throw Fault(description: #"no shard has the hashes "of":\#(count),"is":\#(number)"#)
        }
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
        let isPart = ["groups_from", "of", "is"].contains { value[$0] != nil }
        if isPart {
            guard value["groups_from"]?.text == "hash", let count = value["of"]?.number,
                let part = value["is"]?.number, part < count, count <= mostParts
            else {
                throw Fault(
                    description: #"shard \#(number) needs "groups_from":"hash","of":N and "is" "#
                        + "from 0 to N - 1, with N up to \(mostParts)"
                )
            }
            shard.part = (count, part)
        }
        return shard
    }

    /// Returns where a group belongs.
    package func place(of group: String) -> Place {
        let key = NameKey(group)
        let named = shards.first { $0.groups.contains(key) }
        guard let found = named ?? shard(withHashOf: group) else { return .nowhere }
        return found.name.hasSameBytes(as: name) ? .here : .elsewhere(found.name)
    }

    private func shard(withHashOf group: String) -> Shard? {
        let digest = SHA256.digest(Array(group.utf8).span).bytes
        var hash: UInt64 = 0
        for index in 0..<8 { hash = hash << 8 | UInt64(digest[index]) }
        return shards.first { $0.part.map { hash % $0.of == $0.number } ?? false }
    }
}
