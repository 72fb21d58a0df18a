import TripEvents

/// A word about what was taken in that is no answer to one event.
public struct IntakeNote: Hashable, Sendable {
    /// What it is about, for programs.
    public let kind: String

    /// The sentence for people, without its full stop.
    public let text: String

    /// Creates a note.
    public init(kind: String, text: String) {
        self.kind = kind
        self.text = text
    }
}

extension IntakeSummary {
    /// How many names of members are named at most.
    private static let mostNames = 5

    /// The words about members that were kept and were perhaps meant to be others, in one sentence
    /// however many lines have them; `nil` if there are none.
    public var misspeltNote: IntakeNote? {
        guard misspelt > 0 else { return nil }
        let found = misspellings.sorted { one, other in
            (other.value, one.key.name, one.key.meant) < (
                one.value, other.key.name, other.key.meant
            )
        }
        let named = found.prefix(Self.mostNames).map(\.key)
        let names = named.map { Excerpt.escaped($0.name) }.joined(separator: ", ")
        let meant = named.map(\.meant).joined(separator: ", ")
        let rest = found.count > named.count ? ", and \(found.count - named.count) others" : ""
        let lines =
            misspelt == 1
            ? "1 line has members that its type does not have"
            : "\(misspelt) lines have members that their type does not have"
        return IntakeNote(
            kind: "misspelt",
            text: "\(lines): \(names) (did you mean \(meant)?)\(rest)"
        )
    }
}
