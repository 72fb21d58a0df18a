/// Writes entries (Formats, *Entries*).
enum EntryEncoder {
    /// Bytes of an entry before its id, without those of a long length.
    private static let headerByteCount = EntryView.minimumByteCount

    /// Returns how many bytes an entry takes, or `nil` if that is more than an entry may have.
    static func byteCount(idCount: Int, payloadCount: Int) -> Int? {
        let short = headerByteCount + (idCount > 0 ? 1 + idCount : 0) + payloadCount
        let count = short > 255 ? short + 2 : short
        return count <= EntryView.maximumByteCount ? count : nil
    }

    /// Writes the entry of a candidate.
    ///
    /// - Parameters:
    ///   - candidate: The event.
    ///   - count: What `byteCount(idCount:payloadCount:)` says.
    ///   - source: The number of its source.
    ///   - recordedAt: Milliseconds since 1970.
    ///   - nonce: Eight random bytes.
    ///   - output: Where there is room for as many bytes.
    @inline(__always)
    static func encode(
        _ candidate: EntryBatch.Candidate,
        byteCount count: Int,
        source: UInt32,
        recordedAt: Int64,
        nonce: UInt64,
        to output: inout OutputSpan<UInt8>
    ) {
        let isShort = count <= 255
        let length = isShort ? UInt64(count) : UInt64(count) << 8
        let kind = UInt64(candidate.kind) | UInt64(candidate.form) << 8 | UInt64(source) << 16
        output.append(littleEndian: length, byteCount: isShort ? 1 : 3)
        output.append(littleEndian: kind, byteCount: 5)
        output.append(littleEndian: UInt64(bitPattern: candidate.occurredAt), byteCount: 6)
        output.append(littleEndian: UInt64(bitPattern: recordedAt), byteCount: 6)
        output.append(littleEndian: nonce, byteCount: 8)
        if !candidate.id.isEmpty {
            output.append(UInt8(candidate.id.count))
            output.append(contentsOf: candidate.id)
        }
        output.append(contentsOf: candidate.payload)
    }
}
