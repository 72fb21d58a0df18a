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

extension StoredEvent {
    /// The trips about which the event says what was decided.
    package var namedTrips: [TripID] {
        if case .recoveryDecided(let recovery) = event.body { return [recovery.trip] }
        return Decision(event, identity: identity, recordedAt: recordedAt)?.namedTrips ?? []
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
            var last: UInt64?
            let size = try log.head().size
            try log.eachEntry(in: min(position, size)..<size) { entry, position in
                guard entry.canNameTrips else { return }
                let stored = try StoredEvent(entry, at: position, source: .ledger)
                if !trips.isDisjoint(with: stored.namedTrips) { last = position }
            }
            return last
        }
    }
}
