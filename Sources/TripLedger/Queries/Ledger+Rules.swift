import EventStore
import TripEvents
import TripTracking

extension Ledger {
    /// Returns the rules in force: for each source in order of its first event, then for new
    /// sources that rules were adopted for, then for all others.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func rulesInForce() throws(LedgerError) -> [SourceRules] {
        try withViews { store in
            var runner = ProjectionRunner(
                log: log,
                rules: rules,
                over: store,
                from: ViewCursor(versions: ViewSet.versions)
            )
            try runner.loadAmbientEvents()
            var inForce: [SourceRules] = []
            try store.scan(.folds) { key, value in
                guard let fold = try? SourceFold(decoding: value) else {
                    throw StaleViews(sentence: "the active-trip checkpoint is damaged")
                }
                let found = try runner.rules(of: ViewKey.number(ofSource: key), after: fold)
                inForce.append(SourceRules(source: fold.tracker.source, rules: found))
                return true
            }
            let known = Set(inForce.compactMap(\.source))
            let awaited = Set(runner.ambient.compactMap(\.appliesTo)).subtracting(known)
            for name in awaited.sorted() + [nil] {
                // No source has this number, and none has an empty name.
                let fresh = SourceFold(tracker: Tracker(source: name ?? "", rules: rules))
                let found = try runner.rules(of: 0, after: fresh)
                inForce.append(SourceRules(source: name, rules: found))
            }
            return inForce
        }
    }
}
