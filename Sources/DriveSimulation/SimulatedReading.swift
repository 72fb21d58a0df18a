import TripEvents

/// What a simulated receiver measures, in the units of a narrow fix.
struct SimulatedReading {
    var point: GridPoint
    var accuracyDecimeters: Int
    var altitudeDecimeters: Int?
    var speedCentimetersPerSecond: Int?
    var courseHundredths: Int?

    /// The event that reports it.
    var body: EventBody {
        .fixRecorded(
            FixRecorded(
                latitude: ExactDecimal(simulated: point.latitudeSteps, decimals: 7),
                longitude: ExactDecimal(simulated: point.longitudeSteps, decimals: 7),
                accuracy: ExactDecimal(simulated: accuracyDecimeters, decimals: 1),
                altitude: altitudeDecimeters.map { ExactDecimal(simulated: $0, decimals: 1) },
                speed: speedCentimetersPerSecond.map { ExactDecimal(simulated: $0, decimals: 2) },
                course: courseHundredths.map { ExactDecimal(simulated: $0, decimals: 2) },
                provider: .simulated
            )
        )
    }
}
