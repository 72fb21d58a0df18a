/// The stream cipher XSalsa20: Salsa20 with a nonce of 24 bytes.
///
/// OpenSSL has it not. Source: D. J. Bernstein, *Salsa20 specification* and *Extending the Salsa20
/// nonce*.
struct XSalsa20 {
    /// How many bytes a key has.
    static let keyByteCount = 32

    /// How many bytes a nonce has.
    static let nonceByteCount = 24

    /// `expand 32-byte k`, in words.
    private static let constants: [UInt32] = [0x6170_7865, 0x3320_646E, 0x7962_2D32, 0x6B20_6574]

    /// The indexes of the constants in a state.
    private static let diagonal = [0, 5, 10, 15]

    /// The indexes of the nonce and the block number in a state.
    private static let middle = [6, 7, 8, 9]

    /// The state before the rounds, but for the number of the block.
    private let state: [UInt32]

    /// Begins a stream.
    ///
    /// - Parameters:
    ///   - key: ``keyByteCount`` bytes.
    ///   - nonce: ``nonceByteCount`` bytes.
    init(key: [UInt8], nonce: [UInt8]) {
        precondition(key.count == Self.keyByteCount && nonce.count == Self.nonceByteCount)
        let words = Self.words(nonce)
        let mixed = Self.mixed(Self.state(key: Self.words(key), middle: Array(words[..<4])))
        let subkey = (Self.diagonal + Self.middle).map { mixed[$0] }
        state = Self.state(key: subkey, middle: Array(words[4...]) + [0, 0])
    }

    /// Returns the first bytes of the stream.
    func prefix(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var block: UInt64 = 0
        while bytes.count < count {
            var start = state
            start[8] = UInt32(truncatingIfNeeded: block)
            start[9] = UInt32(truncatingIfNeeded: block >> 32)
            for (word, mixed) in zip(start, Self.mixed(start)) {
                let sum = word &+ mixed
                for shift in stride(from: 0, to: 32, by: 8) {
                    bytes.append(UInt8(truncatingIfNeeded: sum >> UInt32(shift)))
                }
            }
            block += 1
        }
        return Array(bytes.prefix(count))
    }

    private static func state(key: [UInt32], middle: [UInt32]) -> [UInt32] {
        let first = [constants[0]] + key[..<4] + [constants[1]]
        return first + middle + [constants[2]] + key[4...] + [constants[3]]
    }

    /// Returns the words of bytes, lowest byte first.
    private static func words(_ bytes: [UInt8]) -> [UInt32] {
        stride(from: 0, to: bytes.count, by: 4)
            .map { start in
                bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
            }
    }

    /// Returns a state after twenty rounds, without the state before added.
    private static func mixed(_ state: [UInt32]) -> [UInt32] {
        var state = state
        func mix(_ target: Int, _ one: Int, _ other: Int, by count: UInt32) {
            let sum = state[one] &+ state[other]
            state[target] ^= sum << count | sum >> (32 - count)
        }
        func quarter(_ first: Int, _ second: Int, _ third: Int, _ fourth: Int) {
            mix(second, first, fourth, by: 7)
            mix(third, second, first, by: 9)
            mix(fourth, third, second, by: 13)
            mix(first, fourth, third, by: 18)
        }
        for _ in 0..<10 {
            quarter(0, 4, 8, 12)
            quarter(5, 9, 13, 1)
            quarter(10, 14, 2, 6)
            quarter(15, 3, 7, 11)
            quarter(0, 1, 2, 3)
            quarter(5, 6, 7, 4)
            quarter(10, 11, 8, 9)
            quarter(15, 12, 13, 14)
        }
        return state
    }
}
