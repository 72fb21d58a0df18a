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
