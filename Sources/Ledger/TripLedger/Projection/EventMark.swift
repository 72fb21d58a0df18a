import EventStore
import Projections
import RowCoding
import TripEvents
import TripTracking

/// The place of an event in its source's event order, with the position in the log instead of the
/// identity digest: the digest is needed only between events that are equal in everything else.
struct EventMark: Hashable, Sendable {
    /// When it happened.
    var occurredAt: Timestamp

    /// The rank of its kind.
    var rank: UInt8

    /// The sender's counter, if it gave one.
    var sequence: UInt64?

    /// Its position in the log.
    var position: UInt64

    /// Returns whether one event comes before another, or `nil` if only the identity digests tell.
    static func precedes(_ left: EventMark, _ right: EventMark) -> Bool? {
        if left.occurredAt != right.occurredAt { return left.occurredAt < right.occurredAt }
        if left.rank != right.rank { return left.rank < right.rank }
        if left.sequence == right.sequence { return nil }
        guard let leftSequence = left.sequence else { return true }
        guard let rightSequence = right.sequence else { return false }
        return leftSequence < rightSequence
    }

    /// Writes the mark.
    func write(to writer: inout RowEncoder) {
        writer.write(occurredAt.milliseconds)
        writer.write(UInt64(rank))
        writer.write(sequence) { $0.write($1) }
        writer.write(position)
    }

    /// Creates a mark.
    init(occurredAt: Timestamp, rank: UInt8, sequence: UInt64?, position: UInt64) {
        self.occurredAt = occurredAt
        self.rank = rank
        self.sequence = sequence
        self.position = position
    }

    /// Creates the mark of a decision that takes effect at an instant, before all events then.
    init(startOf instant: Timestamp, position: UInt64) {
        self.init(occurredAt: instant, rank: 0, sequence: nil, position: position)
    }

    /// Reads a mark.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        occurredAt = Timestamp(milliseconds: try reader.readInt64())
        guard let rank = UInt8(exactly: try reader.readUInt64()) else { throw .invalidValue }
        self.rank = rank
        sequence = try reader.readOptional { reader throws(RowCodingError) in
            try reader.readUInt64()
        }
        position = try reader.readUInt64()
    }
}

extension EventMark {
    /// Reads where an entry stands in its source's event order.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - position: Its position in the log.
    ///   - clock: How the clock of the source was wrong.
    init(_ entry: EntryView, at position: UInt64, clock: ClockShifts = ClockShifts()) {
        let form = PayloadForm(rawValue: entry.form)
        self.init(
            occurredAt: clock.time(of: Timestamp(milliseconds: entry.occurredAt)),
            rank: EventKind(rawValue: entry.kind)?.rank ?? .max,
            sequence: form.hasSequence
                ? PayloadPrefix(entry.payload, form: form)?.sequence : nil,
            position: position
        )
    }
}

/// An event that a trip is computed again from.
struct ReplayedEvent {
    /// Its place in event order.
    let mark: EventMark

    /// The decision for the tracker if it is a split or an exclusion.
    var standing: StandingDecision?

    /// Decodes the entry that stands there.
    func stored(_ entry: EntryView, _ names: inout SourceNames) throws -> StoredEvent {
        let source = try names.source(of: entry.source, at: mark.position)
        var stored = try StoredEvent(entry, at: mark.position, source: source)
        if standing == nil { stored.happenedAt = mark.occurredAt }
        return stored
    }
}
