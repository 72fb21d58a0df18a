import EventStore
import Projections
import Proofs
package import TripEvents

extension EntryView {
    /// Whether an entry of its kind can name trips.
    package var canNameTrips: Bool {
        guard let kind = EventKind(rawValue: kind) else { return false }
        return kind == .recoveryDecided || Decision.kinds.contains(kind)
    }
}

extension EventBody {
    /// The trips about which a decision that is asked for says something.
    var askedTrips: [TripID] {
        if case .recoveryDecided(let recovery) = self { [recovery.trip] } else { decidedTrips }
    }
}

extension StoredEvent {
    /// The trips about which the event says what was decided.
    package var namedTrips: [TripID] {
        if case .recoveryDecided(let recovery) = event.body { return [recovery.trip] }
        return Decision(event, identity: identity, recordedAt: recordedAt)?.namedTrips ?? []
    }
}

extension ReadableLog {
    /// Returns the position of the last entry that names one of some trips, of those at some
    /// positions.
    ///
    /// - Throws: `EventLogError.damaged` or `LMDBError`.
    func lastEntry(
        naming trips: Set<TripID>,
        in positions: Range<UInt64>
    ) throws -> UInt64? {
        var last: UInt64?
        try eachEntry(in: positions) { entry, position in
            guard entry.canNameTrips else { return }
            let stored = try StoredEvent(entry, at: position, source: .ledger)
            if !trips.isDisjoint(with: stored.namedTrips) { last = position }
        }
        return last
    }

    /// Returns the event to which a source's sender gave an id; `nil` if there is none.
    ///
    /// - Throws: `EventLogError.damaged` or `LMDBError`.
    func storedEvent(named id: String, from source: String) throws -> StoredEvent? {
        guard let number = try number(ofSource: source) else { return nil }
        return try position(ofID: id, from: number).flatMap { try storedEvent(at: $0) }
    }
}

extension Ledger {
    /// Returns the position of the last entry that names one of some trips, from a position on.
    ///
    /// - Parameters:
    ///   - trips: The trips.
    ///   - position: The first position that counts.
    /// - Returns: `nil` if there is none.
    /// - Throws: `.damaged`, `.inputOutput`.
    package func lastEntry(
        naming trips: Set<TripID>,
        from position: UInt64
    ) throws(LedgerError) -> UInt64? {
        try LedgerError.translating(at: path) {
            let size = try log.head().size
            return try log.lastEntry(naming: trips, in: min(position, size)..<size)
        }
    }
}
