import TripEvents

/// The receiver of a simulated recorder, which turns its carrier's place into a reading.
struct DayReceiver {
    let habits: RecorderHabits
    private let isIOS: Bool
    private var error: ReceiverError
    private var lastReading: (milliseconds: Int64, place: Place)?

    init(habits: RecorderHabits, isIOS: Bool, random: inout SplitMix64) {
        self.habits = habits
        self.isIOS = isIOS
        error = ReceiverError(random: &random)
    }

    /// Reads where the carrier is.
    ///
    /// - Parameters:
    ///   - point: Where it is.
    ///   - isStill: Whether it stays.
    ///   - clock: Milliseconds from the start of the day; MUST not be before the last reading.
    ///   - random: The source of chance.
    /// - Returns: What it reports; `nil` if it sees nothing, or has hardly moved.
    mutating func read(
        _ point: TrackPoint,
        isStill: Bool,
        at clock: Int64,
        random: inout SplitMix64
    ) -> DayReading? {
        let elapsed = clock - (lastReading?.milliseconds ?? clock - 60_000)
        error.wander(seconds: Double(elapsed) / 1_000, random: &random)
        var table = isStill ? habits.restAccuracies : habits.movingAccuracies
        var isFromNetwork = random.happens(permille: habits.networkPermille)
        if point.isCovered {
            guard habits.networkPermille > 0, random.happens(permille: 250) else { return nil }
            isFromNetwork = true
        }
        if isFromNetwork { table = RecorderHabits.networkAccuracies }
        let accuracy = error.accuracy(of: table)
        var place = error.place(
            point.place,
            accuracyDecimeters: accuracy,
            share: habits.errorShare,
            follows: isFromNetwork ? 1 : min(1, Double(elapsed) / 30_000)
        )
        if random.happens(permille: habits.outlierPermille) {
            place = place.somewhere(within: 120...1_500, random: &random)
        } else if let lastReading, lastReading.place.distance(to: place) < habits.filterMeters {
            return nil
        } else {
            lastReading = (clock, place)
        }
        return DayReading(
            place: place,
            accuracyDecimeters: habits.hasAccuracy ? accuracy : nil,
            speedCentimetersPerSecond: habits.hasSpeed
                ? speed(at: point, accuracy, isFromNetwork, random: &random) : nil
        )
    }

    /// Returns the speed that the device names, in centimetres per second: none on iOS if the
    /// accuracy is 50 m or worse, and always 0 from networks on Android.
    private func speed(
        at point: TrackPoint,
        _ accuracyDecimeters: Int,
        _ isFromNetwork: Bool,
        random: inout SplitMix64
    ) -> Int {
        if isIOS, accuracyDecimeters >= 500 { return -100 }
        if isFromNetwork { return 0 }
        let deviation = 0.1 + 0.01 * Double(min(accuracyDecimeters, 100))
        let speed = point.speed + (point.speed > 0.2 ? deviation * random.deviation() * 0.4 : 0)
        return max(0, Int(speed * 100))
    }
}

/// The position that a recorder believed to have.
struct DayReading: Sendable {
    let place: Place
    let accuracyDecimeters: Int?
    let speedCentimetersPerSecond: Int?

    /// Returns the event that reports it, for the position in degrees that its place is at.
    func body(at point: GridPoint) -> EventBody {
        .fixRecorded(
            FixRecorded(
                latitude: ExactDecimal(simulated: point.latitudeSteps, decimals: 7),
                longitude: ExactDecimal(simulated: point.longitudeSteps, decimals: 7),
                accuracy: accuracyDecimeters.map { ExactDecimal(simulated: $0, decimals: 1) },
                speed: speedCentimetersPerSecond.map { ExactDecimal(simulated: $0, decimals: 2) },
                provider: .simulated
            )
        )
    }
}
