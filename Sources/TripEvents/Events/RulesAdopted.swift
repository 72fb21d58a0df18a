/// Tracking rules came into force.
public struct RulesAdopted: Hashable, Sendable {
    /// A named set of rules, one of ``TrackingPreset``; without it the rules in force are changed.
    public var preset: String?

    /// The version of the rules, such as `v1`.
    public var rulesVersion: String?

    /// The source they are for; for all if it is not given.
    public var appliesTo: String?

    /// Single rules over the preset and version, by the names of ``TrackingParameter``.
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

    /// Throws unless every name is one that the rules know, and its value in range.
    func check() throws(Rejection) {
        if let preset, TrackingPreset(rawValue: preset) == nil {
            throw .unknownRule("preset", preset, known: TrackingPreset.allCases.map(\.rawValue))
        }
        if let rulesVersion, rulesVersion != Self.knownVersion {
            throw .unknownRule("rules_version", rulesVersion, known: [Self.knownVersion])
        }
        for field in parameters?.all ?? [] {
            guard let parameter = TrackingParameter(rawValue: field.key) else {
                throw Rejection(
                    .unknownField,
                    field: "parameters",
                    sentence: "There is no tracking rule \(Excerpt.of(field.key))."
                )
            }
            try parameter.check(field.value)
        }
    }

    /// The only published version of the tracking rules.
    private static let knownVersion = "v1"
}

extension Rejection {
    fileprivate static func unknownRule(
        _ name: String,
        _ value: String,
        known: [String]
    ) -> Rejection {
        let list = known.joined(separator: ", ")
        return Rejection(
            .unknownValue,
            field: name,
            sentence: "\(name) is \(Excerpt.of(value)); it must be one of \(list)."
        )
    }
}

extension TrackingParameter {
    fileprivate func check(_ value: CustomValue) throws(Rejection) {
        guard let range else {
            guard case .boolean = value else { throw refusal("true or false") }
            return
        }
        guard case .number(let number) = value else { throw refusal("a number") }
        let double = number.doubleValue
        let isWhole = double == double.rounded()
        guard range.contains(double), isWhole || !isCount else {
            let kind = isCount ? "a whole number from" : "a number from"
            throw refusal("\(kind) \(range.lowerBound) to \(range.upperBound)")
        }
    }

    private func refusal(_ expected: String) -> Rejection {
        Rejection(
            .invalidValue,
            field: "parameters",
            sentence: "The tracking rule \(rawValue) must be \(expected)."
        )
    }
}
