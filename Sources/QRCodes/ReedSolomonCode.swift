/// The error correction of QR codes: Reed–Solomon over the field of 256 elements that
/// x⁸ + x⁴ + x³ + x² + 1 makes.
struct ReedSolomonCode {
    /// The generator's coefficients without the first, which is 1, highest power first.
    private let generator: [UInt8]

    init(correctionCount: Int) {
        var generator = [UInt8](repeating: 0, count: correctionCount)
        generator[correctionCount - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<correctionCount {
            for index in generator.indices {
                generator[index] = Self.product(generator[index], root)
                if index + 1 < generator.count { generator[index] ^= generator[index + 1] }
            }
            root = Self.product(root, 2)
        }
        self.generator = generator
    }

    /// Returns the remainder of the data, as a polynomial, divided by the generator.
    func correction(_ data: [UInt8]) -> [UInt8] {
        var remainder = [UInt8](repeating: 0, count: generator.count)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in remainder.indices {
                remainder[index] ^= Self.product(generator[index], factor)
            }
        }
        return remainder
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var product = 0
        for bit in (0..<8).reversed() {
            product = product << 1 ^ (product >> 7) * 0x11D
            product ^= (Int(right) >> bit & 1) * Int(left)
        }
        return UInt8(truncatingIfNeeded: product)
    }
}
