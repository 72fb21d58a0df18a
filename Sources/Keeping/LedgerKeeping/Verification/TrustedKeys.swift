package import Proofs
import TripEvents
package import TripLedger

/// The keys whose signatures a check demands.
package struct TrustedKeys {
    /// The key of the ledger's owner; without it, a head could be anybody's.
    package var owner: VerifierKey?

    /// The witnesses who must have cosigned.
    package var witnesses: [VerifierKey]

    /// Creates a demand.
    package init(owner: VerifierKey?, witnesses: [VerifierKey] = []) {
        self.owner = owner
        self.witnesses = witnesses
    }

    /// Whether anybody's signature is demanded.
    var demandsAny: Bool { owner != nil || !witnesses.isEmpty }

    /// Checks the signatures under the last signed head of a log: no signature covers entries after
    /// its head, so only one over all entries vouches for the log.
    func check(
        _ head: SignedHead,
        ofLogWithSize size: UInt64,
        into outcome: inout VerifyOutcome
    ) {
        let vouchers = signatures(under: head, into: &outcome)
        let signed = head.head.size
        guard signed < size else {
            for voucher in vouchers { outcome.vouch(voucher) }
            return
        }
        outcome.doubt(
            "who vouches for the entries from position \(signed) on: of \(size) entries the last "
                + "signed head covers \(signed). The owner signs all with `ledger head --sign`, "
                + "and an export that is made then holds that head"
        )
    }

    /// Checks the signatures under a head, which vouch for what follows from it.
    func check(_ head: SignedHead, into outcome: inout VerifyOutcome) {
        for voucher in signatures(under: head, into: &outcome) { outcome.vouch(voucher) }
    }

    /// Checks the signatures under a head, which need not cover all that is checked.
    ///
    /// - Returns: Whose signatures are there.
    @discardableResult
    package func signatures(
        under head: SignedHead,
        into outcome: inout VerifyOutcome
    ) -> [VerifyOutcome.Voucher] {
        var vouchers: [VerifyOutcome.Voucher] = []
        let entries = "the log's first \(head.head.size) entries, with root \(head.head.root)"
        if let owner {
            do {
                if try head.isSigned(by: owner) {
                    outcome.confirm(.head, "\(owner.name) has signed \(entries)")
                    vouchers.append(.key)
                } else {
                    outcome.report(.head, "it is not signed by \(owner.name) with that key")
                }
            } catch {
                outcome.report(.head, error.description)
            }
        } else {
            outcome.doubt(
                "who signed the head of \(head.head.size) entries: give the owner's verifier key "
                    + "with --key"
            )
        }
        for witness in witnesses where check(witness, of: head, into: &outcome) {
            vouchers.append(.witness)
        }
        return vouchers
    }

    /// Checks a witness's signature under a head.
    ///
    /// - Returns: Whether it is there.
    private func check(
        _ witness: VerifierKey,
        of head: SignedHead,
        into outcome: inout VerifyOutcome
    ) -> Bool {
        do {
            guard let found = try head.note.signatures(by: [witness]).first else {
                outcome.doubt(
                    "whether \(witness.name) saw the head of \(head.head.size) entries: it has no "
                        + "cosignature by that key"
                )
                return false
            }
            outcome.confirm(
                .witness,
                "\(witness.name) cosigned the head of \(head.head.size) entries"
                    + Self.time(of: found.signature, by: witness)
            )
            return true
        } catch {
            outcome.report(.witness, error.description)
            return false
        }
    }

    private static func time(of signature: NoteSignature, by key: VerifierKey) -> String {
        guard key.kind == .cosignature,
            let time = Timestamp(secondsSince1970: signature.cosignedAt)
        else { return "" }
        return " at " + RFC3339.text(time)
    }
}

extension Timestamp {
    /// The end of the year 9999: RFC 3339 has no later time.
    private static let lastSecond: UInt64 = 253_402_300_799

    /// Creates a time from whole seconds since 1970, or returns `nil` if it is after the year 9999.
    package init?(secondsSince1970 seconds: UInt64) {
        guard seconds <= Self.lastSecond else { return nil }
        self.init(milliseconds: Int64(seconds) * 1_000)
    }
}
