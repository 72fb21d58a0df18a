public import TripTracking

/// The tracking rules that are in force for a source after all that was adopted.
public struct SourceRules: Hashable, Sendable {
    /// The source's name; `nil` for every source that nothing is known of.
    public var source: String?

    /// The rules.
    public var rules: TrackingRules
}
