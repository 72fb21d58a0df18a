/// The keys of the log's tables: big-endian, so that LMDB's byte order is numeric order.
enum LogKey {
    /// The bytes of a key of `times` and `late`.
    static let momentByteCount = 20

    /// The key of `blocks` and `tree`.
    static func number(_ number: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: number)
        return bytes
    }

    /// The key of `sources`.
    static func source(_ source: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        append(source, to: &bytes)
        return bytes
    }

    /// The key of `times` and `late`; `last` is a position there and a digest here.
    static func moment(_ source: UInt32, _ occurredAt: Int64, _ last: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(momentByteCount)
        append(source, occurredAt, last, to: &bytes)
        return bytes
    }

    /// Adds the key of `times` and `late` to other bytes.
    static func append(
        _ source: UInt32,
        _ occurredAt: Int64,
        _ last: UInt64,
        to bytes: inout [UInt8]
    ) {
        append(source, to: &bytes)
        bytes.append(bigEndian: UInt64(bitPattern: occurredAt) ^ 1 << 63)
        bytes.append(bigEndian: last)
    }

    private static func append(_ source: UInt32, to bytes: inout [UInt8]) {
        bytes.append(littleEndian: UInt64(source.byteSwapped), byteCount: 4)
    }

    /// The key of `ids`.
    static func id(_ source: UInt32, _ id: Span<UInt8>) -> [UInt8] {
        var bytes = Self.source(source)
        bytes.append(contentsOf: id)
        return bytes
    }

    /// Reads a key of `times` or `late`, or returns `nil` if it is none.
    static func parseMoment(
        _ key: Span<UInt8>
    ) -> (source: UInt32, occurredAt: Int64, last: UInt64)? {
        guard key.count == momentByteCount else { return nil }
        let source = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(key[$1]) }
        return (
            source, Int64(bitPattern: key.bigEndian(at: 4) ^ 1 << 63), key.bigEndian(at: 12)
        )
    }
}
