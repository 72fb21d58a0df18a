/// The title above a column, or before a fact in a list of facts.
///
/// The columns of reports have one in every language. Lists that are in English alone give a
/// literal. Long words have soft hyphens where paper may break them; a screen shows none.
package struct ColumnTitle: ExpressibleByStringLiteral, Sendable {
    /// The title in every language.
    let phrase: Phrase

    /// The title in English, with which people choose the column.
    package let english: String

    /// Returns a title without the places where a word may be broken.
    static func unbroken(_ title: String) -> String { title.replacing("\u{AD}", with: "") }

    /// Creates the title of a column of a list that is in English alone.
    package init(stringLiteral title: String) {
        self.init(onlyEnglish: title)
    }

    /// Creates a title of a list that is in English alone; it may contain a name that people chose.
    package init(onlyEnglish title: String) {
        phrase = .own(title)
        english = title
    }

    /// Creates the title of a column of a report.
    package init(en: Phrase.Text, nl: Phrase.Text, de: Phrase.Text, fr: Phrase.Text) {
        self.init(Phrase(en: en, nl: nl, de: de, fr: fr))
    }

    /// Creates a title that is a phrase.
    init(_ phrase: Phrase) {
        self.phrase = phrase
        english = phrase.english
    }
}

// Titles of changes, which lists of rows and reports both have.
extension ColumnTitle {
    /// Above the person or program that made a change.
    package static let by = ColumnTitle(en: "BY", nl: "DOOR", de: "DURCH", fr: "PAR")

    /// Above the days that passed since the trip.
    package static let daysAfter = ColumnTitle(
        en: "DAYS AFTER",
        nl: "DAGEN ERNA",
        de: "TAGE DANACH",
        fr: "JOURS APRÈS"
    )

    /// Above the time of a decision.
    package static let decided = ColumnTitle(
        en: "DECIDED",
        nl: "BESLOTEN",
        de: "ENT\u{AD}SCHIE\u{AD}DEN",
        fr: "DÉCIDÉ"
    )

    /// Above the field that changed.
    package static let field = ColumnTitle(en: "FIELD", nl: "VELD", de: "FELD", fr: "CHAMP")

    /// Above what a field became.
    package static let new = ColumnTitle(en: "NEW", nl: "NIEUW", de: "NEU", fr: "NOUVEAU")

    /// Above the reason for which a decision has no effect.
    package static let noEffect = ColumnTitle(
        en: "NO EFFECT",
        nl: "GEEN EFFECT",
        de: "OHNE WIR\u{AD}KUNG",
        fr: "SANS EFFET"
    )

    /// Above what a field was.
    package static let old = ColumnTitle(en: "OLD", nl: "OUD", de: "ALT", fr: "ANCIEN")

    /// Above the trip that a change is about.
    package static let trip = ColumnTitle(en: "TRIP", nl: "RIT", de: "FAHRT", fr: "TRAJET")

    /// Above the reason that was given.
    package static let why = ColumnTitle(en: "WHY", nl: "WAAROM", de: "WARUM", fr: "POURQUOI")
}
