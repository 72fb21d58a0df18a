import Geodesy
import RowCoding
public import TripEvents

extension TrackingRules {
    /// Returns the rules that are in force for a source after `adopted`.
    ///
    /// A preset replaces all rules; single rules change those that are in force, or the preset's.
    /// The last adoption wins, whether it is for one source or for all. What this version does not
    /// know, and what validation would have refused, changes nothing.
    public func adopting(_ adopted: RulesAdopted, for source: String) -> TrackingRules {
        guard adopted.appliesTo == nil || adopted.appliesTo.hasSameBytes(as: source)
        else { return self }
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

extension TrackingRules {
    /// Returns what a rule says, in the unit that its name says.
    public func value(of parameter: TrackingParameter) -> TrackingRuleValue {
        func seconds(_ milliseconds: Int64) -> TrackingRuleValue {
            .number(Double(milliseconds) / 1_000)
        }
        return switch parameter {
        case .maximumAccuracy: .number(maximumAccuracyMeters)
        case .maximumSpeed: .number(maximumSpeedMetersPerSecond)
        case .jitterRadius: .number(jitterRadius.meters)
        case .jitterSpeed: .number(jitterSpeedMetersPerSecond)
        case .minimumGap: seconds(minimumGapMilliseconds)
        case .maximumGap: seconds(maximumGapMilliseconds)
        case .unknownIntervalGap: seconds(unknownIntervalGapMilliseconds)
        case .medianIntervalsPerGap: .number(Double(medianIntervalsPerGap))
        case .reanchorFixes: .number(Double(reanchorFixes))
        case .reanchor: seconds(reanchorMilliseconds)
        case .approximateStart: seconds(approximateStartMilliseconds)
        case .startsByMotion: .choice(startsByMotion)
        case .startsByMovement: .choice(startsByMovement)
        case .startDisplacement: .number(startDisplacement.meters)
        case .startWindow: seconds(startWindowMilliseconds)
        case .drivingSpeed: .number(drivingSpeedMetersPerSecond)
        case .parkedRadius: .number(parkedRadius.meters)
        case .parked: seconds(parkedMilliseconds)
        case .stationary: seconds(stationaryMilliseconds)
        case .silence: seconds(silenceMilliseconds)
        case .medianIntervalsPerSilence: .number(Double(medianIntervalsPerSilence))
        case .silenceRadius: .number(silenceRadius.meters)
        case .maximumSilence: seconds(maximumSilenceMilliseconds)
        case .movementRadius: .number(movementRadius.meters)
        case .stillRecording: seconds(stillRecordingMilliseconds)
        case .noMovement: seconds(noMovementMilliseconds)
        case .deviceOff: seconds(deviceOffMilliseconds)
        case .shortestTrip: .number(shortestTrip.meters)
        }
    }
}

/// What a single tracking rule says.
public enum TrackingRuleValue: Hashable, Sendable {
    /// A number, in the unit that the rule's name says.
    case number(Double)

    /// Whether the rule holds.
    case choice(Bool)
}

extension TrackingRules {
    /// Writes the rules, one by one in order of declaration.
    func write(to writer: inout RowEncoder) {
        writer.write(version)
        writer.write(preset)
        writer.write(maximumAccuracyMeters)
        writer.write(maximumSpeedMetersPerSecond)
        writer.write(jitterRadius)
        writer.write(jitterSpeedMetersPerSecond)
        writer.write(minimumGapMilliseconds)
        writer.write(maximumGapMilliseconds)
        writer.write(unknownIntervalGapMilliseconds)
        writer.write(medianIntervalsPerGap)
        writer.write(Int64(reanchorFixes))
        writer.write(reanchorMilliseconds)
        writer.write(approximateStartMilliseconds)
        writer.write(startsByMotion)
        writer.write(startsByMovement)
        writer.write(startDisplacement)
        writer.write(startWindowMilliseconds)
        writer.write(drivingSpeedMetersPerSecond)
        writer.write(parkedRadius)
        writer.write(parkedMilliseconds)
        writer.write(stationaryMilliseconds)
        writer.write(silenceMilliseconds)
        writer.write(medianIntervalsPerSilence)
        writer.write(silenceRadius)
        writer.write(maximumSilenceMilliseconds)
        writer.write(movementRadius)
        writer.write(stillRecordingMilliseconds)
        writer.write(noMovementMilliseconds)
        writer.write(deviceOffMilliseconds)
        writer.write(shortestTrip)
    }

    /// Reads rules.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        version = try reader.readRulesVersion()
        preset = try reader.readTrackingPreset()
        maximumAccuracyMeters = try reader.readDouble()
        maximumSpeedMetersPerSecond = try reader.readDouble()
        jitterRadius = try reader.readDistance()
        jitterSpeedMetersPerSecond = try reader.readDouble()
        minimumGapMilliseconds = try reader.readAmount()
        maximumGapMilliseconds = try reader.readAmount()
        unknownIntervalGapMilliseconds = try reader.readAmount()
        medianIntervalsPerGap = try reader.readAmount()
        reanchorFixes = Int(try reader.readAmount())
        reanchorMilliseconds = try reader.readAmount()
        approximateStartMilliseconds = try reader.readAmount()
        startsByMotion = try reader.readBool()
        startsByMovement = try reader.readBool()
        startDisplacement = try reader.readDistance()
        startWindowMilliseconds = try reader.readAmount()
        drivingSpeedMetersPerSecond = try reader.readDouble()
        parkedRadius = try reader.readDistance()
        parkedMilliseconds = try reader.readAmount()
        stationaryMilliseconds = try reader.readAmount()
        silenceMilliseconds = try reader.readAmount()
        medianIntervalsPerSilence = try reader.readAmount()
        silenceRadius = try reader.readDistance()
        maximumSilenceMilliseconds = try reader.readAmount()
        movementRadius = try reader.readDistance()
        stillRecordingMilliseconds = try reader.readAmount()
        noMovementMilliseconds = try reader.readAmount()
        deviceOffMilliseconds = try reader.readAmount()
        shortestTrip = try reader.readDistance()
        // No rules that make sense have more.
        guard medianIntervalsPerGap <= 1_000, medianIntervalsPerSilence <= 1_000 else {
            throw .invalidValue
        }
    }
}
