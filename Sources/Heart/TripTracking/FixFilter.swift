import Geodesy
import RowCoding
import TripEvents

/// Judges the fixes of an open trip, one after the other, by rules 1 to 7 in order of precedence.
struct FixFilter: Hashable, Sendable {
    /// How far off a fix must be to be a jump, in metres.
    private static let shortestJumpMeters = 100.0

    /// The same in degrees, of longitude at the equator.
    private static let shortestJumpDegrees = 0.000_6

    /// How fast a car must drive for a fix off its line to be an outlier, in metres per second.
    private static let drivenPace = 3.0

    /// How many times the speed of the car a fix must imply to be an outlier.
    private static let pacesOfJump = 2.0

    /// How many times its accuracy a coarse fix must be away from the anchor to add its way.
    private static let accuraciesOfWay = 1.5

    /// The largest difference, as a share, between the speed that a step implies and the receiver's
    /// own speeds by which these still confirm it.
    private static let speedTolerance = 0.2

    /// How many times its accuracy a fix must be off to be a jump.
    private static let accuraciesPerJump = 3.0

    /// Where distance is measured from.
    ///
    /// Slow fixes near it do not move it, so that slow real movement adds up once it gets out of
    /// the radius of jitter.
    private(set) var anchor: Coordinate

    /// Where the last kept fix was: accepted, jitter or after a gap.
    private(set) var last: Coordinate

    /// When the last kept fix was taken.
    private(set) var lastAt: Timestamp

    /// How fast it went there by the receiver's own account, in metres per second; negative if it
    /// did not say.
    private(set) var lastSpeed: Double

    /// How fast it got there from the kept fix before, in metres per second; 0 at the start.
    private(set) var lastPace: Double

    private var metric = LocalMetric()

    /// Starts at a fix.
    init(at start: Fix) {
        self.init(
            anchor: start.coordinate,
            last: start.coordinate,
            lastAt: start.occurredAt,
            lastSpeed: start.speedMetersPerSecond ?? -1,
            lastPace: 0
        )
    }

    /// Creates a filter in a stored state.
    init(
        anchor: Coordinate,
        last: Coordinate,
        lastAt: Timestamp,
        lastSpeed: Double,
        lastPace: Double
    ) {
        self.anchor = anchor
        self.last = last
        self.lastAt = lastAt
        self.lastSpeed = lastSpeed
        self.lastPace = lastPace
    }

    /// Returns what is wrong with a fix by itself (rules 1 and 2), or `nil` if it is usable.
    @inline(__always)
    static func flaw(
        of fix: Fix,
        rules: TrackingRules,
        isCoarse: Bool = false
    ) -> Verdict? {
        if fix.isMock {
            return .mock
        }
        if fix.coordinate.latitude == 0 || fix.coordinate.longitude == 0 {
            return .nullCoordinate
        }
        if let accuracy = fix.accuracyMeters, accuracy > rules.maximumAccuracyMeters {
            return isCoarse && Coarseness.isCoarse(accuracy, rules: rules) ? nil : .poorAccuracy
        }
        return nil
    }

    /// Judges a usable fix by its way from the last kept one and from the anchor (rules 3 to 7),
    /// and goes on from it if it is kept.
    ///
    /// It takes the whole trip: if the rules were passed separately from the gap limit, which
    /// changes, all of them would be copied for each fix.
    @inline(__always)
    mutating func judge(_ fix: Fix, in open: inout OpenTrip) -> Judgement {
        let elapsed = fix.occurredAt.milliseconds(since: lastAt)
        guard elapsed > 0 else {
            return Judgement(verdict: .stale)
        }
        let step = metric.distance(from: last, to: fix.coordinate)
        guard
            open.rules.allows(step, inMilliseconds: elapsed)
                || isConfirmed(step, to: fix, inMilliseconds: elapsed)
        else {
            return Judgement(verdict: .impossibleSpeed)
        }
        let way = last == anchor ? step : metric.distance(from: anchor, to: fix.coordinate)
        var judgement = Judgement(verdict: .jitter, elapsedMilliseconds: elapsed)
        if !isBlurred(fix, way, rules: open.rules),
            way >= open.rules.jitterRadius
                || !open.rules.isSlow(fix, after: step, inMilliseconds: elapsed)
        {
            judgement.speedMetersPerSecond = open.rules.speed(
                at: fix,
                after: step,
                inMilliseconds: elapsed
            )
            // Nearly all intervals are below every limit, so the median is seldom computed.
            if elapsed > open.rules.minimumGapMilliseconds, open.isGap(elapsed) {
                judgement.verdict = .afterGap
                judgement.gap = step
            } else {
                judgement.verdict = .accepted
                judgement.added = way
            }
        }
        open.gapLimit.record(elapsed)
        keep(fix, movingAnchor: judgement.verdict.movesAnchor)
        lastPace = Double(step.millimeters) / Double(elapsed)
        return judgement
    }

    /// Returns whether a coarse fix is too near the anchor to tell its way from its error.
    @inline(__always)
    private func isBlurred(_ fix: Fix, _ way: Distance, rules: TrackingRules) -> Bool {
        guard let accuracy = fix.accuracyMeters, accuracy > rules.maximumAccuracyMeters else {
            return false
        }
        return way.meters < Self.accuraciesOfWay * accuracy
    }

    /// Returns whether the receiver's own speeds at both ends of a step say that it was driven,
    /// faster than the rules expect: 230 km/h on an Autobahn is no gap.
    @inline(never)
    private func isConfirmed(
        _ step: Distance,
        to fix: Fix,
        inMilliseconds milliseconds: Int64
    ) -> Bool {
        guard let speed = fix.speedMetersPerSecond, lastSpeed >= 0 else { return false }
        let implied = Double(step.millimeters) / Double(milliseconds)
        return implied < TrackingRules.highestSpeedMetersPerSecond
            && implied <= (1 + Self.speedTolerance) * max(speed, lastSpeed)
            && implied >= (1 - Self.speedTolerance) * min(speed, lastSpeed)
    }

    /// Returns whether a fix lies so far from the last kept one that it may be a spike: more than
    /// 100 m and three times its accuracy, and twice as far as the receiver's own speed would have
    /// got there.
    mutating func isFarOff(_ fix: Fix, rules: TrackingRules) -> Bool {
        let milliseconds = fix.occurredAt.milliseconds(since: lastAt)
        let meters = metric.geodesicMeters(from: last, to: fix.coordinate)
        guard
            meters
                > max(Self.shortestJumpMeters, Self.accuraciesPerJump * (fix.accuracyMeters ?? 0)),
            meters * 1_000 <= rules.maximumSpeedMetersPerSecond * Double(milliseconds)
        else { return false }
        guard let speed = fix.speedMetersPerSecond else { return true }
        return 2 * speed * Double(milliseconds) < meters * 1_000
    }

    /// Returns whether a fix may be an outlier of a driving car: it is far off
    /// (``isFarOff(_:rules:)``), and the car would have reached it only at more than twice its
    /// speed.
    ///
    /// For nearly all fixes the difference of the angles decides, without measuring.
    @inline(__always)
    mutating func leavesLine(_ fix: Fix, rules: TrackingRules) -> Bool {
        let north = abs(fix.coordinate.latitude - last.latitude)
        let east = abs(fix.coordinate.longitude - last.longitude)
        guard north > Self.shortestJumpDegrees || east > Self.shortestJumpDegrees,
            lastPace >= Self.drivenPace
        else { return false }
        let elapsed = Double(fix.occurredAt.milliseconds(since: lastAt))
        // A degree of latitude is at most 111.7 km, one of longitude 111.4.
        let most = (north + east) * 111_700
        guard most * 1_000 > Self.pacesOfJump * lastPace * elapsed else { return false }
        let meters = metric.geodesicMeters(from: last, to: fix.coordinate)
        return meters * 1_000 > Self.pacesOfJump * lastPace * elapsed
            && isFarOff(fix, rules: rules)
    }

    /// Returns whether fixes lie beside the line on which a car drives from the last kept fix to
    /// `fix`: leaving them out shortens the way by more than their offset from the line, and the
    /// car goes on about as fast as it came.
    func isOnLine(_ fix: Fix, leavingOut spikes: [PendingFix]) -> Bool {
        var metric = metric
        let places = [last] + spikes.map(\.fix.coordinate) + [fix.coordinate]
        let across = metric.geodesicMeters(from: last, to: fix.coordinate)
        var way = 0.0
        var offset = 0.0
        for (place, next) in zip(places, places.dropFirst()) {
            way += metric.geodesicMeters(from: place, to: next)
        }
        for spike in spikes {
            let before = metric.geodesicMeters(from: last, to: spike.fix.coordinate)
            let after = metric.geodesicMeters(from: spike.fix.coordinate, to: fix.coordinate)
            // Heron's formula: the height of the triangle.
            let half = (before + after + across) / 2
            let area = max(0, half * (half - before) * (half - after) * (half - across))
            offset = max(offset, across > 1 ? 2 * area.squareRoot() / across : before)
        }
        let elapsed = Double(fix.occurredAt.milliseconds(since: lastAt))
        let pace = across * 1_000 / max(1, elapsed)
        return way - across > offset && pace <= Self.pacesOfJump * lastPace
            && Self.pacesOfJump * pace >= lastPace
    }

    /// Goes on at a fix that is impossibly far from the last kept one, but right (rule 4): the jump
    /// is a gap.
    mutating func reanchor(at fix: Fix, gapLimit: inout GapLimit) -> Judgement {
        let judgement = Judgement(
            verdict: .afterGap,
            gap: metric.distance(from: last, to: fix.coordinate),
            elapsedMilliseconds: fix.occurredAt.milliseconds(since: lastAt)
        )
        gapLimit.record(judgement.elapsedMilliseconds)
        keep(fix, movingAnchor: true)
        lastPace = 0
        return judgement
    }

    /// Goes on from a kept fix.
    @inline(__always)
    private mutating func keep(_ fix: Fix, movingAnchor: Bool) {
        last = fix.coordinate
        lastAt = fix.occurredAt
        lastSpeed = fix.speedMetersPerSecond ?? -1
        if movingAnchor {
            anchor = fix.coordinate
        }
    }
}

/// Fixes that are impossibly far from the last kept one: if enough of them agree with each other,
/// it was the kept one that was wrong, or the way between was missed.
struct ReanchorRun: Hashable, Sendable {
    /// The fixes, each of which agrees with the one before it; all but the first are later than the
    /// one before, so that there is at most one per millisecond of `reanchorMilliseconds`.
    var fixes: [PendingFix] = []

    /// Takes the next impossible fix.
    ///
    /// - Returns: the fixes that it proves wrong by not agreeing with them.
    mutating func extend(with next: PendingFix, rules: TrackingRules) -> [PendingFix] {
        guard let last = fixes.last, !rules.agree(last.fix, next.fix) else {
            fixes.append(next)
            return []
        }
        let disproved = fixes
        fixes = [next]
        return disproved
    }

    /// Returns whether the fixes are many enough and span long enough to count.
    func isConvincing(rules: TrackingRules) -> Bool {
        guard let first = fixes.first, let last = fixes.last else { return false }
        return fixes.count >= rules.reanchorFixes
            && last.fix.occurredAt.milliseconds(since: first.fix.occurredAt)
                >= rules.reanchorMilliseconds
    }

    /// Empties the run and returns its fixes.
    mutating func takeFixes() -> [PendingFix] {
        defer { fixes = [] }
        return fixes
    }
}

/// A fix whose verdict depends on the fixes after it.
struct PendingFix: Hashable, Sendable {
    var fix: Fix

    /// Where it stands in the log, for the journal.
    var position: UInt64
}

extension FixFilter {
    /// Writes the filter.
    func write(to writer: inout RowEncoder) {
        writer.write(anchor)
        writer.write(last)
        writer.write(lastAt)
        writer.write(lastSpeed)
        writer.write(lastPace)
    }

    /// Reads a filter.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        self.init(
            anchor: try reader.readCoordinate(),
            last: try reader.readCoordinate(),
            lastAt: try reader.readTimestamp(),
            lastSpeed: try reader.readDouble(),
            lastPace: try reader.readDouble()
        )
    }
}

extension RowEncoder {
    /// Writes fixes that wait.
    mutating func write(_ fixes: [PendingFix]) {
        write(UInt64(fixes.count))
        for fix in fixes { fix.write(to: &self) }
    }
}

extension RowDecoder {
    /// Reads fixes that wait.
    mutating func readPendingFixes() throws(RowCodingError) -> [PendingFix] {
        var fixes: [PendingFix] = []
        for _ in 0..<(try readUInt64()) { fixes.append(try PendingFix(from: &self)) }
        return fixes
    }
}

extension PendingFix {
    func write(to writer: inout RowEncoder) {
        writer.write(fix)
        writer.write(position)
    }

    init(from reader: inout RowDecoder) throws(RowCodingError) {
        fix = try reader.readFix()
        position = try reader.readUInt64()
    }
}
