import EventStore
import Proofs
import TripEvents

extension Ledger {
    /// A signed head, and the file where it is kept.
    private typealias KeptHead = (file: String, head: SignedHead)

    /// Checks that the log is the one whose heads were signed before, the signatures under the
    /// last of them, and that no entry stands after what was signed.
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
        var heads: [KeptHead] = []
        for (file, head) in try store.survey() {
            do {
                heads.append((file, try head.get()))
            } catch  where error.code == .damaged {
                outcome.report(.head, "\(error.place): \(error.cause)")
            } catch {
                outcome.doubt("the head that is kept in \(error.place): \(error.cause)")
            }
        }
        let tree = try LedgerError.translating(at: path) { try LogTree(log) }
        for kept in heads { try compare(kept, with: tree, into: &outcome) }
        guard let last = Self.last(of: heads, by: keys.owner) else {
            if keys.demandsAny {
                outcome.doubt("who vouches for the log: no head of it was signed here")
            }
            return outcome
        }
        if let owner = keys.owner {
            for kept in heads where kept.file != last.file {
                Self.check(kept, signedBy: owner, after: last.head, into: &outcome)
            }
        }
        if outcome.findingCount == 0 {
            outcome.confirm(
                .head,
                "the log begins with every signed head that is kept, the last of "
                    + "\(heads.map(\.head.head.size).max() ?? 0) entries"
            )
        }
        if keys.demandsAny {
            keys.check(last.head, ofLogWithSize: tree.head.size, into: &outcome)
        }
        return outcome
    }

    /// Returns the head that vouches for most entries: the last one, if there are any by the owner
    /// the last of those.
    private static func last(of heads: [KeptHead], by owner: VerifierKey?) -> KeptHead? {
        let own = heads.filter { owner?.name.isOrigin($0.head.content.origin) ?? true }
        return (own.isEmpty ? heads : own).max { $0.head.head.size < $1.head.head.size }
    }

    private func compare(
        _ kept: KeptHead,
        with tree: LogTree,
        into outcome: inout VerifyOutcome
    ) throws(LedgerError) {
        let head = kept.head.head
        guard head.size <= tree.head.size else {
            return outcome.report(
                .head,
                at: tree.head.size,
                "a head of \(head.size) entries was signed, and only "
                    + "\(tree.head.size) are there (\(kept.file))"
            )
        }
        let root = try LedgerError.translating(at: path) { try tree.root(atSize: head.size) }
        if root != head.root {
            outcome.report(
                .head,
                "the first \(head.size) entries are not those whose head was signed "
                    + "(\(kept.file))"
            )
        }
    }

    /// Checks the owner's signature under a head that is not the last.
    ///
    /// An earlier one may be by a key that was lost: the last one vouches for its entries, too.
    private static func check(
        _ kept: KeptHead,
        signedBy owner: VerifierKey,
        after last: SignedHead,
        into outcome: inout VerifyOutcome
    ) {
        let head = kept.head
        do {
            let isSigned = try !head.note.signatures(by: [owner]).isEmpty
            guard owner.name.isOrigin(head.content.origin), !isSigned else { return }
            if head.head.size < last.head.size {
                outcome.confirm(
                    .head,
                    "the head of \(head.head.size) entries is not signed with that key, and the "
                        + "log begins with it (\(kept.file))"
                )
            } else {
                outcome.report(.head, "the signature by \(owner.name) is missing (\(kept.file))")
            }
        } catch {
            outcome.report(.head, "\(error) (\(kept.file))")
        }
    }
}
