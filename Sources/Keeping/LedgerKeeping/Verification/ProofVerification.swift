import EventStore
package import Proofs
import TripEvents
package import TripLedger

/// The checks that need no ledger: proofs and heads as they are handed over.
package struct ProofVerification {
    private let keys: TrustedKeys

    /// Prepares checks.
    package init(trusting keys: TrustedKeys) {
        self.keys = keys
    }

    /// Checks that an entry is in the log that a signed head commits to.
    ///
    /// - Parameters:
    ///   - proof: A file `….tlog-proof`.
    ///   - entry: The entry's bytes.
    /// - Returns: The outcome of the check.
    package func outcome(ofProof proof: [UInt8], entry: [UInt8]) -> VerifyOutcome {
        var outcome = VerifyOutcome(.origin)
        let parsed: InclusionProof
        do {
            parsed = try InclusionProof(proof)
        } catch {
            outcome.report(.proof, "this is no proof: \(error)")
            return outcome
        }
        checkSignatures(of: parsed.head, into: &outcome)
        checkInclusion(of: entry, by: parsed, into: &outcome)
        return outcome
    }

    /// Checks the signatures under a head.
    package func checkSignatures(of head: SignedHead, into outcome: inout VerifyOutcome) {
        keys.check(head, into: &outcome)
    }

    /// Checks that an entry is in the log of a proof's head, whose signatures are checked
    /// separately.
    ///
    /// - Returns: Whether it is.
    @discardableResult
    package func checkInclusion(
        of entry: [UInt8],
        by proof: InclusionProof,
        into outcome: inout VerifyOutcome
    ) -> Bool {
        let position = proof.position
        guard proof.isValid(for: SHA256.leaf(entry.span)) else {
            outcome.report(
                .proof,
                at: position,
                "the entry is not the one at this position of the signed log"
            )
            return false
        }
        outcome.confirm(.proof, "the entry is at position \(position) of the signed log")
        outcome.confirm(.entry, Self.content(of: entry, at: position))
        if let extra = proof.unprovenBytes {
            outcome.doubt(
                "what the \(extra.count) bytes in the line extra of the proof of position "
                    + "\(position) say: no hash covers them"
            )
        }
        return true
    }

    /// Checks that an event's JSON, which people read, says the same as its entry, which is proven.
    ///
    /// An entry has the number of its source where the JSON has its name and its group: the proof
    /// does not cover those two.
    ///
    /// - Returns: Whether the JSON holds a name that is not proven.
    package func checkWords(
        _ shown: [UInt8],
        of entry: [UInt8],
        at position: UInt64,
        into outcome: inout VerifyOutcome
    ) -> Bool {
        guard let view = EntryView(startOf: entry.span),
            var stored = Self.event(ofEntry: entry, at: position)
        else {
            outcome.doubt("what the entry at position \(position) means")
            return false
        }
        let lineFeed = UInt8(ascii: "\n")
        let members = JSONMembers(shown.span.extracting(droppingLast: 1))
        stored.event.source = view.source == 0 ? "" : members?.text("source") ?? ""
        stored.event.group = view.source == 0 ? nil : members?.text("group")
        guard stored.json + [lineFeed] == shown else {
            outcome.report(
                .entry,
                at: position,
                "the event as JSON says something else than the entry that is proven"
            )
            return false
        }
        return view.source != 0
    }

    /// Checks that a log has only grown between two signed heads.
    ///
    /// - Parameters:
    ///   - newer: The later head, or a consistency proof, which ends with one.
    ///   - older: The earlier head, or a proof that ends with it.
    ///   - proof: A consistency proof, if `newer` is not one.
    /// - Returns: The outcome of the check.
    package func outcome(newer: [UInt8], older: [UInt8], proof: [UInt8]?) -> VerifyOutcome {
        var outcome = VerifyOutcome(.origin)
        do {
            let newerHead = try Self.head(newer)
            let olderHead = try Self.head(older)
            keys.check(newerHead, into: &outcome)
            keys.check(olderHead, into: &outcome)
            guard newerHead.content.origin.hasSameBytes(as: olderHead.content.origin) else {
                outcome.report(.head, "the two heads are of different logs")
                return outcome
            }
            let offered = try proof.map { bytes throws(ProofDamage) in
                try ConsistencyProof(bytes)
            }
            Self.compare(
                newerHead,
                olderHead,
                offered ?? (try? ConsistencyProof(newer)),
                into: &outcome
            )
        } catch {
            outcome.report(.proof, error.description)
        }
        return outcome
    }

    private static func compare(
        _ newer: SignedHead,
        _ older: SignedHead,
        _ proof: ConsistencyProof?,
        into outcome: inout VerifyOutcome
    ) {
        let sizes = (newer: newer.head.size, older: older.head.size)
        guard sizes.newer >= sizes.older else {
            outcome.report(
                .head,
                "the newer head has \(sizes.newer) entries and the older one \(sizes.older): "
                    + "entries were taken away, or the older head was named first"
            )
            return
        }
        if sizes.newer == sizes.older {
            if newer.head.root == older.head.root {
                outcome.confirm(.head, "both heads are of the same \(sizes.newer) entries")
            } else {
                outcome.report(.head, "the two heads are of \(sizes.newer) different entries each")
            }
            return
        }
        guard let proof else {
            outcome.doubt(
                "whether the log of \(sizes.newer) entries begins with that of \(sizes.older): "
                    + "give --proof a file that `ledger prove --consistency` wrote"
            )
            return
        }
        guard proof.head.content == newer.content, proof.olderSize == sizes.older else {
            outcome.report(.proof, "the consistency proof is between two other heads")
            return
        }
        if proof.isValid(since: older.head) {
            outcome.confirm(
                .proof,
                "the log of \(sizes.newer) entries begins with that of \(sizes.older), unchanged"
            )
        } else {
            outcome.report(
                .proof,
                "the log of \(sizes.newer) entries does not begin with that of \(sizes.older)"
            )
        }
    }

    /// Reads a signed head, alone or at the end of a proof.
    package static func head(_ bytes: [UInt8]) throws(ProofDamage) -> SignedHead {
        if let proof = try? ConsistencyProof(bytes) { return proof.head }
        if let proof = try? InclusionProof(bytes) { return proof.head }
        return try SignedHead(bytes)
    }

    /// Reads an entry as it was handed over, or returns `nil` if its form is not known.
    ///
    /// Entries know their source by number only, so the name is made up.
    package static func event(ofEntry entry: [UInt8], at position: UInt64) -> StoredEvent? {
        guard let view = EntryView(startOf: entry.span), view.bytes.count == entry.count else {
            return nil
        }
        let source = RegisteredSource(name: "source number \(view.source)")
        return try? StoredEvent(view, at: position, source: source)
    }

    /// Says what an entry's bytes mean.
    private static func content(of entry: [UInt8], at position: UInt64) -> String {
        guard let stored = event(ofEntry: entry, at: position) else {
            return "it is of a form that this program does not know"
        }
        let event = stored.event
        let happened = RFC3339.text(event.occurredAt, utcOffset: event.utcOffset)
        let recorded = RFC3339.text(stored.recordedAt)
        return "\(event.body.kind?.name ?? "unknown") of \(event.source), happened \(happened), "
            + "recorded \(recorded): \(event.contentJSON)"
    }
}
