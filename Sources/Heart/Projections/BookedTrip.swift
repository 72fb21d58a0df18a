public import Geodesy
package import RowCoding
public import TripEvents
public import TripTracking

/// A trip as booked: what was measured or reported, and what people decided about it.
public struct BookedTrip: Hashable, Sendable {
    /// The trip's figures: as the tracker derives them, as a person reported them, or those of all
    /// parts of a merged trip together.
    public var trip: Trip

    /// Whether the figures come from a recorder alone, and neither from a person nor an odometer.
    public var isMeasured = true

    /// Its status in the book.
    public var status: BookedStatus

    /// The trip that shows this one's figures, if this one is a part of it.
    public var mergedInto: TripID?

    /// The trips whose figures this one shows, in order of their starts; empty unless it is merged.
    public var parts: [Part] = []

    /// Where a reported trip started, in words.
    public var origin: String?

    /// Where a reported trip ended, in words.
    public var destination: String?

    /// The address where it started, as a person or a report says it.
    public var originAddress: String?

    /// The address where it ended, as a person or a report says it.
    public var destinationAddress: String?

    /// The program or file that a reported trip was imported from.
    public var importedFrom: String?

    /// Its details.
    public var details: TripDetails

    /// The routine that was applied last.
    public var routine: String?

    /// The distance that a person set; the measured one stays in ``trip``.
    public var adjusted: Distance?

    /// What people's decisions did to it.
    public var flags: BookedFlags = []

    /// The trip that must be restored to give back what was excluded from this one, if it is
    /// another trip: this one is a part that was split off from it after the exclusion.
    public var excludedWith: TripID?

    /// The trip that must be restored to undo the split that made this one or a part of it, if it
    /// is another trip.
    public var splitFrom: TripID?

    /// When the ledger stored the first and the last decision about its details: facts that depend
    /// on the order of arrival.
    public var detailsRecorded: Trip.Recorded?

    /// The trip's id.
    public var id: TripID { trip.id }

    /// The class; unclassified if no decision sets one.
    public var tripClass: TripClass { details.tripClass ?? .unclassified }

    /// The distance that counts: the one that a person set, else the measured one; gaps are never
    /// in it.
    public var claimedDistance: Distance { adjusted ?? trip.distance }

    /// Whether the trip counts in totals.
    public var counts: Bool { status == .completed }

    /// The decisions that restoring it takes back.
    ///
    /// Of the parts of a merged trip only the one that stands for all is restorable, and of those
    /// of a split trip the one that was split. A merge that unites nothing, because the other trips
    /// have gone or are void, is taken back too, but is not listed: it shows nowhere.
    public var restorable: [Restorable] {
        guard status != .merged else { return [] }
        return Restorable.allCases.filter { what in
            switch what {
            case .voided: status == .voided
            case .adjusted: flags.contains(.adjusted)
            case .excluded: flags.contains(.excluded) && excludedWith == nil
            case .merged: flags.contains(.merged)
            case .split: flags.contains(.split) && splitFrom == nil
            }
        }
    }

    /// The times between its parts, in order, when it was not under way: none unless it is merged.
    public var pauses: [Range<Timestamp>] {
        zip(parts, parts.dropFirst())
            .compactMap { earlier, later in
                let from = (earlier.endedAt ?? earlier.startedAt).timestamp
                let to = later.startedAt.timestamp
                return from < to ? from..<to : nil
            }
    }

    /// When it was under way; one that goes on has no end yet.
    public var travelTime: TravelTime {
        let end = trip.endedAt?.timestamp ?? Timestamp(milliseconds: .max)
        return TravelTime(from: trip.startedAt.timestamp, to: end, without: pauses)
    }

    /// The ids of the trips whose figures it shows: its parts, or the trip itself.
    public var shownTrips: [TripID] { parts.isEmpty ? [id] : parts.map(\.id) }

    /// Whether restoring it undoes something that a person decided.
    public var isRestorable: Bool { !restorable.isEmpty }

    /// The names of all its flags in alphabetical order.
    public var flagNames: [String] {
        // Fast path: nearly every trip has none.
        trip.flags.isEmpty && flags.isEmpty ? [] : (trip.flags.names + flags.names).sorted()
    }

    /// Whether the trip names a vehicle, byte by byte.
    package func isOf(vehicle: String) -> Bool {
        details.vehicle.map { $0.hasSameBytes(as: vehicle) } ?? false
    }

    /// The means of transport: what a person said, else what the rules derive.
    public var mode: TravelMode { details.mode ?? trip.mode }

    /// Why it has ended without being a trip; `nil` if it has not.
    public var abandonReason: AbandonReason? {
        switch status {
        case .active, .completed: return nil
        case .voided, .merged: return trip.abandonReason
        case .abandoned:
            guard isJudgedByMode, let mode = details.mode else { return trip.abandonReason }
            return mode == .foot ? .walkingPace : .notByCar
        }
    }

    /// Why the rules, or the mode that a person said, leave a recorded way out of
    /// all sums; `nil` if it counts, or is left out for another reason.
    public var uncountedReason: AbandonReason? {
        guard status == .abandoned, let reason = abandonReason else { return nil }
        return switch reason {
        case .falseStart, .walkingPace, .afterStop, .notByCar: reason
        case .noPosition, .discarded: nil
        }
    }

    /// Lets what a person said of the mode decide whether the trip counts, in place of the rules.
    mutating func followSaidMode() {
        guard isJudgedByMode, status == .completed || status == .abandoned,
            let mode = details.mode
        else { return }
        switch mode {
        case .car, .bus, .unsure: status = .completed
        case .rail, .bicycle, .foot: status = .abandoned
        }
    }

    /// Whether the trip counts by the rules, or would if it had been made by car.
    private var isJudgedByMode: Bool {
        trip.status == .completed || trip.abandonReason == .walkingPace
            || trip.abandonReason == .notByCar
    }

    /// Whether a decision says what the trip was for; the vehicle and the mode alone do not.
    public var hasDetails: Bool {
        var said = details
        said.vehicle = nil
        said.mode = nil
        return routine != nil || said != TripDetails()
    }

    /// The same trip as if the ledger had stored everything when it started.
    public var withoutArrival: BookedTrip {
        var booked = self
        let startedAt = trip.startedAt.timestamp
        booked.trip.recorded = Trip.Recorded(firstAt: startedAt, lastAt: startedAt)
        booked.detailsRecorded = detailsRecorded.map { _ in booked.trip.recorded }
        return booked
    }
}

// In an extension, so that there is an initialiser of all members, too.
extension BookedTrip {
    /// One of the trips whose figures a merged trip shows.
    public struct Part: Hashable, Sendable {
        /// The trip's id.
        public let id: TripID

        /// When it started.
        public let startedAt: EventTime

        /// When it ended; `nil` while it goes on.
        public let endedAt: EventTime?

        /// Creates a part.
        public init(id: TripID, startedAt: EventTime, endedAt: EventTime?) {
            self.id = id
            self.startedAt = startedAt
            self.endedAt = endedAt
        }
    }

    /// Creates a trip about which nothing was decided.
    public init(_ trip: Trip) {
        let status: BookedStatus =
            switch trip.status {
            case .active: .active
            case .completed: .completed
            case .abandoned: .abandoned
            }
        self.init(trip: trip, status: status, details: TripDetails(pressedFor: trip))
    }
}

extension TripDetails {
    /// Creates what the presses of a trip said of it, before anything is decided.
    init(pressedFor trip: Trip) {
        self.init(vehicle: trip.vehicle, driver: trip.driver)
    }
}

/// Something about a trip that restoring it takes back; the raw value is its name in JSON.
public enum Restorable: String, CaseIterable, Sendable {
    /// A person found that it is not a trip.
    case voided

    /// Its distance was set.
    case adjusted

    /// A stretch of it was excluded.
    case excluded

    /// It was merged with others.
    case merged

    /// It was split.
    case split
}

/// The status of a trip in the book; the raw value is its name in JSON.
public enum BookedStatus: String, CaseIterable, Sendable {
    /// It has started and not ended.
    case active

    /// It has ended: the only trips that count.
    case completed

    /// It has ended without being a trip.
    case abandoned

    /// A person found that it is not a trip.
    case voided

    /// It is a part of another trip, which shows its figures.
    case merged
}

/// What people's decisions did to a trip, beside what the recorder says in `TripFlags`.
public struct BookedFlags: OptionSet, Hashable, Sendable {
    /// One bit for each flag.
    public let rawValue: UInt32

    /// Creates flags from their bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// A statement about it was later changed or taken back.
    public static let edited = BookedFlags(rawValue: 1 << 0)

    /// Its distance was set by a person.
    public static let adjusted = BookedFlags(rawValue: 1 << 1)

    /// It is made of several trips, or a part of one that is.
    public static let merged = BookedFlags(rawValue: 1 << 2)

    /// It is one of the parts that a trip was split into.
    public static let split = BookedFlags(rawValue: 1 << 3)

    /// Events of it were erased, so that its figures are less than what was measured.
    public static let erased = BookedFlags(rawValue: 1 << 4)

    /// A person excluded a stretch of it from its distance.
    public static let excluded = BookedFlags(rawValue: 1 << 5)

    /// Its distance, or that of a part of it, is the difference of what the odometer of its vehicle
    /// showed at GO and at STOP.
    public static let odometer = BookedFlags(rawValue: 1 << 6)

    /// Its routine applies by itself, and no person applied one.
    public static let byRule = BookedFlags(rawValue: 1 << 7)

    /// Every flag there is; other bits come from a newer version or from damage.
    public static let all: BookedFlags = [
        .edited, .adjusted, .merged, .split, .erased, .excluded, .odometer, .byRule,
    ]

    /// The names of the flags that are set, in alphabetical order, as shown in JSON.
    public var names: [String] {
        guard !isEmpty else { return [] }
        let named: [(BookedFlags, String)] = [
            (.adjusted, "adjusted"), (.byRule, "by_rule"), (.edited, "edited"),
            (.erased, "erased"), (.excluded, "excluded"), (.merged, "merged"),
            (.odometer, "odometer"), (.split, "split"),
        ]
        return named.filter { contains($0.0) }.map(\.1)
    }
}

extension BookedTrip {
    /// Writes the trip, member by member in order of declaration.
    package func write(to writer: inout RowEncoder) {
        trip.write(to: &writer)
        writer.write(isMeasured)
        writer.write(status)
        writer.write(mergedInto) { $0.write($1) }
        writer.write(UInt64(parts.count))
        for part in parts {
            writer.write(part.id)
            writer.write(part.startedAt)
            writer.write(part.endedAt) { $0.write($1) }
        }
        writer.write(origin) { $0.write($1) }
        writer.write(destination) { $0.write($1) }
        writer.write(originAddress) { $0.write($1) }
        writer.write(destinationAddress) { $0.write($1) }
        writer.write(importedFrom) { $0.write($1) }
        details.write(to: &writer)
        writer.write(routine) { $0.write($1) }
        writer.write(adjusted) { $0.write($1) }
        writer.write(UInt64(flags.rawValue))
        writer.write(excludedWith) { $0.write($1) }
        writer.write(splitFrom) { $0.write($1) }
        writer.write(detailsRecorded) {
            $0.write($1.firstAt)
            $0.write($1.lastAt)
        }
    }

    /// Reads a trip.
    package init(from reader: inout RowDecoder) throws(RowCodingError) {
        // In order, as they were written; in one piece, so that nothing is copied.
        self.init(
            trip: try Trip(from: &reader),
            isMeasured: try reader.readBool(),
            status: try reader.readBookedStatus(),
            mergedInto: try reader.readBool() ? try reader.readTripID() : nil,
            parts: try Self.parts(from: &reader),
            origin: try reader.readOptionalText(),
            destination: try reader.readOptionalText(),
            originAddress: try reader.readOptionalText(),
            destinationAddress: try reader.readOptionalText(),
            importedFrom: try reader.readOptionalText(),
            details: try TripDetails(from: &reader),
            routine: try reader.readOptionalText(),
            adjusted: try reader.readBool() ? try reader.readDistance() : nil,
            flags: try Self.flags(from: &reader),
            excludedWith: try reader.readBool() ? try reader.readTripID() : nil,
            splitFrom: try reader.readBool() ? try reader.readTripID() : nil,
            detailsRecorded: try reader.readBool() ? try Self.recorded(from: &reader) : nil
        )
    }

    private static func parts(from reader: inout RowDecoder) throws(RowCodingError) -> [Part] {
        var parts: [Part] = []
        for _ in 0..<(try reader.readAmount()) {
            parts.append(
                Part(
                    id: try reader.readTripID(),
                    startedAt: try reader.readEventTime(),
                    endedAt: try reader.readBool() ? try reader.readEventTime() : nil
                )
            )
        }
        return parts
    }

    private static func recorded(
        from reader: inout RowDecoder
    ) throws(RowCodingError) -> Trip.Recorded {
        Trip.Recorded(firstAt: try reader.readTimestamp(), lastAt: try reader.readTimestamp())
    }

    private static func flags(from reader: inout RowDecoder) throws(RowCodingError) -> BookedFlags {
        guard let bits = UInt32(exactly: try reader.readUInt64()) else { throw .invalidValue }
        let flags = BookedFlags(rawValue: bits)
        guard flags.isSubset(of: .all) else { throw .invalidValue }
        return flags
    }
}

extension RowDecoder {
    private static let statusNames = ChoiceNames(of: BookedStatus.self)

    /// Reads a trip's status in the book.
    package mutating func readBookedStatus() throws(RowCodingError) -> BookedStatus {
        BookedStatus.allCases[try readIndex(in: Self.statusNames)]
    }
}
