internal import LMDB

/// The sources as one transaction sees them: read when first needed, written once at its end.
struct SourceDirectory {
    private static let maximumNumber: UInt32 = 0xFF_FFFF

    private var numbers: [String: UInt32] = [:]
    private var states: [UInt32: SourceState] = [:]
    private var changed: Set<UInt32> = []

    /// Returns a source's number, or `nil` if the log does not know the name.
    mutating func number(
        of name: String,
        _ tables: LogTables,
        _ transaction: borrowing WriteTransaction
    ) throws -> UInt32? {
        if let number = numbers[name] { return number }
        guard let value = try transaction.get(tables.names, Array(name.utf8)) else { return nil }
        let number = UInt32(truncatingIfNeeded: value.littleEndian(at: 0))
        numbers[name] = number
        return number
    }

    /// Gives a new source its number: one more than the last.
    mutating func add(
        _ name: String,
        _ tables: LogTables,
        _ transaction: inout WriteTransaction
    ) throws -> UInt32 {
        let count = try transaction.entryCount(tables.names)
        guard let number = UInt32(exactly: count + 1), number <= Self.maximumNumber else {
            throw EventLogError.tooManySources
        }
        var value: [UInt8] = []
        value.append(littleEndian: UInt64(number))
        try transaction.put(tables.names, Array(name.utf8), value, append: false)
        numbers[name] = number
        states[number] = SourceState(name: name)
        changed.insert(number)
        return number
    }

    /// Returns what the log remembers of a source.
    mutating func state(
        of number: UInt32,
        _ tables: LogTables,
        _ transaction: borrowing WriteTransaction
    ) throws -> SourceState {
        if let state = states[number] { return state }
        guard let value = try transaction.get(tables.sources, LogKey.source(number)),
            let state = SourceState(value)
        else { throw EventLogError.notALog("source \(number) has a name but no state") }
        states[number] = state
        return state
    }

    /// Counts a new event and gives it its row in `times` or `late`.
    mutating func note(
        _ candidate: EntryBatch.Candidate,
        source: UInt32,
        position: UInt64,
        _ tables: LogTables,
        _ transaction: inout WriteTransaction
    ) throws {
        var state = try state(of: source, tables, transaction)
        changed.insert(source)
        defer { states[source] = state }
        if state.isInOrder(candidate.occurredAt) {
            guard state.noteInOrder(candidate.occurredAt, position: position) else { return }
            let key = LogKey.moment(source, candidate.occurredAt, position)
            try transaction.put(tables.times, key, [], append: false)
            return
        }
        state.noteLate()
        var digest = candidate.contentDigest
        while try transaction.get(
            tables.late,
            LogKey.moment(source, candidate.occurredAt, digest)
        ) != nil {
            digest &+= 1
        }
        var value: [UInt8] = []
        value.append(littleEndian: position)
        let key = LogKey.moment(source, candidate.occurredAt, digest)
        try transaction.put(tables.late, key, value, append: false)
    }

    /// Writes the states that changed.
    func write(_ tables: LogTables, _ transaction: inout WriteTransaction) throws {
        for number in changed.sorted() {
            guard let state = states[number] else { continue }
            try transaction.put(
                tables.sources,
                LogKey.source(number),
                state.value,
                append: false
            )
        }
    }
}
