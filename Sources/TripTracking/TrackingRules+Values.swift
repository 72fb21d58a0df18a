import Geodesy
public import TripEvents

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
