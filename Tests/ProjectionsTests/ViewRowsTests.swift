import Projections
import ProjectorTestSupport
import Testing

@Suite struct ViewRowsTests {
    @Test func `rows are found by key and listed by order key`() throws {
        var rows = ViewRows()
        try rows.put([1], key: [10], orderKey: [3])
        try rows.put([2], key: [11], orderKey: [1, 0])
        try rows.put([3], key: [12], orderKey: [1])
        #expect(try rows.value(forKey: [11]) == [2])
        #expect(try rows.value(forKey: [13]) == nil)
        #expect(rows.inOrder.added.map(\.value) == [[3], [2], [1]])
    }

    @Test func `a row that is put again moves`() throws {
        var rows = ViewRows()
        try rows.put([1], key: [10], orderKey: [3])
        try rows.put([2], key: [11], orderKey: [4])
        try rows.put([9], key: [10], orderKey: [5])
        #expect(
            rows.inOrder.added == [
                KeyedRow(key: [4], value: [2]), KeyedRow(key: [5], value: [9]),
            ]
        )
        #expect(try rows.value(forKey: [10]) == [9])
    }

    @Test func `a removed row is gone, and removing it again changes nothing`() throws {
        var rows = ViewRows()
        try rows.put([1], key: [10], orderKey: [3])
        try rows.remove(key: [10])
        try rows.remove(key: [10])
        #expect(rows == ViewRows())
    }
}
