import TripEvents
import TripTracking

/// The rules of one source as time goes on.
struct RulesInForce {
    /// The rules at the last instant that was asked for.
    private(set) var rules: TrackingRules

    private let source: String
    private var coming: ArraySlice<RulesAdoption>

    /// Begins with some rules, which adoptions in event order will change.
    init(_ rules: TrackingRules, _ adoptions: [RulesAdoption], for source: String) {
        self.rules = rules
        self.source = source
        coming = adoptions[...]
    }

    /// Goes on to an instant: rules stand before everything else of their instant.
    @inline(__always)
    mutating func advance(to instant: Timestamp) {
        while let next = coming.first, next.from <= instant {
            rules = rules.adopting(next.adopted, for: source)
            coming.removeFirst()
        }
    }
}

/// Rules that were adopted, and from when on.
struct RulesAdoption: Hashable, Sendable {
    /// From when on.
    var from: Timestamp

    /// The rules.
    var adopted: RulesAdopted
}
