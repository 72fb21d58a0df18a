import EventStore
import LMDB

/// Makes parts of the rows of a table, one for each slice of its keys, on two threads at once.
struct SliceReader<Part: Sendable>: Sendable {
    private let store: ViewStore
    private let table: ViewTable
    private let empty: Part
    private let add: @Sendable ([UInt8], inout Part) throws -> Void

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - store: The views.
    ///   - table: The table.
    ///   - empty: A part of no rows.
    ///   - add: Adds the value of a row to a part; any of the threads calls it.
    init(
        _ store: ViewStore,
        _ table: ViewTable,
        _ empty: Part,
        adding add: @escaping @Sendable ([UInt8], inout Part) throws -> Void
    ) {
        self.store = store
        self.table = table
        self.empty = empty
        self.add = add
    }

    /// Returns the parts of all rows whose keys lie in a range, in order.
    ///
    /// - Throws: `StaleViews` if a row is not what was written, `LMDBError`, and what `add` throws.
    func parts(in keys: ViewKeyRange) throws -> [Part] {
        let slices = try store.slices(table, of: keys)
        let readings = slices.count > 1 ? try readTogether(slices) : [try readAlone(slices)]
        return try parts(of: readings)
    }

    private func readTogether(_ slices: [ViewSlice]) throws -> [SliceReading<Part>] {
        let supply = WorkSupply(slices)
        guard let other = ThreadedWork({ [self] in read(supply) }) else {
            return [try readAlone(slices)]
        }
        let results = [read(supply), other.end()]
        let readings = try results.map { try $0.get() }
        // Who wrote in between has changed what the later one has read.
        guard readings[0].snapshot == readings[1].snapshot else { return [try readAlone(slices)] }
        return readings
    }

    private func readAlone(_ slices: [ViewSlice]) throws -> SliceReading<Part> {
        try read(WorkSupply(slices)).get()
    }

    /// Takes slices and reads them until none is left.
    private func read(_ supply: WorkSupply<ViewSlice>) -> Result<SliceReading<Part>, any Error> {
        // After an error, the other thread need not go on.
        defer { supply.end() }
        return Result {
            try StaleViews.takingDamage {
                try store.readSlices(of: table, into: empty, adding: add, next: supply.take)
            }
        }
    }

    /// Returns the parts of all slices in order.
    ///
    /// - Throws: `StaleViews` if a slice does not begin where the one before it ends: then the way
    ///   to one of them is damaged, and rows may be missing.
    private func parts(of readings: [SliceReading<Part>]) throws -> [Part] {
        let slices = readings.flatMap(\.slices).sorted { $0.index < $1.index }
        for (slice, next) in zip(slices, slices.dropFirst()) where slice.endKey != next.firstKey {
            throw StaleViews.damaged("the rows of \(table.rawValue) do not follow one another")
        }
        return slices.map(\.part)
    }
}
