internal import LMDB

/// The sources as one transaction sees them: each is read when it is first needed and written once,
/// at the end.
struct SourceDirectory {
    /// A source and its present state.
    private struct Source {
        let number: UInt32
        var state: SourceState
        var isChanged: Bool
    }

    private var sources: [Source] = []

    /// For each source of the batches its index in `sources`, so that it is looked up only once.
    private var slots: [Int?] = []

    /// Prepares for a batch of `sourceCount` sources, which begin with those of the batches before.
    mutating func expect(sourceCount: Int) {
        let newCount = max(sourceCount - slots.count, 0)
        slots.append(contentsOf: repeatElement(nil, count: newCount))
    }

    /// Returns the slot of a source of a batch, or `nil` if the log does not know its name.
    @inline(__always)
    mutating func slot(
        ofSourceAt index: Int,
        of batch: borrowing EntryBatch,
        _ tables: LogTables,
        _ transaction: borrowing WriteTransaction
    ) throws -> Int? {
        if let slot = slots[index] { return slot }
        return try findSlot(ofSourceAt: index, named: batch.sources[index], tables, transaction)
    }

    private mutating func findSlot(
        ofSourceAt index: Int,
        named name: String,
        _ tables: LogTables,
        _ transaction: borrowing WriteTransaction
    ) throws -> Int? {
        guard let value = try transaction.get(tables.names, Array(name.utf8)) else { return nil }
        let number = try LogValue.sourceNumber(value)
        guard let row = try transaction.get(tables.sources, LogKey.source(number)),
            let state = SourceState(row), state.name.utf8.elementsEqual(name.utf8)
        else {
            throw EventLogError.damaged(
                position: 0,
                "source \(number) has a name but no state of that name"
            )
        }
        slots[index] = sources.count
        sources.append(Source(number: number, state: state, isChanged: false))
        return slots[index]
    }

    /// Gives a new source its number, one more than the last, and a slot.
    mutating func add(
        sourceAt index: Int,
        named name: String,
        _ tables: LogTables,
        _ transaction: inout WriteTransaction
    ) throws -> Int {
        let count = try transaction.entryCount(tables.names)
        guard let number = UInt32(exactly: count + 1), LogLimits.sourceNumbers.contains(number)
        else { throw EventLogError.tooManySources }
        guard try transaction.get(tables.sources, LogKey.source(number)) == nil else {
            throw EventLogError.damaged(position: 0, "source \(number) has a state but no name")
        }
        var value: [UInt8] = []
        value.append(littleEndian: UInt64(number))
        try transaction.put(tables.names, Array(name.utf8), value, append: false)
        let slot = sources.count
        slots[index] = slot
        sources.append(Source(number: number, state: SourceState(name: name), isChanged: true))
        return slot
    }

    /// The number of the source in a slot.
    func number(at slot: Int) -> UInt32 {
        sources[slot].number
    }

    /// Returns whether a time is later than all in-order events of the source in a slot, so that
    /// an event of that time is new.
    func isInOrder(_ occurredAt: Int64, at slot: Int) -> Bool {
        sources[slot].state.isInOrder(occurredAt)
    }

    /// The state of the source in a slot.
    func state(at slot: Int) -> SourceState {
        sources[slot].state
    }

    /// Counts a new in-order event, and adds its row in `times` if it gets one.
    mutating func noteInOrder(
        _ occurredAt: Int64,
        slot: Int,
        position: UInt64,
        _ tables: LogTables,
        _ transaction: inout WriteTransaction
    ) throws {
        sources[slot].isChanged = true
        guard sources[slot].state.noteInOrder(occurredAt, position: position) else { return }
        let source = sources[slot].number
        let key = LogKey.moment(source, occurredAt, position)
        // Rows are in the order of sources, then times: the last source's come last.
        let isLast = try Int(source) == transaction.entryCount(tables.names)
        try transaction.put(tables.times, key, [], append: isLast)
    }

    /// Counts a new event that is late.
    mutating func noteLate(slot: Int) {
        sources[slot].isChanged = true
        sources[slot].state.noteLate()
    }

    /// Writes the states that changed.
    func write(_ tables: LogTables, _ transaction: inout WriteTransaction) throws {
        for source in sources where source.isChanged {
            let key = LogKey.source(source.number)
            try transaction.put(tables.sources, key, source.state.value, append: false)
        }
    }
}
