public import RowCoding
public import TripEvents
import TripTracking

/// Why a decision about a trip, or about a setting of the whole ledger, cannot take effect.
///
/// A request for such a decision is refused with these words. One that was stored all the same, as
/// a fact of another ledger, has no effect while the obstacle exists, and is listed with these
/// words.
public enum DecisionObstacle: Hashable, Sendable {
    /// The trip is not there, and no other trip took the decision over.
    case isMissing

    /// The trip still goes on.
    case isActive

    /// The trip was voided.
    case isVoided

    /// The trip was discarded.
    case isAbandoned

    /// The trip is a part of another one.
    case isPart(of: TripID)

    /// The trip is made of this many trips.
    case isMerged(parts: Int)

    /// The trip was reported as a whole, without fixes.
    case isReported

    /// The trip's distance was set by hand.
    case isAdjusted

    /// The trip is named twice.
    case isNamedTwice

    /// The trip belongs to a different group of sources than another trip.
    case isOfOtherGroup(than: TripID)

    /// The trip's vehicle differs from that of another trip.
    case isOfOtherVehicle(String, than: TripID, of: String)

    /// The trip starts before another one has ended.
    case overlaps(TripID)

    /// The trip's clock was changed on the way, and the time may mean two instants.
    case hasUnclearTimes(start: EventTime)

    /// The second time is not after the first one.
    case isBackwards(from: EventTime, to: EventTime)

    /// Nothing was measured on the trip between the times.
    case hasNothingMeasured

    /// The time is not within the trip; `nil` if the calendar has no such time.
    case isElsewhere(at: EventTime?, start: EventTime, end: EventTime?)

    /// The decision is about a trip that is gone. This trip has taken its place, but the decision
    /// cannot be carried over to it.
    case hasTakenPlace(of: TripID)

    /// There is no custom field of this name.
    case lacksField(String)

    /// A group decides what holds for the whole ledger.
    case isOwnersAlone(EventKind, group: String)

    /// A setting has a value that this program or this machine does not know: the cause, as a
    /// sentence without a full stop.
    case isUnknownValue(String)
}

// MARK: - Words

extension DecisionObstacle {
    /// Its name in JSON.
    public var name: String {
        switch self {
        case .isMissing: "missing_trip"
        case .isActive: "active"
        case .isVoided: "voided"
        case .isAbandoned: "abandoned"
        case .isPart: "part_of_another"
        case .isMerged: "merged"
        case .isReported: "reported"
        case .isAdjusted: "adjusted"
        case .isNamedTwice: "named_twice"
        case .isOfOtherGroup: "other_group"
        case .isOfOtherVehicle: "other_vehicle"
        case .overlaps: "overlap"
        case .hasUnclearTimes: "unclear_time"
        case .isBackwards: "backwards"
        case .hasNothingMeasured: "nothing_measured"
        case .isElsewhere: "outside_trip"
        case .hasTakenPlace: "replaced_trip"
        case .lacksField: "unknown_field"
        case .isOwnersAlone: "other_group"
        case .isUnknownValue: "unknown_value"
        }
    }

    /// The obstacle, as a sentence without a full stop; its subject is the trip, if there is one.
    ///
    /// - Parameter clock: The clock in which times are shown; `nil` to show each with its own
    ///   offset.
    /// - Returns: The sentence.
    package func cause(by clock: LocalDay?) -> String {
        switch self {
        case .isMissing: "it is not there"
        case .isActive: "it is still going on"
        case .isVoided: "it was voided"
        case .isAbandoned: "it was discarded, so there is nothing to split"
        case .isPart(let lead): "it is a part of trip \(Self.short(lead))"
        case .isMerged(let parts): "it is made of \(parts) trips"
        case .isReported: "it was reported as a whole, without any fixes"
        case .isAdjusted: "its distance was set by hand, for the whole trip"
        case .isNamedTwice: "it is named twice"
        case .isOfOtherGroup(let other):
            "it belongs to another group than trip \(Self.short(other))"
        case .isOfOtherVehicle(let vehicle, let other, let otherVehicle):
            "its vehicle is \(vehicle), that of trip \(Self.short(other)) is \(otherVehicle)"
        case .overlaps(let earlier):
            "it starts before trip \(Self.short(earlier)) ends, so a distance would count twice"
        case .hasUnclearTimes:
            "its clock was changed on the way, so that a time of day may mean two instants"
        case .isBackwards(let from, let to):
            "\(to.sentenceText(by: clock)) is not after \(from.sentenceText(by: clock))"
        case .hasNothingMeasured: "nothing was measured on it between these times"
        case .isElsewhere(let time, let start, let end):
            "\(time?.sentenceText(by: clock) ?? "That day") is not within the trip, which is from "
                + start.sentenceText(by: clock)
                + (end.map { " to \($0.sentenceText(by: clock))" } ?? " and goes on")
        case .hasTakenPlace(let gone):
            "it has taken the place of trip \(Self.short(gone)), about which this was decided"
        case .lacksField(let key): "there is no custom field \(Excerpt.escaped(key))"
        case .isOwnersAlone(let kind, let group):
            "\(kind == .ratesLoaded ? "rates" : "settings") hold for the whole ledger and are its "
                + "owner's alone; the group \(Excerpt.of(group)) has none of its own"
        case .isUnknownValue(let cause): cause
        }
    }

    /// What to do, as a sentence without a full stop; empty if there is nothing to say.
    ///
    /// - Parameters:
    ///   - trip: The trip; `nil` if the decision is about none.
    ///   - kind: The kind of the event that says the decision.
    /// - Returns: The sentence.
    package func hint(about trip: TripID?, deciding kind: EventKind) -> String {
        let undo = "Take that back with `\(restoring(trip))` first"
        switch self {
        case .isMissing:
            return "It takes effect once the trip's events are appended. If the trip has another "
                + "id now (see `ledger trips --all`), decide the same about that one"
        case .isActive: return "Merge it when it has ended"
        case .isVoided where kind == .tripsMerged:
            return "Bring it back with `\(restoring(trip))`, then merge again"
        case .isPart where kind == .tripsMerged: return "Name that one; the others join it"
        case .isVoided, .isPart, .isMerged, .isAdjusted:
            return kind == .tripSplit ? "\(undo), then split" : "\(undo), then exclude"
        case .isAbandoned: return ""
        case .isReported where kind == .tripSplit: return "Void it, and report two trips"
        case .isReported: return "Say how far it went with `ledger adjust`"
        case .isNamedTwice: return "Name each trip once"
        case .isOfOtherGroup: return "Only trips of one group are parts of one drive"
        case .isOfOtherVehicle: return "If one of them is wrong, correct it with `ledger edit`"
        case .overlaps:
            return "If both recorded the same drive, void one of them with `ledger void`"
        case .hasUnclearTimes(let start):
            return "Give the time with its offset, such as "
                + RFC3339.text(start.timestamp, utcOffset: start.utcOffset)
        case .isBackwards: return "Give the beginning of the stretch first, then its end"
        case .hasNothingMeasured:
            return "`ledger explain \(Self.short(trip))` shows what each fix adds"
        case .isElsewhere:
            return "Give a time after its first position and not after it last moved; "
                + "`ledger explain \(Self.short(trip))` shows its fixes"
        case .hasTakenPlace:
            return "Events that came later have changed where the trip starts. Decide the same "
                + "about it as it is now"
        case .lacksField: return "`ledger field define` defines one"
        case .isOwnersAlone: return "The ledger's owner decides it, from a source of no group"
        case .isUnknownValue:
            return "What was set before holds. It takes effect once the value is known here; "
                + "`ledger settings` sets another one"
        }
    }

    /// The command that helps, or that shows what would.
    ///
    /// - Parameter trip: The trip; `nil` if the decision is about none.
    /// - Returns: The command, without the program's options.
    package func command(about trip: TripID?) -> String {
        switch self {
        case .isMissing, .isActive, .isNamedTwice, .isOfOtherGroup: "ledger trips --all"
        case .isVoided, .isAbandoned, .isPart, .isMerged, .isAdjusted: restoring(trip)
        case .isReported, .hasTakenPlace: "ledger trip \(Self.short(trip))"
        case .isOfOtherVehicle(_, _, let vehicle):
            "ledger edit \(Self.short(trip)) --vehicle \(ShellWord.quoted(vehicle))"
        case .overlaps: "ledger void \(Self.short(trip)) --why TEXT"
        case .hasUnclearTimes, .isBackwards, .hasNothingMeasured, .isElsewhere:
            "ledger explain \(Self.short(trip))"
        case .lacksField(let key): "ledger field define \(ShellWord.quoted(key))"
        case .isOwnersAlone(.ratesLoaded, _): "ledger rates list"
        case .isOwnersAlone, .isUnknownValue: "ledger settings"
        }
    }

    private func restoring(_ trip: TripID?) -> String { "ledger restore \(Self.short(trip))" }

    fileprivate static func short(_ trip: TripID?) -> Substring {
        trip?.description.prefix(8) ?? ""
    }
}

extension EventTime {
    /// The time as RFC 3339 has it, with its offset.
    fileprivate var text: String { RFC3339.text(timestamp, utcOffset: utcOffset) }

    /// Returns the time as sentences have it: `2025-03-03 08:30:00 +01:00`, told by a clock.
    package func sentenceText(by clock: LocalDay?) -> String {
        let time = told(by: clock)
        let full = RFC3339.text(time.timestamp, utcOffset: time.utcOffset)
        let zone = time.utcOffset == nil ? "UTC" : String(full.dropFirst(23))
        return "\(full.prefix(10)) \(full.dropFirst(11).prefix(8)) \(zone)"
    }
}

// MARK: - Rules

/// The facts about a trip that decide whether it can be merged with others.
package struct MergePart {
    let id: TripID
    let start: Timestamp
    let end: Timestamp?

    /// When it was under way; it is only asked for where start and end do not tell.
    let travelTime: () -> TravelTime

    /// The group of sources that it belongs to.
    let group: String?
    let vehicle: String?

    /// The obstacle that keeps the trip itself out of every merge.
    let obstacle: DecisionObstacle?

    /// Takes a trip as it is booked.
    package init(_ booked: BookedTrip) {
        id = booked.id
        start = booked.trip.startedAt.timestamp
        end = booked.trip.endedAt?.timestamp
        travelTime = { booked.travelTime }
        group = booked.trip.group
        vehicle = booked.details.vehicle
        switch booked.status {
        case .completed, .abandoned: obstacle = nil
        case .active: obstacle = .isActive
        case .voided: obstacle = .isVoided
        case .merged: obstacle = .isPart(of: booked.mergedInto ?? booked.id)
        }
    }

    /// Takes trips that stand as one, as decisions so far have left them.
    init(
        _ id: TripID,
        from start: Timestamp,
        to end: Timestamp?,
        travelTime: @escaping () -> TravelTime,
        of group: String?,
        vehicle: String?,
        isVoided: Bool
    ) {
        self.id = id
        self.start = start
        self.end = end
        self.travelTime = travelTime
        self.group = group
        self.vehicle = vehicle
        obstacle = isVoided ? .isVoided : nil
    }
}

extension DecisionObstacle {
    /// Returns why trips, given in order of their starts, cannot be one, and which of them is in
    /// the way; `nil` if they can.
    package static func toMerging(
        _ parts: [MergePart]
    ) -> (trip: TripID, obstacle: DecisionObstacle)? {
        for part in parts {
            if let obstacle = part.obstacle { return (part.id, obstacle) }
        }
        guard let first = parts.first else { return nil }
        if let other = parts.first(where: { !$0.group.hasSameBytes(as: first.group) }) {
            return (other.id, .isOfOtherGroup(than: first.id))
        }
        var known: (trip: TripID, vehicle: String)?
        for (index, part) in parts.enumerated() {
            if index > 0, parts[index - 1].id == part.id { return (part.id, .isNamedTwice) }
            guard let vehicle = part.vehicle else { continue }
            if let known, !known.vehicle.hasSameBytes(as: vehicle) {
                let obstacle = isOfOtherVehicle(vehicle, than: known.trip, of: known.vehicle)
                return (part.id, obstacle)
            }
            known = known ?? (part.id, vehicle)
        }
        for (index, later) in parts.enumerated().dropFirst() {
            let before = parts[..<index]
                .last { part in
                    guard part.end.map({ $0 > later.start }) ?? true else { return false }
                    // It may lie between two parts of a merged one.
                    let (time, laterTime) = (part.travelTime(), later.travelTime())
                    let hasPauses = !time.pauses.isEmpty || !laterTime.pauses.isEmpty
                    return !hasPauses || time.overlaps(laterTime)
                }
            if let before { return (later.id, .overlaps(before.id)) }
        }
        return nil
    }

    /// Returns why a trip cannot be split at any time; `nil` if nothing is known that hinders it.
    package static func toSplitting(_ booked: BookedTrip) -> DecisionObstacle? {
        toCutting(booked) ?? (booked.status == .abandoned ? .isAbandoned : nil)
    }

    /// Returns why nothing can be excluded from a trip; `nil` if nothing is known that hinders it.
    package static func toExcluding(from booked: BookedTrip) -> DecisionObstacle? {
        toCutting(booked)
    }

    /// Returns why a trip is not one measured drive; `nil` if it is.
    private static func toCutting(_ booked: BookedTrip) -> DecisionObstacle? {
        if let lead = booked.mergedInto { return .isPart(of: lead) }
        if !booked.parts.isEmpty { return .isMerged(parts: booked.parts.count) }
        if booked.trip.startedBy == .report { return .isReported }
        if booked.status == .voided { return .isVoided }
        return booked.adjusted == nil ? nil : .isAdjusted
    }
}

extension Decision {
    /// Why the decision cannot stand, given that it is about the whole ledger.
    ///
    /// It comes from a source of a group; `nil` if it comes from the owner.
    package var obstacleOfGroup: DecisionObstacle? {
        guard let group, let kind = event.body.kind else { return nil }
        return .isOwnersAlone(kind, group: group)
    }
}

// MARK: - Rows

/// A decision that has no effect, and why.
public struct DecisionWithoutEffect: Hashable, Sendable {
    private static let formatVersion: UInt8 = 2

    /// The decision.
    public let decision: Decision

    /// The trip that stands in the way: one that the decision names and that does not exist, or one
    /// to which the decision cannot apply; `nil` if the decision is about the whole ledger.
    public let trip: TripID?

    /// Why it has no effect.
    public let obstacle: DecisionObstacle

    /// The trip from which a split made the trip that is not there, if that was looked up; the row
    /// of the decision does not hold it.
    package internal(set) var splitFrom: TripID?

    /// When the trip that is not there started, if the decision says it.
    public var tripStartedAt: EventTime? { decision.tripStart }

    /// Says which trip is in the way, and why, as a sentence without a full stop.
    ///
    /// - Parameter clock: The clock in which times are shown; `nil` to show each with its own
    ///   offset.
    /// - Returns: The sentence, which begins with `trip`, or with the type of a decision that is
    ///   about no trip.
    package func sentence(by clock: LocalDay?) -> String {
        let subject = trip.map { "trip \(DecisionObstacle.short($0))" }
        return "\(subject ?? decision.event.body.typeName): \(obstacle.cause(by: clock))"
    }

    /// The command that helps, or that shows what would, without the program's options.
    package var command: String {
        guard case .hasTakenPlace = obstacle, let trip else {
            return obstacle.command(about: trip)
        }
        let short = DecisionObstacle.short(trip)
        switch decision.event.body {
        case .tripSplit(let split): return "ledger split \(short) --at \(split.splitAt.text)"
        case .stretchExcluded(let exclusion):
            return "ledger exclude \(short) --from \(exclusion.from.text) "
                + "--to \(exclusion.to.text) --why \(ShellWord.quoted(exclusion.why))"
        default: return obstacle.command(about: trip)
        }
    }

    /// Creates one about a trip that is not there.
    init(_ decision: Decision, of trip: TripID) {
        self.init(decision, about: trip, .isMissing)
    }

    /// Creates one about a trip that is there, or with `nil` about the whole ledger.
    package init(_ decision: Decision, about trip: TripID?, _ obstacle: DecisionObstacle) {
        self.decision = decision
        self.trip = trip
        self.obstacle = obstacle
    }

    /// The first bytes of the keys of the book's rows that hold them: those about trips that are
    /// not there in event order, and the others by trip.
    public static let keyPrefixes = [BookRowKind.orphan.letter, BookRowKind.obstacle.letter]

    /// Reads one from its row of the book.
    ///
    /// - Throws: why the bytes are not of this version; the view is then rebuilt.
    public init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        trip = try reader.readTripID()
        obstacle = try DecisionObstacle(from: &reader)
        decision = try Decision(from: &reader)
        try reader.finish()
    }

    /// The row's bytes.
    var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(bookedTrip)
        obstacle.write(to: &writer)
        decision.write(to: &writer)
        return writer.bytes
    }

    /// The key of its row.
    var key: [UInt8] {
        obstacle == .isMissing
            ? BookKey.orphan(decision, of: bookedTrip)
            : BookKey.obstacle(decision, of: bookedTrip)
    }

    /// The trip of one that has a row.
    private var bookedTrip: TripID {
        guard let trip else { preconditionFailure("the book has rows for trips only") }
        return trip
    }

    /// The key that finds it when the custom field that it waits for is defined.
    var waitingKey: [UInt8]? {
        guard case .lacksField(let name) = obstacle else { return nil }
        return BookKey.waiting(forField: name, bookedTrip)
    }
}

extension DecisionWithoutEffect: Comparable {
    /// Compares them in event order, and those of one decision in order of the trips.
    public static func < (left: Self, right: Self) -> Bool {
        guard left.decision.order == right.decision.order else {
            return left.decision.order < right.decision.order
        }
        guard let trip = right.trip else { return false }
        return left.trip.map { $0 < trip } ?? true
    }
}

extension DecisionObstacle {
    /// Writes the obstacle; the book has only some of them.
    fileprivate func write(to writer: inout RowEncoder) {
        switch self {
        case .isMissing: writer.write(UInt64(0))
        case .isVoided: writer.write(UInt64(1))
        case .isReported: writer.write(UInt64(2))
        case .isOfOtherGroup(let other):
            writer.write(UInt64(3))
            writer.write(other)
        case .isOfOtherVehicle(let vehicle, let other, let otherVehicle):
            writer.write(UInt64(4))
            writer.write(vehicle)
            writer.write(other)
            writer.write(otherVehicle)
        case .overlaps(let other):
            writer.write(UInt64(5))
            writer.write(other)
        case .hasNothingMeasured: writer.write(UInt64(6))
        case .isElsewhere(let time, let start, let end):
            writer.write(UInt64(7))
            writer.write(time) { $0.write($1) }
            writer.write(start)
            writer.write(end) { $0.write($1) }
        case .lacksField(let key):
            writer.write(UInt64(8))
            writer.write(key)
        case .hasTakenPlace(let gone):
            writer.write(UInt64(9))
            writer.write(gone)
        case .isActive, .isAbandoned, .isPart, .isMerged, .isAdjusted, .isNamedTwice,
            .hasUnclearTimes, .isBackwards, .isOwnersAlone, .isUnknownValue:
            preconditionFailure("the book finds no such obstacle")
        }
    }

    /// Reads an obstacle.
    fileprivate init(from reader: inout RowDecoder) throws(RowCodingError) {
        switch try reader.readUInt64() {
        case 0: self = .isMissing
        case 1: self = .isVoided
        case 2: self = .isReported
        case 3: self = .isOfOtherGroup(than: try reader.readTripID())
        case 4:
            let vehicle = try reader.readText()
            let other = try reader.readTripID()
            self = .isOfOtherVehicle(vehicle, than: other, of: try reader.readText())
        case 5: self = .overlaps(try reader.readTripID())
        case 6: self = .hasNothingMeasured
        case 7:
            let time = try reader.readOptional { reader throws(RowCodingError) in
                try reader.readEventTime()
            }
            let start = try reader.readEventTime()
            let end = try reader.readOptional { reader throws(RowCodingError) in
                try reader.readEventTime()
            }
            self = .isElsewhere(at: time, start: start, end: end)
        case 8: self = .lacksField(try reader.readText())
        case 9: self = .hasTakenPlace(of: try reader.readTripID())
        default: throw .invalidValue
        }
    }
}
