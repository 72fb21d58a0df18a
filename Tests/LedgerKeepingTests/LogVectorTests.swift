import EventStore
import Foundation
import Proofs
import SystemPackage
import TestSupport
import Testing

@testable import LedgerKeeping
@testable import TripLedger

/// The logs and tiles of other programs in `../shared/data/tlog`; its README names their sources.
@Suite(.enabled(if: SharedData.isPresent, SharedData.missing))
struct LogVectorTests {
    private struct TileCase: Decodable {
        private enum CodingKeys: String, CodingKey {
            case level = "L"
            case index = "N"
            case width = "W"
            case sha256
            case sumdbPath
        }

        var level: Int
        var index: Int
        var width: Int
        var sha256: String
        var sumdbPath: String

        /// The size of the smallest log with this tile.
        var size: Int { (index * TileTree.width + width) << (8 * level) }
    }

    @Test func `tiles equal those of golang x mod`() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let cases = try VectorGroup.golangTiles.lines()
            .map { try decoder.decode(TileCase.self, from: $0) }
        let wanted = Dictionary(grouping: cases, by: \.size)
        var tally = VectorTally(.golangTiles)
        var tree = TileTree()
        for index in 0..<(wanted.keys.max() ?? 0) {
            let full = tree.append(Self.record(index))
            for vector in wanted[index + 1] ?? [] {
                // Its tiles have their height in their paths, and ours are 8 high.
                let path = vector.sumdbPath.replacingOccurrences(of: "tile/8/", with: "tile/")
                let tile = (full + tree.partialTiles).first { $0.path == path }
                let digest = tile.map { SHA256.digest($0.bytes.span).description }
                tally.expect(digest == vector.sha256, "\(path)")
            }
        }
        try tally.finish()
    }

    @Test func `a log that tessera wrote is read, and its heads are those of its entries`() throws {
        let directory = try TemporaryDirectory()
        let log = directory.url.appendingPathComponent("log")
        try FileManager.default.copyItem(at: SharedData.url("tlog/tessera-log/log"), to: log)
        let key = try #require(
            VerifierKey(
                "example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx"
            )
        )
        var tally = VectorTally(.tesseraLog)
        for size in 0...15 {
            let bytes = try Data(contentsOf: log.appendingPathComponent("checkpoint.\(size)"))
            let head = try SignedHead(Array(bytes))
            // The newest one is there under a name of its own, too.
            let isNewest = try bytes == SharedData.data("tlog/tessera-log/log/checkpoint")
            for _ in 0..<(isNewest ? 2 : 1) {
                tally.expect(try head.isSigned(by: key) && head.head.size == UInt64(size))
            }
            guard size > 0 else { continue }
            var header = ExportHeader(ledger: "tessera", from: 0, head: head.head, withheld: 0)
            header.signedHead = head
            try bytes.write(to: log.appendingPathComponent(Ledger.exportedHead))
            try Data(header.line + [UInt8(ascii: "\n")])
                .write(to: log.appendingPathComponent(Ledger.exportedHeader))
            var leaves: [Digest] = []
            try ExportReader(FilePath(log.path))
                .read { _ in
                } take: { content, _ in
                    guard case .entry(let entry) = content else { return }
                    leaves.append(SHA256.leaf(entry.span))
                }
            let tree = MerkleTree.overLeaves(leaves)
            let isComplete = leaves.count == size
            // The tile and the bundle of this size.
            tally.expect(isComplete && tree.root(0..<UInt64(size)) == head.head.root)
            tally.expect(
                isComplete
                    && leaves.indices.allSatisfy { index in
                        let path = tree.inclusionProof(of: UInt64(index))
                        let proof = InclusionProof(position: UInt64(index), path: path, head: head)
                        return proof.isValid(for: leaves[index])
                    }
            )
        }
        try tally.finish()
    }

    @Test func `a tree that sunlight mirrors has our tiles, and its heads are cosigned`() throws {
        var tree = TileTree()
        var frontier = MerkleFrontier()
        var tiles: [TileTree.Tile] = []
        for index in 0..<300 {
            tiles += tree.append(Self.record(index))
            _ = frontier.append(Self.record(index))
        }
        tiles += tree.partialTiles
        let keys = try Self.cosigners()
        var tally = VectorTally(.sunlightMirror)
        for file in try VectorGroup.sunlightMirror.files() {
            let data = try SharedData.data("tlog/\(file)")
            if let tile = tiles.first(where: { file.hasSuffix($0.path) }) {
                tally.expect(Data(tile.bytes) == data, "\(file)")
            } else if file.contains("tile/entries/") {
                tally.leaveOut(because: "a line that says that it is no bundle of entries")
            } else if file.hasSuffix(".json") {
                let json = try JSONSerialization.jsonObject(with: data) as? [String: Any]
                let names = try #require(json?["verifier_keys"] as? [String])
                tally.expect(names.allSatisfy { VerifierKey($0)?.description == $0 }, "\(file)")
            } else if data.starts(with: Array("decoy".utf8)) {
                tally.expect((try? SignedHead(Array(data))) == nil, "\(file)")
            } else {
                let head = try SignedHead(Array(data))
                let isCosigned = try head.note.signatures(by: keys).count == 1
                // Only the log that is mirrored has its entries told; the others have a head alone.
                let isRight = !file.contains("/mirror/") || head.head.root == frontier.root
                tally.expect(isCosigned && isRight, "\(file)")
            }
        }
        try tally.finish()
    }

    private static func record(_ index: Int) -> Digest {
        let record = Array("record \(index)".utf8)
        return SHA256.leaf(record.span)
    }

    private static func cosigners() throws -> [VerifierKey] {
        let json = try JSONSerialization.jsonObject(with: SharedData.data("tlog/note/vkeys.json"))
        let cases = try #require(json as? [[String: Any]])
        return cases.compactMap { ($0["vkey"] as? String).flatMap { VerifierKey($0) } }
            .filter { $0.kind == .cosignature }
    }
}
