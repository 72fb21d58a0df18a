/// Writes entries into a buffer of its own, one at a time (Formats, *Entries*).
struct EntryEncoder {
    /// The bytes of the entry written last.
    private(set) var bytes: [UInt8] = []

    /// Returns how many bytes an entry takes, or `nil` if that is more than an entry may have.
    static func byteCount(idCount: Int, payloadCount: Int) -> Int? {
        let short = EntryView.minimumByteCount + (idCount > 0 ? 1 + idCount : 0) + payloadCount
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
    mutating func encode(
        _ candidate: EntryBatch.Candidate,
        byteCount count: Int,
        source: UInt32,
        recordedAt: Int64,
        nonce: UInt64
    ) {
        bytes.removeAll(keepingCapacity: true)
        if count <= 255 {
            bytes.append(UInt8(count))
        } else {
            bytes.append(0)
            append(UInt64(count), width: 2)
        }
        bytes.append(candidate.kind)
        bytes.append(candidate.form)
        append(UInt64(source), width: 3)
        append(UInt64(bitPattern: candidate.occurredAt), width: 6)
        append(UInt64(bitPattern: recordedAt), width: 6)
        append(nonce, width: 8)
        if candidate.id.count > 0 {
            bytes.append(UInt8(candidate.id.count))
            bytes.append(contentsOf: candidate.id)
        }
        bytes.append(contentsOf: candidate.payload)
    }

    /// Appends the lowest bytes of a number, lowest first.
    private mutating func append(_ value: UInt64, width: Int) {
        // The number lives as long as the call, and its bytes are copied.
        unsafe withUnsafeBytes(of: value.littleEndian) { number in
            unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: number[..<width]))
        }
    }
}
