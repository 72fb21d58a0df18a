package import Documents

/// What the program itself writes in reports, in the language of their reader.
///
/// Reports are written in English; another language is the same page with each of its texts in the
/// place of the English one. The catalogue stands in the files beside this one, a text on a line
/// with its translations, so that one person can read it in a sitting. What people typed, names of
/// commands and options, ids and codes stay as they are.
///
/// A text may hold `{}` for anything, `{day}` for a date, `{number}` for a number, and `{word}` for
/// a text of the catalogue; a translation has the same ones, in any order of its words but in the
/// same order of each kind.
package struct Wording: Sendable {
    /// A text in all languages.
    package struct Entry: Sendable {
        let en: String
        let nl: String
        let de: String
        let fr: String

        init(_ en: String, nl: String, de: String, fr: String) {
            self.en = en
            self.nl = nl
            self.de = de
            self.fr = fr
        }

        /// Returns the text in a language.
        package func text(in language: Document.Language) -> String {
            switch language {
            case .en: en
            case .nl: nl
            case .de: de
            case .fr: fr
            }
        }
    }

    /// Every text.
    package static let catalogue =
        titles + labels + cells + formLines + checklist + headings + sentences

    private static let exact = Dictionary(
        catalogue.map { ($0.en, $0) },
        uniquingKeysWith: { first, _ in first }
    )
    private static let patterns = catalogue.filter { $0.en.contains("{") }
        .map { (pattern: WordPattern($0.en), entry: $0) }

    /// The language.
    package let language: Document.Language

    /// Returns the words of a language.
    package init(_ language: Document.Language) {
        self.language = language
    }

    /// Whether a text is one of the catalogue, without places for others.
    static func knows(_ english: String) -> Bool { exact[english] != nil }

    /// Returns a text of the program in the language; one that is not in the catalogue stays.
    package func text(_ english: String) -> String {
        guard language != .en else { return english }
        return translation(of: english) ?? english
    }

    /// Returns a text in the language; `nil` if it is not in the catalogue.
    package func translation(of english: String) -> String? {
        if let entry = Self.exact[english] { return entry.text(in: language) }
        for (pattern, entry) in Self.patterns {
            guard let parts = pattern.parts(of: english) else { continue }
            let filled = parts.map { ($0.kind, localized($0.text, as: $0.kind)) }
            return WordPattern(entry.text(in: language)).filled(with: filled)
        }
        return nil
    }

    private func localized(_ text: String, as kind: WordPattern.Kind) -> String {
        switch kind {
        case .anything: text
        case .day: day(text)
        case .number: number(text)
        case .word: self.text(text)
        }
    }

    /// Returns a number with the language's decimal mark.
    package func number(_ text: String) -> String {
        language == .en ? text : text.replacing(".", with: ",")
    }

    /// Returns a text that begins with a date, as `YYYY-MM-DD`, with the date in the language's
    /// form.
    package func day(_ text: String) -> String {
        guard language != .en, WordPattern.Kind.day.fits(text.prefix(10)) else { return text }
        let parts = text.prefix(10).split(separator: "-")
        let mark =
            switch language {
            case .en, .nl: "-"
            case .de: "."
            case .fr: "/"
            }
        return parts.reversed().joined(separator: mark) + text.dropFirst(10)
    }
}

/// A text with places for others.
struct WordPattern: Sendable {
    /// What stands in a place.
    enum Kind: String, CaseIterable, Sendable {
        case anything = "{}"
        case day = "{day}"
        case number = "{number}"
        case word = "{word}"

        /// Whether a text can stand there.
        func fits(_ text: Substring) -> Bool {
            switch self {
            case .anything: return true
            case .word: return Wording.knows(String(text))
            case .day:
                return text.count == 10
                    && text.enumerated()
                        .allSatisfy { index, character in
                            [4, 7].contains(index) ? character == "-" : character.isWholeNumber
                        }
            case .number:
                let digits = text.hasPrefix("-") ? text.dropFirst() : text
                return digits.first?.isWholeNumber == true
                    && digits.allSatisfy { $0.isWholeNumber || $0 == "." }
            }
        }
    }

    /// The words before, between and after the places: one more than these.
    private let words: [Substring]

    /// What stands in each place.
    private let kinds: [Kind]

    init(_ text: String) {
        var words: [Substring] = []
        var kinds: [Kind] = []
        var rest = Substring(text)
        while let opening = rest.firstIndex(of: "{"),
            let kind = Kind.allCases.first(where: { rest[opening...].hasPrefix($0.rawValue) })
        {
            words.append(rest[..<opening])
            kinds.append(kind)
            rest = rest[opening...].dropFirst(kind.rawValue.count)
        }
        self.words = words + [rest]
        self.kinds = kinds
    }

    /// Returns what stands in the places of a text; `nil` if it is not such a text.
    func parts(of text: String) -> [(kind: Kind, text: String)]? {
        guard text.hasPrefix(words[0]) else { return nil }
        var rest = text.dropFirst(words[0].count)
        var parts: [(kind: Kind, text: String)] = []
        for (index, kind) in kinds.enumerated() {
            let next = words[index + 1]
            let isLast = index == kinds.count - 1
            let end: Substring.Index
            if isLast {
                guard rest.hasSuffix(next), rest.count >= next.count else { return nil }
                end = rest.index(rest.endIndex, offsetBy: -next.count)
            } else {
                guard let range = rest.firstRange(of: next) else { return nil }
                end = range.lowerBound
            }
            guard kind.fits(rest[..<end]) else { return nil }
            parts.append((kind, String(rest[..<end])))
            rest = rest[end...].dropFirst(next.count)
        }
        return parts
    }

    /// Returns the text with what stands in its places, each kind in its order.
    func filled(with parts: [(kind: Kind, text: String)]) -> String {
        var rest = parts
        var text = String(words[0])
        for (kind, next) in zip(kinds, words.dropFirst()) {
            if let index = rest.firstIndex(where: { $0.kind == kind }) {
                text += rest.remove(at: index).text
            }
            text += next
        }
        return text
    }

    /// How many places there are of each kind.
    var places: [Kind: Int] { kinds.reduce(into: [:]) { $0[$1, default: 0] += 1 } }
}
