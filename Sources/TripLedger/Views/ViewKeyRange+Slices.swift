extension ViewKeyRange {
    private static let prefixByteCount = 8

    /// Divides the keys into ranges that are equally wide in the first eight bytes of keys.
    ///
    /// - Parameters:
    ///   - count: How many ranges; there is only one if the keys have too little between them.
    ///   - first: The first key that there is.
    ///   - last: The last one.
    /// - Returns: The ranges in order.
    func slices(_ count: Int, between first: [UInt8], and last: [UInt8]) -> [ViewKeyRange] {
        let low = Self.prefix(of: first)
        let high = max(low, Self.prefix(of: last))
        let width = (high - low) / UInt64(max(1, count))
        guard count > 1, width > 0 else { return [self] }
        var slices: [ViewKeyRange] = []
        var start = from
        for number in 1..<UInt64(count) {
            let end = Self.key(withPrefix: low + number * width)
            slices.append(ViewKeyRange(from: start, upTo: end))
            start = end
        }
        slices.append(ViewKeyRange(from: start, upTo: upTo))
        return slices
    }

    private static func prefix(of key: [UInt8]) -> UInt64 {
        (0..<prefixByteCount)
            .reduce(0) { prefix, index in
                prefix << 8 | UInt64(index < key.count ? key[index] : 0)
            }
    }

    private static func key(withPrefix prefix: UInt64) -> [UInt8] {
        (1...prefixByteCount)
            .map { index in
                UInt8(truncatingIfNeeded: prefix >> UInt64(8 * (prefixByteCount - index)))
            }
    }
}
