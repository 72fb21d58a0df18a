import TripEvents

/// Where a file first differs from what it should be: the line, and the figure or word there, so
/// that what is shown of both differs.
struct FirstDifference {
    /// The number of the line, from 1.
    let line: Int

    /// What stands there, as people read it.
    let found: String

    /// What should.
    let expected: String

    /// Finds where bytes first differ from others, or returns `nil` if they are the same.
    init?(of found: [UInt8], from expected: [UInt8]) {
        guard found != expected else { return nil }
        let common = zip(found, expected).prefix { $0 == $1 }.count
        line = 1 + expected.prefix(common).count { $0 == UInt8(ascii: "\n") }
        let texts = Self.texts(at: common, in: found, expected)
        (self.found, self.expected) = (texts.found, texts.expected)
    }

    /// The difference as a sentence without a full stop.
    var sentence: String {
        "line \(line): \(found) stands there, and the evidence gives \(expected)"
    }

    /// Returns what is shown of two files at the place where they first differ: the figures or
    /// words there, or as much of them as differs; the bytes if both look the same.
    private static func texts(
        at place: Int,
        in found: [UInt8],
        _ expected: [UInt8]
    ) -> (found: String, expected: String) {
        for cut in [Self.value, Self.word, Self.near] {
            let texts = (excerpt(cut(place, found)), excerpt(cut(place, expected)))
            if texts.0 != texts.1 { return texts }
        }
        return (byte(at: place, in: found), byte(at: place, in: expected))
    }

    private static func excerpt(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.isEmpty ? nothing : Excerpt.of(String(decoding: bytes, as: UTF8.self))
    }

    private static func byte(at place: Int, in bytes: [UInt8]) -> String {
        bytes.indices.contains(place) ? "the byte \(Excerpt.hexadecimal(bytes[place]))" : nothing
    }

    private static let nothing = "nothing"

    /// How many bytes around a place are shown of a long word.
    private static let reach = 15

    /// Returns what stands around a place.
    private static func near(_ place: Int, _ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes[max(0, place - reach)..<min(bytes.count, place + reach)]
    }

    /// Returns the word around a place; of a member of JSON, only the value.
    private static func value(_ place: Int, _ bytes: [UInt8]) -> ArraySlice<UInt8> {
        let word = word(place, bytes)
        let value = word.drop { isMark($0) && word.count > 1 }
        return value.isEmpty ? word : value
    }

    /// Returns the figure or word around a place: what stands between spaces, commas and quotes.
    private static func word(_ place: Int, _ bytes: [UInt8]) -> ArraySlice<UInt8> {
        let start = bytes[..<place].lastIndex(where: isGap).map { $0 + 1 } ?? 0
        let end = bytes[place...].firstIndex(where: isGap) ?? bytes.endIndex
        // Where a gap differs, the gap is the difference.
        return bytes[start..<max(end, min(place + 1, bytes.endIndex))]
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        [":", "[", "{"].contains { UInt8(ascii: $0) == byte }
    }

    private static func isGap(_ byte: UInt8) -> Bool {
        byte <= UInt8(ascii: " ") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"")
    }
}
