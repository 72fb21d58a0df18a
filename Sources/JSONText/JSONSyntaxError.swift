/// Why a text is not JSON as RFC 8259 says.
public struct JSONSyntaxError: Error, Hashable, Sendable {
    /// What is wrong, for programs.
    public enum Code: Hashable, Sendable {
        /// A byte, or the end, stands where the grammar allows none.
        case invalidJSON

        /// The bytes are not UTF-8.
        case invalidUTF8

        /// An escape in a text is none that JSON has.
        case invalidEscape

        /// A control character stands in a text without an escape.
        case controlCharacter

        /// A number is not written as JSON writes them.
        case invalidNumber

        /// Lists and objects are nested too deep.
        case tooDeep

        /// An object has a name twice.
        case duplicateKey
    }

    /// What is wrong, for programs.
    public let code: Code

    /// The byte where it was seen, counted from 1.
    public let column: Int

    /// What is wrong, with the text seen and what is allowed, as a sentence.
    public let sentence: String

    /// Creates an error.
    public init(_ code: Code, column: Int, sentence: String) {
        self.code = code
        self.column = column
        self.sentence = sentence
    }
}
