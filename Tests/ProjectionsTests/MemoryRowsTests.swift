import Projections
import Testing

@Suite struct MemoryRowsTests {
    @Test func `rows are found by key and listed by order key`() {
        var rows = MemoryRows()
        rows.put([1], key: [10], orderKey: [3])
        rows.put([2], key: [11], orderKey: [1, 0])
        rows.put([3], key: [12], orderKey: [1])
        #expect(rows.value(forKey: [11]) == [2])
        #expect(rows.value(forKey: [13]) == nil)
        #expect(rows.inOrder.map(\.value) == [[3], [2], [1]])
    }

    @Test func `a row that is put again moves`() {
        var rows = MemoryRows()
        rows.put([1], key: [10], orderKey: [3])
        rows.put([2], key: [11], orderKey: [4])
        rows.put([9], key: [10], orderKey: [5])
        #expect(
            rows.inOrder == [
                StoredRow(key: [11], orderKey: [4], value: [2]),
                StoredRow(key: [10], orderKey: [5], value: [9]),
            ]
        )
    }

    @Test func `a removed row is gone, and removing it again changes nothing`() {
        var rows = MemoryRows()
        rows.put([1], key: [10], orderKey: [3])
        rows.remove(key: [10])
        rows.remove(key: [10])
        #expect(rows == MemoryRows())
    }
}
