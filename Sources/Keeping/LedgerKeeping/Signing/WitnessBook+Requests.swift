import Proofs
package import TripEvents
package import TripLedger

extension WitnessBook {
    /// Answers a request to cosign a head, as C2SP tlog-witness does: the head is checked and
    /// remembered under one lock, so that no other request comes between.
    ///
    /// Unlike ``cosign(_:from:owner:now:)``, which a person calls, it knows only logs that were
    /// added or cosigned before, and takes a first head only from size 0.
    ///
    /// - Parameters:
    ///   - request: The body of the request: a consistency proof with the newer head.
    ///   - now: The time of the cosignature.
    /// - Returns: The answer.
    /// - Throws: `.damaged` if what the witness kept is no longer what it was; `.inputOutput`.
    package func answer(
        to request: [UInt8],
        now: Timestamp
    ) throws(LedgerError) -> CosigningAnswer {
        let proof: ConsistencyProof
        do {
            proof = try ConsistencyProof(request)
        } catch {
            return .malformed(error.description)
        }
        return try LedgerError.translating(at: path) {
            try locked { try answer(to: proof, now: now) }
        }
    }

    private func answer(to proof: ConsistencyProof, now: Timestamp) throws -> CosigningAnswer {
        let head = proof.head
        guard let known = try log(of: head.content.origin, owner: nil) else {
            return .unknownOrigin
        }
        guard (try? head.isSigned(by: known.owner)) == true else { return .notSigned }
        guard proof.olderSize <= head.head.size else {
            return .malformed("the older size is larger than the head's")
        }
        let seen = known.head?.head ?? TreeHead(size: 0, root: MerkleFrontier.emptyRoot)
        let isOther = head.head.size == seen.size && head.head.root != seen.root
        guard proof.olderSize == seen.size, !isOther else { return .otherSize(seen.size) }
        guard proof.isValid(since: seen) else { return .wrongProof }
        let cosigned = try cosigned(head, signedBy: known.owner, path.string, now)
        try keep(cosigned, of: known.owner)
        return .cosigned(cosigned.note.signatures.filter { $0.names(verifier) }.map(\.line))
    }
}

/// The answer to a request to cosign a head.
package enum CosigningAnswer: Hashable, Sendable {
    /// The head was cosigned and is remembered: the lines of the cosignature.
    case cosigned([String])

    /// It is no request: what is wrong with it.
    case malformed(String)

    /// The witness does not know the log.
    case unknownOrigin

    /// The log's owner has not signed the head.
    case notSigned

    /// The proof is from another size than that of the last head that was cosigned, or the head has
    /// another root: the size of the last one, 0 if there was none.
    case otherSize(UInt64)

    /// The proof does not hold.
    case wrongProof
}
