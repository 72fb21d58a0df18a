import Glibc
import Platform
import Synchronization
import Testing

@Suite struct WorkerThreadTests {
    @Test func `work is done on another thread and hands over what it came to`() throws {
        let own = UInt(pthread_self())
        let work = try #require(WorkerThread { UInt(pthread_self()) })
        #expect(work.join() != own)
    }

    @Test func `work that nobody waits for has ended when it is forgotten`() throws {
        let steps = Atomic(0)
        try withExtendedLifetime(steps) {
            var work = WorkerThread {
                for _ in 0..<100_000 { steps.add(1, ordering: .relaxed) }
            }
            try #require(work != nil)
            work = nil
            #expect(steps.load(ordering: .relaxed) == 100_000)
        }
    }
}

@Suite struct ConditionLockTests {
    /// A number that threads count together, and that only the lock keeps right.
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

    @Test(.timeLimit(.minutes(10))) func `two threads that wait for each other take turns`() throws
    {
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
