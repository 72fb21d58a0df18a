import Geodesy
import TripEvents

extension TrackingRules {
    /// No silence shorter than this ends a trip, whatever the rules; in milliseconds.
    static let shortestWaitMilliseconds: Int64 = 60_000

    /// Returns whether something can get `distance` far in `milliseconds` (rule 4).
    ///
    /// Millimetres per millisecond are metres per second.
    @inline(__always)
    func allows(_ distance: Distance, inMilliseconds milliseconds: Int64) -> Bool {
        Double(distance.millimeters) <= maximumSpeedMetersPerSecond * Double(milliseconds)
    }

    /// Returns whether getting `distance` far in `milliseconds` takes a car.
    func isDriving(_ distance: Distance, inMilliseconds milliseconds: Int64) -> Bool {
        Double(distance.millimeters) >= drivingSpeedMetersPerSecond * Double(milliseconds)
    }

    /// Returns whether one thing can have been at both fixes, `earlier` first.
    func agree(_ earlier: Fix, _ later: Fix) -> Bool {
        allows(
            earlier.coordinate.distance(to: later.coordinate),
            inMilliseconds: later.occurredAt.milliseconds(since: earlier.occurredAt)
        )
    }

    /// Returns whether `fix`, which came `step` in `milliseconds`, is slow enough to be jitter
    /// (rule 5): by its reported speed if that is known and plausible, else by the implied one.
    @inline(__always)
    func isSlow(_ fix: Fix, after step: Distance, inMilliseconds milliseconds: Int64) -> Bool {
        if let reported = plausibleSpeed(of: fix) {
            return reported < jitterSpeedMetersPerSecond
        }
        return Double(step.millimeters) < jitterSpeedMetersPerSecond * Double(milliseconds)
    }

    /// Returns the speed in metres per second at `fix`, which came `step` in `milliseconds`: the
    /// reported one if that is known and plausible, else the implied one.
    @inline(__always)
    func speed(at fix: Fix, after step: Distance, inMilliseconds milliseconds: Int64) -> Double {
        plausibleSpeed(of: fix) ?? Double(step.millimeters) / Double(milliseconds)
    }

    @inline(__always)
    private func plausibleSpeed(of fix: Fix) -> Double? {
        guard let reported = fix.speedMetersPerSecond, reported <= maximumSpeedMetersPerSecond
        else { return nil }
        return reported
    }
}
