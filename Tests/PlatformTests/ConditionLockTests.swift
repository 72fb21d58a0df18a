import Platform
import Testing

@Suite struct ConditionLockTests {
    /// What threads count together, which only the lock keeps from being wrong.
    // @unchecked because the lock guards the number.
    private final class Count: @unchecked Sendable {
        let lock = ConditionLock()
        var number = 0
    }

    @Test func `one thread at a time is inside`() throws {
        let count = Count()
        let works = try (0..<4)
            .map { _ in
                try #require(
                    WorkerThread {
                        for _ in 0..<10_000 { count.lock.withLock { count.number += 1 } }
                    }
                )
            }
        for work in works { work.join() }
        #expect(count.number == 40_000)
    }

    @Test(.timeLimit(.minutes(1))) func `two threads that wait for each other take turns`() throws {
        let count = Count()
        let turns = 1_000
        let other = try #require(
            WorkerThread {
                for turn in 0..<turns {
                    count.lock.withLock {
                        while count.number != 2 * turn + 1 { count.lock.wait() }
                        count.number += 1
                        count.lock.broadcast()
                    }
                }
            }
        )
        for turn in 0..<turns {
            count.lock.withLock {
                while count.number != 2 * turn { count.lock.wait() }
                count.number += 1
                count.lock.broadcast()
            }
        }
        other.join()
        #expect(count.number == 2 * turns)
    }
}
