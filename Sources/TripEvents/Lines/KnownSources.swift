/// The sources that lines have named, with a number each; a name is found by its bytes, so that a
/// line of a source that is known makes no text.
struct KnownSources: Sendable {
    /// The names, each at its number.
    private(set) var names: [String] = []

    /// The UTF-8 of all names, one after the other.
    private var bytes: [UInt8] = []

    /// Where in `bytes` each name begins, and at last where the next one will.
    private var starts = [0]

    /// Open addressing: a number stands in its bucket or in one of the next, before a free one.
    private var buckets = [Int?](repeating: nil, count: 16)

    /// Returns the number of the source with the name that part of a line is, or `nil` if it has
    /// none yet.
    func number(of line: Span<UInt8>, _ range: Range<Int>) -> Int? {
        buckets[bucket(of: line, range)]
    }

    /// Returns the number of a source, which it gets now if it has none.
    mutating func number(of name: [UInt8]) -> Int {
        let bucket = bucket(of: name.span, 0..<name.count)
        if let known = buckets[bucket] { return known }
        let number = names.count
        buckets[bucket] = number
        names.append(String(decoding: name, as: UTF8.self))
        bytes.append(contentsOf: name)
        starts.append(bytes.count)
        if 2 * names.count > buckets.count { grow() }
        return number
    }

    /// Returns whether part of a line is the name with a number.
    @inline(__always)
    func isName(_ number: Int, _ line: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let name = self.range(of: number)
        return name.count == range.count
            && bytes.span.hasSameBytes(at: name.lowerBound, as: line, in: range)
    }

    /// Returns where in `bytes` the name with a number is.
    private func range(of number: Int) -> Range<Int> {
        starts[number]..<starts[number + 1]
    }

    /// Returns the bucket in which a name is, or would be.
    private func bucket(of line: Span<UInt8>, _ range: Range<Int>) -> Int {
        var hasher = Hasher()
        var position = range.lowerBound
        while position + 8 <= range.upperBound {
            hasher.combine(line.word(at: position))
            position += 8
        }
        hasher.combine(
            line.littleEndian(at: position, bytes: range.upperBound - position)
        )
        var bucket = hasher.finalize() & (buckets.count - 1)
        while let number = buckets[bucket], !isName(number, line, range) {
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        return bucket
    }

    private mutating func grow() {
        buckets = [Int?](repeating: nil, count: 2 * buckets.count)
        for number in names.indices {
            buckets[bucket(of: bytes.span, range(of: number))] = number
        }
    }
}
