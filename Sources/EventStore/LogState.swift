import Proofs

/// The one row of the table `state`: how far the log is and what commits to it.
struct LogState: Hashable, Sendable {
    static let version: UInt8 = 1
    static let key: [UInt8] = Array("log".utf8)
    private static let fixedByteCount = 20

    /// The roots that commit to the entries; its size is the log's.
    var frontier = MerkleFrontier()

    /// The recorded_at of the last entry: milliseconds since 1970.
    var lastRecordedAt = Int64.min

    /// Creates the state of an empty log.
    init() {}

    /// Reads the row's value.
    ///
    /// - Throws: `EventLogError.newerFormat` or `.notALog`.
    init(_ value: Span<UInt8>) throws(EventLogError) {
        guard value.count >= Self.fixedByteCount else { throw .notALog("its state is cut short") }
        guard value[0] == Self.version else { throw .newerFormat("log version \(value[0])") }
        guard value[1] == 0, value[2] == 0, value[3] == 0 else {
            throw .newerFormat("flags in the log's state")
        }
        let size = value.littleEndian(at: 4)
        guard LogLimits.positions.contains(size) else {
            throw .notALog("its state has an impossible size")
        }
        let hashes = value.extracting(droppingFirst: Self.fixedByteCount)
        guard hashes.count == size.nonzeroBitCount * Digest.byteCount else {
            throw .notALog("its frontier does not belong to its size")
        }
        var roots: [Digest] = []
        for index in 0..<size.nonzeroBitCount {
            let start = index * Digest.byteCount
            if let root = Digest(hashes.extracting(start..<start + Digest.byteCount)) {
                roots.append(root)
            }
        }
        guard let frontier = MerkleFrontier(size: size, roots: roots) else {
            throw .notALog("its frontier does not belong to its size")
        }
        self.frontier = frontier
        lastRecordedAt = Int64(bitPattern: value.littleEndian(at: 12))
        guard LogLimits.times.contains(lastRecordedAt) else {
            throw .notALog("its state has an impossible recorded_at")
        }
    }

    /// The row's value.
    var value: [UInt8] {
        var bytes: [UInt8] = [Self.version, 0, 0, 0]
        bytes.append(littleEndian: frontier.size)
        bytes.append(littleEndian: UInt64(bitPattern: lastRecordedAt))
        for root in frontier.roots {
            bytes.append(contentsOf: root.bytes.span)
        }
        return bytes
    }
}

/// The ranges that Formats promises: what lies outside was not written by us.
enum LogLimits {
    /// Positions, sizes and counters stay below the point where arithmetic could overflow.
    static let positions: ClosedRange<UInt64> = 0...1 << 56

    /// Times that fit into 48 bits either way: milliseconds since 1970.
    static let times: ClosedRange<Int64> = -(1 << 47 - 1)...1 << 47 - 1

    /// The numbers that sources have; 0 is the ledger itself.
    static let sourceNumbers: ClosedRange<UInt32> = 1...0xFF_FFFF

    /// How many bytes of UTF-8 the identity digest lets a source's name have.
    static let sourceNameByteCounts = 1...255
}
