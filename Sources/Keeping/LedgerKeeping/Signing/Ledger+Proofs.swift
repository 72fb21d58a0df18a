import EventStore
import Projections
package import Proofs
import SystemPackage
import TripEvents
package import TripLedger
import TripTracking

extension Ledger {
    /// Proves that events are in the log that a signed head commits to.
    ///
    /// - Parameters:
    ///   - positions: Where the events are, in ascending order.
    ///   - head: A signed head of this ledger.
    ///   - body: Gets each event with its entry's bytes and its proof.
    /// - Throws: `.notFound` if the head does not cover a position, `.damaged` if the log is not
    ///   the one that was signed, `.inputOutput`, and what `body` throws.
    package func prove(
        _ positions: [UInt64],
        under head: SignedHead,
        _ body: (ProvenEvent) throws -> Void
    ) throws {
        if let position = positions.last, position >= head.head.size {
            throw LedgerError(
                .notFound,
                at: path.string,
                cause: "the head covers \(head.head.size) entries, and position \(position) is "
                    + "not among them",
                hint: "Sign the log as it is now with `ledger head --sign`"
            )
        }
        var names = SourceNames(log)
        // An error that the caller's code throws goes back to the caller unchanged.
        var interruption: (any Error)?
        try LedgerError.translating(at: path) {
            let tree = try signedTree(head)
            try log.read(positions) { entry, position in
                guard !entry.isTombstone else { throw erased(position) }
                let proof = InclusionProof(
                    position: position,
                    path: try tree.inclusionProof(of: position, inSize: head.head.size),
                    head: head
                )
                guard proof.isValid(for: entry.leafHash) else {
                    throw EventLogError.damaged(
                        position: position,
                        "the entry is not the one that was signed"
                    )
                }
                let source = try names.source(of: entry.source, at: position)
                let event = ProvenEvent(
                    event: try StoredEvent(entry, at: position, source: source),
                    entry: entry.bytes.indices.map { entry.bytes[$0] },
                    proof: proof
                )
                do {
                    try body(event)
                } catch {
                    interruption = error
                    return false
                }
                return true
            }
        }
        if let interruption { throw interruption }
    }

    /// Proves that the log of one signed head begins with that of an older one.
    ///
    /// - Throws: `.forked` if the log does not, `.damaged`, `.inputOutput`.
    package func consistencyProof(
        from older: SignedHead,
        to newer: SignedHead
    ) throws(LedgerError) -> ConsistencyProof {
        try LedgerError.translating(at: path) {
            let tree = try signedTree(newer)
            let size = older.head.size
            guard size <= newer.head.size, try tree.root(atSize: size) == older.head.root else {
                throw LedgerError(
                    .forked,
                    at: path.string,
                    cause: "this log has never had the older head, of \(size) entries",
                    hint: "Name the older head first, and heads of this ledger only"
                )
            }
            let path =
                size == 0
                ? [] : try tree.consistencyProof(from: size, toSize: newer.head.size)
            return ConsistencyProof(olderSize: size, path: path, head: newer)
        }
    }

    /// Proves that the log of a signed head begins with as many entries as a witness has seen, for
    /// a request to cosign it.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    func consistencyProof(
        fromSize size: UInt64,
        to newer: SignedHead
    ) throws(LedgerError) -> ConsistencyProof {
        try LedgerError.translating(at: path) {
            let tree = try signedTree(newer)
            let path =
                size == 0 || size == newer.head.size
                ? [] : try tree.consistencyProof(from: size, toSize: newer.head.size)
            return ConsistencyProof(olderSize: size, path: path, head: newer)
        }
    }

    /// Returns the positions of all events that made a trip what it is: those of its source, and
    /// what people decided about it.
    ///
    /// - Parameters:
    ///   - reference: The trip.
    ///   - sight: The part that the asker sees: decisions that are about others too are left out.
    /// - Returns: The positions, the first one first.
    /// - Throws: `.notFound` if there is no such trip, or more than one; `.damaged`,
    /// `.inputOutput`.
    package func positions(
        of reference: TripReference,
        seenBy sight: Sight = .everything
    ) throws(LedgerError) -> [UInt64] {
        try reading(seenBy: sight) { snapshot in
            let explanation = try snapshot.explain(reference)
            let trip = explanation.trip.id
            let log = snapshot.log
            var positions = Set(explanation.events.map(\.stored.position))
            var sources = SourceNames(log)
            try log.scan(from: 0) { block in
                var entries = block.entries
                while let entry = try entries.next() {
                    guard entry.canNameTrips else { continue }
                    let position = entries.position - 1
                    let source = try sources.source(of: entry.source, at: position)
                    let stored = try StoredEvent(entry, at: position, source: source)
                    let names = stored.namedTrips
                    if names.contains(trip), try snapshot.areSeen(names) {
                        positions.insert(position)
                    }
                }
                return true
            }
            return positions.sorted()
        }
    }

    /// Returns the position of the event which says that a report was issued; `nil` if only the
    /// event's hash is left.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func position(of report: IssuedReport) throws(LedgerError) -> UInt64? {
        try reading { snapshot in
            var found: UInt64?
            // A report is stored after the entries that it was made from.
            let range = min(report.head.size, snapshot.head.size)..<snapshot.head.size
            try snapshot.log.eachEntry(in: range) { entry, position in
                guard found == nil, let issued = IssuedHead(entry, at: position),
                    issued.name == report.id
                else { return }
                found = position
            }
            return found
        }
    }

    private func erased(_ position: UInt64) -> LedgerError {
        LedgerError(
            .notFound,
            at: path.string,
            cause:
                "the entry at position \(position) was erased or withheld: only its hash is left, "
                + "and there is nothing to prove",
            hint: "Name another position; `ledger log` shows who erased it and why"
        )
    }

    /// Reads the tree, which must have had a signed head.
    func signedTree(_ head: SignedHead) throws -> LogTree {
        let tree = try LogTree(log)
        let size = head.head.size
        guard size <= tree.head.size, try tree.root(atSize: size) == head.head.root else {
            throw LedgerError(
                .forked,
                at: path.string,
                cause: "this log has never had the signed head of \(size) entries",
                hint: "Use a head of this ledger; if it is one, see `ledger verify`"
            )
        }
        return tree
    }
}

/// An event with everything that proves it.
package struct ProvenEvent {
    /// The event as stored.
    package let event: StoredEvent

    /// Its entry: the bytes that are hashed.
    package let entry: [UInt8]

    /// The proof that the entry is in the log of a signed head.
    package let proof: InclusionProof
}
