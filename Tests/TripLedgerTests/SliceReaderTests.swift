import DriveSimulation
import LedgerTestSupport
import Testing

@testable import TripLedger

@Suite struct SliceReaderTests {
    private struct Interruption: Error {}

    private static let table = ViewTable.tripsInOrder

    /// Returns views with so many rows, whose values are their keys.
    private func store(
        _ count: Int,
        _ random: inout SplitMix64
    ) throws -> (store: ViewStore, keys: [[UInt8]]) {
        // Few starts, so that many keys differ only behind them.
        let starts = 1 << UInt64.random(in: 1...40, using: &random)
        var keys: Set<[UInt8]> = []
        while keys.count < count {
            let start = UInt64.random(in: 0..<UInt64(starts), using: &random) + 1 << 62
            keys.insert(Self.bytes(start) + Self.bytes(.random(in: 0 ... .max, using: &random)))
        }
        let store = try ViewStore.createPassing()
        var buffer = ViewBuffer(Self.table, over: nil)
        for key in keys { buffer.put(key, key) }
        try store.commit([buffer])
        return (store, keys.sorted { $0.lexicographicallyPrecedes($1) })
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (1...8).map { UInt8(truncatingIfNeeded: number >> UInt64(64 - 8 * $0)) }
    }

    private func reader(_ store: ViewStore) -> SliceReader<[[UInt8]]> {
        SliceReader(store, Self.table, []) { value, rows in rows.append(value) }
    }

    @Test(arguments: [0, 1, 511, 1_024, 1_600, 6_000], Seeds.fresh(3))
    func `every row of a range is read once and in order`(count: Int, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (store, keys) = try store(count, &random)
        defer { store.close() }
        #expect(try reader(store).parts(in: .all).flatMap(\.self) == keys, "seed \(seed)")
        for _ in 0..<8 {
            let from = keys.randomElement(using: &random)
            let upTo = keys.randomElement(using: &random)?.dropLast(9)
            let range = ViewKeyRange(from: from, upTo: upTo.map { Array($0) })
            let rows = try reader(store).parts(in: range).flatMap(\.self)
            let expected = keys.filter { key in
                !(from.map { key.lexicographicallyPrecedes($0) } ?? false)
                    && (upTo.map { key.lexicographicallyPrecedes($0) } ?? true)
            }
            #expect(rows == expected, "seed \(seed)")
        }
    }

    @Test(arguments: [0, 2_500, 4_999])
    func `what goes wrong with a row is thrown to the one that asked`(number: Int) throws {
        var random = SplitMix64(seed: 1)
        let (store, keys) = try store(5_000, &random)
        defer { store.close() }
        let bad = keys[number]
        let reader = SliceReader(store, Self.table, 0) { value, count in
            if value == bad { throw Interruption() }
            count += 1
        }
        #expect(throws: Interruption.self) { try reader.parts(in: .all) }
    }

    @Test(arguments: Seeds.fresh(20))
    func `slices of a range are the range`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let low = UInt64.random(in: 0 ... .max, using: &random)
        let high = UInt64.random(in: low ... .max, using: &random)
        let range = ViewKeyRange(from: Self.bytes(low), upTo: Self.bytes(high) + [1])
        let slices = range.slices(
            Int.random(in: 1...100, using: &random),
            between: Self.bytes(low) + [3],
            and: Self.bytes(high)
        )
        #expect(slices.first?.from == range.from, "seed \(seed)")
        #expect(slices.last?.upTo == range.upTo, "seed \(seed)")
        for (slice, next) in zip(slices, slices.dropFirst()) {
            #expect(slice.upTo == next.from, "seed \(seed)")
            #expect(slice.upTo != nil, "seed \(seed)")
        }
    }
}
