import TripEvents

/// A position as databases write it: `POINT (4.3 52.1)`, the longitude first ("well-known text",
/// OGC 06-103r4), perhaps with a height and with `SRID=4326;` before it.
enum WellKnownPoint {
    /// Returns the latitude or the longitude of a point; `nil` if the text is none.
    static func number(_ text: String, isLatitude: Bool) -> ScaledDecimal? {
        guard let numbers = numbers(text) else { return nil }
        let digits = Array(numbers[isLatitude ? 1 : 0].utf8)
        return NumberText.decimal(digits.span, digits.indices)
    }

    /// Whether a text is a point with two numbers.
    static func isOne(_ text: String) -> Bool {
        number(text, isLatitude: true) != nil && number(text, isLatitude: false) != nil
    }

    private static func numbers(_ text: String) -> [Substring]? {
        // Fast path: a text that is not a point usually begins like a number.
        guard let first = text.first, first.isLetter else { return nil }
        let written = text.split(separator: ";").last ?? ""
        let parts = written.split(separator: "(", maxSplits: 1)
        guard parts.count == 2, written.hasSuffix(")") else { return nil }
        let name = parts[0].lowercased().split(separator: " ")
        guard name.first == "point", name.dropFirst().allSatisfy({ ["z", "m", "zm"].contains($0) })
        else { return nil }
        let numbers = parts[1].dropLast().split(separator: " ")
        return 2...4 ~= numbers.count ? numbers : nil
    }
}
