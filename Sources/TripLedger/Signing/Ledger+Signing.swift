import EventStore
package import Proofs
import SystemPackage

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
                let tree = try LogTree(log)
                let known = try store.lastOnes()
                for (file, head) in known { try check(head, in: file, tree, key) }
                try tree.rehash(from: known.map(\.head.head.size).max() ?? 0)
                try store.claim(key.name)
                let signed = HeadNote(origin: key.name, head: tree.head).signed(by: key)
                guard try signed.isSigned(by: key.verifier(.text)) else {
                    preconditionFailure("what was just signed is signed")
                }
                return try store.keep(signed)
            }
        }
    }

    /// Keeps the cosignatures with which the last signed head has come back.
    ///
    /// Cosignatures that are there already stay, or are renewed. The owner's own signatures are the
    /// ones that were made here: whatever came back under their name is passed over.
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
        let hint =
            "An older copy or another ledger may stand in its place: bring the newer one back. "
            + "`ledger verify` says more"
        do {
            // An earlier key, perhaps a lost one of the same name, is none that could be checked.
            _ = try head.note.signatures(by: [key.verifier(.text)])
        } catch {
            throw LedgerError(.damaged, at: file, cause: "\(error)", hint: hint)
        }
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
