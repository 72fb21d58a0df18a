/// What people's decisions did to a trip, beside what the recorder says in `TripFlags`.
public struct BookedFlags: OptionSet, Hashable, Sendable {
    /// One bit for each flag.
    public let rawValue: UInt32

    /// Creates flags from their bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Its details were edited.
    public static let edited = BookedFlags(rawValue: 1 << 0)

    /// Its distance was set by a person.
    public static let adjusted = BookedFlags(rawValue: 1 << 1)

    /// It is made of several trips, or a part of one that is.
    public static let merged = BookedFlags(rawValue: 1 << 2)

    /// It is one of the parts that a trip was split into.
    public static let split = BookedFlags(rawValue: 1 << 3)

    /// Events of it were erased, so that its figures are less than what was measured.
    public static let erased = BookedFlags(rawValue: 1 << 4)

    /// Every flag there is; other bits come from a newer version or from damage.
    public static let all: BookedFlags = [.edited, .adjusted, .merged, .split, .erased]

    /// The names of the flags that are set, in alphabetical order, as shown in JSON.
    public var names: [String] {
        guard !isEmpty else { return [] }
        let named: [(BookedFlags, String)] = [
            (.adjusted, "adjusted"), (.edited, "edited"), (.erased, "erased"),
            (.merged, "merged"), (.split, "split"),
        ]
        return named.filter { contains($0.0) }.map(\.1)
    }
}
