/// Packs the numbers of one column, frame by frame, the way that takes fewest bytes.
struct ColumnWriter {
    /// How many bits of each number are written in the end; the rest of them does not count.
    private let bitCount: UInt64
    private var previous: UInt64
    private var difference: UInt64 = 0

    init(base: UInt64, bitCount: Int) {
        previous = base
        self.bitCount = UInt64(bitCount)
    }

    /// Appends a frame of at most 64 numbers.
    ///
    /// - Returns: `false` if they are too far from one another.
    mutating func append(_ values: ArraySlice<UInt64>, to bytes: inout [UInt8]) -> Bool {
        var first: [UInt64] = []
        var second: [UInt64] = []
        for value in values {
            let step = signExtended(value &- previous)
            first.append(Int64(bitPattern: step).zigzagged)
            second.append(Int64(bitPattern: signExtended(step &- difference)).zigzagged)
            previous &+= step
            difference = step
        }
        let firstWidth = Self.width(of: first)
        let secondWidth = Self.width(of: second)
        let usesSecond = secondWidth < firstWidth
        let width = usesSecond ? secondWidth : firstWidth
        guard width <= CompactBlock.maximumWidth else { return false }
        bytes.append(UInt8(width) | (usesSecond ? CompactBlock.secondDifferencesFlag : 0))
        Self.pack(usesSecond ? second : first, width: width, to: &bytes)
        return true
    }

    /// Returns the shortest number that is the same in the bits that count.
    private func signExtended(_ value: UInt64) -> UInt64 {
        let unused = 64 - bitCount
        return UInt64(bitPattern: Int64(bitPattern: value << unused) >> Int64(unused))
    }

    private static func width(of numbers: [UInt64]) -> Int {
        64 - numbers.reduce(0, |).leadingZeroBitCount
    }

    private static func pack(_ numbers: [UInt64], width: Int, to bytes: inout [UInt8]) {
        var waiting: UInt64 = 0
        var waitingBits = 0
        for number in numbers {
            waiting |= number << UInt64(waitingBits)
            waitingBits += width
            while waitingBits >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: waiting))
                waiting >>= 8
                waitingBits -= 8
            }
        }
        if waitingBits > 0 { bytes.append(UInt8(truncatingIfNeeded: waiting)) }
    }
}
