import RowCoding
import TripEvents
import TripTracking

/// The keys of the book's rows: a letter for the kind, then big-endian numbers or a name.
enum BookKey {
    /// The longest time from the start of a trip to the start of a missing one whose decisions are
    /// attached to it, in milliseconds.
    ///
    /// No drive lasts two days without a pause that ends the trip.
    static let reachMilliseconds: Int64 = 48 * 3_600_000

    /// The value of a row whose key says everything.
    static let mark: [UInt8] = [1]

    /// The key of the row that counts the lost decisions that say when their trips started.
    static let lostCount = BookRowKind.lostCount.prefix

    /// The key of the row that names the first trip for which the routines that apply by themselves
    /// are looked up again.
    static let rulesRevised = BookRowKind.rulesRevised.prefix

    /// The key of a trip's entry.
    static func entry(_ trip: TripID) -> [UInt8] {
        key(.entry, trip)
    }

    /// The key of a trip as it was booked last, if there are decisions about it.
    static func booked(_ trip: TripID) -> [UInt8] {
        key(.booked, trip)
    }

    /// The key of the note that a trip is still to be booked.
    static func due(_ trip: TripID) -> [UInt8] {
        key(.due, trip)
    }

    /// The key of the note that the splits of a trip may take effect elsewhere than before.
    static func unsettled(_ trip: TripID) -> [UInt8] {
        key(.unsettled, trip)
    }

    /// The beginning of the keys of the decisions that name a trip, in event order.
    static func filed(_ trip: TripID) -> [UInt8] {
        key(.filed, trip)
    }

    /// The key of a decision that names a trip.
    static func filed(_ trip: TripID, _ order: EventOrder) -> [UInt8] {
        filed(trip) + place(of: order)
    }

    /// The beginning of the keys of the decisions that were attached to a trip, in event order.
    static func adopted(_ trip: TripID) -> [UInt8] {
        key(.adopted, trip)
    }

    /// The key of a decision that was attached to a trip.
    static func adopted(_ trip: TripID, _ order: EventOrder) -> [UInt8] {
        adopted(trip) + place(of: order)
    }

    /// The key of a measured trip among all in order of their starts; without a trip, the lowest
    /// key at that instant.
    static func start(_ instant: Timestamp, _ trip: TripID? = nil) -> [UInt8] {
        BookRowKind.start.prefix + number(instant) + bytes(of: trip)
    }

    /// The keys of all measured trips from a key among them on, in order of their starts.
    static func starts(from key: [UInt8]) -> KeyRange {
        KeyRange(from: key, upTo: KeyRange(prefix: BookRowKind.start.prefix).upTo)
    }

    /// The key of a reported trip among all in order of their starts.
    static func reported(_ instant: Timestamp, _ trip: TripID) -> [UInt8] {
        BookRowKind.reported.prefix + number(instant) + bytes(of: trip)
    }

    /// The keys of all reported trips from an instant on, in order of their starts.
    static func reports(from instant: Timestamp) -> KeyRange {
        KeyRange(
            from: BookRowKind.reported.prefix + number(instant),
            upTo: KeyRange(prefix: BookRowKind.reported.prefix).upTo
        )
    }

    /// The key of a lost decision among all in order of the starts of their trips; without a trip
    /// and decision, the lowest key at that instant.
    static func lost(
        _ instant: Timestamp,
        _ trip: TripID? = nil,
        _ order: EventOrder? = nil
    ) -> [UInt8] {
        BookRowKind.lost.prefix + number(instant) + bytes(of: trip) + (order.map(place) ?? [])
    }

    /// Returns the key of a decision that names a trip, from its key among the lost ones.
    static func filed(ofLost key: [UInt8]) -> [UInt8] {
        BookRowKind.filed.prefix + key.dropFirst(9)
    }

    /// The key of the last definition of a custom field by the sources of a group, or of the owner.
    ///
    /// Neither keys nor groups hold control characters, so the zero byte ends the key.
    static func field(_ name: String, in group: String?) -> [UInt8] {
        BookRowKind.field.prefix + name.utf8 + [0] + (group ?? "").utf8
    }

    /// The beginning of the keys of the decisions that saved or removed a routine: those of each
    /// group in event order.
    ///
    /// Names hold no control characters, so the zero byte ends the name.
    static func routine(_ name: String) -> [UInt8] {
        BookRowKind.routine.prefix + name.utf8 + [0]
    }

    /// The beginning of the keys of those by the sources of a group, or of the owner.
    static func routine(_ name: String, in group: String?) -> [UInt8] {
        routine(name) + (group ?? "").utf8 + [0]
    }

    /// The key of a decision that saved or removed a routine.
    static func routine(_ name: String, in group: String?, _ order: EventOrder) -> [UInt8] {
        routine(name, in: group) + place(of: order)
    }

    /// The key of the note that a routine ever applied to trips by itself.
    static func pattern(_ name: String) -> [UInt8] {
        BookRowKind.pattern.prefix + name.utf8
    }

    /// The key of the note that the trips to which a routine was applied are still to be booked.
    static func revised(_ name: String) -> [UInt8] {
        BookRowKind.revised.prefix + name.utf8
    }

    /// The beginning of the keys of the trips to which a routine was applied.
    ///
    /// Names hold no control characters, so the zero byte ends the name.
    static func applications(of name: some Sequence<UInt8>) -> [UInt8] {
        BookRowKind.application.prefix + name + [0]
    }

    /// The key of a trip to which a routine was applied at an instant; without a trip, the lowest
    /// key at that instant.
    static func application(
        of name: some Sequence<UInt8>,
        at instant: Timestamp,
        to trip: TripID? = nil
    ) -> [UInt8] {
        applications(of: name) + number(instant) + bytes(of: trip)
    }

    /// The key of a decision about a trip that is not there: its place in event order, then the
    /// trip.
    static func orphan(_ decision: Decision, of trip: TripID) -> [UInt8] {
        BookRowKind.orphan.prefix + order(of: decision) + bytes(of: trip)
    }

    /// The beginning of the keys of the decisions that cannot stand because of a trip.
    static func obstacles(to trip: TripID) -> [UInt8] {
        BookRowKind.obstacle.prefix + bytes(of: trip)
    }

    /// The key of one of them.
    static func obstacle(_ decision: Decision, of trip: TripID) -> [UInt8] {
        obstacles(to: trip) + place(of: decision.order)
    }

    /// The beginning of the keys of trips about which a decision waits for a custom field.
    ///
    /// Names of fields hold no control characters, so the zero byte ends the name.
    static func waiting(forField name: String) -> [UInt8] {
        BookRowKind.waiting.prefix + name.utf8 + [0]
    }

    /// The key of one of them.
    static func waiting(forField name: String, _ trip: TripID) -> [UInt8] {
        waiting(forField: name) + bytes(of: trip)
    }

    /// The part of a key that sorts decisions by time and gives each a place of its own.
    static func order(of decision: Decision) -> [UInt8] {
        number(decision.order.occurredAt)
            + (0..<4).flatMap { number(decision.order.identity.words[$0]) }
    }

    /// The key of an inference: the class of its length, then its start.
    static func inference(
        _ level: UInt8,
        _ start: Timestamp,
        _ identity: IdentityDigest
    ) -> [UInt8] {
        [BookRowKind.inference.letter, level] + number(start)
            + (0..<4).flatMap { number(identity.words[$0]) }
    }

    /// The keys of the inferences of one class of lengths that begin at or after an instant and
    /// before a span of time ends.
    static func inferences(
        _ level: UInt8,
        from start: Timestamp,
        _ span: Range<Timestamp>
    ) -> KeyRange {
        KeyRange(
            from: [BookRowKind.inference.letter, level] + number(start),
            upTo: [BookRowKind.inference.letter, level] + number(span.upperBound)
        )
    }

    /// The key of a reading of an odometer that corrects those of an instant.
    static func correction(of instant: Timestamp, by decision: Decision) -> [UInt8] {
        BookRowKind.correction.prefix + number(instant) + order(of: decision)
    }

    /// The keys of the readings that correct those of an instant.
    static func corrections(of instant: Timestamp) -> KeyRange {
        KeyRange(prefix: BookRowKind.correction.prefix + number(instant))
    }

    /// The keys of the decisions on a topic that were made at an instant.
    static func decisions(on topic: DecisionTopic, at instant: Timestamp) -> KeyRange {
        KeyRange(prefix: [topic.keyPrefix] + number(instant))
    }

    /// The key, at one of its ends, of a trip that may take its distance from the odometer.
    static func odometerEnd(_ instant: Timestamp, _ trip: TripID) -> [UInt8] {
        BookRowKind.odometerEnd.prefix + number(instant) + bytes(of: trip)
    }

    /// The keys of the trips that may take their distance from the odometer and have an end at an
    /// instant.
    static func odometerEnds(at instant: Timestamp) -> KeyRange {
        KeyRange(prefix: BookRowKind.odometerEnd.prefix + number(instant))
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

    private static func key(_ kind: BookRowKind, _ trip: TripID) -> [UInt8] {
        kind.prefix + bytes(of: trip)
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

/// The kinds of rows that the book has, by the letter that begins their keys.
///
/// Every row of the book is of one of these kinds, so that two kinds never share a letter: two
/// cases of one letter do not compile. Letters that were stored are never given another meaning
/// without a new version of the view.
package enum BookRowKind: Unicode.Scalar {
    /// A trip to which a routine was applied.
    case application = "A"

    /// The note that a trip is still to be booked.
    case due = "B"

    /// The note that the trips to which a routine was applied are still to be booked.
    case revised = "C"

    /// A decision that names a trip.
    case filed = "D"

    /// A decision that was attached to a trip.
    case adopted = "E"

    /// The last definition of a custom field.
    case field = "F"

    /// A reading of an odometer that corrects those of an instant.
    case correction = "G"

    /// A measured trip in order of starts.
    case start = "H"

    /// An inference of another program.
    case inference = "I"

    /// An issued report.
    case report = "J"

    /// A correction of a source's clock.
    case clock = "K"

    /// A lost decision.
    case lost = "L"

    /// An end of a trip that may take its distance from the odometer.
    case odometerEnd = "M"

    /// The count of lost decisions that say when their trips started.
    case lostCount = "N"

    /// A decision about a trip that is not there.
    case orphan = "O"

    /// A decision that saved or removed a place.
    case place = "P"

    /// A table of rates.
    case rates = "Q"

    /// A decision that saved or removed a routine.
    case routine = "R"

    /// The note that the splits of a trip may take effect elsewhere than before.
    case unsettled = "S"

    /// A trip's entry.
    case entry = "T"

    /// A trip as it was booked last, if there are decisions about it.
    case booked = "U"

    /// A decision about vehicles, or a reading of an odometer.
    case vehicle = "V"

    /// The note that a routine ever applied to trips by itself.
    case pattern = "W"

    /// The first trip for which the routines that apply by themselves are looked up again.
    case rulesRevised = "X"

    /// An expense.
    case expense = "Y"

    /// A change of the ledger's settings.
    case settings = "Z"

    /// A trip about which a decision waits for a custom field.
    case waiting = "f"

    /// A reported trip in order of starts.
    case reported = "j"

    /// A decision that cannot stand.
    case obstacle = "o"

    /// The first byte of the keys.
    package var letter: UInt8 { UInt8(ascii: rawValue) }

    /// The beginning of the keys.
    var prefix: [UInt8] { [letter] }
}
