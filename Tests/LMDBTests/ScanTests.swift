import LMDB
import Testing

@Suite struct ScanTests {
    let playground: Playground
    let environment: Environment
    let table: Table

    init() throws {
        playground = try Playground()
        environment = try playground.newEnvironment()
        table = try environment.write { transaction in
            let table = try transaction.createTable("blocks")
            for number in 0..<500 {
                let value = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 4_080)
                try transaction.put(table, [UInt8](key: number), value, append: true)
            }
            return table
        }
    }

    @Test(arguments: [1, 5_000, 100_000, 16 << 20])
    func `a scan hands over every entry once, however often it renews`(
        renewalBytes: Int
    ) throws {
        var keys: [[UInt8]] = []
        var isSound = true
        try environment.scan(
            table,
            from: [],
            everyBytes: renewalBytes
        ) { key, value in
            isSound = isSound && value.count == 4_080 && value[17] == key[7]
            keys.append([UInt8](key))
            return true
        }
        #expect(isSound)
        #expect(keys == (0..<500).map { [UInt8](key: $0) })
    }

    @Test func `a scan begins and stops where it is told`() throws {
        var keys: [UInt8] = []
        try environment.scan(table, from: [UInt8](key: 7)) { key, _ in
            keys.append(key[7])
            return keys.count < 3
        }
        #expect(keys == [7, 8, 9])
        try environment.scan(table, from: [UInt8](key: 500)) { _, _ in
            Issue.record("There is nothing after the last key.")
            return true
        }
    }

    @Test func `a scan lets a writer enlarge the map between two snapshots`() throws {
        var count = 0
        try environment.scan(table, from: [], everyBytes: 1) { _, _ in
            count += 1
            return true
        }
        #expect(count == 500)
        #expect(try environment.statistics.readersInUse == 0)
    }
}
