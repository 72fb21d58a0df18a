import Foundation
import LMDB
import Testing

@Suite struct ReadTransactionTests {
    let playground: Playground
    let environment: Environment

    init() throws {
        playground = try Playground()
        environment = try playground.newEnvironment()
    }

    @Test func `a reader keeps its snapshot while others write`() throws {
        let table = try environment.store([1], [1])
        let before = try environment.read { transaction in
            let isWritten = DispatchSemaphore(value: 0)
            let writer = Thread { [environment] in
                try? environment.write { try $0.put(table, [1], [2], append: false) }
                isWritten.signal()
            }
            writer.start()
            isWritten.wait()
            return if let value = try transaction.get(table, [1]) { value[0] } else { UInt8(0) }
        }
        #expect(before == 1)
        #expect(try environment.value(table, [1]) == [2])
    }

    @Test(arguments: [0, 512, 100_000])
    func `a key that cannot be stored is not there`(length: Int) throws {
        let table = try environment.store([1], [1])
        let key = [UInt8](repeating: 1, count: length)
        #expect(try environment.value(table, key) == nil)
        #expect(try environment.write { if try $0.get(table, key) == nil { true } else { false } })
    }

    @Test func `reads may be nested and are counted`() throws {
        let inUse = try environment.read { _ in
            try environment.read { _ in try environment.statistics.readersInUse }
        }
        #expect(inUse == 2)
        #expect(try environment.statistics.readersInUse == 0)
    }

    @Test func `more readers than slots are refused until one ends`() throws {
        func nest(_ depth: Int) throws {
            if depth > 0 { try environment.read { _ in try nest(depth - 1) } }
        }
        let slots = try environment.statistics.maximumReaders
        #expect(code { try nest(slots + 1) } == .readersFull)
        #expect(code { try nest(slots) } == nil)
    }

    @Test func `the slots of killed readers are freed`() async throws {
        try environment.store([1], [1])
        for _ in 0..<2 {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = playground.pathText as String] in
                let environment = try Playground.environment(at: path)
                try environment.read { _ in
                    try environment.read { _ in _ = kill(getpid(), SIGKILL) }
                }
            }
        }
        // The second child freed the slots of the first when it opened the environment.
        #expect(try environment.statistics.readersInUse == 2)
        #expect(try environment.checkReaders() == 2)
        #expect(try environment.statistics.readersInUse == 0)
    }

    @Test func `killed readers do not keep a live one out`() async throws {
        try environment.store([1], [1])
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = playground.pathText as String] in
            let environment = try Playground.environment(at: path)
            func nest(_ depth: Int) throws {
                if depth == 0 { kill(getpid(), SIGKILL) }
                try environment.read { _ in try nest(depth - 1) }
            }
            try nest(environment.statistics.maximumReaders)
        }
        let figures = try environment.statistics
        #expect(figures.readersInUse == figures.maximumReaders)
        #expect(code { try environment.read { _ in } } == nil)
    }

    @Test func `closing inside of a read is a programming error, not a crash of the reader`() async
    {
        await #expect(processExitsWith: .failure) {
            let environment = try Playground().newEnvironment()
            try environment.read { _ in environment.close() }
        }
    }
}
