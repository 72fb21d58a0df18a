import TripEvents

/// Members of an event that were kept because its type does not have them.
public struct KeptExtra: Hashable, Sendable {
    /// A member that was perhaps meant to be another one.
    public struct Misspelling: Hashable, Sendable {
        /// The member's name as it was sent.
        public var name: String

        /// The member that the line does not have and its type does.
        public var meant: String
    }

    /// The names of the members, in the order in which they were sent.
    public var names: [String] = []

    /// Those that were perhaps meant to be others.
    public var misspellings: [Misspelling] = []

    /// Creates a value for an event that has no such members.
    public init() {}
}

/// Looks for members that were misspelt, and remembers the names that it has looked at.
struct Spellings {
    /// How many names are remembered, so that memory does not grow with their number.
    private static let mostNames = 1_000

    private struct Name: Hashable {
        var kind: EventKind
        var name: String
    }

    private var members: [Name: [String]] = [:]

    /// Returns what is extra in the event that a reader has just read.
    mutating func extra(of reader: borrowing EventLineReader) -> KeptExtra {
        var extra = KeptExtra()
        extra.names = reader.candidate.extraNames
        for name in reader.candidate.strayNames {
            let known = members(perhapsMeantBy: name, in: reader.candidate.kind)
            guard let meant = known.first(where: { !reader.hadMember(named: $0) }) else { continue }
            extra.misspellings.append(KeptExtra.Misspelling(name: name, meant: meant))
        }
        return extra
    }

    private mutating func members(
        perhapsMeantBy name: String,
        in kind: EventKind
    ) -> [String] {
        let key = Name(kind: kind, name: name)
        if let known = members[key] { return known }
        if members.count == Self.mostNames { members.removeAll(keepingCapacity: true) }
        let found = kind.members(perhapsMeantBy: name)
        members[key] = found
        return found
    }
}
