/// Tracking rules came into force.
public struct RulesAdopted: Hashable, Sendable {
    /// A named set of rules: `phone`, `history` or `logger`.
    public var preset: String?

    /// The version of the rules, such as `v1`.
    public var rulesVersion: String?

    /// The source they are for; for all if it is not given.
    public var appliesTo: String?

    /// Single rules by name, over the preset and version.
    public var parameters: CustomFields?

    /// Creates the content of the event.
    public init(
        preset: String? = nil,
        rulesVersion: String? = nil,
        appliesTo: String? = nil,
        parameters: CustomFields? = nil
    ) {
        self.preset = preset
        self.rulesVersion = rulesVersion
        self.appliesTo = appliesTo
        self.parameters = parameters
    }
}

extension RulesAdopted: EventPayload {
    static var blank: RulesAdopted { RulesAdopted() }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.optional(.preset, &preset)
        try visitor.optional(.rulesVersion, &rulesVersion)
        try visitor.optional(.appliesTo, &appliesTo)
        try visitor.optional(.parameters, &parameters)
    }
}
