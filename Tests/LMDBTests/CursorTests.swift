import DriveSimulation
import LMDB
import TestSupport
import Testing

@Suite struct CursorTests {
    let playground: Playground
    let environment: Environment

    init() throws {
        playground = try Playground()
        environment = try playground.newEnvironment()
    }

    @Test func `a cursor walks both ways and stops at the ends`() throws {
        let table = try environment.write { transaction in
            let table = try transaction.createTable("blocks")
            for key: UInt8 in [30, 10, 20] {
                try transaction.put(table, [key], [key + 1], append: false)
            }
            return table
        }
        let walk = try environment.read { transaction in
            var keys: [UInt8] = []
            var cursor = try transaction.cursor(table)
            while try cursor.next() { keys.append(cursor.key[0]) }
            while try cursor.previous() { keys.append(cursor.key[0]) }
            _ = try cursor.first()
            keys.append(cursor.value[0])
            _ = try cursor.last()
            keys.append(cursor.value[0])
            return (keys, try cursor.next(), cursor.isPositioned)
        }
        #expect(walk == ([10, 20, 30, 20, 10, 11, 31], false, false))
    }

    @Test func `an empty table has no entry to stand on`() throws {
        let table = try environment.write { try $0.createTable("blocks") }
        let found = try environment.read { transaction in
            var cursor = try transaction.cursor(table)
            return [
                try cursor.first(), try cursor.last(), try cursor.next(), try cursor.previous(),
                try cursor.seek(toKeyAtOrAfter: [1]),
            ]
        }
        #expect(found == [false, false, false, false, false])
    }

    @Test(arguments: Seeds.fresh(20))
    func `seeking finds the first key not below`(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let keys = Set((0..<100).map { _ in Int.random(in: 0..<1_000, using: &generator) }).sorted()
        let table = try environment.write { transaction in
            let table = try transaction.createTable("blocks")
            for key in keys {
                try transaction.put(table, [UInt8](key: key), [], append: true)
            }
            return table
        }
        for wanted in (0..<50).map({ _ in Int.random(in: 0..<1_010, using: &generator) }) {
            let found = try environment.read { transaction -> [UInt8]? in
                var cursor = try transaction.cursor(table)
                guard try cursor.seek(toKeyAtOrAfter: [UInt8](key: wanted)) else { return nil }
                return [UInt8](cursor.key)
            }
            let expected = keys.first { $0 >= wanted }.map { [UInt8](key: $0) }
            #expect(found == expected, "seed \(seed), key \(wanted)")
        }
    }

    @Test func `a cursor of a write sees its changes`() throws {
        let keys = try environment.write { transaction in
            let table = try transaction.createTable("blocks")
            try transaction.put(table, [1], [1], append: false)
            var keys: [UInt8] = []
            do {
                var cursor = try transaction.cursor(table)
                while try cursor.next() { keys.append(cursor.key[0]) }
            }
            try transaction.put(table, [2], [1], append: false)
            var cursor = try transaction.cursor(table)
            while try cursor.next() { keys.append(cursor.key[0]) }
            return keys
        }
        #expect(keys == [1, 1, 2])
    }

    @Test func `what a cursor lent outlives its next step`() throws {
        let table = try environment.store([1], [1])
        try environment.store([2], [2])
        let sum = try environment.read { transaction in
            var cursor = try transaction.cursor(table)
            _ = try cursor.first()
            let first = cursor.value
            _ = try cursor.next()
            return first[0] * 10 + cursor.value[0]
        }
        #expect(sum == 12)
    }

    @Test func `asking a cursor that stands nowhere is a programming error`() async {
        await #expect(processExitsWith: .failure) {
            let environment = try Playground().newEnvironment()
            let table = try environment.store([1], [1])
            try environment.read { transaction in
                let cursor = try transaction.cursor(table)
                _ = cursor.key.count
            }
        }
    }
}
