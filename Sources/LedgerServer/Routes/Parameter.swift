import TripLedger

/// What may stand in the query of a request.
struct Parameter: Sendable {
    /// The forms of values.
    enum Form: Sendable {
        /// Any text.
        case text

        /// A day, such as `2026-03-14`.
        case day

        /// A whole number.
        case number(ClosedRange<UInt64>)

        /// One of some words.
        case word([String])

        /// Some of some words, with commas between them.
        case words([String])
    }

    /// Its name.
    let name: String

    /// What its value looks like.
    let form: Form

    /// What it means, as a sentence without a full stop.
    let meaning: String

    /// Whether it may stand there several times.
    let isRepeatable: Bool

    /// Whether it must be there.
    let isRequired: Bool

    /// Describes a parameter.
    init(
        _ name: String,
        _ form: Form,
        _ meaning: String,
        isRepeatable: Bool = false,
        isRequired: Bool = false
    ) {
        self.name = name
        self.form = form
        self.meaning = meaning
        self.isRepeatable = isRepeatable
        self.isRequired = isRequired
    }

    /// The most items of a page.
    static let limit = Parameter(
        "limit",
        .number(1...1_000),
        "The most items; 100 if it is not said"
    )

    /// Where a list goes on.
    static let cursor = Parameter("cursor", .text, "Where to go on: next_cursor of a page")

    /// Which entries must have been read.
    static let atLeast = Parameter(
        "at_least",
        .number(0...UInt64(Int64.max)),
        "Wait up to 2 s until there are so many entries: Ledger-Position of an earlier answer"
    )

    /// Returns what is wrong with a value: what it must be; `nil` if nothing is.
    func complaint(about value: String) -> String? {
        switch form {
        case .text: return value.isEmpty ? "a text" : nil
        case .day: return CivilDate(value) == nil ? "a day, such as 2026-03-14" : nil
        case .number(let range):
            if let number = UInt64(value), range.contains(number) { return nil }
            return "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .word(let words):
            return words.contains(value) ? nil : "one of \(words.joined(separator: ", "))"
        case .words(let words):
            let isGood = value.split(separator: ",", omittingEmptySubsequences: false)
                .allSatisfy { words.contains(String($0)) }
            return isGood
                ? nil : "some of \(words.joined(separator: ", ")), with commas between them"
        }
    }
}
