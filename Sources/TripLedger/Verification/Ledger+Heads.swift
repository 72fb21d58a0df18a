import EventStore
import Proofs
import TripEvents

extension Ledger {
    /// Checks that the log is the one whose heads were signed before, and the signatures under the
    /// last of them.
    ///
    /// It relies on the stored roots of subtrees, which the check of the log itself compares with
    /// the entries.
    ///
    /// - Throws: `.damaged` if the tree cannot be read, `.inputOutput`.
    package func checkHeads(
        _ keys: TrustedKeys,
        in store: HeadStore
    ) throws(LedgerError) -> VerifyOutcome {
        var outcome = VerifyOutcome()
        let heads: [(file: String, head: SignedHead)]
        do {
            heads = try store.all()
        } catch  where error.code == .damaged {
            outcome.report(.head, "\(error.place): \(error.cause)")
            return outcome
        }
        let tree = try LedgerError.translating(at: path) { try LogTree(log) }
        for (file, head) in heads {
            do {
                if let owner = keys.owner { try head.checkSignature(ofOwner: owner) }
            } catch {
                outcome.report(.head, "\(error) (\(file))")
            }
            let size = head.head.size
            if size > tree.head.size {
                outcome.report(
                    .head,
                    at: tree.head.size,
                    "a head of \(size) entries was signed, and only "
                        + "\(tree.head.size) are there (\(file))"
                )
                continue
            }
            let root = try LedgerError.translating(at: path) { try tree.root(atSize: size) }
            if root != head.head.root {
                outcome.report(
                    .head,
                    "the first \(size) entries are not those whose head was signed (\(file))"
                )
            }
        }
        guard let last = heads.map(\.head).max(by: { $0.head.size < $1.head.size }) else {
            if keys.owner != nil || !keys.witnesses.isEmpty {
                outcome.doubt("who vouches for the log: no head of it was signed here")
            }
            return outcome
        }
        if outcome.findingCount == 0 {
            outcome.confirm(
                .head,
                "the log begins with every signed head that is kept, the last of "
                    + "\(last.head.size) entries"
            )
        }
        if keys.owner != nil || !keys.witnesses.isEmpty { keys.check(last, into: &outcome) }
        return outcome
    }
}
