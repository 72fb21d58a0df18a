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
        bytes.append(addingCapacity: count) { output in
            if count <= 255 {
                output.append(UInt8(count))
            } else {
                output.append(0)
                Self.append(UInt64(count), width: 2, to: &output)
            }
            output.append(candidate.kind)
            output.append(candidate.form)
            Self.append(UInt64(source), width: 3, to: &output)
            Self.append(UInt64(bitPattern: candidate.occurredAt), width: 6, to: &output)
            Self.append(UInt64(bitPattern: recordedAt), width: 6, to: &output)
            Self.append(nonce, width: 8, to: &output)
        }
        if candidate.id.count > 0 {
            bytes.append(UInt8(candidate.id.count))
            bytes.append(contentsOf: candidate.id)
        }
        bytes.append(contentsOf: candidate.payload)
    }

    /// Appends the lowest bytes of a number, lowest first.
    @inline(__always)
    private static func append(_ value: UInt64, width: Int, to output: inout OutputSpan<UInt8>) {
        for index in 0..<width {
            output.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index)))
        }
    }
}
