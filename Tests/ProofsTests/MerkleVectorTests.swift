import Foundation
import LedgerTestSupport
import Proofs
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

    private struct Subtrees: Decodable {
        var max: UInt64
        var subtreeHashSha256: String
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
    }

    @Test func `inclusion vectors are accepted and refused as they say`() throws {
        let files = try files(below: "tlog/merkle/inclusion")
        #expect(files.count == 98)
        for file in files {
            let vector = try Self.decoder.decode(
                InclusionCase.self,
                from: Data(contentsOf: file)
            )
            #expect(isAccepted(vector) != vector.wantErr, "\(file.path)")
        }
    }

    @Test func `consistency vectors are accepted and refused as they say`() throws {
        let files = try files(below: "tlog/merkle/consistency")
        #expect(files.count == 98)
        for file in files {
            let vector = try Self.decoder.decode(
                ConsistencyCase.self,
                from: Data(contentsOf: file)
            )
            #expect(isAccepted(vector) != vector.wantErr, "\(file.path)")
        }
    }

    @Test func `the tree of eight leaves has the published hashes`() throws {
        let vector = try Self.decoder.decode(
            EightLeaves.self,
            from: SharedData.data("tlog/merkle/ct-8-leaves.json")
        )
        let leaves = try vector.leavesHex.map { text in
            let leaf = try #require(bytes(text))
            return SHA256.leaf(leaf.span)
        }
        let tree = MerkleTree.overLeaves(leaves)
        for (level, hashes) in vector.nodeHashesByLevelHex.enumerated() {
            for (index, hash) in hashes.enumerated() {
                let first = UInt64(index) << UInt64(level)
                #expect(tree.root(first..<first + 1 << UInt64(level)).description == hash)
            }
        }
        var frontier = MerkleFrontier()
        #expect(vector.rootHashBySizeHex.count == 9)
        for (size, root) in vector.rootHashBySizeHex.enumerated() {
            #expect(frontier.root.description == root, "size \(size)")
            if size < leaves.count { _ = frontier.append(leaves[size]) }
        }
    }

    @Test func `the subtrees of 130 leaves have the published hashes`() throws {
        let vector = try Self.decoder.decode(
            Subtrees.self,
            from: SharedData.data("tlog/merkle/mtc-subtree-accumulators.json")
        )
        let tree = MerkleTree.overLeaves(singleByteLeaves(130))
        var lines = ""
        for end in 0...vector.max {
            for start in 0...end where isValidSubtree(start, end) {
                lines += "[\(start), \(end)) \(tree.root(start..<end))\n"
            }
        }
        #expect(SHA256.digest(Array(lines.utf8).span).description == vector.subtreeHashSha256)
    }

    @Test func `roots and proofs equal those of golang x mod`() throws {
        let text = try #require(
            String(data: SharedData.data("tlog/merkle/x-mod-sumdb-tlog.jsonl"), encoding: .utf8)
        )
        var trees = [
            "byte(i)": singleByteLeaves(130),
            "record <i>": (0..<70_000)
                .map { index in
                    let record = Array("record \(index)".utf8)
                    return SHA256.leaf(record.span)
                },
        ]
        var checked = 0
        for text in text.split(separator: "\n") {
            let line = try Self.decoder.decode(Line.self, from: Data(text.utf8))
            guard let name = line.leaves, let size = line.size, let all = trees[name] else {
                continue
            }
            let leaves = Array(all.prefix(Int(size)))
            guard try isReproduced(line, leaves) else { continue }
            checked += 1
        }
        trees.removeAll()
        #expect(checked == 130 + 18 + 210 + 7 + 210 + 8)
    }

    @Test func `every proof up to 130 leaves adds up to the sums of golang x mod`() throws {
        let text = try #require(
            String(data: SharedData.data("tlog/merkle/x-mod-sumdb-tlog.jsonl"), encoding: .utf8)
        )
        let leaves = singleByteLeaves(130)
        var checked = 0
        for text in text.split(separator: "\n") where text.contains("\"accumulator\"") {
            let line = try Self.decoder.decode(Line.self, from: Data(text.utf8))
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
            #expect(SHA256.digest(Array(lines.utf8).span).description == line.sha256)
            checked += 1
        }
        #expect(checked == 2)
    }

    private func isReproduced(_ line: Line, _ leaves: [Digest]) throws -> Bool {
        let tree = MerkleTree.overLeaves(leaves)
        let expected = line.proof.map { $0.map(digest) }
        switch line.kind {
        case "root":
            var frontier = MerkleFrontier()
            for leaf in leaves { _ = frontier.append(leaf) }
            #expect(frontier.root == digest(try #require(line.root)))
        case "inclusion":
            #expect(tree.inclusionProof(of: try #require(line.index)) == expected)
        case "consistency":
            #expect(tree.consistencyProof(from: try #require(line.old)) == expected)
        default:
            return false
        }
        return true
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

    private func files(below path: String) throws -> [URL] {
        let names = try FileManager.default.subpathsOfDirectory(
            atPath: SharedData.url(path).path
        )
        return names.filter { $0.hasSuffix(".json") }.sorted()
            .map { SharedData.url(path).appendingPathComponent($0) }
    }

    private func isValidSubtree(_ start: UInt64, _ end: UInt64) -> Bool {
        guard start < end else { return true }
        var width: UInt64 = 1
        while width < end - start { width *= 2 }
        return start % width == 0
    }

    private func singleByteLeaves(_ count: Int) -> [Digest] {
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
