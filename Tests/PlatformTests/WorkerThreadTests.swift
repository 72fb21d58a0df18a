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
