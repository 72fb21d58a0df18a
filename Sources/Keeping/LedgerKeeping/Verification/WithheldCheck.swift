import EventStore
import Proofs
import TripEvents
package import TripLedger

/// The check of who withheld entries from a copy: anyone who has a log could, and its root would be
/// the same.
struct WithheldCheck<Failure: Error> {
    /// The owner's signed list; `nil` if the copy holds none.
    let signed: SignedWithheld?

    /// How many entries are withheld.
    let count: UInt64

    /// Whether what was signed is about exactly this copy.
    let isAboutCopy: (WithheldNote) throws(Failure) -> Bool

    /// Checks the list and the signature under it.
    func run(_ keys: TrustedKeys, into outcome: inout VerifyOutcome) throws(Failure) {
        guard count > 0 else {
            if signed != nil {
                outcome.report(.export, "it names a list of withheld entries, and withholds none")
            }
            return
        }
        guard let signed else {
            return outcome.doubt(
                "who withheld \(entries): withheld by unknown hands, and not signed by the owner, "
                    + "who signs which they are with `ledger export --withhold` and a key"
            )
        }
        guard try isAboutCopy(signed.content) else {
            return outcome.report(
                .export,
                "other entries are withheld than \(signed.content.origin) has signed: "
                    + "\(count) and not \(signed.content.positions.count), or others of them"
            )
        }
        guard let owner = keys.owner else {
            return outcome.doubt(
                "who withheld \(entries): give the owner's verifier key with --key"
            )
        }
        do throws(ProofDamage) {
            guard try signed.isSigned(by: owner) else {
                return outcome.doubt(
                    "who withheld \(entries): withheld by unknown hands, for which they are is "
                        + "not signed by \(owner.name) with that key"
                )
            }
        } catch {
            return outcome.report(.export, "of the list of withheld entries: \(error)")
        }
        outcome.confirm(
            .export,
            "\(owner.name) has signed which \(count == 1 ? "entry is" : "entries are") withheld"
        )
    }

    private var entries: String { count == 1 ? "1 entry" : "\(count) entries" }
}

extension Ledger {
    /// Checks who withheld entries from this copy, if any are.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func checkWithheld(_ keys: TrustedKeys) throws(LedgerError) -> VerifyOutcome {
        var outcome = VerifyOutcome()
        try LedgerError.translating(at: path) {
            guard let withheld = try log.withheldEntries() else { return }
            let signed = try? SignedWithheld(withheld.note)
            let tree = try LogTree(log)
            if let size = signed?.content.head.size, size > tree.head.size {
                return outcome.doubt(
                    "who withheld \(withheld.count) entries: what the owner signed is about "
                        + "\(size) entries, and this copy was made of the first \(tree.head.size). "
                        + "Verify the export that it was made from"
                )
            }
            var positions = PositionTree()
            try log.eachEntry(in: 0..<tree.head.size) { entry, position in
                if entry.isWithheld { positions.append(position) }
            }
            let check = WithheldCheck(signed: signed, count: withheld.count) { note in
                try note.from == 0 && note.positions == WithheldPositions(positions)
                    && tree.root(atSize: note.head.size) == note.head.root
            }
            try check.run(keys, into: &outcome)
        }
        return outcome
    }
}
