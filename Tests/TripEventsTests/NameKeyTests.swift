import Testing

@testable import TripEvents

@Suite struct NameKeyTests {
    /// Names that Unicode takes for equal: an accent, a syllable, the Kelvin sign.
    private static let pairs = [
        ("caf\u{E9}", "cafe\u{301}"), ("\u{AC00}", "\u{1100}\u{1161}"), ("K", "\u{212A}"),
    ]

    @Test(arguments: pairs)
    func `names are the same if their bytes are`(one: String, other: String) {
        #expect(one == other)
        #expect(NameKey(one) != NameKey(other))
        #expect(NameKey(one) == NameKey(String(decoding: Array(one.utf8), as: UTF8.self)))
        #expect(Set([NameKey(one), NameKey(other), NameKey(one)]).count == 2)
        #expect((NameKey(one) < NameKey(other)) != (NameKey(other) < NameKey(one)))
        #expect(![one].containsName(other) && [other, one].containsName(one))
        #expect(CustomValue.text(one) != .text(other))
        #expect(Set([CustomValue.text(one), .text(other)]).count == 2)
    }
}
