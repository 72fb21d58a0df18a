import EventStore
package import Projections
package import TripEvents

// What people decided as it is stored: with the ids that senders gave, and with members of their
// own, which the views do not look at.
extension Snapshot {
    /// Returns the decisions that make or name a trip, in event order.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func decisions(about trip: TripID) throws(LedgerError) -> [Decision] {
        try asking { try TripBook().decisions(about: trip, in: BookRows(over: store)) }
    }

    /// Returns the decisions on a topic, in order of time.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func decisions(on topic: DecisionTopic) throws(LedgerError) -> [Decision] {
        try asking { try BookRows(over: store).decisions(on: topic) }
    }

    /// Returns the decisions that saved or removed routines, of each routine in event order.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func routineDecisions() throws(LedgerError) -> [Decision] {
        try asking { try TripBook().routineDecisions(in: BookRows(over: store)) }
    }

    /// Returns the decision about each custom field that holds, in order of the keys.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func fieldDecisions() throws(LedgerError) -> [Decision] {
        try asking { try TripBook().fieldDecisions(in: BookRows(over: store)) }
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
    /// Creates the id of the trip that an event opens whose sender has given it an id.
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
