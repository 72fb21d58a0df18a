/// The state of one source: the value of a row of the table `sources`.
package struct SourceState: Hashable, Sendable {
    /// How many in-order events share one row of the table `times`.
    static let eventsPerTimeRow: UInt64 = 64

    private static let fixedByteCount = 32

    /// The source's name.
    package let name: String

    /// The time of the last in-order event, which is the latest: milliseconds since 1970.
    package private(set) var highWaterMark: Int64

    /// The position of the last in-order event.
    package private(set) var highWaterPosition: UInt64

    /// The number of events.
    package private(set) var events: UInt64

    /// The number of events that were later than all before them.
    package private(set) var inOrderEvents: UInt64

    /// Creates the state of a source that has no event yet.
    init(name: String) {
        self.name = name
        highWaterMark = .min
        highWaterPosition = 0
        events = 0
        inOrderEvents = 0
    }

    /// Reads a row's value, or returns `nil` if it is not valid.
    init?(_ value: Span<UInt8>) {
        guard LogLimits.sourceNameByteCounts.contains(value.count - Self.fixedByteCount),
            let name = String(validating: value.extracting(droppingFirst: Self.fixedByteCount))
        else { return nil }
        self.name = name
        highWaterMark = Int64(bitPattern: value.littleEndian(at: 0))
        highWaterPosition = value.littleEndian(at: 8)
        events = value.littleEndian(at: 16)
        inOrderEvents = value.littleEndian(at: 24)
        if events == 0 {
            // All its events were erased.
            guard self == SourceState(name: name) else { return nil }
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
                let name = String(validating: value.extracting(droppingFirst: Self.fixedByteCount)),
                SourceState(name: name).value.span.hasSameBytes(as: value)
            else { return nil }
            self.init(name: name)
        }
    }

    /// The row's value.
    var value: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: UInt64(bitPattern: highWaterMark))
        bytes.append(littleEndian: highWaterPosition)
        bytes.append(littleEndian: events)
        bytes.append(littleEndian: inOrderEvents)
        bytes.append(contentsOf: name.utf8)
        return bytes
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
