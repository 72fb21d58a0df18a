import DriveSimulation
import TestSupport
import Testing

@testable import JSONText

@Suite struct DigitWordTests {
    /// Expects a word to say what one look at each byte says.
    private func expectDigits(_ bytes: [UInt8], behind number: UInt64) {
        let word = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        var magnitude = number
        let read = DigitWord(word)
        read.append(to: &magnitude)
        #expect(read.count == digits.count, "\(bytes)")
        let expected = digits.reduce(number) { $0 &* 10 &+ UInt64($1 - UInt8(ascii: "0")) }
        #expect(magnitude == expected, "\(bytes)")
    }

    @Test func `every byte is told apart, at every place, between digits and odd ones`() {
        for byte in UInt8.min...UInt8.max {
            for place in 0..<8 {
                for above: UInt8 in [UInt8(ascii: "5"), 0, 0xFF, UInt8(ascii: ":"), 0x2F] {
                    let below: [UInt8] = Array("91827364".utf8.prefix(place))
                    let rest = [UInt8](repeating: above, count: 7 - place)
                    expectDigits(below + [byte] + rest, behind: 0)
                }
            }
        }
    }

    @Test func `digits go on where those before them end`() {
        for seed in Seeds.fresh(50) {
            var generator = SplitMix64(seed: seed)
            for _ in 0..<40 {
                let bytes = (0..<8)
                    .map { _ in UInt8.random(in: UInt8(ascii: "0")...0x3B, using: &generator) }
                expectDigits(bytes, behind: .random(in: 0...99_999_999_999, using: &generator))
            }
        }
    }
}

@Suite struct PlainBytesTests {
    /// RFC 8259 §7, a byte at a time.
    private func isPlain(_ byte: UInt8) -> Bool {
        (0x20..<0x80).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    @Test func `every byte is told apart, at every place, between plain ones and odd ones`() {
        for byte in UInt8.min...UInt8.max {
            for place in 0..<8 {
                for above: UInt64 in [0x6161_6161_6161_6161, 0, .max, 0x2222_2222_2222_2222] {
                    let plain: UInt64 = 0x2120_7F61_2321_5D5B
                    let below = PlainBytes.prefix(plain, count: place)
                    let word =
                        below | UInt64(byte) << UInt64(8 * place)
                        | above & ~PlainBytes.prefix(.max, count: place + 1)
                    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
                    let expected = bytes.firstIndex { !isPlain($0) } ?? 8
                    #expect(PlainBytes.count(in: word) == expected, "\(bytes)")
                }
            }
        }
    }

    @Test func `a prefix has as many bytes as it should`() {
        #expect(PlainBytes.prefix(.max, count: 0) == 0)
        #expect(PlainBytes.prefix(.max, count: 3) == 0xFF_FFFF)
        #expect(PlainBytes.prefix(0x0807_0605_0403_0201, count: 8) == 0x0807_0605_0403_0201)
    }
}
