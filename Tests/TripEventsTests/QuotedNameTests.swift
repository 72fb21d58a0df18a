import Testing

@testable import TripEvents

@Suite struct QuotedNameTests {
    private static let names =
        FieldName.allCases.map(\.jsonName) + EnvelopeName.allCases.map(\.jsonName)

    private func quoted(_ name: String) -> QuotedName? {
        QuotedName(PackedName(name.utf8), nameByteCount: name.utf8.count)
    }

    private func stands(_ form: QuotedName, in line: [UInt8], at offset: Int) -> Bool {
        form.stands(in: line.span, at: offset)
    }

    @Test(arguments: names)
    func `a name stands where its bytes do, and nowhere else`(name: String) throws {
        guard let form = quoted(name) else {
            #expect(name.utf8.count > 14)
            return
        }
        let text = Array("\(name)\":".utf8)
        #expect(form.byteCount == text.count)
        let line = Array("?".utf8) + text + Array(repeating: UInt8(ascii: "\""), count: 16)
        #expect(stands(form, in: line, at: 1))
        #expect(!stands(form, in: line, at: 0))
        for index in text.indices {
            var other = line
            other[1 + index] ^= 0x20
            #expect(!stands(form, in: other, at: 1), "byte \(index)")
        }
        for index in 1 + text.count..<line.count {
            var other = line
            other[index] ^= 0xFF
            #expect(stands(form, in: other, at: 1), "byte \(index)")
        }
    }

    @Test func `a name of more than fourteen bytes has no such form`() {
        #expect(quoted("fourteen_bytes") != nil)
        #expect(quoted("fifteen_bytes__") == nil)
    }
}
