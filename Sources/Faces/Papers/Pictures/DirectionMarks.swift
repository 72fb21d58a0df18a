/// Characters in a text that turn the direction of what follows them.
///
/// In a picture or a page, a name with such a character could turn the words and figures after it.
/// So each is shown as a replacement character. Marks that only give the direction of one place,
/// such as the right-to-left mark, stay: their effect ends there.
///
/// Source: UAX #9, "Explicit Directional Embedding, Override, and Isolate Characters".
package enum DirectionMarks {
    /// Returns a text in which nothing turns what follows it.
    package static func shown(_ text: String) -> String {
        // All of them begin with this byte, and few texts have it.
        guard text.utf8.contains(0xE2), text.unicodeScalars.contains(where: turns) else {
            return text
        }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { shown.append(turns(scalar) ? "\u{FFFD}" : scalar) }
        return String(shown)
    }

    /// Whether a character opens or closes an embedding, an override or an isolate.
    private static func turns(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
        default: false
        }
    }
}
