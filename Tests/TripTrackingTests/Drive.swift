import Geodesy
import Testing
import TripEvents
import TripTracking

/// A tracker that is driven by hand, and what it said.
struct Drive {
    static let start = Timestamp(milliseconds: 1_700_000_000_000)

    var tracker: Tracker
    private var context = TrackingContext(events: NumberedEvents(), journal: VerdictJournal())
    private var position: UInt64 = 0

    init(rules: TrackingRules = .v1, source: String = "phone") {
        tracker = Tracker(source: source, rules: rules)
    }

    /// Drives from GO through the fixes of a table to STOP, a second after the last.
    init(_ rows: [FixRow]) throws {
        self.init()
        press(.goPressed(GoPressed()), at: 0)
        for row in rows {
            try report(row)
        }
        press(.stopPressed(StopPressed()), at: (rows.last?.at ?? 0) + 1)
    }

    /// What the events meant for trips.
    var steps: [TripStep] { context.steps }

    /// What the rules made of each fix, by time and, within one instant, by position in the log.
    var verdicts: [NotedVerdict] {
        var last: [UInt64: NotedVerdict] = [:]
        for note in context.journal?.noted ?? [] { last[note.position] = note }
        return last.values.sorted {
            ($0.occurredAt, $0.position) < ($1.occurredAt, $1.position)
        }
    }

    /// The trips that have ended.
    var ended: [Trip] {
        steps.compactMap { if case .ended(let trip) = $0 { trip } else { nil } }
    }

    mutating func press(_ body: EventBody, at seconds: Double, recordedAfter delay: Double = 0) {
        tracker.evolve(
            body,
            stamp: stamp(at: seconds, recordedAfter: delay),
            in: &context
        )
    }

    /// Decides that a trip was two.
    mutating func take(_ split: StandingSplit) {
        tracker.take(split, in: &context)
    }

    /// Lets the motion sensor speak.
    mutating func sense(
        _ state: MotionState,
        _ confidence: MotionConfidence = .high,
        at seconds: Double
    ) {
        press(.motionChanged(MotionChanged(state: state, confidence: confidence)), at: seconds)
    }

    /// Reports a fix every second on a way to the north, and returns where it ends, in metres.
    @discardableResult
    mutating func drive(
        from start: Double,
        seconds: ClosedRange<Int>,
        metersPerSecond: Double = 15
    ) throws -> Double {
        var north = start
        for second in seconds {
            north = start + metersPerSecond * Double(second - seconds.lowerBound)
            try report(.fix(Double(second), north: north, .accepted))
        }
        return north
    }

    /// Lets time pass.
    mutating func advance(to seconds: Double) -> LiveStatus {
        tracker.advance(
            to: Self.start.advanced(byMilliseconds: Int64((seconds * 1_000).rounded())),
            in: &context
        )
    }

    /// When a trip ended, in seconds after the beginning.
    static func endSeconds(of trip: Trip) -> Double? {
        trip.endedAt.map { Double($0.timestamp.milliseconds(since: start)) / 1_000 }
    }

    mutating func report(_ row: FixRow) throws {
        tracker.evolve(
            fix: try row.fix(after: Self.start),
            stamp: stamp(at: row.at),
            in: &context
        )
    }

    private mutating func stamp(at seconds: Double, recordedAfter delay: Double = 0) -> EventStamp {
        defer { position += 1 }
        let occurredAt = Self.start.advanced(byMilliseconds: Int64((seconds * 1_000).rounded()))
        return EventStamp(
            occurredAt: occurredAt,
            recordedAt: occurredAt.advanced(byMilliseconds: Int64(delay * 1_000)),
            position: position
        )
    }
}

/// Drives through a table and expects the verdict in each row, every one exactly once.
///
/// - Returns: the trip.
@discardableResult
func expectVerdicts(
    _ rows: [FixRow],
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> Trip {
    let drive = try Drive(rows)
    let verdicts = drive.verdicts.map(\.verdict)
    #expect(verdicts == rows.map(\.verdict), sourceLocation: sourceLocation)
    let trip = try #require(drive.ended.first, sourceLocation: sourceLocation)
    for verdict in Verdict.allCases {
        #expect(
            trip.fixes[verdict] == Int64(rows.count { $0.verdict == verdict }),
            "\(verdict)",
            sourceLocation: sourceLocation
        )
    }
    return trip
}

/// Expects a distance to be within one metre of `meters`, which is what the tables are exact to.
func expectMeters(
    _ distance: Distance,
    _ meters: Double,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(
        abs(distance.meters - meters) <= 1,
        "\(distance.meters) m, not \(meters) m",
        sourceLocation: sourceLocation
    )
}
