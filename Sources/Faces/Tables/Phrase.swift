package import Geodesy
package import Papers
package import TripEvents

/// Something that the program says to people, with its rendering in every language.
///
/// A phrase is made from values where the sentence is made: each language puts the numbers, days,
/// distances and names into its own words, without reading another language's text. Code that
/// leaves out a language does not compile, nor does a bare `String` as a value.
///
/// ```swift
/// Phrase(
///     en: "read on \(day)",
///     nl: "afgelezen op \(day)",
///     de: "abgelesen am \(day)",
///     fr: "relevé le \(day)"
/// )
/// ```
package struct Phrase: Sendable {
    /// The text of each language; indirect, to keep cells that carry phrases small.
    private indirect enum Renderings: Sendable {
        case all(en: Text, nl: Text, de: Text, fr: Text)
    }

    private let renderings: Renderings

    /// Creates a phrase of its renderings.
    package init(en: Text, nl: Text, de: Text, fr: Text) {
        renderings = .all(en: en, nl: nl, de: de, fr: fr)
    }

    /// Creates a phrase that has no words of the program, and so is the same in every language.
    package init(_ text: Text) {
        self.init(en: text, nl: text, de: text, fr: text)
    }

    /// Returns text that is not the program's: what people typed, names, ids, codes.
    package static func own(_ text: String) -> Phrase { Phrase("\(own: text)") }

    /// Returns the text in a language.
    package func text(in language: Document.Language) -> Text {
        switch renderings {
        case .all(let en, let nl, let de, let fr):
            switch language {
            case .en: en
            case .nl: nl
            case .de: de
            case .fr: fr
            }
        }
    }

    /// The phrase in English, as programs get it and commands without a language say it.
    package var english: String { Words(.en).text(self) }
}

extension Phrase {
    /// The words of one language, with values in places of known kinds.
    package struct Text: ExpressibleByStringInterpolation, Sendable {
        /// A part of a text.
        enum Piece: Sendable {
            /// Words of the program.
            case words(String)

            /// Text that is not the program's.
            case own(String)

            /// A number, given as a whole number of its last decimal.
            case number(Int64, decimals: Int)

            /// A number as digits with a point before the decimals.
            case digits(String)

            /// The sign of the unit of the number before it.
            case unit(String)

            /// A day.
            case day(CivilDate)

            /// A time, with the offset that it has.
            case time(EventTime)

            /// Another phrase.
            case phrase(Phrase)

            /// Whether it is a number.
            var isNumber: Bool {
                switch self {
                case .number, .digits: true
                case .words, .own, .unit, .day, .time, .phrase: false
                }
            }
        }

        /// The parts, in their order.
        let pieces: [Piece]

        /// Creates a text without places.
        package init(stringLiteral text: String) {
            pieces = [.words(text)]
        }

        /// Creates a text with places.
        package init(stringInterpolation: StringInterpolation) {
            pieces = stringInterpolation.pieces
        }

        /// Collects words, and values of the kinds that a place can have.
        package struct StringInterpolation: StringInterpolationProtocol {
            var pieces: [Piece] = []

            /// Begins without parts.
            package init(literalCapacity: Int, interpolationCount: Int) {
                pieces.reserveCapacity(2 * interpolationCount + 1)
            }

            /// Adds words of the program.
            package mutating func appendLiteral(_ words: String) {
                if !words.isEmpty { pieces.append(.words(words)) }
            }

            /// Adds text that is not the program's.
            package mutating func appendInterpolation(own text: String) {
                pieces.append(.own(text))
            }

            /// Adds such texts, with commas between them.
            package mutating func appendInterpolation(own texts: [String]) {
                pieces.append(.own(texts.joined(separator: ", ")))
            }

            /// Adds a count.
            package mutating func appendInterpolation(_ count: some BinaryInteger) {
                guard let number = Int64(exactly: count) else {
                    pieces.append(.own("\(count)"))
                    return
                }
                pieces.append(.number(number, decimals: 0))
            }

            /// Adds a number, given as a whole number of its last decimal.
            package mutating func appendInterpolation(_ number: Int64, decimals: Int) {
                pieces.append(.number(number, decimals: decimals))
            }

            /// Adds an exact number, with as many decimals as it has and at least so many.
            package mutating func appendInterpolation(_ number: ExactDecimal, atLeast places: UInt8)
            {
                if let units = number.units(places: places) {
                    pieces.append(.number(units, decimals: Int(places)))
                } else {
                    pieces.append(.digits(number.description))
                }
            }

            /// Adds a distance with two decimals and its unit.
            package mutating func appendInterpolation(_ distance: Distance, in unit: DistanceUnit) {
                let hundredths = DistanceText.scaled(distance, in: unit, decimals: 2)
                pieces.append(.number(hundredths, decimals: 2))
                pieces.append(.unit(unit.rawValue))
            }

            /// Adds a day.
            package mutating func appendInterpolation(_ day: CivilDate) {
                pieces.append(.day(day))
            }

            /// Adds a time with the offset that it has, or `UTC`.
            package mutating func appendInterpolation(_ time: EventTime) {
                pieces.append(.time(time))
            }

            /// Adds another phrase.
            package mutating func appendInterpolation(_ phrase: Phrase) {
                pieces.append(.phrase(phrase))
            }

            /// Adds phrases with commas between them.
            package mutating func appendInterpolation(_ phrases: [Phrase]) {
                for (index, phrase) in phrases.enumerated() {
                    if index > 0 { pieces.append(.own(", ")) }
                    pieces.append(.phrase(phrase))
                }
            }
        }
    }
}

/// A language that renders phrases, numbers and days.
package struct Words: Sendable {
    /// The language.
    package let language: Document.Language

    /// Whether every word of the program is in brackets, and everything else outside of them.
    ///
    /// With this, a test finds words that are not phrases.
    let marksPhrases: Bool

    /// Returns the words of a language.
    package init(_ language: Document.Language) {
        self.init(language, marksPhrases: false)
    }

    /// Returns the words of a language, in brackets if a test asks for that.
    init(_ language: Document.Language, marksPhrases: Bool) {
        self.language = language
        self.marksPhrases = marksPhrases
    }

    /// Returns a phrase in the language.
    package func text(_ phrase: Phrase) -> String {
        let pieces = phrase.text(in: language).pieces
        // Fast path: most phrases are words alone.
        if pieces.count == 1 { return text(pieces[0]) }
        return pieces.indices
            .map { index in
                guard case .words(let words) = pieces[index] else { return text(pieces[index]) }
                let isBefore = index + 1 < pieces.count && pieces[index + 1].isNumber
                let isAfter = index > 0 && pieces[index - 1].isNumber
                return text(.words(kept(words, beforeNumber: isBefore, afterNumber: isAfter)))
            }
            .joined()
    }

    /// Returns words with no-break spaces between a number and the colon before it or the sign
    /// after it.
    ///
    /// English, which programs get, has plain spaces.
    private func kept(_ words: String, beforeNumber: Bool, afterNumber: Bool) -> String {
        guard language != .en else { return words }
        var words = words
        if beforeNumber, words.hasSuffix(": ") { words = words.dropLast() + Self.noBreakSpace }
        if afterNumber, words == " " || words.hasPrefix(" %") {
            words = Self.noBreakSpace + words.dropFirst()
        }
        return words
    }

    /// Returns words of the program, in French with no-break spaces beside its marks.
    private func marked(words: String) -> String {
        guard language == .fr, words.utf8.contains(UInt8(ascii: " ")) else { return words }
        var kept = words
        for mark in [":", ";", "!", "?", "%", "»"] {
            kept = kept.replacing(" \(mark)", with: "\(Self.noBreakSpace)\(mark)")
        }
        return kept.replacing("« ", with: "«\(Self.noBreakSpace)")
    }

    private static let noBreakSpace = "\u{A0}"

    private func text(_ piece: Phrase.Text.Piece) -> String {
        switch piece {
        case .words(let words):
            marksPhrases ? "[\(marked(words: words))]" : marked(words: words)
        case .own(let text): Excerpt.escaped(text)
        case .number(let number, let decimals): self.number(number, decimals: decimals)
        case .digits(let digits): marked(digits)
        case .unit(let unit): (language == .en ? " " : Self.noBreakSpace) + unit
        case .day(let day): self.day(day)
        case .time(let time): self.time(LocalTime.text(time), on: CivilDate(of: time))
        case .phrase(let phrase): text(phrase)
        }
    }

    /// Returns a number, given as a whole number of its last decimal.
    package func number(_ number: Int64, decimals: Int) -> String {
        marked(FixedPoint.text(number, decimals: decimals))
    }

    /// Returns digits with a point before the decimals, with the language's mark instead of it.
    func marked(_ digits: String) -> String {
        language == .en ? digits : digits.replacing(".", with: ",")
    }

    /// Returns a day in the language's form.
    package func day(_ day: CivilDate) -> String {
        let text = day.description
        let parts = text.split(separator: "-")
        return switch language {
        case .en: text
        case .nl: parts.reversed().joined(separator: "-")
        case .de: parts.reversed().joined(separator: ".")
        case .fr: parts.reversed().joined(separator: "/")
        }
    }

    /// Returns a time with its day in the language's form.
    ///
    /// - Parameters:
    ///   - text: The time as ``LocalTime`` tells it, which may begin with its day.
    ///   - day: The day on which the time is, by the clock that told it.
    /// - Returns: The time.
    func time(_ text: String, on day: CivilDate) -> String {
        let written = day.description
        guard language != .en, text.hasPrefix(written) else { return text }
        return self.day(day) + text.dropFirst(written.count)
    }
}
