/// What a single tracking rule says.
public enum TrackingRuleValue: Hashable, Sendable {
    /// A number, in the unit that the rule's name says.
    case number(Double)

    /// Whether the rule holds.
    case choice(Bool)
}
