import Foundation
import LMDB
import Synchronization
import Testing

@Suite struct WriteTransactionTests {
    struct Abandoned: Error {}

    let playground: Playground
    let environment: Environment

    init() throws {
        playground = try Playground()
        environment = try playground.newEnvironment()
    }

    @Test func `a body that throws leaves nothing`() throws {
        let table = try environment.store([1], [1])
        #expect(throws: Abandoned.self) {
            try environment.write { transaction in
                try transaction.put(table, [1], [2], append: false)
                try transaction.put(table, [2], [2], append: false)
                throw Abandoned()
            }
        }
        #expect(try environment.value(table, [1]) == [1])
        #expect(try environment.value(table, [2]) == nil)
    }

    @Test func `a transaction reads what it wrote`() throws {
        let table = try environment.store([1], [1])
        let values = try environment.write { transaction in
            try transaction.put(table, [1], [5], append: false)
            let first =
                if let value = try transaction.get(table, [1]) { value[0] } else { UInt8(0) }
            let wasThere = try transaction.delete(table, [1])
            let isThere = try transaction.delete(table, [1])
            let isGone = if try transaction.get(table, [1]) == nil { true } else { false }
            return (first, wasThere, isThere, isGone)
        }
        #expect(values == (5, true, false, true))
    }

    @Test(arguments: [0, 512])
    func `a key that is empty or too long is refused`(length: Int) {
        let key = [UInt8](repeating: 1, count: length)
        #expect(code { try environment.store(key, [1]) } == .badValueSize)
    }

    @Test func `the longest key and an empty value are kept`() throws {
        let key = [UInt8](repeating: 1, count: 511)
        let table = try environment.store(key, [])
        #expect(try environment.value(table, key) == [])
    }

    @Test func `appending a key that is not the last is refused`() throws {
        let table = try environment.store([2], [1])
        let refusal = code {
            try environment.write { try $0.put(table, [1], [1], append: true) }
        }
        #expect(refusal == .keyExists)
        try environment.write { try $0.put(table, [3], [1], append: true) }
        #expect(try environment.value(table, [3]) == [1])
    }

    @Test func `no more tables than the options say can be open`() {
        let refusal = code {
            try environment.write { transaction in
                for name in ["a", "b", "c", "d", "e"] { _ = try transaction.createTable(name) }
            }
        }
        #expect(refusal == .tablesFull)
    }

    @Test func `writes of several threads happen one after the other`() throws {
        let table = try environment.store([0], [0])
        DispatchQueue.concurrentPerform(iterations: 100) { _ in
            try? environment.write { transaction in
                let count =
                    if let value = try transaction.get(table, [0]) { value[0] } else { UInt8(0) }
                try transaction.put(table, [0], [count + 1], append: false)
            }
        }
        #expect(try environment.value(table, [0]) == [100])
    }

    @Test func `a write in a write is a programming error, not a hang`() async {
        await #expect(processExitsWith: .failure) {
            let environment = try Playground().newEnvironment()
            try environment.write { _ in try environment.write { _ in } }
        }
    }

    @Test func `a write in a read is a programming error, not a hang`() async {
        await #expect(processExitsWith: .failure) {
            let environment = try Playground().newEnvironment()
            try environment.read { _ in try environment.write { _ in } }
        }
    }

    @Test func `a table of another environment is a programming error`() async {
        await #expect(processExitsWith: .failure) {
            let other = try Playground()
            let table = try other.newEnvironment().store([1], [1])
            let environment = try Playground().newEnvironment()
            _ = try environment.value(table, [1])
        }
    }

    @Test func `a writer killed in its transaction leaves nothing and does not block`() async throws
    {
        try environment.store([1], [1])
        environment.close()
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = playground.pathText as String] in
            let environment = try Playground.environment(at: path)
            try environment.write { transaction in
                let table = try transaction.createTable("blocks")
                try transaction.put(table, [2], [2], append: false)
                kill(getpid(), SIGKILL)
            }
        }
        let again = try Environment(at: playground.path, options: .small)
        let blocks = try again.store([3], [3])
        #expect(try again.value(blocks, [2]) == nil)
        #expect(try again.value(blocks, [1]) == [1])
    }
}
