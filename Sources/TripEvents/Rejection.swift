/// Why a line is not taken, as a receipt says it.
public struct Rejection: Error, Hashable, Sendable {
    /// What is wrong, for programs.
    public let code: RejectionCode

    /// The byte of the line where it was seen, from 1, if there is such a place.
    public let column: Int?

    /// The member of the JSON object that is wrong, if it is one of the catalogue's.
    public let field: String?

    /// What is wrong, with the value seen and what is allowed, for people.
    public let sentence: String

    /// Creates a reason.
    public init(
        _ code: RejectionCode,
        column: Int? = nil,
        field: String? = nil,
        sentence: String
    ) {
        self.code = code
        self.column = column
        self.field = field
        self.sentence = sentence
    }

    /// Returns the same reason with the place where it was seen.
    func at(column: Int?) -> Rejection {
        Rejection(code, column: column, field: field, sentence: sentence)
    }
}

extension Rejection {
    /// Creates the reason for a line that is not JSON.
    init(_ error: JSONSyntaxError) {
        let code: RejectionCode =
            switch error.code {
            case .invalidJSON: .invalidJSON
            case .invalidUTF8: .invalidUTF8
            case .invalidEscape: .invalidEscape
            case .controlCharacter: .controlCharacter
            case .invalidNumber: .invalidNumber
            case .tooDeep: .tooDeep
            case .duplicateKey: .duplicateKey
            }
        self.init(code, column: error.column, sentence: error.sentence)
    }
}
