import Platform
import TripEvents
import TripLedger

/// A parameter in the query of a request.
package struct Parameter: Sendable {
    /// The forms of values.
    package enum Form: Sendable {
        /// Any text without U+0000, which would end an argument of a program.
        case text

        /// A group of sources; empty for the owner's, which are of none.
        case group

        /// A day, such as `2026-03-14`.
        case day

        /// A day, or a month or a year for all its days: `2026-03-14`, `2026-03` or `2026`.
        case days

        /// A month, such as `2026-03`.
        case month

        /// An instant, such as `2026-03-14T15:09:26Z`.
        case instant

        /// A time zone that the machine knows, such as `Europe/Amsterdam`.
        case zone

        /// A whole number.
        case number(ClosedRange<UInt64>)

        /// One of some words.
        case word([String])

        /// Some of some words, with commas between them.
        case words([String])
    }

    /// Its name.
    package let name: String

    /// The form of its value.
    package let form: Form

    /// Its meaning, as a sentence without a full stop.
    package let meaning: String

    /// Whether it may stand there several times.
    package let isRepeatable: Bool

    /// Whether it must be there.
    package let isRequired: Bool

    /// Describes a parameter.
    package init(
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
    package static let limit = Parameter(
        "limit",
        .number(1...1_000),
        "The most items; 100 if it is not said"
    )

    /// The cursor at which a list goes on.
    package static let cursor = Parameter("cursor", .text, "Where to go on: next_cursor of a page")

    /// The group of sources to which a list keeps.
    package static let group = Parameter(
        "group",
        .group,
        "Only of this group of sources, empty for the owner's; a token of a group sees nothing else"
    )

    /// The entries that must have been read.
    package static let atLeast = Parameter(
        "at_least",
        .number(0...UInt64(Int64.max)),
        "Wait up to 2 s until there are so many entries: Ledger-Position of an earlier answer"
    )

    /// Returns what a value must be if it is wrong; `nil` if it is right.
    package func complaint(about value: String) -> String? {
        switch form {
        case .text:
            return value.isEmpty || value.utf8.contains(0) ? "a text without U+0000" : nil
        case .group:
            let isKnown = value.isEmpty || (try? TripEvent.checkGroup(named: value)) != nil
            return isKnown ? nil : "the name of a group: 1 to 64 bytes without control characters"
        case .day: return Self.isDay(value) ? nil : "a day, such as 2026-03-14"
        case .days:
            let isKnown = Self.isDay(value) || Self.isMonth(value) || Self.isYear(value)
            return isKnown ? nil : "a day, a month or a year: 2026-03-14, 2026-03 or 2026"
        case .month: return Self.isMonth(value) ? nil : "a month, such as 2026-03"
        case .instant:
            return RFC3339.time(value) == nil ? "an instant, such as 2026-03-14T15:09:26Z" : nil
        case .zone:
            return MachineTimeZone.isKnown(value)
                ? nil : "a time zone of this machine, such as Europe/Amsterdam"
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

    private static func isDay(_ text: String) -> Bool { CivilDate(text) != nil }

    private static func isMonth(_ text: String) -> Bool { CivilDate(text + "-01") != nil }

    private static func isYear(_ text: String) -> Bool { isMonth(text + "-01") }
}
