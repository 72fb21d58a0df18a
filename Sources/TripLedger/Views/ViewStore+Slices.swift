import EventStore
import LMDB

extension ViewStore {
    /// Fewer rows are not worth a slice.
    private static let rowsPerSlice = 512

    private static let mostSlices = 1_024

    /// How many rows are read before the pages that they lie in are taken out of the process; they
    /// lie all over the file.
    private static let rowsKeptMapped = 16_384

    /// Returns the slices in which the rows of a table can be read whose keys lie in a range.
    func slices(_ table: ViewTable, of keys: ViewKeyRange) throws -> [ViewSlice] {
        let ranges = try takingDamage {
            try environment.read { transaction in
                let rows = try transaction.entryCount(handle(table))
                var cursor = try transaction.cursor(handle(table))
                let isFound = try keys.from.map { try cursor.seek(toKeyAtOrAfter: $0) }
                guard try isFound ?? cursor.first() else { return [keys] }
                let first = [UInt8](copying: cursor.key)
                guard try cursor.last() else { return [keys] }
                let last = ViewKeyRange.earlier(keys.upTo, [UInt8](copying: cursor.key))
                let count = min(rows / Self.rowsPerSlice, Self.mostSlices)
                return keys.slices(count, between: first, and: last)
            }
        }
        return ranges.enumerated().map { ViewSlice(index: $0.offset, keys: $0.element) }
    }

    /// Makes parts of the rows of slices, all of them as they are at one instant.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - empty: A part of no rows.
    ///   - add: Adds the value of a row to a part.
    ///   - next: Returns the next slice, or `nil` if no more are to be read.
    /// - Returns: The parts, and whose writes they show.
    /// - Throws: `StaleViews` if a row is not what was written, `LMDBError`, and what `add` throws.
    func readSlices<Part: Sendable>(
        of table: ViewTable,
        into empty: Part,
        adding add: ([UInt8], inout Part) throws -> Void,
        next: () -> ViewSlice?
    ) throws -> SliceReading<Part> {
        try takingDamage {
            try environment.read { transaction in
                var cursor = try transaction.cursor(handle(table))
                var slices: [ReadSlice<Part>] = []
                var pages = MappedRegion()
                var rowsMapped = 0
                // Used again for each row.
                var value: [UInt8] = []
                while let slice = next() {
                    var part = empty
                    let keys = slice.keys
                    var isFound =
                        if let start = keys.from {
                            try cursor.seek(toKeyAtOrAfter: start)
                        } else {
                            try cursor.first()
                        }
                    let firstKey = isFound ? [UInt8](copying: cursor.key) : nil
                    while isFound, keys.ends(after: cursor.key) {
                        guard ViewSeal.open(cursor.value, into: &value) else {
                            throw Self.damage(of: table)
                        }
                        try add(value, &part)
                        pages.extend(cursor.value)
                        rowsMapped += 1
                        isFound = try cursor.next()
                    }
                    if rowsMapped >= Self.rowsKeptMapped {
                        pages.forget()
                        rowsMapped = 0
                    }
                    slices.append(
                        ReadSlice(
                            index: slice.index,
                            part: part,
                            firstKey: firstKey,
                            endKey: isFound ? [UInt8](copying: cursor.key) : nil
                        )
                    )
                }
                return SliceReading(slices: slices, snapshot: transaction.number)
            }
        }
    }
}
