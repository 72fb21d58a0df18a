public import TripEvents

/// The script of a recorder without hardware, in the order in which its events arrive.
///
/// The script has a clock of its own that starts at zero and moves by `wait(seconds:)`.
public struct RecorderScript: Sendable {
    /// A thing that happened, and when.
    struct Entry: Sendable {
        var milliseconds: Int64
        var body: EventBody
    }

    private(set) var entries: [Entry] = []
    private var milliseconds: Int64 = 0

    /// Creates an empty script.
    public init() {}

    /// Lets time pass; a negative number sets the recorder's clock back.
    public mutating func wait(seconds: Int) {
        milliseconds += Int64(seconds) * 1_000
    }

    /// Presses GO.
    public mutating func pressGo() {
        report(.goPressed(GoPressed()))
    }

    /// Presses STOP.
    public mutating func pressStop() {
        report(.stopPressed(StopPressed()))
    }

    /// Reports a position.
    public mutating func locate(_ fix: FixRecorded) {
        report(.fixRecorded(fix))
    }

    /// Reports what the motion sensor says.
    public mutating func sense(_ state: MotionState, confidence: MotionConfidence) {
        report(.motionChanged(MotionChanged(state: state, confidence: confidence)))
    }

    /// Changes what the recorder may know of its location.
    public mutating func authorize(_ status: LocationAuthorization, isPrecise: Bool? = nil) {
        report(.authorizationChanged(AuthorizationChanged(status: status, isPrecise: isPrecise)))
    }

    /// Reports that there is no location.
    public mutating func fail(error: String) {
        report(.locationFailed(LocationFailed(error: error)))
    }

    /// Reports anything else.
    public mutating func report(_ body: EventBody) {
        entries.append(Entry(milliseconds: milliseconds, body: body))
    }

    /// Holds back what was reported at some places in the script until after everything else.
    public mutating func holdBack(_ places: Range<Int>) {
        let late = entries[places]
        entries.removeSubrange(places)
        entries.append(contentsOf: late)
    }

    mutating func locate(_ point: GridPoint, accuracyMeters: Int = 10) {
        let reading = SimulatedReading(point: point, accuracyDecimeters: accuracyMeters * 10)
        report(reading.body)
    }

    /// Delivers everything in an order that `random` decides (Fisher and Yates, 1938).
    mutating func scramble(random: inout SplitMix64) {
        for last in entries.indices.dropFirst().reversed() {
            entries.swapAt(last, random.integer(in: 0...last))
        }
    }
}

extension RecorderScript {
    /// Reports positions a minute apart, the first a minute from now.
    mutating func drive(through points: some Sequence<GridPoint>) {
        for point in points {
            wait(seconds: 60)
            locate(point)
        }
    }

    /// Reports `count` positions a minute apart that wander within `millimeters` of `center`.
    mutating func linger(
        at center: GridPoint,
        count: Int,
        withinMillimeters millimeters: Int,
        random: inout SplitMix64
    ) {
        for _ in 0..<count {
            wait(seconds: 60)
            locate(
                center.moved(
                    northMillimeters: random.integer(in: -millimeters...millimeters),
                    eastMillimeters: random.integer(in: -millimeters...millimeters)
                )
            )
        }
    }

    /// Presses STOP a little after the last position.
    mutating func arrive() {
        wait(seconds: 5)
        pressStop()
    }
}
