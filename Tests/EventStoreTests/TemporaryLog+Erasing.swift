import EventStore
import Platform
import Proofs

extension TemporaryLog {
    /// Erases entries, one event for each part.
    func erase(_ parts: [RangeSet<UInt64>], recordedAt: Int64) throws -> TreeHead {
        try log.erase(parts, recordedAt: recordedAt, randomness: BufferedRandom()) { index, root in
            var payload = root.array
            for range in parts[index].ranges {
                for number in [range.lowerBound, range.upperBound] {
                    payload += (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
                }
            }
            return EntryContent(kind: 0x03, form: 0, payload: payload)
        }
    }

    /// Reads the events that `erase(_:recordedAt:)` appends.
    static let erasure: EventLog.ErasureReading = { entry in
        let payload = (0..<entry.payload.count).map { entry.payload[$0] }
        guard let root = Digest(Array(payload.prefix(32))) else { return nil }
        let numbers = stride(from: 32, to: payload.count, by: 8)
            .map { start in
                payload[start..<start + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            }
        var positions = RangeSet<UInt64>()
        for index in stride(from: 0, to: numbers.count, by: 2) {
            positions.insert(contentsOf: numbers[index]..<numbers[index + 1])
        }
        return ErasureRecord(positions: positions, tombstoneRoot: root)
    }

    /// The leaf hashes of all entries.
    func leaves() throws -> [Digest] {
        var leaves: [Digest] = []
        try log.scan(from: 0) { block in
            var entries = block.entries
            while let entry = try entries.next() { leaves.append(entry.leafHash) }
            return true
        }
        return leaves
    }

    /// The positions of the entries that can be erased.
    func erasablePositions() throws -> [UInt64] {
        var positions: [UInt64] = []
        try log.scan(from: 0) { block in
            var entries = block.entries
            while let entry = try entries.next() {
                if entry.source != 0, !entry.isTombstone { positions.append(entries.position - 1) }
            }
            return true
        }
        return positions
    }
}
