package import EventStore
import Proofs
import TripEvents

extension ErasureRecord {
    /// Reads what an event of the ledger says that was erased; `nil` if it says no such thing.
    package init?(_ entry: EntryView) {
        guard let stored = try? StoredEvent(entry, at: 0, sourceName: ""),
            case .entriesErased(let erased) = stored.event.body,
            let root = Digest(hexadecimal: erased.tombstoneHash)
        else { return nil }
        self.init(positions: erased.positions.set, tombstoneRoot: root)
    }
}
