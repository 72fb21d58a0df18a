import Glibc
public import TripEvents

/// The machine's clock: the only place that asks what time it is.
public enum WallClock {
    /// The present, to the millisecond.
    public static var now: Timestamp {
        var time = timespec()
        // The structure lives as long as the call.
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(
            milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
        )
    }
}
