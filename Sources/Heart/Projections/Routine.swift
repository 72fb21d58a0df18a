import RowCoding
public import TripEvents
import TripTracking

/// A template for trips, as it was last saved.
public struct Routine: Hashable, Sendable {
    /// Its name.
    public let name: String

    /// The details that it gives to trips.
    public let details: TripDetails

    /// The pattern of the trips to which it applies by itself.
    public let pattern: TripPattern

    /// Creates a routine.
    public init(name: String, details: TripDetails, pattern: TripPattern = TripPattern()) {
        self.name = name
        self.details = details
        self.pattern = pattern
    }

    /// Creates a routine as it was saved.
    init(_ saving: RoutineSaved) {
        self.init(name: saving.routine, details: saving.details, pattern: saving.pattern)
    }
}

// Each decision that saves or removes a routine has a row of its own.
extension Routine {
    private static let formatVersion: UInt8 = 2

    /// Returns a routine of a group, or of the owner, as it is after all decisions; `nil` if it was
    /// removed or never saved.
    static func current(
        _ name: String,
        of group: String?,
        in rows: RowTable
    ) throws -> Routine? {
        try last(in: KeyRange(prefix: BookKey.routine(name, in: group)), rows)
    }

    /// Returns the routine of a name that counted for a group at a point of event order, its own
    /// before the owner's; `nil` if there was none.
    static func named(
        _ name: String,
        for group: String?,
        before order: EventOrder,
        in rows: RowTable
    ) throws -> Routine? {
        for layer in group.map({ [$0, nil] }) ?? [nil] {
            let keys = KeyRange(
                from: BookKey.routine(name, in: layer),
                upTo: BookKey.routine(name, in: layer, order)
            )
            if let routine = try last(in: keys, rows) { return routine }
        }
        return nil
    }

    /// Keeps a decision that saves or removes a routine, and returns whether it is new.
    static func put(
        _ decision: Decision,
        about name: String,
        in rows: inout RowTable
    ) throws -> Bool {
        let key = BookKey.routine(name, in: decision.group, decision.order)
        guard try rows.value(forKey: key) == nil else { return false }
        var writer = RowEncoder(version: formatVersion)
        decision.write(to: &writer)
        rows.put(writer.bytes, key: key)
        if case .routineSaved(let saving) = decision.event.body, !saving.pattern.isEmpty {
            let key = BookKey.pattern(name)
            rows.put(BookKey.mark, key: key)
        }
        return true
    }

    /// Returns all decisions that saved or removed a routine, those of each group in event order.
    static func decisions(
        about name: String,
        in rows: RowTable
    ) throws -> [Decision] {
        try rows.rows(
            in: KeyRange(prefix: BookKey.routine(name))
        )
        .map { try decision(decoding: $0.value) }
    }

    /// Returns all decisions that saved or removed routines, of each routine and group in event
    /// order.
    static func decisions(
        in rows: RowTable
    ) throws -> [Decision] {
        let keys = KeyRange(prefix: BookRowKind.routine.prefix)
        return try rows.rows(in: keys)
            .map { try decision(decoding: $0.value) }
    }

    /// Returns when a decision that saves or removes a routine comes into force: it says whether
    /// the routine applies by itself to trips that start then or later.
    static func holdsFrom(_ decision: Decision) -> Timestamp {
        guard case .routineSaved(let saving) = decision.event.body,
            let since = saving.pattern.since
        else { return decision.order.occurredAt }
        return since.timestamp
    }

    private static func last(
        in keys: KeyRange,
        _ rows: RowTable
    ) throws -> Routine? {
        guard let row = try rows.rows(in: keys, isDescending: true, limit: 1).first else {
            return nil
        }
        guard case .routineSaved(let saving) = try decision(decoding: row.value).event.body else {
            return nil
        }
        return Routine(saving)
    }

    private static func decision(decoding bytes: [UInt8]) throws(RowCodingError) -> Decision {
        var reader = try RowDecoder(bytes, version: formatVersion)
        let decision = try Decision(from: &reader)
        try reader.finish()
        return decision
    }
}
