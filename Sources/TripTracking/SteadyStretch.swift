import Geodesy
import TripEvents

/// What fixes change of a trip that goes on as it went: moving, or resting where it is.
///
/// It is a copy of that little, for what belongs to a trip as a whole cannot be kept at hand while
/// one fix comes after the other.
struct SteadyStretch {
    /// Whether the trip rests.
    private let isResting: Bool

    private let isPressed: Bool

    /// Where the trip has not moved from, and where it may be parked.
    private(set) var movement: Stay
    private(set) var parking: Stay

    /// How far the trip has got, gaps included.
    private var travelled: Distance

    /// Judges the fixes.
    private(set) var filter: FixFilter
    private(set) var ruler: Ruler

    /// The trip's figures, of which fixes that are only accepted or jitter change these.
    private(set) var accepted: Int64
    private(set) var jitter: Int64
    private(set) var distance: Distance
    private(set) var movingMilliseconds: Int64
    private(set) var maximumSpeedMetersPerSecond: Double
    private(set) var recorded: Trip.Recorded

    /// Begins where a trip is, or returns `nil` if its next fix may mean more than usual.
    init?(_ open: OpenTrip) {
        guard let filter = open.filter, open.stationarySince == nil, open.recoveringSince == nil,
            !open.division.isPending, open.run.fixes.isEmpty
        else { return nil }
        self.filter = filter
        isResting = open.pace.isResting
        isPressed = open.isPressed
        movement = open.movement
        parking = open.parking
        ruler = open.ruler
        travelled = open.trip.distance + open.trip.gaps.distance
        accepted = open.trip.fixes.accepted
        jitter = open.trip.fixes.jitter
        distance = open.trip.distance
        movingMilliseconds = open.trip.movingMilliseconds
        maximumSpeedMetersPerSecond = open.trip.maximumSpeedMetersPerSecond
        recorded = open.trip.recorded
    }

    /// Takes a fix that comes so soon after the last kept one that nothing ends and no gap is
    /// possible, and that leaves the trip moving or resting.
    ///
    /// - Parameters:
    ///   - next: the fix.
    ///   - step: its way from the last kept fix, if that has been measured.
    ///   - rules: the rules of the trip.
    /// - Returns: whether it was one; if not, nothing has changed.
    @inline(__always)
    mutating func took(_ next: RecordedFix, step: Distance?, rules: TrackingRules) -> Bool {
        guard isInTime(next.fix, rules: rules), FixFilter.flaw(of: next.fix, rules: rules) == nil
        else { return false }
        let judgement = filter.judgement(of: next.fix, step: step, rules: rules) { _ in false }
        switch judgement.verdict {
        case .accepted:
            let isDriving =
                judgement.speedMetersPerSecond >= rules.drivingSpeedMetersPerSecond
            guard isDriving != isResting else { return false }
            let travelled = travelled + judgement.added
            if isResting {
                // If it has left the place after all, it moves.
                guard travelled < movement.safeUntil, isPressed || travelled < parking.safeUntil
                else { return false }
            } else {
                leaveStays(by: next.fix, travelled: travelled, rules: rules)
            }
            self.travelled = travelled
            accepted += 1
            distance += judgement.added
            movingMilliseconds += judgement.elapsedMilliseconds
            maximumSpeedMetersPerSecond = max(
                maximumSpeedMetersPerSecond,
                judgement.speedMetersPerSecond
            )
            filter.keep(next.fix, movingAnchor: true)
        case .jitter:
            guard isResting else { return false }
            jitter += 1
            filter.keep(next.fix, movingAnchor: false)
        case .afterGap, .poorAccuracy, .stale, .impossibleSpeed, .nullCoordinate, .mock:
            return false
        }
        recorded.include(next.recordedAt)
        return true
    }

    /// Returns whether a fix comes so soon that neither it nor the time before it can end the trip
    /// or be a gap.
    @inline(__always)
    private func isInTime(_ fix: Fix, rules: TrackingRules) -> Bool {
        let silence = fix.occurredAt.milliseconds(since: filter.lastAt)
        return silence <= rules.minimumGapMilliseconds
            && silence <= TrackingRules.shortestWaitMilliseconds
            && fix.occurredAt.milliseconds(since: movement.since) < rules.noMovementMilliseconds
            && (isPressed
                || fix.occurredAt.milliseconds(since: parking.since) < rules.parkedMilliseconds)
    }

    /// Takes note of the places that a fix has left.
    @inline(__always)
    private mutating func leaveStays(
        by fix: Fix,
        travelled: Distance,
        rules: TrackingRules
    ) {
        _ = movement.isLeft(
            by: fix,
            travelled: travelled,
            radius: rules.movementRadius,
            ruler: &ruler
        )
        guard !isPressed else { return }
        _ = parking.isLeft(
            by: fix,
            travelled: travelled,
            radius: rules.parkedRadius,
            ruler: &ruler
        )
    }
}
