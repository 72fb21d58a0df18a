package import CivilTime
import Glibc

/// The machine's clock: the only place that asks what time it is.
package enum WallClock {
    /// The present, to the millisecond.
    package static var now: Timestamp {
        var time = timespec()
        // The structure lives as long as the call.
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(
            milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
        )
    }

    /// Returns how far the machine's local time is from UTC at an instant.
    ///
    /// The corresponding C function is `localtime_r`.
    package static func utcOffset(at instant: Timestamp) -> UTCOffset? {
        var seconds = time_t(instant.milliseconds / 1_000)
        // Both structures live as long as the call, and the name of the zone is not looked at.
        var local = unsafe tm()
        guard unsafe localtime_r(&seconds, &local) != nil else { return nil }
        return UTCOffset(minutes: unsafe local.tm_gmtoff / 60)
    }

    /// Lets time pass.
    ///
    /// The corresponding C function is `usleep`.
    package static func pause(milliseconds: UInt32) {
        // Woken early by a signal, it only looks around sooner.
        usleep(milliseconds * 1_000)
    }
}
