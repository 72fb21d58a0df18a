import TripEvents

/// Where a file first differs from what it should be: the line, and the figure or word there.
struct FirstDifference {
    /// The number of the line, from 1.
    let line: Int

    /// What stands there; empty if nothing does.
    let found: String

    /// What should.
    let expected: String

    /// Finds where bytes first differ from others, or returns `nil` if they are the same.
    init?(of found: [UInt8], from expected: [UInt8]) {
        guard found != expected else { return nil }
        let common = zip(found, expected).prefix { $0 == $1 }.count
        line = 1 + expected.prefix(common).count { $0 == UInt8(ascii: "\n") }
        self.found = Self.word(at: common, in: found)
        self.expected = Self.word(at: common, in: expected)
    }

    /// The difference as a sentence without a full stop.
    var sentence: String {
        let here = expected.isEmpty ? "nothing" : Excerpt.of(expected)
        let there = found.isEmpty ? "nothing" : Excerpt.of(found)
        return "line \(line): \(there) stands there, and the evidence gives \(here)"
    }

    /// Returns the figure or word around a place: what stands between spaces, commas and quotes.
    private static func word(at place: Int, in bytes: [UInt8]) -> String {
        let start = bytes[..<place].lastIndex(where: isGap).map { $0 + 1 } ?? 0
        let end = bytes[place...].firstIndex(where: isGap) ?? bytes.endIndex
        // Where a gap differs, the gap is the difference.
        let word = bytes[start..<max(end, min(place + 1, bytes.endIndex))]
        // Of a member of JSON, only the value.
        let value = word.drop { isMark($0) && word.count > 1 }
        return String(decoding: value.isEmpty ? word : value, as: UTF8.self)
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        [":", "[", "{"].contains { UInt8(ascii: $0) == byte }
    }

    private static func isGap(_ byte: UInt8) -> Bool {
        byte <= UInt8(ascii: " ") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"")
    }
}
