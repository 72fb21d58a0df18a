import DriveSimulation
import Projections
import TestSupport
import Testing

/// A table of rows reads the same whether its rows are stored or in memory.
@Suite struct RowTableLawTests {
    @Test(arguments: Seeds.fresh(20))
    func `changes over stored rows read as the same rows in memory do`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var stored = RowTable()
        for number in 0..<UInt8(30) { stored.put([number], key: Self.key(using: &random)) }
        var memory = stored
        let base = stored
        let rows = StoredRows {
            try base.value(forKey: $0)
        } scan: { keys, isDescending, body in
            for row in try base.rows(in: keys, isDescending: isDescending)
            where try !body(row.key, row.value) {
                return
            }
        }
        var changed = RowTable(over: rows)
        for number in 30..<UInt8(60) {
            let key = Self.key(using: &random)
            if Bool.random(using: &random) {
                changed.put([number], key: key)
                memory.put([number], key: key)
            } else {
                changed.remove(key: key)
                memory.remove(key: key)
            }
            let found = try changed.value(forKey: key)
            #expect(try found == memory.value(forKey: key), "seed \(seed)")
        }
        for _ in 0..<40 {
            let ends = [Self.key(using: &random), Self.key(using: &random)]
                .sorted { $0.lexicographicallyPrecedes($1) }
            let keys = KeyRange(from: ends[0], upTo: ends[1])
            let isDescending = Bool.random(using: &random)
            let limit = Int.random(in: 1...12, using: &random)
            let found = try changed.rows(in: keys, isDescending: isDescending, limit: limit)
            let expected = try memory.rows(in: keys, isDescending: isDescending, limit: limit)
            #expect(found == expected, "seed \(seed)")
        }
        #expect(try changed.emptied().rows(prefix: [1]) == stored.rows(prefix: [1]))
    }

    private static func key(using random: inout SplitMix64) -> [UInt8] {
        (0..<2).map { _ in UInt8.random(in: 0..<6, using: &random) }
    }
}
