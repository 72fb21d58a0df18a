/// The name of a key: who signs; for a ledger's key it is the origin of the ledger's heads.
package struct KeyName: Hashable, Sendable, CustomStringConvertible {
    /// The most bytes that are accepted.
    private static let maximumByteCount = 200

    /// The name.
    package let description: String

    /// Creates a name, or returns `nil` if `text` is none: empty, longer than 200 bytes, or with a
    /// plus sign, white space or a control character (C2SP signed-note).
    package init?(_ text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.count <= Self.maximumByteCount,
            text.unicodeScalars.allSatisfy(Self.isAllowed)
        else { return nil }
        description = String(text)
    }

    /// Reads a name that others gave, or returns `nil` if it is none: it may be of any length, and
    /// hold whatever C2SP signed-note allows.
    ///
    /// It MUST NOT be refused, for whoever is not known is passed over.
    init?(foreign text: some StringProtocol) {
        guard !text.isEmpty,
            text.unicodeScalars.allSatisfy({ $0 != "+" && !$0.properties.isWhitespace })
        else { return nil }
        description = String(text)
    }

    /// Returns whether a log of this origin is signed under this name.
    package func isOrigin(_ origin: String) -> Bool {
        description.utf8.elementsEqual(origin.utf8)
    }

    /// Returns whether two names have the same bytes; names that only look alike are different.
    package static func == (left: KeyName, right: KeyName) -> Bool {
        left.description.utf8.elementsEqual(right.description.utf8)
    }

    /// Feeds the name's bytes to a hasher.
    package func hash(into hasher: inout Hasher) {
        for byte in description.utf8 { hasher.combine(byte) }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar != "+", !scalar.properties.isWhitespace else { return false }
        switch scalar.properties.generalCategory {
        // Names are read by people and compared by eye: nothing invisible, nothing that turns text.
        case .control, .format, .lineSeparator, .paragraphSeparator: return false
        default: return true
        }
    }
}
