import Geodesy
import RowCoding
import TripEvents

/// The evidence for the means of transport of a trip: how fast it got away over stretches of some
/// seconds, how it turned and stopped, and what the motion sensor said meanwhile.
public struct ModeEvidence: Hashable, Sendable {
    /// How long it stood, in milliseconds: below 0.7 m/s.
    public var standingMilliseconds: Int64 = 0

    /// How long it went at walking pace, in milliseconds: below 2.5 m/s.
    public var walkingPaceMilliseconds: Int64 = 0

    /// How long it went as a bicycle does, in milliseconds: below 8 m/s.
    public var ridingPaceMilliseconds: Int64 = 0

    /// How long it went faster, in milliseconds.
    public var drivingPaceMilliseconds: Int64 = 0

    /// How long of that it went faster than on most roads, in milliseconds: from 30 m/s on.
    public var rushingPaceMilliseconds: Int64 = 0

    /// How long the motion sensor said `walking` or `running` meanwhile, in milliseconds.
    public var onFootMilliseconds: Int64 = 0

    /// How long it said `cycling`, in milliseconds.
    public var cyclingMilliseconds: Int64 = 0

    /// How long it said `automotive`, in milliseconds.
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

    /// Takes a stretch of the way.
    mutating func add(_ leg: Leg, motion: MotionEvidence?) {
        let milliseconds = leg.milliseconds
        switch leg.metersPerSecond {
        case ..<Self.walkingPace: standingMilliseconds += milliseconds
        case ..<Self.ridingPace: walkingPaceMilliseconds += milliseconds
        case ..<Self.drivingPace: ridingPaceMilliseconds += milliseconds
        case ..<Self.rushingPace: drivingPaceMilliseconds += milliseconds
        default:
            drivingPaceMilliseconds += milliseconds
            rushingPaceMilliseconds += milliseconds
        }
        if leg.isTurn { turns += 1 }
        if leg.isStop { stops += 1 }
        switch motion {
        case .onFoot: onFootMilliseconds += milliseconds
        case .cycling: cyclingMilliseconds += milliseconds
        case .automotive: automotiveMilliseconds += milliseconds
        case nil: break
        }
    }

    /// Adds the evidence of another part of the same drive.
    package mutating func add(_ part: ModeEvidence) {
        standingMilliseconds += part.standingMilliseconds
        walkingPaceMilliseconds += part.walkingPaceMilliseconds
        ridingPaceMilliseconds += part.ridingPaceMilliseconds
        drivingPaceMilliseconds += part.drivingPaceMilliseconds
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

    /// How long a trip that never did must have gone faster than people walk, in milliseconds.
    private static let shortestRideMilliseconds: Int64 = 120_000

    /// The shortest drive for which turns and stops say much, in milliseconds.
    private static let longDriveMilliseconds: Int64 = 300_000

    /// Whether the motion sensor says that it was made without an engine.
    var isUnpowered: Bool { modeOfSensor(movingMilliseconds) != nil }

    /// Returns the means of transport of a trip.
    ///
    /// - Parameters:
    ///   - way: how far it got, gaps included.
    ///   - gapMilliseconds: how long its gaps lasted.
    /// - Returns: the mode, `unsure` if the evidence allows more than one.
    func mode(over way: Distance, gapMilliseconds: Int64) -> TravelMode {
        let moving = movingMilliseconds
        if let mode = modeOfSensor(moving) { return mode }
        if drivingPaceMilliseconds >= max(Self.enginePaceMilliseconds, moving / 20) {
            return modeWithEngine(over: way, gapMilliseconds: gapMilliseconds)
        }
        if 2 * automotiveMilliseconds > milliseconds,
            milliseconds >= Self.shortestRideMilliseconds
        {
            return ridingPaceMilliseconds >= 60_000 ? .car : .unsure
        }
        let riding = ridingPaceMilliseconds + drivingPaceMilliseconds
        return riding >= Self.shortestRideMilliseconds && 2 * riding > moving ? .unsure : .foot
    }

    /// What the motion sensor says, if it says that there was no engine.
    private func modeOfSensor(_ moving: Int64) -> TravelMode? {
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
    private func modeWithEngine(over way: Distance, gapMilliseconds: Int64) -> TravelMode {
        let kilometers = way.millimeters / 1_000_000
        let slow = walkingPaceMilliseconds + ridingPaceMilliseconds
        if rushingPaceMilliseconds >= 60_000 {
            if kilometers >= 10, turns <= kilometers / 60 { return .rail }
            if turns <= 2 + kilometers / 10 { return .unsure }
        }
        // Hardly ever slow and never round a corner, or mostly underground.
        if turns == 0, drivingPaceMilliseconds >= max(240_000, 2 * slow) { return .unsure }
        if turns <= 1, 2 * drivingPaceMilliseconds >= 3 * slow,
            gapMilliseconds >= drivingPaceMilliseconds
        {
            return .unsure
        }
        guard drivingPaceMilliseconds >= Self.longDriveMilliseconds else { return .car }
        if stops >= 3 * (turns + 1) { return .bus }
        let isStraight = turns * 180_000 < ridingPaceMilliseconds
        return isStraight && ridingPaceMilliseconds >= 300_000 ? .unsure : .car
    }
}

extension ModeEvidence {
    func write(to writer: inout RowEncoder) {
        for amount in [
            standingMilliseconds, walkingPaceMilliseconds, ridingPaceMilliseconds,
            drivingPaceMilliseconds, rushingPaceMilliseconds, onFootMilliseconds,
            cyclingMilliseconds, automotiveMilliseconds, turns, stops,
        ] {
            writer.write(amount)
        }
    }

    init(from reader: inout RowDecoder) throws(RowCodingError) {
        standingMilliseconds = try reader.readAmount()
        walkingPaceMilliseconds = try reader.readAmount()
        ridingPaceMilliseconds = try reader.readAmount()
        drivingPaceMilliseconds = try reader.readAmount()
        rushingPaceMilliseconds = try reader.readAmount()
        onFootMilliseconds = try reader.readAmount()
        cyclingMilliseconds = try reader.readAmount()
        automotiveMilliseconds = try reader.readAmount()
        turns = try reader.readAmount()
        stops = try reader.readAmount()
    }
}

/// What the motion sensor says of a stretch of the way.
enum MotionEvidence: UInt8, Sendable {
    case onFoot
    case cycling
    case automotive
}

extension RowDecoder {
    /// Reads what the motion sensor said, if it did; what a newer version writes counts as nothing.
    mutating func readOptionalMotionEvidence() throws(RowCodingError) -> MotionEvidence? {
        guard try readBool() else { return nil }
        return UInt8(exactly: try readUInt64()).flatMap(MotionEvidence.init(rawValue:))
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

    var metersPerSecond: Double { meters * 1_000 / Double(milliseconds) }
}
