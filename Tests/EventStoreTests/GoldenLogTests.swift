import EventStore
import Foundation
import LMDB
import Proofs
import SystemPackage
import Testing

/// The bytes of a small log and of compact blocks against those that an independent program makes
/// from the Formats page (`Golden/make.py`).
@Suite struct GoldenLogTests {
    private struct Golden: Decodable {
        var seed: UInt64
        var recordedAt: Int64
        var events: [Event]
        var blocks: [String: String]
        var tree: [String: String]
        var state: String
        var root: String
        var sources: [String: String]
        var names: [String: String]
        var times: [String: String]
        var ids: [String: String]
        var late: [String: String]
    }

    private struct Event: Decodable {
        var source: String
        var kind: UInt8
        var occurredAt: Int64
        var payload: String
        var id: String
    }

    @Test func `every table is byte for byte what the Formats page says`() throws {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Golden/log.v1.json")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let golden = try decoder.decode(Golden.self, from: Data(contentsOf: url))
        let log = try TemporaryLog(seed: golden.seed)
        let events = golden.events.map { event in
            EventSample(
                source: event.source,
                occurredAt: event.occurredAt,
                id: event.id.isEmpty ? nil : event.id,
                kind: event.kind,
                payload: Self.bytes(event.payload)
            )
        }
        let result = try log.append(events, recordedAt: golden.recordedAt)
        #expect(result.head.root.description == golden.root)
        #expect(try log.findings() == [])
        log.log.close()
        #expect(try log.rows("blocks") == Self.byPosition(golden.blocks))
        #expect(try log.rows("tree") == Self.byPosition(golden.tree))
        #expect(try log.rows("state") == [Array("log".utf8): Self.bytes(golden.state)])
        #expect(try log.rows("sources") == Self.byKey(golden.sources))
        #expect(try log.rows("names") == Self.byKey(golden.names))
        #expect(try log.rows("times") == Self.byKey(golden.times))
        #expect(try log.rows("ids") == Self.byKey(golden.ids))
        #expect(try log.rows("late") == Self.byKey(golden.late))
    }

    private struct GoldenCompactBlocks: Decodable {
        var entries: String
        var blocks: [String: String]
        var refused: [String: String]
    }

    @Test func `compact blocks as the Formats page has them are decoded, and no others`() throws {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Golden/compact-block.v2.json")
        let golden = try JSONDecoder().decode(GoldenCompactBlocks.self, from: Data(contentsOf: url))
        let expected = Self.bytes(golden.entries)
        var buffer = BlockBuffer()
        for (name, block) in golden.blocks {
            let bytes = Self.bytes(block)
            var entries = try BlockView(bytes.span, at: 0, decodedInto: &buffer).entries
            var found: [UInt8] = []
            while let entry = try entries.next() { found += Array(copying: entry.bytes) }
            #expect(found == expected, "\(name)")
        }
        for (name, block) in golden.refused {
            let bytes = Self.bytes(block)
            let isRefused: Bool
            do throws(EventLogError) {
                _ = try BlockView(bytes.span, at: 0, decodedInto: &buffer).count
                isRefused = false
            } catch {
                isRefused = error == .damaged(position: 0, "the compact block cannot be decoded")
            }
            #expect(isRefused, "\(name)")
        }
    }

    private static func byKey(_ rows: [String: String]) -> [[UInt8]: [UInt8]] {
        Dictionary(uniqueKeysWithValues: rows.map { (bytes($0), bytes($1)) })
    }

    private static func byPosition(_ rows: [String: String]) -> [[UInt8]: [UInt8]] {
        Dictionary(
            uniqueKeysWithValues: rows.map { position, value in
                let number = UInt64(position) ?? .max
                return (
                    (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) },
                    bytes(value)
                )
            }
        )
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2)
            .compactMap {
                UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
            }
    }
}
