public import RowCoding
public import TripEvents
import TripTracking

/// Something that a person decided about trips, places, vehicles, expenses, clocks, settings or
/// reports: the event, with its place among all decisions.
///
/// Decisions of all sources stand in one event order: what a person says later wins, whichever
/// program it was said to. GO with a routine is a decision too: it applies the routine to the trip
/// that it opens, or to the one that is in progress.
public struct Decision: Hashable, Sendable {
    /// The kinds of events that can be decisions.
    public static let kinds: Set<EventKind> = [
        .goPressed, .detailsEdited, .routineSaved, .routineRemoved, .routineApplied, .tripsMerged,
        .tripSplit, .tripVoided, .tripRestored, .distanceAdjusted, .tripReported, .fieldDefined,
        .stretchExcluded, .placeSaved, .placeRemoved, .vehicleRegistered, .odometerRead,
        .clockShifted, .expenseRecorded, .ratesLoaded, .settingsChanged, .entriesErased,
        .reportIssued,
    ]

    /// The event.
    public let event: TripEvent

    /// Its place among all decisions.
    public let order: EventOrder

    /// When the ledger stored it.
    public let recordedAt: Timestamp

    /// Creates a decision, or returns `nil` if the event is not one.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - identity: its identity digest.
    ///   - recordedAt: when the ledger stored it.
    public init?(_ event: TripEvent, identity: IdentityDigest, recordedAt: Timestamp) {
        guard let kind = event.body.kind, Self.kinds.contains(kind) else { return nil }
        if case .goPressed(let press) = event.body, press.routine == nil { return nil }
        if case .entriesErased(let erasure) = event.body, erasure.erasedFrom == nil {
            // Nothing was erased from a trip.
            return nil
        }
        self.event = event
        self.order = EventOrder(event, identity: identity)
        self.recordedAt = recordedAt
    }
}

extension Decision: Comparable {
    /// Returns whether one decision comes before another in event order.
    public static func < (left: Decision, right: Decision) -> Bool {
        left.order < right.order
    }
}

extension EventBody {
    /// The trips that a decision names; empty for other events, and for GO, which concerns the trip
    /// that it opens.
    package var decidedTrips: [TripID] {
        switch self {
        case .detailsEdited(let edit): [edit.trip]
        case .routineApplied(let application): [application.trip]
        case .tripsMerged(let merge): merge.trips
        case .tripSplit(let split): [split.trip]
        case .tripVoided(let voiding): [voiding.trip]
        case .tripRestored(let restoring): [restoring.trip]
        case .distanceAdjusted(let adjustment): [adjustment.trip]
        case .stretchExcluded(let exclusion): [exclusion.trip]
        case .entriesErased(let erasure): erasure.erasedFrom ?? []
        default: []
        }
    }
}

extension Decision {
    /// The group of the source that it comes from, which is the only one that it concerns; `nil`
    /// for all, if that is the ledger owner's.
    public var group: String? { event.group }

    /// Returns whether the decision concerns a group; `nil` for what is the owner's.
    ///
    /// Only such a decision affects what belongs to the group: a source of another group decides
    /// nothing about it.
    package func concerns(_ other: String?) -> Bool {
        group == nil || group.hasSameBytes(as: other)
    }

    /// The trips that the decision names.
    package var namedTrips: [TripID] {
        if case .goPressed = event.body { return [TripID(openedBy: order.identity)] }
        return event.body.decidedTrips
    }

    /// The trip that the decision makes: the reported one, or the second part of a split one, which
    /// the tracker opens with the event that splits.
    package var madeTrip: TripID? {
        switch event.body {
        case .tripReported, .tripSplit: TripID(openedBy: order.identity)
        default: nil
        }
    }

    /// Whether the decision may change which splits and exclusions of its trips stand.
    var bearsOnCuts: Bool {
        switch event.body {
        case .tripSplit, .stretchExcluded, .tripRestored: true
        default: false
        }
    }

    /// The trips that the decision ties together, whether it stands or not.
    var tiedTrips: [TripID] {
        switch event.body {
        case .tripsMerged(let merge): merge.trips
        case .tripSplit(let split): [split.trip] + (madeTrip.map { [$0] } ?? [])
        default: []
        }
    }

    /// When the named trip started: the decision is attached by it if the id does not exist any
    /// more.
    var tripStartedAt: Timestamp? { tripStart?.timestamp }

    /// When the named trip started, as the decision says it.
    var tripStart: EventTime? {
        switch event.body {
        case .goPressed: EventTime(event.occurredAt, utcOffset: event.utcOffset)
        case .detailsEdited(let edit): edit.tripStartedAt
        case .routineApplied(let application): application.tripStartedAt
        case .tripSplit(let split): split.tripStartedAt
        case .tripVoided(let voiding): voiding.tripStartedAt
        case .tripRestored(let restoring): restoring.tripStartedAt
        case .distanceAdjusted(let adjustment): adjustment.tripStartedAt
        case .stretchExcluded(let exclusion): exclusion.tripStartedAt
        default: nil
        }
    }

    /// The trip that the decision reports, if it reports one.
    var report: TripReported? {
        guard case .tripReported(let report) = event.body else { return nil }
        return report
    }

    /// The name of the routine that the decision applies, if it applies one.
    var appliedRoutine: String? {
        switch event.body {
        case .goPressed(let press): press.routine
        case .routineApplied(let application): application.routine
        default: nil
        }
    }

    /// The reason, in the words of the person who decided.
    var why: String? {
        switch event.body {
        case .tripsMerged(let merge): merge.why
        case .tripSplit(let split): split.why
        case .tripVoided(let voiding): voiding.why
        case .tripRestored(let restoring): restoring.why
        case .distanceAdjusted(let adjustment): adjustment.why
        case .stretchExcluded(let exclusion): exclusion.why
        case .entriesErased(let erasure): erasure.why
        default: nil
        }
    }

    /// Writes the decision: its entry's content, then what the entry's bytes do not hold.
    func write(to writer: inout RowEncoder) {
        writer.write(event, order.identity, recordedAt: recordedAt)
    }

    /// Reads a decision.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        let (event, identity, recordedAt) = try reader.readEvent()
        guard let decision = Decision(event, identity: identity, recordedAt: recordedAt) else {
            throw .invalidValue
        }
        self = decision
    }
}

/// The topic of a decision that is not about trips.
///
/// The book keeps each of these decisions in a row of its own, in event order; a ``PlaceBook``,
/// ``VehicleBook``, ``ClockBook``, ``ExpenseBook`` or ``SettingsBook`` is made of them when it is
/// read.
public enum DecisionTopic: CaseIterable, Sendable {
    /// Places that were saved and removed: a ``PlaceBook``.
    case places

    /// Vehicles that were registered and odometers that were read: a ``VehicleBook``.
    case vehicles

    /// Sources whose clocks were wrong: a ``ClockBook``.
    case clocks

    /// Expenses beside the distance: an ``ExpenseBook``.
    case expenses

    /// Tables of rates that were loaded.
    case rates

    /// Settings of the whole ledger: a ``SettingsBook``.
    case settings

    /// Reports that were issued.
    case reports

    private static let formatVersion: UInt8 = 1

    /// Creates the topic of a decision, or returns `nil` if it is about trips, routines or fields.
    init?(of decision: Decision) {
        switch decision.event.body {
        case .placeSaved, .placeRemoved: self = .places
        case .vehicleRegistered, .odometerRead: self = .vehicles
        case .clockShifted: self = .clocks
        case .expenseRecorded: self = .expenses
        case .ratesLoaded: self = .rates
        case .settingsChanged: self = .settings
        case .reportIssued: self = .reports
        default: return nil
        }
    }

    /// The first byte of the keys of the book's rows for these decisions.
    public var keyPrefix: UInt8 { rowKind.letter }

    private var rowKind: BookRowKind {
        switch self {
        case .places: .place
        case .vehicles: .vehicle
        case .clocks: .clock
        case .expenses: .expense
        case .rates: .rates
        case .settings: .settings
        case .reports: .report
        }
    }

    /// Reads a decision from its row of the book.
    ///
    /// - Throws: why the bytes are no decision of this version; the view is then rebuilt.
    public static func decision(decoding bytes: [UInt8]) throws(RowCodingError) -> Decision {
        var reader = try RowDecoder(bytes, version: formatVersion)
        let decision = try Decision(from: &reader)
        try reader.finish()
        return decision
    }

    /// Stores a decision in its row.
    func put(_ decision: Decision, in rows: inout RowTable) throws {
        var writer = RowEncoder(version: Self.formatVersion)
        decision.write(to: &writer)
        let key = [keyPrefix] + BookKey.order(of: decision)
        rows.put(writer.bytes, key: key)
        guard case .odometerRead(let reading) = decision.event.body,
            let corrected = reading.corrects
        else { return }
        let place = BookKey.correction(of: corrected.timestamp, by: decision)
        rows.put(writer.bytes, key: place)
    }
}
