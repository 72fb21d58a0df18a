import TripEvents

/// The parameters of a request's query, or of a form that was sent in its place.
///
/// Source: url.spec.whatwg.org, application/x-www-form-urlencoded parsing.
struct QueryParameters {
    private var values: [String: [UInt8]] = [:]

    /// Reads the query in a line: what stands behind a question mark, if there is one, up to the
    /// next space.
    init(_ text: Span<UInt8>, _ line: Range<Int>) {
        let line = NumberText.trimmed(text, line)
        let start = line.first { text[$0] == UInt8(ascii: "?") }.map { $0 + 1 } ?? line.lowerBound
        let end = (start..<line.upperBound).first { text[$0] <= 0x20 } ?? line.upperBound
        for parameter in text.bytes(in: start..<end).split(separator: UInt8(ascii: "&")) {
            let parts = parameter.split(
                separator: UInt8(ascii: "="),
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            guard parts.count == 2 else { continue }
            let name = String(decoding: Self.decoded(parts[0]), as: UTF8.self)
            // The first parameter of a name counts.
            if values[name] == nil { values[name] = Self.decoded(parts[1]) }
        }
    }

    /// Takes the members of an object of JSON that has the same names, except for lists and
    /// objects.
    init(_ object: JSONRecord, _ text: Span<UInt8>) {
        for (name, value) in object.members {
            switch value.kind {
            case .number, .text, .boolean:
                let name = String(decoding: text.bytes(in: name), as: UTF8.self)
                if values[name] == nil { values[name] = text.bytes(in: value.range) }
            case .null, .list, .object: break
            }
        }
    }

    /// Whether there is none.
    var isEmpty: Bool { values.isEmpty }

    /// The value of a parameter; `nil` if there is none, or nothing in it.
    subscript(name: String) -> [UInt8]? {
        values[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the value of a parameter as text.
    func text(_ name: String) -> String? {
        self[name].map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the truth of a parameter; `nil` if it has none.
    func boolean(_ name: String) -> Bool? {
        text(name).flatMap { CSVCells.truth(of: $0) }
    }

    /// Returns text without its `%XX` and `+`.
    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+") {
                bytes.append(0x20)
            } else if byte == UInt8(ascii: "%"), let high = digit(rest.first),
                let low = digit(rest.dropFirst().first)
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    private static func digit(_ byte: UInt8?) -> UInt8? {
        byte.flatMap { Character(Unicode.Scalar($0)).hexDigitValue }.map { UInt8($0) }
    }
}
