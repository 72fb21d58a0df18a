/// The tokens of an XML text that readers of records need, in one buffer that the next piece
/// reuses.
package struct XMLTokens: Sendable {
    /// A part of an XML text.
    package struct Token: Sendable {
        /// The kind of token.
        package enum Kind: Sendable {
            /// An element begins: its name, without a prefix.
            case start

            /// An attribute of the element that has just begun: its name, without a prefix, and
            /// then a ``value``.
            case attribute

            /// The value of the attribute before it.
            case value

            /// Text of an element, perhaps a part of it.
            case text

            /// An element ends: its name, without a prefix.
            case end
        }

        /// The kind of token.
        package let kind: Kind

        /// Its bytes, UTF-8.
        package let range: Range<Int>
    }

    /// The bytes that tokens refer to.
    package private(set) var bytes: [UInt8] = []

    /// The tokens, in the order of the text.
    package private(set) var tokens: [Token] = []

    /// Appends a token.
    mutating func append(_ kind: Token.Kind, _ content: UnsafeBufferPointer<CChar>) {
        let start = bytes.count
        // The characters are copied at once.
        unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(content))
        tokens.append(Token(kind: kind, range: start..<bytes.count))
    }

    /// Forgets all tokens and keeps the memory.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        tokens.removeAll(keepingCapacity: true)
    }
}
