import EventStore
import TripEvents
import TripTracking

// By the rules that hold from the beginning only GO or the motion sensor starts a trip. A source of
// an app that reports positions alone would never have one.
extension Snapshot {
    /// Returns whether the ledger should adopt rules for a source that has delivered: it has
    /// reported fixes alone, no adopted rules are for it or for all, and movement starts no trip.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func lacksRules(source name: String) throws(LedgerError) -> Bool {
        try asking {
            guard let number = try log.number(ofSource: name),
                let state = try log.source(numbered: number),
                let value = try store.value(.folds, ViewKey.source(number))
            else { return false }
            let tracker = try SourceFold(decoding: value).tracker
            guard tracker.hasFixesAlone, !tracker.rules.startsByMovement else { return false }
            var trackers = trackers()
            return try !trackers.ambient.adoptions().contains { $0.concerns(state.registered) }
        }
    }
}
