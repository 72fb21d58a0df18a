import LMDB
import Testing

@Suite struct MonitorTests {
    /// What threads count together, which only the monitor keeps from being wrong.
    // @unchecked because the monitor guards the number.
    private final class Count: @unchecked Sendable {
        let monitor = Monitor()
        var number = 0
    }

    @Test func `one thread at a time is inside`() throws {
        let count = Count()
        let works = try (0..<4)
            .map { _ in
                try #require(
                    ThreadedWork {
                        for _ in 0..<10_000 { count.monitor.locked { count.number += 1 } }
                    }
                )
            }
        for work in works { work.end() }
        #expect(count.number == 40_000)
    }

    @Test(.timeLimit(.minutes(1))) func `two threads that wait for each other take turns`() throws {
        let count = Count()
        let turns = 1_000
        let other = try #require(
            ThreadedWork {
                for turn in 0..<turns {
                    count.monitor.locked {
                        while count.number != 2 * turn + 1 { count.monitor.wait() }
                        count.number += 1
                        count.monitor.notify()
                    }
                }
            }
        )
        for turn in 0..<turns {
            count.monitor.locked {
                while count.number != 2 * turn { count.monitor.wait() }
                count.number += 1
                count.monitor.notify()
            }
        }
        other.end()
        #expect(count.number == 2 * turns)
    }
}
