/// What a reader of a trip should know beside its figures.
public struct TripFlags: OptionSet, Hashable, Sendable {
    /// One bit for each flag.
    public let rawValue: UInt32

    /// Creates flags from their bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The start position comes from a fix with poor accuracy.
    public static let approximateStart = TripFlags(rawValue: 1 << 0)

    /// It ended for want of movement or of any report, not because someone or something said so.
    public static let autoStopped = TripFlags(rawValue: 1 << 1)

    /// Its recorder died on the way and came back.
    public static let recovered = TripFlags(rawValue: 1 << 2)

    /// Every flag there is; other bits come from a newer version or from damage.
    public static let all: TripFlags = [.approximateStart, .autoStopped, .recovered]

    /// The names of the flags that are set, in alphabetical order, as shown in JSON.
    public var names: [String] {
        guard !isEmpty else { return [] }
        let named: [(TripFlags, String)] = [
            (.approximateStart, "approximate_start"), (.autoStopped, "auto_stopped"),
            (.recovered, "recovered"),
        ]
        return named.filter { contains($0.0) }.map(\.1)
    }
}
