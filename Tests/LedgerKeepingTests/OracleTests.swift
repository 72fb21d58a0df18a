import DriveSimulation
import EventStore
import Foundation
import LedgerTestSupport
import Proofs
import SystemPackage
import TestSupport
import Testing
import TripEvents

@testable import LedgerKeeping
@testable import TripLedger

/// Writes what `tools/oracles/run` compares with other people's programs: the entries of a real
/// ledger, and its roots and proofs at random sizes.
@Suite struct OracleTests {
    private static let folder = ProcessInfo.processInfo.environment["LEDGER_ORACLE_FOLDER"]
    private static let missing: Comment = "skipped: tools/oracles/run says where to write"

    private struct Answer: Encodable {
        var size: UInt64
        var root: String
        var index: UInt64
        var inclusion: [String]
        var older: UInt64
        var olderRoot: String
        var consistency: [String]
    }

    @Test(.enabled(if: folder != nil, missing))
    func `roots and proofs at random sizes are written down`() throws {
        let folder = URL(fileURLWithPath: try #require(Self.folder))
        let seed = try #require(Seeds.fresh(1).first)
        var random = SplitMix64(seed: seed)
        let temporary = try TemporaryLedger()
        for start in stride(from: 0, to: 100_000, by: 10_000) {
            try temporary.append((start..<start + 10_000).map(Self.press))
        }
        var entries = Data()
        try temporary.ledger.log.scan(from: 0) { block in
            var iterator = block.entries
            while let entry = try iterator.next() {
                let bytes = entry.bytes.indices.map { entry.bytes[$0] }
                entries.append(UInt8(truncatingIfNeeded: bytes.count >> 8))
                entries.append(UInt8(truncatingIfNeeded: bytes.count))
                entries.append(contentsOf: bytes)
            }
            return true
        }
        try entries.write(to: folder.appendingPathComponent("entries"))
        let tree = try LogTree(temporary.ledger.log)
        var lines = Data()
        for _ in 0..<1_000 {
            let size = random.next() % 100_000 + 1
            let index = random.next() % size
            let older = random.next() % size + 1
            let answer = Answer(
                size: size,
                root: try tree.root(atSize: size).description,
                index: index,
                inclusion: try tree.inclusionProof(of: index, inSize: size).map(\.description),
                older: older,
                olderRoot: try tree.root(atSize: older).description,
                consistency: try tree.consistencyProof(from: older, toSize: size)
                    .map(\.description)
            )
            lines.append(try JSONEncoder().encode(answer))
            lines.append(UInt8(ascii: "\n"))
        }
        try lines.write(to: folder.appendingPathComponent("answers.jsonl"))
        print("oracles: seed \(seed)")
    }

    @Test(.enabled(if: folder != nil, missing))
    func `exports as tiles are written down, full tiles and partial ones`() throws {
        let folder = URL(fileURLWithPath: try #require(Self.folder))
            .appendingPathComponent("tiles")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let temporary = try TemporaryLedger()
        var pressed = 0
        for size in [1, 3, 255, 256, 257, 511, 65_535, 65_536, 65_537, 70_000] {
            // The first press comes with an entry that registers the phone, and so is number 2.
            let presses = max(0, size - 2)
            if presses > pressed { try temporary.append((pressed..<presses).map(Self.press)) }
            pressed = presses
            let summary = try temporary.ledger.export(
                as: .tiles,
                into: FilePath(folder.appendingPathComponent("\(size)").path)
            )
            #expect(summary.head.size == UInt64(size))
        }
    }

    private static func press(_ number: Int) -> TripEvent {
        TripEvent(
            source: "phone",
            occurredAt: Timestamp(milliseconds: 1_700_000_000_000 + 1_000 * Int64(number)),
            body: .goPressed(GoPressed())
        )
    }
}
