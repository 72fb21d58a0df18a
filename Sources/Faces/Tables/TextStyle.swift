package import Papers
package import TripEvents

/// How rows are shown to people.
package struct TextStyle: Sendable {
    /// The unit of distances.
    package var unit: DistanceUnit

    /// The clock by which times are told, whose zone the reader knows; `nil` where each time has
    /// its own offset from UTC beside it.
    package var clock: LocalDay?

    /// The decimal mark of CSV that a spreadsheet program opens; `nil` for CSV that programs read.
    package var spreadsheet: DecimalMark?

    /// How many characters a line may have; `nil` for any number.
    package var width: Int?

    /// The language of the program's words; what people typed stays as it is.
    package var language = Document.Language.en

    /// Whether phrases are in brackets, for a test that looks for words outside of phrases.
    var marksPhrases = false

    /// The words of that language.
    package var words: Words { Words(language, marksPhrases: marksPhrases) }

    /// Whether lines may be set off by control sequences (ECMA-48).
    package var usesEmphasis = false

    /// Creates a style.
    package init(
        unit: DistanceUnit = .kilometers,
        clock: LocalDay? = nil,
        width: Int? = nil
    ) {
        self.unit = unit
        self.clock = clock
        self.width = width
    }

    /// Returns sentences with line ends where a line would not fit: between words.
    package func wrapped(_ text: String) -> String { Self.wrapped(text, to: width) }

    /// Returns sentences in lines of at most so many characters, as far as words allow it.
    ///
    /// A word in shell quotes stays whole, with its blanks: a line break would change it. Lines
    /// that are indented by four are quotations and stay as they are; with `nil`, all lines do.
    package static func wrapped(_ text: String, to width: Int?) -> String {
        guard let width else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in
                let indentation = line.prefix { $0 == " " }.count
                guard indentation < 4 else { return String(line) }
                return wrapped(String(line), to: width, indentation: indentation)
            }
            .joined(separator: "\n")
    }

    /// Returns a line in several that fit, if it does not: those after the first one are indented.
    static func wrapped(_ line: String, to width: Int?, indentation: Int) -> String {
        guard let width, line.count > width else { return line }
        let margin = String(repeating: " ", count: indentation < width / 2 ? indentation : 0)
        var lines: [String] = []
        // Text in the margin of the first line, such as a label, stays there.
        var last = String(line.prefix(indentation))
        var hasWord = false
        for word in words(of: line.dropFirst(indentation)) {
            if hasWord, last.count + 1 + word.count > width {
                lines.append(last)
                last = margin + word
            } else {
                last += (hasWord ? " " : "") + word
            }
            hasWord = true
        }
        return (lines + [last]).joined(separator: "\n")
    }

    /// Returns the words of a line.
    private static func words(of line: Substring) -> [Substring] {
        var words: [Substring] = []
        var rest = line.drop { $0 == " " }
        while !rest.isEmpty {
            let end = quotedEnd(of: rest) ?? rest.firstIndex(of: " ") ?? rest.endIndex
            words.append(rest[..<end])
            rest = rest[end...].drop { $0 == " " }
        }
        return words
    }

    /// Returns where the first word of a text ends; `nil` if no part of it is in the quotes of a
    /// shell.
    ///
    /// An apostrophe, as in "driver's", opens none.
    private static func quotedEnd(of text: Substring) -> Substring.Index? {
        let start = text.prefix { $0 != " " && $0 != "'" }.endIndex
        let opensQuotes = text[..<start].last.map { "=(`".contains($0) } ?? true
        guard start < text.endIndex, text[start] == "'", opensQuotes else { return nil }
        var (isQuoted, isEscaped) = (false, false)
        for index in text[start...].indices {
            let character = text[index]
            if isEscaped {
                isEscaped = false
            } else if character == "'" {
                isQuoted.toggle()
                // "'t Hoekje in 's-Hertogenbosch" is not a quoted word.
                guard isQuoted || mayFollowQuotes(text[index...].dropFirst().first) else {
                    return nil
                }
            } else if !isQuoted {
                if character == " " { return index }
                isEscaped = character == "\\"
            }
        }
        return isQuoted ? nil : text.endIndex
    }

    /// Whether a character, or the end of a line, may stand behind quotes that close.
    private static func mayFollowQuotes(_ character: Character?) -> Bool {
        character.map { " \\`.,;:?!)\"".contains($0) } ?? true
    }
}

/// How a line is set off from others.
package enum Emphasis: UInt8, Sendable {
    case none

    /// A line about something in progress.
    case strong

    /// A line that counts nowhere.
    case faint

    /// The sum of lines above it.
    case total

    /// The control sequence that begins it: Select Graphic Rendition (ECMA-48, 8.3.117).
    var sequence: StaticString {
        switch self {
        case .none: ""
        case .strong, .total: "\u{1B}[1m"
        case .faint: "\u{1B}[2m"
        }
    }

    /// The control sequence that ends it.
    static let end: StaticString = "\u{1B}[0m"
}
