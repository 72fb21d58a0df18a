import Proofs

extension WitnessBook {
    /// Returns the key by which a head must be signed.
    func owner(
        of head: SignedHead,
        known: VerifierKey?,
        given: VerifierKey?,
        _ place: String
    ) throws -> VerifierKey {
        if let known {
            guard given == nil || given == known else {
                throw LedgerError(
                    .forked,
                    at: place,
                    cause: "\(known.name) has another key than it had before",
                    hint: "Ask its owner why; the witness goes on with \(known). In the place of a "
                        + "key that was lost, its owner makes one of another name with `ledger "
                        + "key new --name`"
                )
            }
            return known
        }
        guard let given else {
            throw LedgerError(
                .notFound,
                at: place,
                cause: "the witness does not know \(head.content.origin) yet",
                hint: "Give its verifier key with --key, and compare the fingerprint with the "
                    + "owner by another way: `ledger key show` prints it"
            )
        }
        return given
    }

    /// Checks that a head is its owner's.
    func check(_ head: SignedHead, signedBy owner: VerifierKey, _ place: String) throws {
        let isSigned: Bool
        do {
            isSigned = try head.isSigned(by: owner)
        } catch {
            throw LedgerError(.unreadableInput, at: place, cause: error.description)
        }
        guard isSigned else {
            throw LedgerError(
                .unreadableInput,
                at: place,
                cause: "the head is not signed by \(owner.name) with the key that it should have"
            )
        }
    }

    /// Checks that a log has only grown since the witness saw it last.
    func check(
        _ head: SignedHead,
        _ proof: ConsistencyProof?,
        after seen: SignedHead,
        _ place: String
    ) throws {
        let sizes = (new: head.head.size, seen: seen.head.size)
        guard sizes.new >= sizes.seen else {
            throw LedgerError(
                .forked,
                at: place,
                cause: "the witness has seen \(sizes.seen) entries of this log, and the head has "
                    + "only \(sizes.new); nothing was cosigned",
                hint: "Keep the head: if no newer one exists, entries were taken away"
            )
        }
        if sizes.new == sizes.seen {
            guard head.head.root == seen.head.root else {
                throw LedgerError(
                    .forked,
                    at: place,
                    cause: "the witness has seen \(sizes.seen) other entries of this log; nothing "
                        + "was cosigned",
                    hint: "Keep both heads: together they prove that the log was forked"
                )
            }
            return
        }
        // Every log begins with the empty one.
        guard sizes.seen > 0 else { return }
        guard let proof, proof.olderSize == sizes.seen else {
            throw LedgerError(
                .notFound,
                at: place,
                cause: "the witness has seen \(sizes.seen) entries of this log and needs a proof "
                    + "that they are still there",
                hint: "Send the owner the last cosigned head (`ledger witness show`), and ask for "
                    + "`ledger prove --consistency` of it"
            )
        }
        guard proof.isValid(since: seen.head) else {
            throw LedgerError(
                .forked,
                at: place,
                cause: "the proof does not hold: the \(sizes.seen) entries that the witness has "
                    + "seen are not those that the log begins with; nothing was cosigned",
                hint: "Keep the file: with the cosigned head it proves that the log was changed"
            )
        }
    }
}
