import Foundation
import Testing

@testable import Proofs

/// Base64 in its canonical form only.
@Suite struct Base64Tests {
    private static func decoded(_ text: String) -> [UInt8]? {
        // Foundation leaves out nothing that is not in the alphabet, and takes other spare bits.
        guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else {
            return nil
        }
        return [UInt8](data)
    }

    @Test func `every sequence of bytes has the text that Foundation writes`() {
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255) }
            let text = Base64.text(bytes)
            #expect(text == Data(bytes).base64EncodedString())
            #expect(Base64.bytes(text) == bytes)
            var longer: [UInt8] = [1, 2]
            Base64.append(bytes.span, to: &longer)
            #expect(longer == [1, 2] + Array(text.utf8))
        }
    }

    @Test func `no other text is taken for bytes`() {
        let characters = Array("AQgwZz09+/=-_ \n")
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...9)
            let text = String((0..<count).compactMap { _ in characters.randomElement() })
            #expect(Base64.bytes(text) == Self.decoded(text), "\(text)")
        }
        for text in ["=", "==", "====", "A===", "AA=A", "AB==", "AAB=", "Zg=", "Zg", "Zé=="] {
            #expect(Base64.bytes(text) == nil, "\(text)")
        }
    }
}
