import EventStore
package import Proofs
import SystemPackage
package import TripEvents
package import TripLedger

extension Ledger {
    /// Signs the log's head, and keeps it inside and outside the ledger's directory.
    ///
    /// Before that, every entry since the last signed head is read back and hashed again, and the
    /// log must begin with what was signed before: two heads that contradict each other are never
    /// signed.
    ///
    /// - Throws: `.forked` if the log is not what was signed before; `.alreadyThere` if the key's
    ///   name is another ledger's, or if a key of another name has signed as many entries;
    ///   `.damaged`, `.inputOutput`.
    package func signHead(
        with key: SigningKey,
        in store: HeadStore
    ) throws(LedgerError) -> SignedHead {
        try LedgerError.translating(at: path) {
            try store.locked {
                let tree = try checkedTree(key, store)
                let signed = HeadNote(origin: key.name, head: tree.head).signed(by: key)
                guard try signed.isSigned(by: key.verifier(.text)) else {
                    preconditionFailure("what was just signed is signed")
                }
                return try store.keep(signed)
            }
        }
    }

    /// Notes in the history of the ledger's directory when its head was signed.
    ///
    /// - Throws: `.inputOutput`.
    package func noteSigned(_ head: SignedHead, at now: Timestamp) throws(LedgerError) {
        guard !isReadOnly else { return }
        let record = SafekeepingRecord(.signed, at: now, head: LedgerHead(head.head))
        try LedgerError.translating(at: path) { try SafekeepingHistory(of: path).append(record) }
    }

    /// Signs the list of entries that are withheld from a copy of the log, at a head that it has.
    ///
    /// Before that, the log is checked as before a head is signed.
    ///
    /// - Throws: The errors of `signHead(with:in:)`.
    func signWithheld(
        _ positions: RangeSet<UInt64>,
        from: UInt64,
        head: TreeHead,
        with key: SigningKey,
        in store: HeadStore
    ) throws(LedgerError) -> SignedWithheld {
        try LedgerError.translating(at: path) {
            try store.locked {
                let tree = try checkedTree(key, store)
                guard head.size <= tree.head.size, try tree.root(atSize: head.size) == head.root
                else { preconditionFailure("the head is one that the log had just now") }
                var withheld = PositionTree()
                for range in positions.ranges {
                    for position in range { withheld.append(position) }
                }
                let note = WithheldNote(
                    origin: key.name,
                    from: from,
                    head: head,
                    positions: WithheldPositions(withheld)
                )
                return note.signed(by: key)
            }
        }
    }

    /// Returns the tree, after a check that the log begins with what was signed before, and that
    /// every entry since is what was hashed.
    private func checkedTree(_ key: SigningKey, _ store: HeadStore) throws -> LogTree {
        let tree = try LogTree(log)
        let known = try store.lastOnes()
        for (file, head) in known { try check(head, in: file, tree, key) }
        try tree.rehash(from: known.map(\.head.head.size).max() ?? 0)
        try store.claim(key.name)
        return tree
    }

    /// Keeps the cosignatures with which the last signed head has come back.
    ///
    /// Cosignatures that are there already stay, or are renewed. The owner's signatures are those
    /// made here; signatures that came back under the owner's name are ignored.
    ///
    /// - Throws: `.notFound` if it is not this ledger's last signed head, `.unreadableInput` if it
    ///   has more signatures than can be kept.
    package func keepCosigned(
        _ head: SignedHead,
        from place: String,
        in store: HeadStore
    ) throws(LedgerError) {
        try LedgerError.translating(at: path) {
            try store.locked {
                guard let last = try store.last(), last.content == head.content else {
                    throw LedgerError(
                        .notFound,
                        at: place,
                        cause: "this is not the last signed head of this ledger",
                        hint: "Show that one with `ledger head --signed`"
                    )
                }
                let others = head.note.signatures.filter {
                    !$0.name.isOrigin(last.content.origin)
                }
                _ = try store.keep(SignedHead(head.content, signatures: others))
            }
        }
    }

    private func check(
        _ head: SignedHead,
        in file: String,
        _ tree: LogTree,
        _ key: SigningKey
    ) throws {
        let advice =
            "An older copy or another ledger may stand in its place: bring the newer one back. "
        let reference = "`ledger verify` says more"
        do {
            // Signatures of an earlier key, perhaps a lost one of the same name, cannot be checked.
            _ = try head.note.signatures(by: [key.verifier(.text)])
        } catch {
            throw LedgerError(.damaged, at: file, cause: "\(error)", hint: advice + reference)
        }
        let hint =
            advice + "If it is lost, `ledger backup FILE` and then `ledger restore-backup FILE "
            + "--accept-loss` set that head aside. " + reference
        let size = head.head.size
        guard size <= tree.head.size else {
            throw LedgerError(
                .forked,
                at: path.string,
                cause: "the log has \(tree.head.size) entries, but a head of \(size) entries was "
                    + "signed before (\(file)); nothing was signed",
                hint: hint
            )
        }
        guard try tree.root(atSize: size) == head.head.root else {
            throw LedgerError(
                .forked,
                at: path.string,
                cause: "the first \(size) entries are not those that were signed before "
                    + "(\(file)); nothing was signed",
                hint: hint
            )
        }
    }
}

extension Ledger {
    /// Returns the files of the signed heads that are kept and that the log does not have: it
    /// cannot be signed while they are there.
    ///
    /// - Throws: `.damaged` if a head or the tree cannot be read, `.inputOutput`.
    func foreignHeads(in store: HeadStore) throws(LedgerError) -> [FilePath] {
        try LedgerError.translating(at: path) {
            let tree = try LogTree(log)
            return try store.all().filter { try Self.isForeign($0.head.head, to: tree) }
                .map { FilePath($0.file) }
        }
    }

    /// Moves the signed heads that are kept and that the log does not have out of the way, so that
    /// it can be signed again.
    ///
    /// - Parameters:
    ///   - store: The heads of this ledger.
    ///   - now: The time, which their new names end with.
    /// - Returns: Their new paths.
    /// - Throws: `.damaged` if a head or the tree cannot be read, `.inputOutput`.
    func setForeignHeadsAside(
        in store: HeadStore,
        at now: Timestamp
    ) throws(LedgerError) -> [FilePath] {
        try LedgerError.translating(at: path) {
            let tree = try LogTree(log)
            return try store.setAside(suffix: "replaced-\(now.milliseconds)") { head in
                try Self.isForeign(head, to: tree)
            }
        }
    }

    private static func isForeign(_ head: TreeHead, to tree: LogTree) throws -> Bool {
        try head.size > tree.head.size || tree.root(atSize: head.size) != head.root
    }
}

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

    /// Returns the head that vouches for the most entries: the owner's last one, or the last of all
    /// if none is the owner's.
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
