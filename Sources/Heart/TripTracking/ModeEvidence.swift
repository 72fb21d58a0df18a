import Geodesy
import RowCoding
import TripEvents

/// The evidence for the means of transport of a trip: its pace over stretches of some seconds, its
/// turns and stops, and what the motion sensor reported meanwhile.
public struct ModeEvidence: Hashable, Sendable {
    /// How long it stood, in milliseconds: below 0.7 m/s.
    public var standingMilliseconds: Int64 = 0

    /// How long it went at walking pace, in milliseconds: below 2.5 m/s.
    public var walkingPaceMilliseconds: Int64 = 0

    /// How long it went as a bicycle does, in milliseconds: below 8 m/s.
    public var ridingPaceMilliseconds: Int64 = 0

    /// How long it went faster, in milliseconds.
    public var drivingPaceMilliseconds: Int64 = 0

    /// How long of that it went faster than bicycles do downhill, in milliseconds: from 11 m/s on.
    public var fastPaceMilliseconds: Int64 = 0

    /// How long of that it went faster than on most roads, in milliseconds: from 30 m/s on.
    public var rushingPaceMilliseconds: Int64 = 0

    /// How long the motion sensor said `walking` or `running`, in milliseconds, as far as the speed
    /// did not contradict it.
    public var onFootMilliseconds: Int64 = 0

    /// How long it said `cycling` at speeds that a bicycle can have, in milliseconds.
    public var cyclingMilliseconds: Int64 = 0

    /// How long it said `automotive` while the trip went faster than people walk, in milliseconds.
    public var automotiveMilliseconds: Int64 = 0

    /// How often it turned by 40° or more, as at a junction.
    public var turns: Int64 = 0

    /// How often it stood after driving.
    public var stops: Int64 = 0

    /// Creates evidence of nothing.
    public init() {}
}

extension ModeEvidence {
    /// How fast a stretch must be not to be standing, in metres per second.
    static let walkingPace = 0.7

    /// How fast it must be not to be walking.
    static let ridingPace = 2.5

    /// How fast it must be not to be cycling.
    static let drivingPace = 8.0

    /// How fast only motorways and railways are.
    static let rushingPace = 30.0

    /// How fast people run at most for long; a word of the sensor that they walk is old above it.
    static let runningPace = 3.0

    /// The speed at which it is no bicycle, not even one downhill or with a motor.
    static let fastPace = 11.0

    /// Takes a stretch of the way.
    mutating func add(_ leg: Leg) {
        let milliseconds = leg.milliseconds
        let pace = leg.metersPerSecond
        switch pace {
        case ..<Self.walkingPace: standingMilliseconds += milliseconds
        case ..<Self.ridingPace: walkingPaceMilliseconds += milliseconds
        case ..<Self.drivingPace: ridingPaceMilliseconds += milliseconds
        case ..<Self.rushingPace: drivingPaceMilliseconds += milliseconds
        default:
            drivingPaceMilliseconds += milliseconds
            rushingPaceMilliseconds += milliseconds
        }
        if pace >= Self.fastPace { fastPaceMilliseconds += milliseconds }
        if leg.isTurn { turns += 1 }
        if leg.isStop { stops += 1 }
        // A word counts only while the speed does not contradict it.
        onFootMilliseconds +=
            pace < Self.runningPace
            ? leg.said.onFootMilliseconds : leg.said.freshOnFootMilliseconds
        if pace < Self.fastPace { cyclingMilliseconds += leg.said.cyclingMilliseconds }
        if pace >= Self.ridingPace { automotiveMilliseconds += leg.said.automotiveMilliseconds }
    }

    /// Adds the evidence of another part of the same drive.
    package mutating func add(_ part: ModeEvidence) {
        standingMilliseconds += part.standingMilliseconds
        walkingPaceMilliseconds += part.walkingPaceMilliseconds
        ridingPaceMilliseconds += part.ridingPaceMilliseconds
        drivingPaceMilliseconds += part.drivingPaceMilliseconds
        fastPaceMilliseconds += part.fastPaceMilliseconds
        rushingPaceMilliseconds += part.rushingPaceMilliseconds
        onFootMilliseconds += part.onFootMilliseconds
        cyclingMilliseconds += part.cyclingMilliseconds
        automotiveMilliseconds += part.automotiveMilliseconds
        turns += part.turns
        stops += part.stops
    }

    /// How long all of it lasted, gaps left out, in milliseconds.
    var milliseconds: Int64 { standingMilliseconds + movingMilliseconds }

    private var movingMilliseconds: Int64 {
        walkingPaceMilliseconds + ridingPaceMilliseconds + drivingPaceMilliseconds
    }
}

// The figures are from the labelled days of 53 phones: the share of the time above 8 m/s is 14 % or
// more in all their cars and at most 12 % in their bicycles; trains turned less than once in 60 km,
// cars about once a minute of slow driving.
extension ModeEvidence {
    /// How long a trip must have gone at driving pace to have an engine, in milliseconds.
    private static let enginePaceMilliseconds: Int64 = 40_000

    /// How long faster than any bicycle, if it went so for less than a third of the way.
    private static let fastMilliseconds: Int64 = 15_000

    /// How long the sensor must have said that it drove, in milliseconds.
    private static let saidMilliseconds: Int64 = 30_000

    /// How long a trip without signs of an engine must have gone faster than people walk to be no
    /// walk, in milliseconds.
    private static let shortestRideMilliseconds: Int64 = 120_000

    /// The shortest drive for which turns and stops say much, in milliseconds.
    private static let longDriveMilliseconds: Int64 = 300_000

    /// How a trip was recorded, as far as it matters for what its figures mean.
    struct Recording {
        let gaps: GapTotal

        /// The median time between its fixes.
        let samplingMilliseconds: Int64

        /// Whether its recorder is on only while an engine runs.
        let isLogger: Bool
    }

    /// How fast a piece of a way must be from end to end to be one of rail, in metres per second.
    private static let fastPieceMetersPerSecond: Int64 = 22

    /// Whether the motion sensor says that it was made without an engine.
    var isUnpowered: Bool { modeOfSensor != nil }

    /// Returns the means of transport of a trip.
    ///
    /// - Parameters:
    ///   - way: how far it got, gaps included.
    ///   - trip: how it was recorded.
    /// - Returns: the mode, `unsure` if the evidence allows more than one.
    func mode(over way: Distance, of trip: Recording) -> TravelMode {
        if let mode = modeOfSensor { return mode }
        let crossed = Self.drivenMilliseconds(of: trip.gaps)
        let moving = movingMilliseconds + crossed
        let driving = drivingPaceMilliseconds + crossed
        if driving >= max(Self.enginePaceMilliseconds, moving / 20),
            fastPaceMilliseconds >= Self.fastMilliseconds || 3 * driving >= moving
        {
            return modeWithEngine(over: way, of: trip)
        }
        if isSaidToDrive { return .car }
        let riding = ridingPaceMilliseconds + driving
        return riding >= Self.shortestRideMilliseconds && 2 * riding > moving ? .unsure : .foot
    }

    /// How long gaps lasted that were crossed at driving pace, in milliseconds.
    private static func drivenMilliseconds(of gaps: GapTotal) -> Int64 {
        let speed = Double(gaps.distance.millimeters) / Double(max(1, gaps.milliseconds))
        return speed >= drivingPace ? gaps.milliseconds : 0
    }

    /// Whether the motion sensor said over most of a way, however short, that it was driven, and it
    /// was faster than people walk for most of it.
    private var isSaidToDrive: Bool {
        let faster = ridingPaceMilliseconds + drivingPaceMilliseconds
        return automotiveMilliseconds >= Self.saidMilliseconds
            && 2 * automotiveMilliseconds > faster && faster > walkingPaceMilliseconds
            && automotiveMilliseconds > onFootMilliseconds + cyclingMilliseconds
    }

    /// What the motion sensor says, if it says that there was no engine.
    private var modeOfSensor: TravelMode? {
        let moving = movingMilliseconds
        // No bicycle is so fast for long, whatever the sensor says.
        guard fastPaceMilliseconds < 2 * Self.fastMilliseconds else { return nil }
        if cyclingMilliseconds > automotiveMilliseconds, 4 * cyclingMilliseconds > moving {
            return .bicycle
        }
        if cyclingMilliseconds > 60_000, 3 * cyclingMilliseconds > automotiveMilliseconds,
            drivingPaceMilliseconds == 0
        {
            return .bicycle
        }
        if onFootMilliseconds > automotiveMilliseconds, 2 * onFootMilliseconds > moving,
            3 * drivingPaceMilliseconds < moving
        {
            return ridingPaceMilliseconds > walkingPaceMilliseconds ? .bicycle : .foot
        }
        return nil
    }

    /// Tells a car from a bus and a train, which run on straight lines and stop more than they
    /// turn.
    ///
    /// If the evidence allows both, the sensor's report of driving decides for the car. But sensors
    /// report driving in buses and trains too, so the report does not count for a trip with many
    /// stops for its length.
    private func modeWithEngine(over way: Distance, of trip: Recording) -> TravelMode {
        let gaps = trip.gaps
        let isLogger = trip.isLogger
        let kilometers = way.millimeters / 1_000_000
        let slow = walkingPaceMilliseconds + ridingPaceMilliseconds
        let isSeen = 2 * gaps.distance.millimeters < way.millimeters
        let isShort = kilometers < 5 && gaps.milliseconds <= 300_000
        let isWhole = 4 * gaps.distance.millimeters <= way.millimeters
        let isSaid = isSaidToDrive && stops <= 1 + kilometers / 20 && (isShort || isWhole)
        if rushingPaceMilliseconds >= 60_000 {
            if kilometers >= 10, turns <= kilometers / 60 { return .rail }
            if turns <= 2 + kilometers / 10, !isSaid || turns < 1 + kilometers / 30 {
                return .unsure
            }
        }
        // Never round a corner, or mostly underground.
        let isLong = drivingPaceMilliseconds >= max(240_000, 2 * slow)
        // A short piece that is fast from its first fix to its last is one of rail.
        let measured = way.millimeters - gaps.distance.millimeters
        let isPiece =
            !isLogger && isSeen && drivingPaceMilliseconds >= 60_000
            && measured >= Self.fastPieceMetersPerSecond * movingMilliseconds
        if turns == 0, !isSaid, isLong || isPiece { return .unsure }
        if turns <= 1, !isSaid || !isShort, 2 * drivingPaceMilliseconds >= 3 * slow,
            gaps.milliseconds >= drivingPaceMilliseconds
        {
            return .unsure
        }
        guard drivingPaceMilliseconds >= Self.longDriveMilliseconds else {
            return !isLogger && isSeen && isLineBound(over: way) ? .unsure : .car
        }
        if stops >= 3 * (turns + 1) { return .bus }
        if !isLogger, isLineBound(over: way) { return .unsure }
        // Of a source that reports seldom, few corners are seen.
        let slowest = isLogger ? 180_000 : max(120_000, 3 * trip.samplingMilliseconds)
        let isSlow = ridingPaceMilliseconds >= 300_000
        return isSlow && turns * slowest < ridingPaceMilliseconds ? .unsure : .car
    }

    /// Whether it stopped as buses and trams do: at least every three kilometres, and more often
    /// than at every other corner.
    private func isLineBound(over way: Distance) -> Bool {
        if stops >= 2, stops >= 2 * (turns + 1) { return true }
        return stops >= 5 && 3_000_000 * stops >= way.millimeters && 5 * stops >= 3 * turns
    }
}

extension ModeEvidence {
    func write(to writer: inout RowEncoder) {
        for amount in [
            standingMilliseconds, walkingPaceMilliseconds, ridingPaceMilliseconds,
            drivingPaceMilliseconds, fastPaceMilliseconds, rushingPaceMilliseconds,
            onFootMilliseconds, cyclingMilliseconds, automotiveMilliseconds, turns, stops,
        ] {
            writer.write(amount)
        }
    }

    init(from reader: inout RowDecoder) throws(RowCodingError) {
        standingMilliseconds = try reader.readAmount()
        walkingPaceMilliseconds = try reader.readAmount()
        ridingPaceMilliseconds = try reader.readAmount()
        drivingPaceMilliseconds = try reader.readAmount()
        fastPaceMilliseconds = try reader.readAmount()
        rushingPaceMilliseconds = try reader.readAmount()
        onFootMilliseconds = try reader.readAmount()
        cyclingMilliseconds = try reader.readAmount()
        automotiveMilliseconds = try reader.readAmount()
        turns = try reader.readAmount()
        stops = try reader.readAmount()
    }
}

/// A stretch of the way over which pace is measured, as the straight line from its first fix to its
/// last: noise of single fixes is small against it.
struct Leg: Hashable, Sendable {
    var meters: Double
    var milliseconds: Int64

    /// Whether it goes off from the leg before by 40° or more.
    var isTurn = false

    /// Whether the trip has stopped in it, having driven before.
    var isStop = false

    /// What the motion sensor said meanwhile.
    var said = SaidTimes()

    var metersPerSecond: Double { meters * 1_000 / Double(milliseconds) }
}
