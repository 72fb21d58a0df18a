import TripEvents

/// A GPS receiver whose error of about half a metre wanders, as a real one's does.
struct SimulatedReceiver: Sendable {
    private var northErrorMillimeters = 0
    private var eastErrorMillimeters = 0
    private var accuracyDecimeters = 50
    private var altitudeDecimeters = 10

    /// Reads where the car is.
    mutating func read(_ car: SimulatedCar, random: inout SplitMix64) -> SimulatedReading {
        northErrorMillimeters += random.integer(in: -300...300) - northErrorMillimeters / 20
        eastErrorMillimeters += random.integer(in: -300...300) - eastErrorMillimeters / 20
        accuracyDecimeters = min(
            120,
            max(30, accuracyDecimeters + random.integer(in: -4...4))
        )
        altitudeDecimeters = min(
            200,
            max(-60, altitudeDecimeters + random.integer(in: -2...2))
        )
        let speed = car.speedMillimetersPerSecond / 10
        let isStanding = speed == 0
        let course = Heading(
            hundredths: car.heading.hundredths
                + (isStanding ? 0 : random.integer(in: -100...100))
        )
        return SimulatedReading(
            point: car.point.moved(
                northMillimeters: northErrorMillimeters,
                eastMillimeters: eastErrorMillimeters
            ),
            accuracyDecimeters: accuracyDecimeters,
            altitudeDecimeters: altitudeDecimeters,
            speedCentimetersPerSecond: isStanding
                ? 0 : max(0, speed + random.integer(in: -15...15)),
            courseHundredths: course.hundredths
        )
    }
}

/// A measurement of a simulated receiver, in the units of a narrow fix.
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

extension ExactDecimal {
    /// Creates the number that a simulated device reports.
    init(simulated significand: Int, decimals: Int) {
        guard let number = ExactDecimal(significand: Int64(significand), decimals: decimals) else {
            preconditionFailure("a simulated number has at most 18 digits")
        }
        self = number
    }
}
