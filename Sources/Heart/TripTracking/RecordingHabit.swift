public import Geodesy
public import TripEvents

/// How a source records, measured from its fixes: this shows which preset of rules fits it.
///
/// A *session* is what was recorded without a silence that may mean a parked car. A recorder that
/// is on only while the engine runs has sessions that begin and end with driving, each about where
/// the last one ended; a phone's record has stays and walks too.
public struct RecordingHabit: Hashable, Sendable {
    /// The rules by which a silence between two sessions is a parked car.
    private static let loggerRules = TrackingRules(.v1, preset: .logger)

    /// A recorder that is on for driving takes a fix at least so often.
    private static let longestLoggerIntervalMilliseconds: Int64 = 30_000

    /// Fewer sessions are no habit.
    private static let fewestSessions = 3

    /// The share of sessions, in tenths, that must be drives.
    private static let tenthsOfSessions = 9

    /// The share that must begin where the last one ended: a recorder may be left off on a drive.
    private static let tenthsOfReturns = 5

    /// A shorter session is no drive: it says nothing, or that the source reports at rest.
    private static let fewestFixes = 10

    /// How many drives there must be for each report at rest: a recorder that is on only while the
    /// engine runs seldom starts without driving.
    private static let drivesPerRest = 2

    /// How long an engine may run before the car moves, and after.
    private static let idleMilliseconds: Int64 = 300_000

    /// The radius within which nothing has moved, and how long without movement is a stay.
    private static let restRadius = Distance(millimeters: 75_000)
    private static let stayMilliseconds: Int64 = 600_000

    /// A way that no one walks or runs: this far in this time, or less.
    private static let drivenDistance = Distance(millimeters: 400_000)
    private static let drivenMilliseconds: Int64 = 60_000

    /// How far from where a session ended the next one may begin: the receiver takes a while.
    private static let returnRadius = Distance(millimeters: 1_000_000)

    /// The median time between two fixes, in milliseconds; `nil` if there are fewer than two.
    public let medianIntervalMilliseconds: Int64?

    /// How many sessions there are, but for those that say nothing.
    public private(set) var sessions = 0

    /// How many of them are drives from their beginning to their end.
    public private(set) var drives = 0

    /// How many begin where the one before ended.
    public private(set) var returns = 0

    /// How many are reports of a source that stays where it is, as a phone sends now and then.
    public private(set) var rests = 0

    /// Whether a motion sensor says what moves it.
    public let hasMotion: Bool

    /// Measures the fixes of a source.
    ///
    /// - Parameters:
    ///   - fixes: The fixes, or the first of them, in order of time.
    ///   - hasMotion: Whether a motion sensor says what moves the source.
    public init(_ fixes: [Fix], hasMotion: Bool) {
        self.hasMotion = hasMotion
        let intervals = zip(fixes, fixes.dropFirst())
            .map { $1.occurredAt.milliseconds(since: $0.occurredAt) }
            .filter { $0 > 0 }
            .sorted()
        medianIntervalMilliseconds = intervals.isEmpty ? nil : intervals[intervals.count / 2]
        let silence = max(
            Self.loggerRules.silenceMilliseconds,
            Self.loggerRules.medianIntervalsPerSilence * (medianIntervalMilliseconds ?? 0)
        )
        var start = 0
        var lastEnd: Coordinate?
        for index in fixes.indices.dropFirst() + [fixes.endIndex] where index > start {
            let isEnd =
                index == fixes.endIndex
                || fixes[index].occurredAt.milliseconds(since: fixes[index - 1].occurredAt)
                    > silence
            guard isEnd else { continue }
            add(fixes[start..<index], after: lastEnd)
            lastEnd = fixes[index - 1].coordinate
            start = index
        }
    }

    /// The preset that fits.
    public var preset: TrackingPreset { isOnlyForDriving ? .logger : .history }

    /// Whether there are too few sessions to tell whether it records only while the engine runs.
    public var hasFewSessions: Bool { sessions < Self.fewestSessions }

    /// Whether the source records only while the engine runs.
    public var isOnlyForDriving: Bool {
        guard !hasMotion, !hasFewSessions, rests * Self.drivesPerRest <= sessions,
            let medianIntervalMilliseconds,
            medianIntervalMilliseconds <= Self.longestLoggerIntervalMilliseconds
        else { return false }
        return drives * 10 >= sessions * Self.tenthsOfSessions
            && returns * 10 >= (sessions - 1) * Self.tenthsOfReturns
    }

    private mutating func add(_ session: ArraySlice<Fix>, after lastEnd: Coordinate?) {
        guard let first = session.first else { return }
        guard session.count >= Self.fewestFixes else {
            let isStill = session.allSatisfy {
                first.coordinate.distance(to: $0.coordinate) <= Self.restRadius
            }
            if isStill,
                lastEnd.map({ $0.distance(to: first.coordinate) <= Self.returnRadius })
                    ?? true
            {
                rests += 1
            }
            return
        }
        if let lastEnd, sessions > 0,
            lastEnd.distance(to: first.coordinate) <= Self.returnRadius
        {
            returns += 1
        }
        sessions += 1
        if Self.isDrive(session) { drives += 1 }
    }

    /// Whether a session begins and ends with movement, has no stay in it, and is faster than
    /// people on foot somewhere.
    private static func isDrive(_ session: ArraySlice<Fix>) -> Bool {
        guard leaves(session, by: 1), leaves(session.reversed()[...], by: -1) else { return false }
        var rest = session.startIndex
        var window = session.startIndex
        var isFast = false
        for index in session.indices {
            let fix = session[index]
            if session[rest].coordinate.distance(to: fix.coordinate) > restRadius { rest = index }
            let rested = fix.occurredAt.milliseconds(since: session[rest].occurredAt)
            guard rested < stayMilliseconds else { return false }
            while fix.occurredAt.milliseconds(since: session[window].occurredAt)
                > drivenMilliseconds
            {
                window += 1
            }
            isFast =
                isFast
                || session[window].coordinate.distance(to: fix.coordinate) >= drivenDistance
        }
        return isFast
    }

    /// Whether the first fix is left soon, in the direction of time that `sign` says.
    private static func leaves(_ session: ArraySlice<Fix>, by sign: Int64) -> Bool {
        guard let first = session.first else { return false }
        for fix in session {
            let elapsed = sign * fix.occurredAt.milliseconds(since: first.occurredAt)
            guard elapsed <= idleMilliseconds else { return false }
            if first.coordinate.distance(to: fix.coordinate) > restRadius { return true }
        }
        return false
    }
}

/// How well a source records while it moves: whether its fixes can carry a distance.
public struct RecordingQuality: Hashable, Sendable {
    /// Whether fixes can carry a distance.
    public enum Verdict: String, CaseIterable, Sendable {
        /// They can.
        case good

        /// Too far apart: what lies between them is cut off.
        case sparse

        /// Too coarse: most of them do not count.
        case coarse

        /// Most of them too far from the one before to be of one car: of two devices, perhaps.
        case jumping

        /// It has not moved enough to tell.
        case unknown
    }

    /// A longer pause between two fixes is not part of a movement.
    private static let longestPause: Int64 = 1_200_000

    /// Slower than this, people walk and receivers drift: metres in a second.
    private static let slowestMetersPerSecond: Int64 = 3

    /// Faster than this, no car drives: it is no movement, but a jump.
    private static let fastestMetersPerSecond: Int64 = 100

    /// Fewer movements, or jumps, say nothing.
    private static let fewestMovements = 5

    /// Coarser fixes do not count by the rules that hold from the beginning.
    private static let coarseMeters = 50.0

    /// Fixes further apart than both of these cut curves off: in the simulated year they are those
    /// of the modes that lose a fifth of the kilometres and more.
    private static let sparseMilliseconds: Int64 = 30_000
    private static let sparseDistance = Distance(millimeters: 300_000)

    /// How many fixes were looked at.
    public let fixes: Int

    /// The median time between fixes while it moved; `nil` if it has not moved.
    public let milliseconds: Int64?

    /// The median way between them; `nil` if it has not moved.
    public let distance: Distance?

    /// The median radius of 68 % confidence; `nil` if none was said.
    public let accuracyMeters: Double?

    /// The share of coarse fixes in percent, of those that say how coarse they are.
    public let coarsePercent: Int

    /// Whether it can carry a distance.
    public let verdict: Verdict

    /// Measures fixes, the latest of a source.
    ///
    /// - Parameter fixes: The fixes, in any order.
    public init(_ fixes: [Fix]) {
        let inOrder = fixes.sorted { $0.occurredAt < $1.occurredAt }
        var pauses: [Int64] = []
        var ways: [Distance] = []
        var jumps = 0
        for (before, after) in zip(inOrder, inOrder.dropFirst()) {
            let pause = after.occurredAt.milliseconds(since: before.occurredAt)
            let way = before.coordinate.distance(to: after.coordinate)
            guard (1...Self.longestPause).contains(pause),
                way.millimeters >= pause * Self.slowestMetersPerSecond
            else { continue }
            guard way.millimeters <= pause * Self.fastestMetersPerSecond else {
                jumps += 1
                continue
            }
            pauses.append(pause)
            ways.append(way)
        }
        let accuracies = inOrder.compactMap(\.accuracyMeters).sorted()
        let coarse = accuracies.count { $0 > Self.coarseMeters }
        self.fixes = inOrder.count
        milliseconds = Self.median(pauses)
        distance = Self.median(ways)
        accuracyMeters = Self.median(accuracies)
        coarsePercent = accuracies.isEmpty ? 0 : coarse * 100 / accuracies.count
        if coarsePercent > 50, accuracies.count >= Self.fewestMovements {
            verdict = .coarse
        } else if jumps >= Self.fewestMovements, jumps > pauses.count {
            verdict = .jumping
        } else if let milliseconds, let distance, pauses.count >= Self.fewestMovements {
            let isSparse =
                milliseconds > Self.sparseMilliseconds && distance > Self.sparseDistance
            verdict = isSparse ? .sparse : .good
        } else {
            verdict = .unknown
        }
    }

    private static func median<Value: Comparable>(_ values: [Value]) -> Value? {
        values.isEmpty ? nil : values.sorted()[values.count / 2]
    }
}
