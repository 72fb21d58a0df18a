import Foundation

/// The time that the processor spends on a thread, which other programs do not make longer.
public enum ThreadTime {
    /// Does something on this thread, and returns how long the processor was at it.
    public static func spent(on work: () throws -> Void) rethrows -> Duration {
        let start = now
        try work()
        return now - start
    }

    private static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
