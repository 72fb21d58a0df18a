import Foundation
import LMDB
import Synchronization
import Testing

@Suite struct MapGrowthTests {
    let playground: Playground
    let environment: Environment

    init() throws {
        playground = try Playground()
        environment = try playground.newEnvironment()
    }

    @Test func `one transaction may need many times the map`() throws {
        let before = try environment.statistics.mapBytes
        var attempts = 0
        let table = try environment.write { transaction in
            attempts += 1
            let table = try transaction.createTable("blocks")
            for number in 0..<500 {
                let value = [UInt8](repeating: 1, count: 4_080)
                try transaction.put(table, [UInt8](key: number), value, append: true)
            }
            return table
        }
        #expect(attempts > 4)
        #expect(try environment.statistics.mapBytes >= 32 * before)
        #expect(try environment.read { try $0.entryCount(table) } == 500)
    }

    @Test func `a last page that cannot be is damage, not a map that grew`() throws {
        let table = try environment.store([1], [7])
        // The highest byte of the last page's number, in both meta pages.
        for offset in [143, 4_096 + 143] {
            try playground.overwrite(playground.dataPath, at: Int64(offset), with: [8])
        }
        #expect(code { try environment.store([2], [8]) } == .pageNotFound)
        #expect(code { _ = try environment.read { try $0.entryCount(table) } } == .pageNotFound)
    }

    @Test func `a body that swallows the full map is run again all the same`() throws {
        let table = try environment.write { transaction in
            let table = try transaction.createTable("blocks")
            try? transaction.put(table, [1], [UInt8](repeating: 1, count: 1 << 20), append: false)
            return table
        }
        #expect(try environment.value(table, [1])?.count == 1 << 20)
    }

    @Test func `the map waits for a reader of another thread before it moves`() throws {
        let table = try environment.store([1], [7])
        let hasRead = Mutex(false)
        let isReading = DispatchSemaphore(value: 0)
        let reader = Thread { [environment] in
            try? environment.read { transaction in
                guard let value = try transaction.get(table, [1]) else { return }
                isReading.signal()
                // Long enough for the writer to come to the point where it must wait.
                let begin = ContinuousClock.now
                while ContinuousClock.now - begin < .milliseconds(50) { sched_yield() }
                hasRead.withLock { $0 = value[0] == 7 }
            }
        }
        reader.start()
        isReading.wait()
        try environment.store([2], [UInt8](repeating: 1, count: 1 << 20))
        #expect(hasRead.withLock { $0 })
    }

    @Test func `readers and a growing writer of several threads do not disturb each other`() throws
    {
        let table = try environment.store([UInt8](key: 0), [0])
        let failures = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 4) { worker in
            do {
                for number in 0..<100 {
                    if worker == 0 {
                        let value = [UInt8](repeating: UInt8(number), count: 20_000)
                        try environment.store([UInt8](key: number + 1), value)
                    } else {
                        _ = try environment.read { transaction in
                            var cursor = try transaction.cursor(table)
                            while try cursor.next() {
                                let value = cursor.value
                                if value.count > 1, value[0] != value[19_999] {
                                    failures.withLock { $0 += 1 }
                                }
                            }
                        }
                    }
                }
            } catch {
                failures.withLock { $0 += 1 }
            }
        }
        #expect(failures.withLock { $0 } == 0)
        #expect(try environment.read { try $0.entryCount(table) } == 101)
    }

    @Test func `growth by another process is taken over`() async throws {
        let table = try environment.store([1], [1])
        await #expect(processExitsWith: .success) { [path = playground.pathText as String] in
            let environment = try Playground.environment(at: path)
            try environment.store([2], [UInt8](repeating: 2, count: 4 << 20))
        }
        #expect(try environment.value(table, [2])?.count == 4 << 20)
        try environment.store([3], [3])
        #expect(try environment.value(table, [3]) == [3])
    }
}
