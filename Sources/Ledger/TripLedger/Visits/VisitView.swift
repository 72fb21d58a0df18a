import Projections
import RowCoding
import TripEvents

/// The tables of the view of visits: the stays of all sources at the places of the book, and how
/// far the fixes of each source have been read for it.
///
/// A row names its place and no more: which version of the place it was follows from the book of
/// places and the instant at which the visit began.
struct VisitView: Sendable {
    /// The name and the version of the view.
    static let (name, version) = ("visits", UInt32(1))

    /// The rows of the visits.
    private(set) var rows: ViewRows

    /// Source number → ``VisitFold``.
    private(set) var folds: RowTable

    init(over store: ReadableViews?) {
        rows = ViewRows(
            keys: RowTable(.visits, over: store),
            inOrder: RowTable(.visitsInOrder, over: store)
        )
        folds = RowTable(.visitFolds, over: store)
    }

    /// The tables to commit.
    var tables: [TableChanges] {
        [(.visits, keys), (.visitsInOrder, rows.inOrder), (.visitFolds, folds)]
    }

    /// Returns how far a source was read; `nil` if it was not.
    func fold(of source: UInt32) throws -> VisitFold? {
        try folds.value(forKey: ViewKey.source(source)).map { try VisitFold(decoding: $0) }
    }

    /// Notes how far a source was read; `nil` if it has no fixes.
    mutating func put(_ fold: VisitFold?, of source: UInt32) {
        let key = ViewKey.source(source)
        if let fold { folds.put(fold.encoded, key: key) } else { folds.remove(key: key) }
    }

    /// Puts a visit in the place of what was known of it.
    mutating func put(_ found: FoundVisit, of source: UInt32) throws {
        let entrance = found.entrance
        try rows.put(
            VisitRow(found).encoded,
            key: ViewKey.visit(source, entrance.at, entrance.number),
            orderKey: ViewKey.visitInOrder(entrance.at, source, entrance.number)
        )
    }

    /// Deletes the visits of a source that began at an instant or later.
    mutating func forget(from instant: Timestamp, of source: UInt32) throws {
        let first = ViewKey.visit(source, instant)
        for row in try keys.rows(from: first, prefix: ViewKey.source(source)) {
            try rows.remove(key: row.key)
        }
    }

    /// Returns the last instant, up to another one, before which a source had left all places.
    func chainStart(of source: UInt32, before instant: Timestamp) throws -> Timestamp {
        let prefix = ViewKey.source(source)
        let end = ViewKey.visit(source, instant)
        guard let last = try keys.lastRow(before: end, prefix: prefix) else { return instant }
        let start = try row(inOrder: last.value).entrance.chainFrom
        let chain = KeyRange(from: ViewKey.visit(source, start), upTo: end)
        for key in try keys.rows(in: chain) {
            let endedBy = try row(inOrder: key.value).endedBy
            if endedBy.map({ $0 >= instant }) ?? true { return start }
        }
        return instant
    }

    /// Returns the visits of a fold that go on.
    ///
    /// - Parameters:
    ///   - fold: The fold.
    ///   - source: The source's number.
    ///   - places: What the source's group calls places.
    /// - Returns: The visits, in order of their beginnings.
    /// - Throws: `StaleViews` if a row is missing or damaged, or `LMDBError`.
    func openVisits(
        of fold: VisitFold,
        of source: UInt32,
        in places: PlaceBook
    ) throws -> [FoundVisit] {
        try fold.open.map { entrance in
            let row = try row(
                inOrder: ViewKey.visitInOrder(entrance.at, source, entrance.number)
            )
            guard let found = row.found(in: places) else { throw VisitRow.unknownPlace }
            return found
        }
    }

    /// Source number, beginning of a visit → order key.
    private var keys: RowTable { rows.keys ?? RowTable() }

    private func row(inOrder key: [UInt8]) throws -> VisitRow {
        guard let value = try rows.inOrder.value(forKey: key) else {
            throw StaleViews.damaged("visits lacks a row")
        }
        return try VisitRow(decoding: value)
    }
}

/// A row of the view of visits.
struct VisitRow: Hashable, Sendable {
    private static let formatVersion: UInt8 = 1

    /// A row names a place that there was not.
    static let unknownPlace = StaleViews.damaged("a visit names an unknown place")

    /// The name of the place.
    let place: String

    /// When the visit began.
    let enteredAt: EventTime

    /// When the last usable fix was taken within the radius.
    let lastInsideAt: EventTime

    /// When the visit ended; `nil` while it goes on.
    let leftAt: EventTime?

    /// The beginning of the visit among those of its source.
    let entrance: Entrance

    /// Whether the last fix was within the radius.
    let isWithinRadius: Bool

    /// The instant of the fix that ended the visit; `nil` while it goes on.
    let endedBy: Timestamp?

    /// Creates the row of a visit.
    init(_ found: FoundVisit) {
        place = found.visit.place.name
        enteredAt = found.visit.enteredAt
        lastInsideAt = found.visit.lastInsideAt
        leftAt = found.visit.leftAt
        entrance = found.entrance
        isWithinRadius = found.isWithinRadius
        endedBy = found.endedBy
    }

    /// Reads a row.
    init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        place = try reader.readText()
        enteredAt = try reader.readEventTime()
        lastInsideAt = try reader.readEventTime()
        leftAt = try reader.readOptional { reader throws(RowCodingError) in
            try reader.readEventTime()
        }
        guard let number = UInt32(exactly: try reader.readUInt64()) else { throw .invalidValue }
        entrance = Entrance(
            at: enteredAt.timestamp,
            number: number,
            chainFrom: try reader.readTimestamp()
        )
        isWithinRadius = try reader.readBool()
        endedBy = try reader.readOptionalTimestamp()
        try reader.finish()
    }

    /// The row as bytes.
    var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(place)
        writer.write(enteredAt)
        writer.write(lastInsideAt)
        writer.write(leftAt) { $0.write($1) }
        writer.write(UInt64(entrance.number))
        writer.write(entrance.chainFrom)
        writer.write(isWithinRadius)
        writer.write(endedBy) { $0.write($1) }
        return writer.bytes
    }

    /// Returns the visit, or `nil` if there was no place of its name when it began.
    ///
    /// - Parameter places: What the source's group calls places.
    /// - Returns: The visit, as a ``VisitTally`` found it.
    func found(in places: PlaceBook) -> FoundVisit? {
        places.place(named: place, on: enteredAt.timestamp).map(found)
    }

    /// Returns the visit of the place that it names.
    func found(at place: SavedPlace) -> FoundVisit {
        FoundVisit(
            visit: Visit(
                place: place,
                enteredAt: enteredAt,
                lastInsideAt: lastInsideAt,
                leftAt: leftAt
            ),
            entrance: entrance,
            isWithinRadius: isWithinRadius,
            endedBy: endedBy
        )
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

extension ViewKey {
    /// The key of `visits`; without a number, the lowest key at that instant.
    static func visit(_ source: UInt32, _ instant: Timestamp, _ number: UInt32 = 0) -> [UInt8] {
        var bytes = Self.source(source)
        bytes.append(bigEndian: UInt64(bitPattern: instant.milliseconds) ^ 1 << 63)
        return bytes + Self.source(number)
    }

    /// The key of `visits_in_order`; without a source, the lowest key at that instant.
    static func visitInOrder(
        _ instant: Timestamp,
        _ source: UInt32 = 0,
        _ number: UInt32 = 0
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt64(bitPattern: instant.milliseconds) ^ 1 << 63)
        return bytes + Self.source(source) + Self.source(number)
    }

    /// Returns the source whose key of `visits_in_order` this is.
    static func number(ofVisitInOrder key: [UInt8]) -> UInt32 {
        number(ofSource: Array(key.dropFirst(8)))
    }
}
