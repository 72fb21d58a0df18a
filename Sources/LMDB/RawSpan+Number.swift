extension RawSpan {
    /// Reads a number in the machine's byte order, as LMDB writes it, or 0 if it is not all there.
    func number<Number: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int,
        as type: Number.Type
    ) -> Number {
        guard offset >= 0, offset <= byteCount - MemoryLayout<Number>.size else { return 0 }
        // Any bits make a number, and the line above keeps within the bounds.
        return unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: type)
    }
}
