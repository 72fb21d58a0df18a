import Foundation
import Proofs
import TestSupport
import Testing

/// The public vectors of `../shared/data/tlog/merkle`; its README names their sources.
@Suite(.enabled(if: SharedData.isPresent, SharedData.missing))
struct MerkleVectorTests {
    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    private struct InclusionCase: Decodable {
        var leafIdx: UInt64
        var treeSize: UInt64
        var root: String
        var leafHash: String
        var proof: [String]?
        var wantErr: Bool
    }

    private struct ConsistencyCase: Decodable {
        var size1: UInt64
        var size2: UInt64
        var root1: String
        var root2: String
        var proof: [String]?
        var wantErr: Bool
    }

    private struct EightLeaves: Decodable {
        var leavesHex: [String]
        var nodeHashesByLevelHex: [[String]]
        var rootHashBySizeHex: [String]
    }

    /// One line of `x-mod-sumdb-tlog.jsonl`.
    private struct Line: Decodable {
        var kind: String
        var leaves: String?
        var size: UInt64?
        var index: UInt64?
        var old: UInt64?
        var root: String?
        var proof: [String]?
        var what: String?
        var sha256: String?
        var count: Int?
        var level: Int?
        var n: Int?
    }

    @Test func `inclusion vectors are accepted and refused as they say`() throws {
        var tally = VectorTally(.inclusion)
        for file in try VectorGroup.inclusion.files() {
            let vector = try Self.decoder.decode(
                InclusionCase.self,
                from: SharedData.data("tlog/\(file)")
            )
            tally.expect(isAccepted(vector) != vector.wantErr, "\(file)")
        }
        try tally.finish()
    }

    @Test func `consistency vectors are accepted and refused as they say`() throws {
        var tally = VectorTally(.consistency)
        for file in try VectorGroup.consistency.files() {
            let vector = try Self.decoder.decode(
                ConsistencyCase.self,
                from: SharedData.data("tlog/\(file)")
            )
            tally.expect(isAccepted(vector) != vector.wantErr, "\(file)")
        }
        try tally.finish()
    }

    @Test func `the tree of eight leaves has the published hashes`() throws {
        let vector = try Self.decoder.decode(
            EightLeaves.self,
            from: SharedData.data("tlog/merkle/ct-8-leaves.json")
        )
        var leafTally = VectorTally(.eightLeaves)
        let leaves = try vector.leavesHex.map { text in
            let leaf = try #require(bytes(text))
            let hash = SHA256.leaf(leaf.span)
            leafTally.expect(vector.nodeHashesByLevelHex[0].contains(hash.description))
            return hash
        }
        try leafTally.finish()
        let tree = MerkleTree.overLeaves(leaves)
        var nodes = VectorTally(.eightLeavesNodes)
        for (level, hashes) in vector.nodeHashesByLevelHex.enumerated() {
            for (index, hash) in hashes.enumerated() {
                let first = UInt64(index) << UInt64(level)
                nodes.expect(tree.root(first..<first + 1 << UInt64(level)).description == hash)
            }
        }
        try nodes.finish()
        var frontier = MerkleFrontier()
        var roots = VectorTally(.eightLeavesRoots)
        for (size, root) in vector.rootHashBySizeHex.enumerated() {
            roots.expect(frontier.root.description == root, "size \(size)")
            if size < leaves.count { _ = frontier.append(leaves[size]) }
        }
        try roots.finish()
    }

    @Test(arguments: [
        VectorGroup.golangRoots, .golangInclusions, .golangConsistencies,
    ])
    func `roots and proofs equal those of golang x mod`(group: VectorGroup) throws {
        let trees = [
            "byte(i)": Self.singleByteLeaves(130),
            "record <i>": (0..<70_000)
                .map { index in
                    let record = Array("record \(index)".utf8)
                    return SHA256.leaf(record.span)
                },
        ]
        var tally = VectorTally(group)
        for json in try group.lines() {
            let line = try Self.decoder.decode(Line.self, from: json)
            let name = try #require(line.leaves)
            let all = try #require(trees[name])
            let size = try #require(line.size)
            let leaves = Array(all.prefix(Int(size)))
            tally.expect(try isReproduced(line, leaves), "\(String(decoding: json, as: UTF8.self))")
        }
        try tally.finish()
    }

    @Test func `every proof up to 130 leaves adds up to the sums of golang x mod`() throws {
        let leaves = Self.singleByteLeaves(130)
        var tally = VectorTally(.golangSums)
        for json in try VectorGroup.golangSums.lines() {
            let line = try Self.decoder.decode(Line.self, from: json)
            let isInclusion = try #require(line.what).hasPrefix("inclusion")
            var lines = ""
            for size in UInt64(1)...130 {
                let tree = MerkleTree.overLeaves(Array(leaves.prefix(Int(size))))
                for number in isInclusion ? Array(0..<size) : Array(1...size) {
                    let proof =
                        isInclusion
                        ? tree.inclusionProof(of: number) : tree.consistencyProof(from: number)
                    lines += "\(number) \(size)\(proof.map { " \($0)" }.joined())\n"
                }
            }
            tally.expect(SHA256.digest(Array(lines.utf8).span).description == line.sha256)
        }
        try tally.finish()
    }

    @Test func `a leaf completes as many hashes as golang x mod stores for it`() throws {
        // We do not keep every hash of the tree, but the frontier makes each of them once.
        var frontier = MerkleFrontier()
        var counts = [0]
        for _ in 0..<70_000 {
            let before = frontier.roots.count
            _ = frontier.append(MerkleFrontier.emptyRoot)
            counts.append(counts[counts.count - 1] + before + 2 - frontier.roots.count)
        }
        var sizes = VectorTally(.golangCounts)
        for json in try VectorGroup.golangCounts.lines() {
            let line = try Self.decoder.decode(Line.self, from: json)
            let size = try #require(line.size)
            sizes.expect(counts[Int(size)] == line.count)
        }
        try sizes.finish()
        var indexes = VectorTally(.golangIndexes)
        for json in try VectorGroup.golangIndexes.lines() {
            let line = try Self.decoder.decode(Line.self, from: json)
            let level = try #require(line.level)
            let number = try #require(line.n)
            let lastLeaf = (number + 1) << level - 1
            indexes.expect(counts[lastLeaf] + level == line.index.map { Int($0) })
        }
        try indexes.finish()
    }

    private func isReproduced(_ line: Line, _ leaves: [Digest]) throws -> Bool {
        let tree = MerkleTree.overLeaves(leaves)
        let expected = line.proof.map { $0.map(digest) }
        switch line.kind {
        case "root":
            var frontier = MerkleFrontier()
            for leaf in leaves { _ = frontier.append(leaf) }
            return frontier.root == digest(try #require(line.root))
        case "inclusion":
            return tree.inclusionProof(of: try #require(line.index)) == expected
        case "consistency":
            return tree.consistencyProof(from: try #require(line.old)) == expected
        default:
            return false
        }
    }

    private func isAccepted(_ vector: InclusionCase) -> Bool {
        guard let root = digest(vector.root), let leaf = digest(vector.leafHash),
            let path = path(vector.proof)
        else { return false }
        return MerkleProof.isIncluded(
            leaf,
            at: vector.leafIdx,
            in: TreeHead(size: vector.treeSize, root: root),
            path: path
        )
    }

    private func isAccepted(_ vector: ConsistencyCase) -> Bool {
        guard let older = root(vector.root1), let newer = root(vector.root2),
            let path = path(vector.proof)
        else { return false }
        return MerkleProof.isConsistent(
            older: TreeHead(size: vector.size1, root: older),
            newer: TreeHead(size: vector.size2, root: newer),
            path: path
        )
    }

    /// Returns a root of a consistency case.
    ///
    /// Some cases have a word where the root does not matter;
    /// ours are 32 bytes by type, so the word's digest stands for it: equal words, equal roots.
    private func root(_ base64: String) -> Digest? {
        guard let bytes = Data(base64Encoded: base64).map(Array.init), !bytes.isEmpty else {
            return nil
        }
        return Digest(bytes) ?? SHA256.digest(bytes.span)
    }

    static func singleByteLeaves(_ count: Int) -> [Digest] {
        (0..<count)
            .map { index in
                let leaf = [UInt8(index)]
                return SHA256.leaf(leaf.span)
            }
    }

    private func digest(_ base64: String) -> Digest? {
        Data(base64Encoded: base64).flatMap { Digest(Array($0)) }
    }

    private func path(_ proof: [String]?) -> [Digest]? {
        let hashes = (proof ?? []).compactMap(digest)
        return hashes.count == proof?.count ?? 0 ? hashes : nil
    }

    private func bytes(_ hexadecimal: String) -> [UInt8]? {
        let digits = Array(hexadecimal)
        return stride(from: 0, to: digits.count, by: 2)
            .reduce(into: [UInt8]?([])) { bytes, index in
                let byte = UInt8(String(digits[index...index + 1]), radix: 16)
                bytes = byte.flatMap { next in bytes.map { $0 + [next] } }
            }
    }
}

/// No file of the vectors, and no record in one, is overlooked.
@Suite(.enabled(if: SharedData.isPresent, SharedData.missing))
struct VectorGroupTests {
    @Test func `every file belongs to a group`() throws {
        let files = try FileManager.default
            .subpathsOfDirectory(
                atPath: SharedData.url("tlog").path
            )
            .filter { name in
                let url = SharedData.url("tlog/\(name)")
                let isText = name.contains("LICENSE") || name.hasSuffix("README.md")
                return try !isText
                    && url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
            }
        #expect(try Set(files) == Set(VectorGroup.allCases.flatMap { try $0.files() }))
    }

    @Test func `every record belongs to a group`() throws {
        let path = VectorGroup.golangRoots.path
        let lines = try SharedData.data("tlog/\(path)").split(separator: UInt8(ascii: "\n"))
        let counts = try VectorGroup.allCases.filter { $0.path == path }.map { try $0.count() }
        #expect(counts.reduce(0, +) == lines.count)
        #expect(try VectorGroup.allCases.allSatisfy { try $0.count() > 0 })
    }
}
