import TripEvents

/// The first difference between a file and its expected content: the line, and from each the figure
/// or word there, or another excerpt in which the two differ.
struct FirstDifference {
    /// The number of the line, from 1.
    let line: Int

    /// The text that the file has there, as people read it.
    let found: String

    /// The expected text, as people read it.
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
        for cut in [Self.bareValue, Self.value, Self.word, Self.near] {
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

    /// Returns the word around a place, without what ends it; of a member of JSON, only the value.
    private static func bareValue(_ place: Int, _ bytes: [UInt8]) -> ArraySlice<UInt8> {
        value(in: bytes[start(of: place, in: bytes)..<end(of: place, in: bytes)])
    }

    /// Returns the word around a place; of a member of JSON, only the value.
    private static func value(_ place: Int, _ bytes: [UInt8]) -> ArraySlice<UInt8> {
        value(in: word(place, bytes))
    }

    private static func value(in word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let value = word.drop { isMark($0) && word.count > 1 }
        return value.isEmpty ? word : value
    }

    /// Returns the figure or word around a place: what stands between spaces, quotes, tags and
    /// commas, but for the commas of numbers.
    private static func word(_ place: Int, _ bytes: [UInt8]) -> ArraySlice<UInt8> {
        // Where a gap differs, the gap is the difference.
        let end = max(end(of: place, in: bytes), min(place + 1, bytes.endIndex))
        return bytes[start(of: place, in: bytes)..<end]
    }

    private static func start(of place: Int, in bytes: [UInt8]) -> Int {
        bytes.indices[..<place].last { isGap(at: $0, in: bytes) }.map { $0 + 1 } ?? 0
    }

    private static func end(of place: Int, in bytes: [UInt8]) -> Int {
        bytes.indices[place...].first { isGap(at: $0, in: bytes) } ?? bytes.endIndex
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        [":", "[", "{"].contains { UInt8(ascii: $0) == byte }
    }

    private static func isGap(at place: Int, in bytes: [UInt8]) -> Bool {
        let byte = bytes[place]
        if byte == UInt8(ascii: ",") {
            return !isDigit(at: place - 1, in: bytes) || !isDigit(at: place + 1, in: bytes)
        }
        return byte <= UInt8(ascii: " ") || ["\"", "<", ">"].contains { UInt8(ascii: $0) == byte }
    }

    private static func isDigit(at place: Int, in bytes: [UInt8]) -> Bool {
        bytes.indices.contains(place) && (0x30...0x39).contains(bytes[place])
    }
}
