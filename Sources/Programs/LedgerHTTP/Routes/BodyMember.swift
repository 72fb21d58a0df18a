/// A member of the object in the body of a request.
package struct BodyMember: Sendable {
    /// The forms of values.
    package indirect enum Form: Sendable {
        /// A text of at most so many bytes, which is not empty and has no control characters.
        case text(most: Int)

        /// A text of at most so many bytes, which may also have line feeds and tabs.
        case lines(most: Int)

        /// A text that matches a regular expression as a whole.
        case matching(String)

        /// A day, such as `2026-03-14`.
        case day

        /// One of some words.
        case word([String])

        /// A UUID.
        case uuid

        /// The address of a server, such as `https://example.com:8080/ledger`.
        case address

        /// An instant, such as `2026-03-14T15:09:26Z`.
        case instant

        /// A number of a range.
        case number(ClosedRange<Int64>)

        /// True or false.
        case boolean

        /// An object of anything.
        case object

        /// Anything.
        case any

        /// A list of texts.
        case texts

        /// A list of objects, each with these members and perhaps others, and at most so many.
        case objects([BodyMember], most: Int)
    }

    /// Its name.
    package let name: String

    /// The form of its value.
    package let form: Form

    /// Whether it must be there.
    package var isRequired: Bool

    /// Describes a member.
    package init(_ name: String, _ form: Form, isRequired: Bool = false) {
        self.name = name
        self.form = form
        self.isRequired = isRequired
    }
}

extension [BodyMember] {
    /// The same members, all optional.
    package var optional: [BodyMember] { map { BodyMember($0.name, $0.form) } }

    /// Their names.
    package var names: [String] { map(\.name) }
}
