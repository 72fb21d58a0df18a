import DriveSimulation
import LedgerTestSupport
import Testing

@testable import JSONText

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
