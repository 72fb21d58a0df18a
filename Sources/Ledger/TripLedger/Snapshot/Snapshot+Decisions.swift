import EventStore
package import Projections
package import TripEvents
import TripTracking

// People's decisions as they are stored: with the ids that senders gave, and with members of their
// own, which the views do not look at.
extension Snapshot {
    /// Returns the decisions that make or name a trip, in event order; none if the trip is not
    /// seen, and without those that also name a trip that is not seen.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func decisions(about trip: TripID) throws(LedgerError) -> [Decision] {
        let decisions = try asking {
            try TripBook(over: store).decisions(about: trip)
        }
        guard !store.sight.isEverything else { return decisions }
        guard try isSeen(trip) else { return [] }
        return try asking { try decisions.filter { try areSeen($0.event.body.decidedTrips) } }
    }

    /// Returns whether a trip is seen; for an asker who sees everything, even if it is not there.
    func isSeen(_ trip: TripID) throws(LedgerError) -> Bool {
        guard !store.sight.isEverything else { return true }
        return try tripRow(trip) != nil
    }

    /// Returns whether all of some trips are seen.
    package func areSeen(_ trips: some Sequence<TripID>) throws(LedgerError) -> Bool {
        for trip in trips { guard try isSeen(trip) else { return false } }
        return true
    }

    /// Returns the decisions on a topic that are seen, in order of time.
    ///
    /// An asker who does not see everything sees all settings, but only those readings of odometers
    /// and expenses that belong to trips and sources that are seen.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func decisions(on topic: DecisionTopic) throws(LedgerError) -> [Decision] {
        try asking {
            let decisions = try TripBook(over: store).decisions(on: topic)
            guard !store.sight.isEverything else { return decisions }
            var expenses: Set<ExpenseID> = []
            for decision in decisions where try isSeenExpense(decision) {
                expenses.insert(ExpenseID(recordedBy: decision.order.identity))
            }
            return decisions.filter { decision in
                switch decision.event.body {
                case .odometerRead:
                    store.sight.seesReading(by: decision.event.source, of: decision.group)
                case .expenseRecorded(let expense):
                    expenses.contains(
                        expense.corrects ?? ExpenseID(recordedBy: decision.order.identity)
                    )
                default: store.sight.seesSettings(of: decision.group)
                }
            }
        }
    }

    /// Returns whether a decision is the first one about an expense, and the expense is seen: one
    /// of a trip is seen with the trip, any other with the source that reported it.
    private func isSeenExpense(_ decision: Decision) throws -> Bool {
        guard case .expenseRecorded(let expense) = decision.event.body, expense.corrects == nil
        else { return false }
        if let trip = expense.trip { return try isSeen(trip, namedIn: decision.group) }
        return store.sight.seesReading(by: decision.event.source, of: decision.group)
    }

    /// Returns whether the trip that an expense names is seen.
    ///
    /// A trip that has gone belongs to the group whose source names it; an asker from whom the rest
    /// is kept does not see it.
    ///
    /// - Parameters:
    ///   - trip: The trip.
    ///   - group: The group of the source that names it; `nil` for one of the owner's.
    /// - Returns: Whether it is seen.
    /// - Throws: What reading the views throws.
    func isSeen(_ trip: TripID, namedIn group: String?) throws -> Bool {
        if try store.tripRow(trip) != nil { return true }
        guard let selection = store.sight.selection, try !store.hasTrip(trip) else { return false }
        return selection.includes(group)
    }

    /// Returns the decisions that saved or removed routines, of each routine in event order.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func routineDecisions() throws(LedgerError) -> [Decision] {
        try asking {
            try TripBook(over: store).routineDecisions()
                .filter { store.sight.seesSettings(of: $0.group) }
        }
    }

    /// Returns the decision about each custom field that holds, in order of the keys.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func fieldDecisions() throws(LedgerError) -> [Decision] {
        try asking {
            try TripBook(over: store).fieldDecisions()
                .filter { store.sight.seesSettings(of: $0.group) }
        }
    }

    /// Returns when the entry at a position was stored; `nil` if there is none.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func recordedAt(entry position: UInt64) throws(LedgerError) -> Timestamp? {
        try asking {
            try log.withEntry(at: position) { Timestamp(milliseconds: $0.recordedAt) }
        }
    }
}

extension TripID {
    /// Creates the id of the trip that an event opens, if the sender has given the event an id.
    package init(openedBy id: String, from source: String) {
        let none: [UInt8] = []
        let digest = EntryContent.identityDigest(
            sourceName: source,
            id: Array(id.utf8).span,
            occurredAt: 0,
            kind: 0,
            form: 0,
            payload: none.span
        )
        self.init(openedBy: IdentityDigest(digest))
    }
}

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
