import RowCoding
import TripEvents
import TripTracking

/// What the book keeps of one trip id: the trip as measured, if there is one, and every decision
/// that names it or was attached to it.
struct BookEntry: Hashable, Sendable {
    private static let formatVersion: UInt8 = 1

    /// The trip's id.
    let id: TripID

    /// The trip as the tracker derives it; `nil` if there is none with this id.
    var measured: Trip?

    /// The decisions that name the trip, in event order.
    private(set) var filed: [FiledDecision] = []

    /// The decisions that were attached to the trip because the trips that they name do not exist
    /// any more, in event order.
    private(set) var adopted: [Decision] = []

    /// Creates an empty entry.
    init(_ id: TripID) {
        self.id = id
    }

    /// Reads an entry.
    init(_ id: TripID, decoding bytes: [UInt8]) throws(RowCodingError) {
        self.id = id
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        measured = try reader.readOptional { reader throws(RowCodingError) in
            try Trip(from: &reader)
        }
        filed = try Self.readList(&reader) { reader throws(RowCodingError) in
            try FiledDecision(from: &reader)
        }
        adopted = try Self.readList(&reader) { reader throws(RowCodingError) in
            try Decision(from: &reader)
        }
        try reader.finish()
    }

    /// The entry as bytes.
    var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(measured) { $1.write(to: &$0) }
        writer.write(UInt64(filed.count))
        for decision in filed {
            decision.write(to: &writer)
        }
        writer.write(UInt64(adopted.count))
        for decision in adopted {
            decision.write(to: &writer)
        }
        return writer.bytes
    }

    /// The decision that reports the trip, if a person did.
    var reporting: Decision? {
        filed.first { $0.decision.report != nil }?.decision
    }

    /// Whether there is a trip with this id.
    var isPresent: Bool { measured != nil || reporting != nil }

    /// Whether the trip is the second part of one that a person split, if that split stands.
    var isMadeBySplit: Bool {
        filed.contains { $0.decision.event.body.kind == .tripSplit && $0.decision.madeTrip == id }
    }

    /// Whether no decision names the trip or is attached to it.
    var hasNoDecisions: Bool { filed.isEmpty && adopted.isEmpty }

    /// Whether the entry says nothing, so that it needs no row.
    var isEmpty: Bool { measured == nil && hasNoDecisions }

    /// The decisions that hold for the trip, in event order; none if there is no such trip.
    var decisions: [Decision] {
        guard isPresent else { return [] }
        if adopted.isEmpty { return filed.map(\.decision) }
        return (filed.map(\.decision) + adopted).sorted()
    }

    /// The decisions that name the trip, if there is none with this id.
    var lost: [FiledDecision] {
        isPresent ? [] : filed.filter { $0.decision.namedTrips.contains(id) }
    }

    /// The trips that merges and splits tie to this one, whether they stand or not.
    var tiedTrips: [TripID] {
        filed.flatMap { filed -> [TripID] in
            switch filed.decision.event.body {
            case .tripsMerged(let merge): merge.trips
            case .tripSplit(let split): [split.trip] + (filed.decision.madeTrip.map { [$0] } ?? [])
            default: []
            }
        }
    }

    /// Returns the entry as if nothing had been decided after a place in event order, or at all.
    func asOf(_ order: EventOrder?) -> BookEntry {
        var entry = self
        entry.filed.removeAll { decision in order.map { decision.decision.order > $0 } ?? true }
        entry.adopted.removeAll { decision in order.map { decision.order > $0 } ?? true }
        return entry
    }

    /// Files a decision and returns whether it is new.
    mutating func file(_ decision: Decision) -> Bool {
        let index = filed.firstIndex { !($0.decision < decision) } ?? filed.count
        guard index == filed.count || filed[index].decision.order != decision.order else {
            return false
        }
        filed.insert(FiledDecision(decision), at: index)
        return true
    }

    /// Notes where a lost decision was attached.
    mutating func setHost(_ host: TripID?, of decision: Decision) {
        guard let index = filed.firstIndex(where: { $0.decision.order == decision.order }) else {
            return
        }
        filed[index].host = host
    }

    /// Attaches a decision about a trip that does not exist any more.
    mutating func adopt(_ decision: Decision) {
        adopted.insert(decision, at: adopted.firstIndex { !($0 < decision) } ?? adopted.count)
    }

    /// Detaches an attached decision.
    mutating func release(_ decision: Decision) {
        adopted.removeAll { $0.order == decision.order }
    }

    private static func readList<Element>(
        _ reader: inout RowDecoder,
        _ element: (inout RowDecoder) throws(RowCodingError) -> Element
    ) throws(RowCodingError) -> [Element] {
        var list: [Element] = []
        for _ in 0..<(try reader.readAmount()) {
            list.append(try element(&reader))
        }
        return list
    }
}

/// A decision as it is filed under a trip that it names.
struct FiledDecision: Hashable, Sendable {
    /// The decision.
    let decision: Decision

    /// The trip that it is attached to by time, while the trip that it names does not exist.
    var host: TripID?

    /// Files a decision.
    init(_ decision: Decision, host: TripID? = nil) {
        self.decision = decision
        self.host = host
    }

    /// Reads a filed decision.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        decision = try Decision(from: &reader)
        host = try reader.readOptional { reader throws(RowCodingError) in try reader.readTripID() }
    }

    /// Writes the filed decision.
    func write(to writer: inout RowEncoder) {
        decision.write(to: &writer)
        writer.write(host) { $0.write($1) }
    }
}

/// The keys of the book's rows: a letter for the kind, then big-endian numbers or a name.
enum BookKey {
    /// How long before an instant a trip may have started to which a decision is attached, in
    /// hours.
    ///
    /// No drive lasts two days without a pause that ends the trip.
    static let reachHours: Int64 = 48

    private static let hourMilliseconds: Int64 = 3_600_000

    /// The key of the row that counts the lists of lost decisions (``lost(period:)``).
    static let lostCount = [UInt8(ascii: "N")]

    /// The key of the row with every custom field's definitions.
    static let fields = [UInt8(ascii: "F")]

    /// The first byte of the keys of orphans.
    static let orphanPrefix = UInt8(ascii: "O")

    /// The key of a trip's entry.
    static func entry(_ trip: TripID) -> [UInt8] {
        var bytes = [UInt8(ascii: "T")]
        bytes.append(bigEndian: trip.high)
        bytes.append(bigEndian: trip.low)
        return bytes
    }

    /// The key of the list of measured trips that start in an hour.
    static func trips(hour: Int64) -> [UInt8] {
        [UInt8(ascii: "H")] + number(UInt64(bitPattern: hour))
    }

    /// The key of the list of trip ids whose lost decisions say that they started within two days.
    static func lost(period: Int64) -> [UInt8] {
        [UInt8(ascii: "L")] + number(UInt64(bitPattern: period))
    }

    /// The key of a routine's versions.
    static func routine(_ name: String) -> [UInt8] {
        [UInt8(ascii: "R")] + name.utf8
    }

    /// The key of the list of trips to which a routine was applied in a month.
    ///
    /// Names hold no control characters, so the zero byte ends the name.
    static func applications(_ name: String, month: Int64) -> [UInt8] {
        [UInt8(ascii: "A")] + name.utf8 + [0] + number(UInt64(bitPattern: month))
    }

    /// The key of an orphan: its place in event order, then the trip.
    static func orphan(_ decision: Decision, of trip: TripID) -> [UInt8] {
        [orphanPrefix] + order(of: decision) + number(trip.high) + number(trip.low)
    }

    /// The part of a key by which decisions are in order of time, each in a place of its own.
    static func order(of decision: Decision) -> [UInt8] {
        let instant = UInt64(bitPattern: decision.order.occurredAt.milliseconds) ^ 1 << 63
        return number(instant) + (0..<4).flatMap { number(decision.order.identity.words[$0]) }
    }

    /// Returns the hour that an instant lies in, counted from 1970.
    static func hour(of instant: Timestamp) -> Int64 {
        instant.milliseconds.flooredQuotient(by: hourMilliseconds)
    }

    /// Returns the two days that an instant lies in, counted from 1970.
    static func period(of instant: Timestamp) -> Int64 {
        instant.milliseconds.flooredQuotient(by: reachHours * hourMilliseconds)
    }

    /// Returns the thirty days that an instant lies in, counted from 1970.
    static func month(of instant: Timestamp) -> Int64 {
        instant.milliseconds.flooredQuotient(by: 30 * 24 * hourMilliseconds)
    }

    private static func number(_ word: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: word)
        return bytes
    }
}

/// A stored list of trip ids in ascending order.
enum TripList {
    private static let formatVersion: UInt8 = 1

    /// Returns the trips of a stored list; none if there is no such list.
    static func trips(in stored: [UInt8]?) throws(RowCodingError) -> [TripID] {
        guard let stored else { return [] }
        var reader = try RowDecoder(stored, version: formatVersion)
        var trips: [TripID] = []
        for _ in 0..<(stored.count - 1) / 16 {
            trips.append(try reader.readTripID())
        }
        try reader.finish()
        return trips
    }

    /// Adds a trip to a list or takes it away, and returns whether that changed the list; an empty
    /// list has no row.
    static func set<Rows: RowStore & ~Copyable>(
        _ trip: TripID,
        isListed: Bool,
        key: [UInt8],
        in rows: inout Rows
    ) throws -> Bool {
        var trips = try trips(in: rows.value(forKey: key))
        let index = trips.firstIndex { $0 >= trip } ?? trips.count
        let wasListed = index < trips.count && trips[index] == trip
        guard wasListed != isListed else { return false }
        if isListed {
            trips.insert(trip, at: index)
        } else {
            trips.remove(at: index)
        }
        if trips.isEmpty {
            try rows.remove(key: key)
            return true
        }
        var writer = RowEncoder(version: formatVersion)
        for trip in trips {
            writer.write(trip)
        }
        try rows.put(writer.bytes, key: key, orderKey: key)
        return true
    }
}
