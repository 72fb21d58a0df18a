import Projections
import RowCoding
import TripEvents

/// How far the fixes of each source were read for the view of visits.
struct VisitFolds {
    /// The kinds of events that may change what earlier fixes mean for visits.
    private static let newsKinds: Set<EventKind> = [
        .placeSaved, .placeRemoved, .rulesAdopted, .clockShifted,
    ]

    /// Source number → ``VisitFold``.
    private(set) var rows: RowTable

    /// Whether entries that are new to the view may change what earlier fixes mean.
    private(set) var hasNews = false

    init(over store: ReadableViews?) {
        rows = RowTable(.visitFolds, over: store)
    }

    /// Takes note of an event that is new to the view.
    mutating func note(_ kind: EventKind) {
        if Self.newsKinds.contains(kind) { hasNews = true }
    }

    /// Takes note of entries that are new to the view and were read by a run that was cut off.
    mutating func noteUnreadEntries() { hasNews = true }

    /// Takes note that the view knows all entries.
    mutating func noteAllRead() { hasNews = false }

    /// Forgets the changes, which are durable.
    mutating func noteCommitted() { rows = rows.emptied() }

    /// Returns how far a source was read; `nil` if it was not.
    func fold(of source: UInt32) throws -> VisitFold? {
        try rows.value(forKey: ViewKey.source(source)).map { try VisitFold(decoding: $0) }
    }

    /// Notes how far a source was read; `nil` if it has no fixes.
    mutating func put(_ fold: VisitFold?, of source: UInt32) {
        let key = ViewKey.source(source)
        if let fold { rows.put(fold.encoded, key: key) } else { rows.remove(key: key) }
    }
}

/// How far the fixes of one source were read for the view of visits.
struct VisitFold: Hashable, Sendable {
    private static let formatVersion: UInt8 = 1

    /// The instant of the last fix.
    var latest: Timestamp

    /// How the source's clock was wrong.
    var clock: ClockShifts

    /// The beginnings of the visits that go on.
    var open: [Entrance] = []

    /// The instant from which the source is to be read again; `nil` unless a run was cut off.
    var dueFrom: Timestamp?

    /// Creates a fold.
    init(
        latest: Timestamp,
        clock: ClockShifts,
        open: [Entrance] = [],
        dueFrom: Timestamp? = nil
    ) {
        self.latest = latest
        self.clock = clock
        self.open = open.sorted { ($0.at, $0.number) < ($1.at, $1.number) }
        self.dueFrom = dueFrom
    }

    /// Reads a fold.
    init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        latest = Timestamp(milliseconds: try reader.readInt64())
        clock = try ClockShifts(from: &reader)
        for _ in 0..<(try reader.readAmount()) {
            let at = try reader.readTimestamp()
            guard let number = UInt32(exactly: try reader.readUInt64()) else {
                throw .invalidValue
            }
            open.append(Entrance(at: at, number: number))
        }
        dueFrom = try reader.readOptional { reader throws(RowCodingError) in
            Timestamp(milliseconds: try reader.readInt64())
        }
        try reader.finish()
    }

    /// The fold as bytes.
    var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(latest.milliseconds)
        clock.write(to: &writer)
        writer.write(UInt64(open.count))
        for entrance in open {
            writer.write(entrance.at)
            writer.write(UInt64(entrance.number))
        }
        writer.write(dueFrom) { $0.write($1.milliseconds) }
        return writer.bytes
    }
}
