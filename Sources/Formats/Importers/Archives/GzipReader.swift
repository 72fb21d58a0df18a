import CZlib

/// Reads what gzip compressed (RFC 1952), all of its members one after the other, and checks their
/// checksums.
///
/// A class, because zlib refers to its state by address.
// @safe because the state and the memory are its own, and are freed with it.
@safe package final class GzipReader {
    /// Windows of any size, with the header and checksum of gzip.
    private static let gzipWindowBits: CInt = 15 + 16

    private let stream: UnsafeMutablePointer<z_stream>
    private let input: SteadyBuffer
    private let limit: ExpansionLimit

    /// Whether a member has begun and not ended.
    private var isInMember = false

    /// The damage after the bytes that were returned last.
    private var damage: ArchiveProblem?

    /// Prepares to read.
    ///
    /// - Parameters:
    ///   - source: Gives what was compressed.
    ///   - limit: How much may come out.
    package init(_ source: @escaping ByteSource, limit: ExpansionLimit) {
        input = SteadyBuffer(source)
        self.limit = limit
        // It is freed with this object.
        unsafe stream = .allocate(capacity: 1)
        // It is large enough for one.
        unsafe stream.initialize(to: z_stream())
        // The state does not move. It fails only if memory is exhausted.
        let status = unsafe ledger_inflateInit2(stream, Self.gzipWindowBits)
        precondition(status == Z_OK, "zlib has memory for its state")
    }

    deinit {
        // Nothing else has the state.
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Appends the next bytes to a span that has room; at the end it appends none.
    ///
    /// - Throws: `ArchiveProblem`, and what the source throws.
    package func read(into output: inout OutputSpan<UInt8>) throws {
        if let damage { throw damage }
        let count = output.count
        while output.count == count {
            // The state is alive, and the buffer too.
            if unsafe stream.pointee.avail_in == 0 {
                let filled = try input.fill()
                guard filled > 0 || isInMember else { return }
                unsafe stream.pointee.next_in = input.memory.baseAddress
                unsafe stream.pointee.avail_in = CUnsignedInt(filled)
            }
            // At the end of truncated input, zlib may still hold output that had no room before.
            let isAtEnd = unsafe stream.pointee.avail_in == 0
            try inflate(into: &output)
            guard !isAtEnd || !isInMember || output.count > count else {
                throw ArchiveProblem.truncated
            }
        }
        try limit.noteExpanded(output.count - count)
    }

    private func inflate(into output: inout OutputSpan<UInt8>) throws(ArchiveProblem) {
        isInMember = true
        let count = output.count
        // zlib writes only into the room that it is given, and reports how much of the buffer it
        // read.
        let status = unsafe output.withUnsafeMutableBufferPointer { room, filled in
            unsafe stream.pointee.next_out = room.baseAddress.map { unsafe $0 + filled }
            unsafe stream.pointee.avail_out = CUnsignedInt(room.count - filled)
            let status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
            filled = unsafe room.count - Int(stream.pointee.avail_out)
            return status
        }
        switch status {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END:
            isInMember = false
            // Another member may follow; the input that is left stays.
            unsafe inflateReset(stream)
        default:
            // A constant of zlib's.
            let message = unsafe stream.pointee.msg.map { unsafe String(cString: $0) }
            let problem = ArchiveProblem.damaged(message ?? "it is not compressed by gzip")
            damage = problem
            // Bytes that came out before the damage are returned first.
            guard output.count > count else { throw problem }
        }
    }
}
