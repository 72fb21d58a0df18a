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
            throw .unknownValue(preset, TrackingPreset.allCases.map(\.rawValue), of: "preset")
        }
        if let rulesVersion, rulesVersion != Self.knownVersion {
            throw .unknownValue(rulesVersion, [Self.knownVersion], of: "rules_version")
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

    /// The only published version of the tracking rules, whose module (`RulesVersion`) stands above
    /// this one.
    private static let knownVersion = "v1"
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

/// A named set of tracking rules; the raw value is its name in JSON.
public enum TrackingPreset: String, CaseIterable, Sendable {
    /// A phone: trips start by press and motion.
    case phone

    /// A phone's continuous record: trips start by press, motion and movement.
    case history

    /// A recorder that is on only while the engine runs: as `history`, and a short silence means
    /// that the car is parked.
    case logger
}

/// A tracking rule that can be changed by itself; the raw value is its name in `rules_adopted`.
public enum TrackingParameter: String, CaseIterable, Sendable {
    // Verdicts.
    case maximumAccuracy = "maximum_accuracy_m"
    case maximumSpeed = "maximum_speed_mps"
    case jitterRadius = "jitter_radius_m"
    case jitterSpeed = "jitter_speed_mps"
    case minimumGap = "minimum_gap_seconds"
    case maximumGap = "maximum_gap_seconds"
    case unknownIntervalGap = "unknown_interval_gap_seconds"
    case medianIntervalsPerGap = "median_intervals_per_gap"
    case reanchorFixes = "reanchor_fixes"
    case reanchor = "reanchor_seconds"
    case approximateStart = "approximate_start_seconds"

    // Starts.
    case startsByMotion = "starts_by_motion"
    case startsByMovement = "starts_by_movement"
    case startDisplacement = "start_displacement_m"
    case startWindow = "start_window_seconds"
    case drivingSpeed = "driving_speed_mps"

    // Ends.
    case parkedRadius = "parked_radius_m"
    case parked = "parked_seconds"
    case stationary = "stationary_seconds"
    case silence = "silence_seconds"
    case medianIntervalsPerSilence = "median_intervals_per_silence"
    case silenceRadius = "silence_radius_m"
    case maximumSilence = "maximum_silence_seconds"
    case movementRadius = "movement_radius_m"
    case stillRecording = "still_recording_seconds"
    case noMovement = "no_movement_seconds"
    case deviceOff = "device_off_seconds"
    case shortestTrip = "shortest_trip_m"

    /// The numbers that it may be, both ends included; `nil` if it is true or false.
    public var range: ClosedRange<Double>? {
        switch self {
        case .startsByMotion, .startsByMovement: nil
        case .maximumAccuracy, .startDisplacement: 1...10_000
        case .maximumSpeed: 1...1_000
        case .jitterRadius, .shortestTrip: 0...10_000
        case .jitterSpeed: 0...1_000
        case .minimumGap, .maximumGap, .unknownIntervalGap: 1...86_400
        case .medianIntervalsPerGap, .medianIntervalsPerSilence: 1...1_000
        case .reanchorFixes: 2...1_000
        case .reanchor, .approximateStart: 0...3_600
        case .startWindow: 1...3_600
        case .drivingSpeed: 0.1...1_000
        case .parkedRadius, .silenceRadius, .movementRadius: 1...10_000
        case .parked, .stationary, .silence, .maximumSilence, .stillRecording, .noMovement,
            .deviceOff:
            60...604_800
        }
    }

    /// Whether it counts something and has no fraction.
    public var isCount: Bool {
        switch self {
        case .medianIntervalsPerGap, .medianIntervalsPerSilence, .reanchorFixes: true
        case .maximumAccuracy, .maximumSpeed, .jitterRadius, .jitterSpeed, .minimumGap,
            .maximumGap, .unknownIntervalGap, .reanchor, .approximateStart, .startsByMotion,
            .startsByMovement, .startDisplacement, .startWindow, .drivingSpeed, .parkedRadius,
            .parked, .stationary, .silence, .silenceRadius, .maximumSilence, .movementRadius,
            .stillRecording, .noMovement, .deviceOff, .shortestTrip:
            false
        }
    }
}
