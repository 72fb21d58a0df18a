/// Why something compressed cannot be read to its end.
package enum ArchiveProblem: Error, Hashable, Sendable {
    /// It is not what it begins like, or was changed: in the words of the library that reads it.
    case damaged(String)

    /// Its end is missing.
    case truncated

    /// A password is needed for it.
    case encrypted

    /// It expands as no recording does.
    case tooMuch

    /// What is wrong, as the rest of a sentence.
    package var sentence: String {
        switch self {
        case .damaged(let words): "it is damaged: \(words)"
        case .truncated: "its end is missing"
        case .encrypted: "it is encrypted: decrypt it first"
        case .tooMuch:
            "it expands to more than \(ExpansionLimit.highestRatio) times its size, as no "
                + "recording does"
        }
    }
}
