import TripEvents

/// A JSON object that a format writes for one record.
struct JSONRecord {
    private var index = JSONObjectIndex()

    /// Reads the object that a piece is.
    ///
    /// - Throws: `Rejection`.
    mutating func read(_ text: Span<UInt8>) throws(Rejection) {
        do throws(JSONSyntaxError) {
            let start = JSONLexer.skipSpace(text, from: 0)
            let end = try index.read(text, at: start)
            guard JSONLexer.skipSpace(text, from: end) == text.count else {
                throw JSONLexer.unexpected(text, at: end, expected: "the end")
            }
        } catch {
            throw Rejection(error)
        }
    }

    /// Reads the object that is the value of a member of another one.
    mutating func read(_ text: Span<UInt8>, _ value: JSONObjectIndex.Value) throws(Rejection) {
        do throws(JSONSyntaxError) {
            try index.read(text, at: value.range.lowerBound, depth: 1)
        } catch {
            throw Rejection(error)
        }
    }

    /// The names of the members, between their quotes, with their values.
    var members: [(name: Range<Int>, value: JSONObjectIndex.Value)] { index.members }

    /// Returns the value of a member that is there and not null.
    func value(_ name: String, _ text: Span<UInt8>) -> JSONObjectIndex.Value? {
        index.value(name, in: text).flatMap { $0.kind == .null ? nil : $0 }
    }

    /// Returns the text of a member; `nil` if it is not a text.
    func text(_ name: String, _ text: Span<UInt8>) -> String? {
        guard let value = value(name, text), value.kind == .text else { return nil }
        return Self.string(value, text)
    }

    /// Returns the truth of a member; `nil` if it has none.
    func boolean(_ name: String, _ text: Span<UInt8>) -> Bool? {
        guard let value = value(name, text), value.kind == .boolean else { return nil }
        return text[value.range.lowerBound] == UInt8(ascii: "t")
    }

    /// Returns the range of a member's number, written as a number or as a text, if it is one.
    func number(_ name: String, _ text: Span<UInt8>) -> Range<Int>? {
        guard let value = value(name, text), value.kind == .number || value.kind == .text,
            !value.range.isEmpty
        else { return nil }
        return value.range
    }

    /// Returns the range of a member that should be a number, whatever it holds, if it is there;
    /// `nil` for an empty text.
    func reading(_ name: String, _ text: Span<UInt8>) -> Range<Int>? {
        guard let value = value(name, text), !value.range.isEmpty else { return nil }
        return value.range
    }

    /// Returns where a reading stands, in the first of some members that is a number, or else in
    /// the first that is there.
    func firstReading(_ names: [String], _ text: Span<UInt8>) -> Range<Int>? {
        var first: Range<Int>?
        for name in names {
            guard let range = reading(name, text) else { continue }
            if NumberText.isNumber(text, range) { return range }
            first = first ?? range
        }
        return first
    }

    /// Returns the value of the first of some members that is there and not null.
    func firstValue(_ names: [String], _ text: Span<UInt8>) -> JSONObjectIndex.Value? {
        for name in names {
            if let value = value(name, text) { return value }
        }
        return nil
    }

    /// Returns where a number stands, in the first of some members that is one.
    func firstNumber(_ names: [String], _ text: Span<UInt8>) -> Range<Int>? {
        for name in names {
            if let range = number(name, text) { return range }
        }
        return nil
    }

    /// Returns the number of a member; `nil` if it is not a number, or has more than 18 digits.
    func decimal(_ name: String, _ text: Span<UInt8>) -> ScaledDecimal? {
        number(name, text).flatMap { NumberText.decimal(text, $0) }
    }

    /// Returns the values of a member that is a list; none if it is something else.
    func elements(_ name: String, _ text: Span<UInt8>) -> [JSONObjectIndex.Value] {
        guard let value = value(name, text), value.kind == .list else { return [] }
        return (try? JSONObjectIndex.elements(text, at: value.range.lowerBound)) ?? []
    }

    /// Returns the texts of a member that is a list of texts.
    func texts(_ name: String, _ text: Span<UInt8>) -> [String] {
        elements(name, text).compactMap { $0.kind == .text ? Self.string($0, text) : nil }
    }

    private static func string(_ value: JSONObjectIndex.Value, _ text: Span<UInt8>) -> String {
        let bytes =
            value.hasEscapes
            ? JSONEscape.unescape(text, value.range) : text.bytes(in: value.range)
        return String(decoding: bytes, as: UTF8.self)
    }
}
