import Testing

@testable import EventStore

@Suite struct EntryViewTests {
    /// Returns an entry's bytes: the length as given, then zeros but for the kind.
    private func entry(length: [UInt8], count: Int) -> [UInt8] {
        length + [0x10] + [UInt8](repeating: 0, count: count - length.count - 1)
    }

    @Test(arguments: [26, 44, 254, 255])
    func `a length of one byte is read`(count: Int) {
        let bytes = entry(length: [UInt8(count)], count: count)
        #expect(EntryView(startOf: bytes.span)?.bytes.count == count)
    }

    @Test(arguments: [258, 259, 65_535])
    func `a length of three bytes is read where one byte cannot say it`(count: Int) {
        let length = [0, UInt8(count & 255), UInt8(count >> 8)]
        let bytes = entry(length: length, count: count)
        #expect(EntryView(startOf: bytes.span)?.bytes.count == count)
    }

    // Found by fuzzing: 256 and 257 bytes would be 254 and 255 with a length of one byte.
    @Test(arguments: [26, 255, 256, 257])
    func `a length of three bytes where one byte would do is refused`(count: Int) {
        let length = [0, UInt8(count & 255), UInt8(count >> 8)]
        let bytes = entry(length: length, count: count)
        #expect(EntryView(startOf: bytes.span)?.bytes.count == nil)
    }
}
