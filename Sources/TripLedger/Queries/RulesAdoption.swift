import TripEvents

/// Rules that somebody adopted, and from when on.
struct RulesAdoption: Hashable, Sendable {
    /// From when on.
    var from: Timestamp

    /// The rules.
    var adopted: RulesAdopted
}
