/// Appends the next bytes of a source to a span that has room; at the source's end it appends none.
package typealias ByteSource = (inout OutputSpan<UInt8>) throws -> Void

/// Bytes of a source in memory that stays where it is, for C code that reads from it between calls.
// @safe because the memory is its own and freed with it; only this module gives it to C code.
@safe struct SteadyBuffer: ~Copyable {
    private static let byteCount = 1 << 18

    /// The memory, of which the source has filled a part.
    let memory: UnsafeMutableBufferPointer<UInt8>

    private let source: ByteSource

    init(_ source: @escaping ByteSource) {
        self.source = source
        // It is freed with this value.
        unsafe memory = .allocate(capacity: Self.byteCount)
    }

    // Nothing else has the memory.
    deinit { unsafe memory.deallocate() }

    /// Overwrites the memory with the next bytes of the source.
    ///
    /// - Returns: How many there are; 0 at the end.
    func fill() throws -> Int {
        // The span ends before the memory is used for anything else.
        var output = unsafe OutputSpan(buffer: memory, initializedCount: 0)
        try source(&output)
        return unsafe output.finalize(for: memory)
    }
}
