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

    /// Every flag there is; other bits come from a newer version or from damage.
    public static let all: TripFlags = [.approximateStart]

    /// The names of the flags that are set, in alphabetical order, as shown in JSON.
    public var names: [String] {
        contains(.approximateStart) ? ["approximate_start"] : []
    }
}
