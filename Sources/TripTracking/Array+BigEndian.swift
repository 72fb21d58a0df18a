extension [UInt8] {
    /// Appends the eight bytes of a number, highest first: in keys, the order of such numbers is
    /// that of their bytes.
    @inlinable
    package mutating func append(bigEndian number: UInt64) {
        append(addingCapacity: 8) { span in
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                span.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
    }
}
