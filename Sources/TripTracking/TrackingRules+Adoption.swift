import Geodesy
public import TripEvents

extension TrackingRules {
    /// Returns the rules that are in force for a source after `adopted`.
    ///
    /// A preset replaces all rules; single rules change those that are in force, or the preset's.
    /// The last adoption wins, whether it is for one source or for all. What this version does not
    /// know, and what validation would have refused, changes nothing.
    public func adopting(_ adopted: RulesAdopted, for source: String) -> TrackingRules {
        guard adopted.appliesTo == nil || adopted.appliesTo == source else { return self }
        let preset = adopted.preset.flatMap(TrackingPreset.init(rawValue:))
        let version = adopted.rulesVersion.flatMap(RulesVersion.init(rawValue:))
        var rules = self
        if preset != nil || version != nil {
            rules = TrackingRules(version ?? self.version, preset: preset ?? self.preset)
        }
        for field in adopted.parameters?.all ?? [] {
            if let parameter = TrackingParameter(rawValue: field.key) {
                rules.set(parameter, to: field.value)
            }
        }
        return rules
    }

    private mutating func set(_ parameter: TrackingParameter, to value: CustomValue) {
        switch value {
        case .boolean(let choice) where parameter.range == nil:
            set(parameter, to: choice)
        case .number(let number):
            let double = number.doubleValue
            if let range = parameter.range, range.contains(double) {
                set(parameter, to: double)
            }
        case .text, .boolean, .null: break
        }
    }

    private mutating func set(_ parameter: TrackingParameter, to choice: Bool) {
        if parameter == .startsByMotion {
            startsByMotion = choice
        } else {
            startsByMovement = choice
        }
    }

    /// Sets a rule to a number in the unit that its name says.
    private mutating func set(_ parameter: TrackingParameter, to number: Double) {
        let distance = Distance(millimeters: Int64((number * 1_000).rounded()))
        let milliseconds = Int64((number * 1_000).rounded())
        switch parameter {
        case .maximumAccuracy: maximumAccuracyMeters = number
        case .maximumSpeed: maximumSpeedMetersPerSecond = number
        case .jitterRadius: jitterRadius = distance
        case .jitterSpeed: jitterSpeedMetersPerSecond = number
        case .minimumGap: minimumGapMilliseconds = milliseconds
        case .maximumGap: maximumGapMilliseconds = milliseconds
        case .unknownIntervalGap: unknownIntervalGapMilliseconds = milliseconds
        case .medianIntervalsPerGap: medianIntervalsPerGap = Int64(number)
        case .reanchorFixes: reanchorFixes = Int(number)
        case .reanchor: reanchorMilliseconds = milliseconds
        case .approximateStart: approximateStartMilliseconds = milliseconds
        case .startsByMotion, .startsByMovement: break
        case .startDisplacement: startDisplacement = distance
        case .startWindow: startWindowMilliseconds = milliseconds
        case .drivingSpeed: drivingSpeedMetersPerSecond = number
        case .parkedRadius: parkedRadius = distance
        case .parked: parkedMilliseconds = milliseconds
        case .stationary: stationaryMilliseconds = milliseconds
        case .silence: silenceMilliseconds = milliseconds
        case .medianIntervalsPerSilence: medianIntervalsPerSilence = Int64(number)
        case .silenceRadius: silenceRadius = distance
        case .maximumSilence: maximumSilenceMilliseconds = milliseconds
        case .movementRadius: movementRadius = distance
        case .stillRecording: stillRecordingMilliseconds = milliseconds
        case .noMovement: noMovementMilliseconds = milliseconds
        case .deviceOff: deviceOffMilliseconds = milliseconds
        case .shortestTrip: shortestTrip = distance
        }
    }
}
