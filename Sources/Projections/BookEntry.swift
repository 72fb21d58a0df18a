import RowCoding
import TripEvents
import TripTracking

/// What the book keeps of one trip id beside its decisions, each of which has a row of its own: the
/// trip as measured, if there is one, and what is to be known of the decisions without reading
/// them.
struct BookEntry: Hashable, Sendable {
    private static let formatVersion: UInt8 = 6

    /// The most decisions that are folded again with each commit; trips with more are booked once,
    /// at the end of a run.
    private static let fewDecisions = 32

    /// The trip's id.
    let id: TripID

    /// The trip as the tracker derives it; `nil` if there is none with this id.
    var measured: Trip?

    /// How many decisions name the trip.
    private(set) var filedCount = 0

    /// How many decisions are attached to the trip because the trips that they name do not exist
    /// any more.
    var adoptedCount = 0

    /// Whether a person reported the trip.
    private(set) var isReported = false

    /// The trip of which this one is the second part, if a person's split that makes it stands.
    private(set) var splitFrom: TripID?

    /// Whether merges or splits tie the trip to others, whether they stand or not.
    private(set) var isTied = false

    /// Whether people split the trip or excluded a stretch of it, whether that stands or not.
    private(set) var isCut = false

    /// Where the last decision that restores the trip stands in event order.
    private(set) var restoredAt: EventOrder?

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
        filedCount = Int(try reader.readAmount())
        adoptedCount = Int(try reader.readAmount())
        isReported = try reader.readBool()
        splitFrom = try reader.readOptional { reader throws(RowCodingError) in
            try reader.readTripID()
        }
        isTied = try reader.readBool()
        isCut = try reader.readBool()
        restoredAt = try reader.readOptional { reader throws(RowCodingError) in
            try reader.readEventOrder()
        }
        try reader.finish()
    }

    /// The entry as bytes.
    var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(measured) { $1.write(to: &$0) }
        writer.write(UInt64(filedCount))
        writer.write(UInt64(adoptedCount))
        writer.write(isReported)
        writer.write(splitFrom) { $0.write($1) }
        writer.write(isTied)
        writer.write(isCut)
        writer.write(restoredAt) { $0.write($1) }
        return writer.bytes
    }

    /// Whether there is a trip with this id.
    var isPresent: Bool { measured != nil || isReported }

    /// Whether no decision names the trip or is attached to it.
    var hasNoDecisions: Bool { filedCount == 0 && adoptedCount == 0 }

    /// Whether it was booked just as it was measured, without anything that is kept of it beside.
    var isBookedAsMeasured: Bool { hasNoDecisions && !(measured?.mayGoByOdometer ?? false) }

    /// Whether the trip's decisions can be folded again with each commit.
    var isCheap: Bool { !isTied && filedCount + adoptedCount <= Self.fewDecisions }

    /// Whether the entry says nothing, so that it needs no row.
    var isEmpty: Bool { measured == nil && hasNoDecisions }

    /// Counts a decision that names the trip or makes it.
    mutating func count(_ decision: Decision) {
        filedCount += 1
        switch decision.event.body {
        case .tripReported: isReported = true
        case .tripsMerged: isTied = true
        case .tripSplit(let split):
            isTied = true
            if split.trip == id { isCut = true } else { splitFrom = split.trip }
        case .stretchExcluded: isCut = true
        case .tripRestored:
            restoredAt = restoredAt.map { max($0, decision.order) } ?? decision.order
        default: break
        }
    }
}

/// A decision as it is filed under a trip that it names.
struct FiledDecision: Hashable, Sendable {
    private static let formatVersion: UInt8 = 1

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
    init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        host = try reader.readOptional { reader throws(RowCodingError) in try reader.readTripID() }
        decision = try Decision(from: &reader)
        try reader.finish()
    }

    /// The filed decision as bytes.
    var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(host) { $0.write($1) }
        decision.write(to: &writer)
        return writer.bytes
    }
}

/// The time that a measured trip takes, for finding the trip under way at an instant: from its
/// start to its end, at most two days.
struct TripSpan: Hashable {
    private static let formatVersion: UInt8 = 1

    /// When the trip started.
    let start: Timestamp

    /// The last instant of the span.
    let end: Timestamp

    /// Creates the span of a trip; an active one has no end yet.
    init(_ trip: Trip) {
        start = trip.startedAt.timestamp
        let limit = start.advanced(byMilliseconds: BookKey.reachMilliseconds)
        end = trip.endedAt.map { min($0.timestamp, limit) } ?? limit
    }

    /// Reads the span of a trip that started at an instant.
    init(start: Timestamp, decoding bytes: [UInt8]) throws(RowCodingError) {
        self.start = start
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        end = try reader.readTimestamp()
        try reader.finish()
    }

    /// The span of a trip whose start is known, as bytes.
    var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(end)
        return writer.bytes
    }

    /// Returns whether an instant lies in the span.
    func contains(_ instant: Timestamp) -> Bool {
        start <= instant && instant <= end
    }
}

/// The keys of the book's rows: a letter for the kind, then big-endian numbers or a name.
enum BookKey {
    /// How long before an instant a trip may have started to which a decision is attached, in
    /// milliseconds.
    ///
    /// No drive lasts two days without a pause that ends the trip.
    static let reachMilliseconds: Int64 = 48 * 3_600_000

    /// The row of a key that says everything.
    static let mark: [UInt8] = [1]

    /// The key of the row that counts the lost decisions that say when their trips started.
    static let lostCount = [UInt8(ascii: "N")]

    /// The first byte of the keys of custom fields.
    static let fieldPrefix = [UInt8(ascii: "F")]

    /// The first byte of the keys of trips that are still to be booked.
    static let duePrefix = [UInt8(ascii: "B")]

    /// The first byte of the keys of trips whose splits may take effect elsewhere than before.
    static let unsettledPrefix = [UInt8(ascii: "S")]

    /// The first byte of the keys of routines whose trips are still to be booked.
    static let revisedPrefix = [UInt8(ascii: "C")]

    /// The first byte of the keys of readings of odometers that correct those of an instant.
    private static let correctionPrefix = UInt8(ascii: "G")

    /// The first byte of the keys of the ends of trips that may go by the odometer.
    private static let odometerEndPrefix = [UInt8(ascii: "M")]

    /// The first byte of the keys of orphans.
    static let orphanPrefix = UInt8(ascii: "O")

    /// The key of a trip's entry.
    static func entry(_ trip: TripID) -> [UInt8] {
        key("T", trip)
    }

    /// The key of a trip as it was booked last, if there are decisions about it.
    static func booked(_ trip: TripID) -> [UInt8] {
        key("U", trip)
    }

    /// The key of the note that a trip is still to be booked.
    static func due(_ trip: TripID) -> [UInt8] {
        key("B", trip)
    }

    /// The key of the note that the splits of a trip may take effect elsewhere than before.
    static func unsettled(_ trip: TripID) -> [UInt8] {
        key("S", trip)
    }

    /// The beginning of the keys of the decisions that name a trip, in event order.
    static func filed(_ trip: TripID) -> [UInt8] {
        key("D", trip)
    }

    /// The key of a decision that names a trip.
    static func filed(_ trip: TripID, _ order: EventOrder) -> [UInt8] {
        filed(trip) + place(of: order)
    }

    /// The beginning of the keys of the decisions that were attached to a trip, in event order.
    static func adopted(_ trip: TripID) -> [UInt8] {
        key("E", trip)
    }

    /// The key of a decision that was attached to a trip.
    static func adopted(_ trip: TripID, _ order: EventOrder) -> [UInt8] {
        adopted(trip) + place(of: order)
    }

    /// The key of a measured trip among all in order of their starts; without a trip, the lowest
    /// key at that instant.
    static func start(_ instant: Timestamp, _ trip: TripID? = nil) -> [UInt8] {
        [UInt8(ascii: "H")] + number(instant) + bytes(of: trip)
    }

    /// The key of a lost decision among all in order of the starts of their trips; without a trip
    /// and decision, the lowest key at that instant.
    static func lost(
        _ instant: Timestamp,
        _ trip: TripID? = nil,
        _ order: EventOrder? = nil
    ) -> [UInt8] {
        [UInt8(ascii: "L")] + number(instant) + bytes(of: trip) + (order.map(place) ?? [])
    }

    /// Returns the key of a decision that names a trip, from its key among the lost ones.
    static func filed(ofLost key: [UInt8]) -> [UInt8] {
        [UInt8(ascii: "D")] + key.dropFirst(9)
    }

    /// The key of the last definition of a custom field.
    static func field(_ name: String) -> [UInt8] {
        fieldPrefix + name.utf8
    }

    /// The beginning of the keys of the decisions that saved or removed a routine, in event order.
    ///
    /// Names hold no control characters, so the zero byte ends the name.
    static func routine(_ name: String) -> [UInt8] {
        [UInt8(ascii: "R")] + name.utf8 + [0]
    }

    /// The key of a decision that saved or removed a routine.
    static func routine(_ name: String, _ order: EventOrder) -> [UInt8] {
        routine(name) + place(of: order)
    }

    /// The key of the note that trips are still to be booked to which a routine was applied.
    static func revised(_ name: String) -> [UInt8] {
        revisedPrefix + name.utf8
    }

    /// The key of a trip to which a routine was applied at an instant; without a trip, the lowest
    /// key at that instant.
    static func application(
        of name: some Sequence<UInt8>,
        at instant: Timestamp,
        to trip: TripID? = nil
    ) -> [UInt8] {
        [UInt8(ascii: "A")] + name + [0] + number(instant) + bytes(of: trip)
    }

    /// The key of an orphan: its place in event order, then the trip.
    static func orphan(_ decision: Decision, of trip: TripID) -> [UInt8] {
        [orphanPrefix] + order(of: decision) + bytes(of: trip)
    }

    /// The part of a key by which decisions are in order of time, each in a place of its own.
    static func order(of decision: Decision) -> [UInt8] {
        number(decision.order.occurredAt)
            + (0..<4).flatMap { number(decision.order.identity.words[$0]) }
    }

    /// The key of a reading of an odometer that corrects those of an instant.
    static func correction(of instant: Timestamp, by decision: Decision) -> [UInt8] {
        [correctionPrefix] + number(instant) + order(of: decision)
    }

    /// The keys of the readings that correct those of an instant.
    static func corrections(of instant: Timestamp) -> KeyRange {
        KeyRange(prefix: [correctionPrefix] + number(instant))
    }

    /// The keys of the decisions on a topic that were made at an instant.
    static func decisions(on topic: DecisionTopic, at instant: Timestamp) -> KeyRange {
        KeyRange(prefix: [topic.keyPrefix] + number(instant))
    }

    /// The key of a trip that may go by the odometer, at one of its ends.
    static func odometerEnd(_ instant: Timestamp, _ trip: TripID) -> [UInt8] {
        odometerEndPrefix + number(instant) + bytes(of: trip)
    }

    /// The keys of the trips that may go by the odometer and have an end at an instant.
    static func odometerEnds(at instant: Timestamp) -> KeyRange {
        KeyRange(prefix: odometerEndPrefix + number(instant))
    }

    /// Returns the trip that ends a key.
    static func trip(endOf key: [UInt8]) -> TripID {
        let words = [key.suffix(16).prefix(8), key.suffix(8)]
            .map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
        return TripID(high: words[0], low: words[1])
    }

    /// Returns the instant that begins a key after its letter.
    static func instant(in key: [UInt8]) -> Timestamp {
        let word = key.dropFirst().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        return Timestamp(milliseconds: Int64(bitPattern: word ^ 1 << 63))
    }

    /// The part of a key by which decisions are in event order.
    private static func place(of order: EventOrder) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(50)
        bytes.append(bigEndian: UInt64(bitPattern: order.occurredAt.milliseconds) ^ 1 << 63)
        bytes.append(order.rank)
        bytes.append(order.sequence == nil ? 0 : 1)
        if let sequence = order.sequence { bytes.append(bigEndian: sequence) }
        for index in 0..<4 { bytes.append(bigEndian: order.identity.words[index]) }
        return bytes
    }

    private static func key(_ letter: Unicode.Scalar, _ trip: TripID) -> [UInt8] {
        [UInt8(ascii: letter)] + bytes(of: trip)
    }

    private static func bytes(of trip: TripID?) -> [UInt8] {
        guard let trip else { return [] }
        return number(trip.high) + number(trip.low)
    }

    private static func number(_ instant: Timestamp) -> [UInt8] {
        number(UInt64(bitPattern: instant.milliseconds) ^ 1 << 63)
    }

    private static func number(_ word: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: word)
        return bytes
    }
}
