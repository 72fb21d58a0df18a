import LMDB

/// The registration of a source, which the log stores once, before the source's first event.
package struct RegisteredSource: Hashable, Sendable {
    /// Its name.
    package let name: String

    /// The group of sources that it belongs to; `nil` for one of the ledger's owner.
    package let group: String?

    /// Creates the registration of a source.
    package init(name: String, group: String? = nil) {
        self.name = name
        self.group = group
    }

    /// The registration of the ledger itself, which writes entries too.
    package static let ledger = RegisteredSource(name: "")
}

/// The state of one source: the value of a row of the table `sources`.
package struct SourceState: Hashable, Sendable {
    /// How many in-order events share one row of the table `times`.
    static let eventsPerTimeRow: UInt64 = 64

    private static let fixedByteCount = 32

    /// Stands between the name, which has no such byte, and the group.
    private static let groupMark: UInt8 = 0

    /// The source's registration.
    package let registered: RegisteredSource

    /// The source's name.
    package var name: String { registered.name }

    /// The group of sources that it belongs to; `nil` for one of the ledger's owner.
    package var group: String? { registered.group }

    /// The time of the last in-order event, which is the latest: milliseconds since 1970.
    package private(set) var highWaterMark: Int64

    /// The position of the last in-order event.
    package private(set) var highWaterPosition: UInt64

    /// The number of events.
    package private(set) var events: UInt64

    /// The number of events that were later than all before them.
    package private(set) var inOrderEvents: UInt64

    /// Creates the state of a source that has no event yet.
    init(_ registered: RegisteredSource) {
        self.registered = registered
        highWaterMark = .min
        highWaterPosition = 0
        events = 0
        inOrderEvents = 0
    }

    /// Reads a row's value, or returns `nil` if it is not valid.
    init?(_ value: Span<UInt8>) {
        guard value.count > Self.fixedByteCount,
            let registered = Self.registered(value.extracting(droppingFirst: Self.fixedByteCount))
        else { return nil }
        self.registered = registered
        highWaterMark = Int64(bitPattern: value.littleEndian(at: 0))
        highWaterPosition = value.littleEndian(at: 8)
        events = value.littleEndian(at: 16)
        inOrderEvents = value.littleEndian(at: 24)
        if events == 0 {
            // All its events were erased.
            guard self == SourceState(registered) else { return nil }
            return
        }
        guard LogLimits.times.contains(highWaterMark),
            LogLimits.positions.contains(highWaterPosition),
            LogLimits.positions.contains(events),
            1 <= inOrderEvents, inOrderEvents <= events
        else { return nil }
    }

    /// Reads a state that an audit wrote: unlike a row's, its source may have no event yet.
    init?(tallied value: Span<UInt8>) {
        if let state = SourceState(value) {
            self = state
        } else {
            guard value.count > Self.fixedByteCount,
                let registered = Self.registered(
                    value.extracting(droppingFirst: Self.fixedByteCount)
                ),
                SourceState(registered).value.span.hasSameBytes(as: value)
            else { return nil }
            self.init(registered)
        }
    }

    /// Reads a name, and the group after it if there is one.
    private static func registered(_ bytes: Span<UInt8>) -> RegisteredSource? {
        var end = 0
        while end < bytes.count, bytes[end] != groupMark { end += 1 }
        guard LogLimits.sourceNameByteCounts.contains(end),
            let name = String(validating: bytes.extracting(0..<end))
        else { return nil }
        guard end < bytes.count else { return RegisteredSource(name: name) }
        let rest = bytes.extracting(droppingFirst: end + 1)
        guard LogLimits.groupByteCounts.contains(rest.count), let group = String(validating: rest)
        else { return nil }
        return RegisteredSource(name: name, group: group)
    }

    /// The row's value.
    var value: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: UInt64(bitPattern: highWaterMark))
        bytes.append(littleEndian: highWaterPosition)
        bytes.append(littleEndian: events)
        bytes.append(littleEndian: inOrderEvents)
        bytes.append(contentsOf: name.utf8)
        if let group {
            bytes.append(Self.groupMark)
            bytes.append(contentsOf: group.utf8)
        }
        return bytes
    }

    /// Returns whether a statement about the source's group is right; `nil`, no statement, always
    /// is.
    func isOf(_ said: String?) -> Bool {
        said.map { group?.utf8.elementsEqual($0.utf8) ?? false } ?? true
    }

    /// Returns whether an event of this time is in order: later than all before it.
    func isInOrder(_ occurredAt: Int64) -> Bool {
        occurredAt > highWaterMark
    }

    /// Counts an in-order event.
    ///
    /// - Returns: Whether it gets a row in the table `times`.
    mutating func noteInOrder(_ occurredAt: Int64, position: UInt64) -> Bool {
        precondition(isInOrder(occurredAt), "the event must be in order")
        highWaterMark = occurredAt
        highWaterPosition = position
        defer {
            events += 1
            inOrderEvents += 1
        }
        return inOrderEvents % Self.eventsPerTimeRow == 0
    }

    /// Counts a late event.
    mutating func noteLate() {
        events += 1
    }
}

/// The sources as one transaction sees them: each is read when it is first needed and written once,
/// at the end.
struct SourceDirectory {
    /// A source and its present state.
    private struct Source {
        let number: UInt32
        var state: SourceState
        var isChanged: Bool
    }

    /// How many sources the log may have.
    var most = AppendConditions.mostSources

    private var sources: [Source] = []

    /// The index in `sources` of each source of the batches, so that it is looked up only once;
    /// `otherGroup` if the batch names another group than the source has.
    private var slots: [Int?] = []

    /// The index in `sources` by the number of a source: a batch that names different groups for a
    /// source has it several times.
    private var slotsByNumber: [UInt32: Int] = [:]

    /// The slot of a source whose events are refused.
    static let otherGroup = -1

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
        return try findSlot(ofSourceAt: index, batch.sources[index], tables, transaction)
    }

    private mutating func findSlot(
        ofSourceAt index: Int,
        _ said: RegisteredSource,
        _ tables: LogTables,
        _ transaction: borrowing WriteTransaction
    ) throws -> Int? {
        let name = said.name
        guard let value = try transaction.get(tables.names, Array(name.utf8)) else { return nil }
        let number = try LogValue.sourceNumber(value)
        if let known = slotsByNumber[number] {
            slots[index] = sources[known].state.isOf(said.group) ? known : Self.otherGroup
            return slots[index]
        }
        guard let row = try transaction.get(tables.sources, LogKey.source(number)),
            let state = SourceState(row), state.name.utf8.elementsEqual(name.utf8)
        else {
            throw EventLogError.damaged(
                position: 0,
                "source \(number) has a name but no state of that name"
            )
        }
        slotsByNumber[number] = sources.count
        slots[index] = state.isOf(said.group) ? sources.count : Self.otherGroup
        sources.append(Source(number: number, state: state, isChanged: false))
        return slots[index]
    }

    /// Gives a new source its number, one more than the last, and a slot.
    ///
    /// - Throws: `EventLogError.tooManySources` if there are `most` of them, or `LMDBError`.
    mutating func add(
        sourceAt index: Int,
        _ registered: RegisteredSource,
        _ tables: LogTables,
        _ transaction: inout WriteTransaction
    ) throws -> Int {
        let count = try transaction.entryCount(tables.names)
        guard count < most, let number = UInt32(exactly: count + 1),
            LogLimits.sourceNumbers.contains(number)
        else { throw EventLogError.tooManySources(most: most) }
        guard try transaction.get(tables.sources, LogKey.source(number)) == nil else {
            throw EventLogError.damaged(position: 0, "source \(number) has a state but no name")
        }
        var value: [UInt8] = []
        value.append(littleEndian: UInt64(number))
        try transaction.put(tables.names, Array(registered.name.utf8), value, append: false)
        let slot = sources.count
        slots[index] = slot
        slotsByNumber[number] = slot
        sources.append(Source(number: number, state: SourceState(registered), isChanged: true))
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
