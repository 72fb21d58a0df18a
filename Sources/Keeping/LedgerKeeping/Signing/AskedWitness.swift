package import Proofs
package import TripLedger

/// A witness that is asked over HTTP to cosign heads (C2SP tlog-witness).
package struct AskedWitness: Hashable, Sendable {
    /// The answer to a request, by the status of HTTP.
    package typealias Answer = (status: Int, body: [UInt8])

    /// The key with which its cosignatures are checked.
    package let key: VerifierKey

    /// The address under which it takes heads.
    package let address: String

    /// Reads the witnesses of a policy (C2SP tlog-policy): lines `witness NAME VKEY URL`.
    ///
    /// Empty lines, comments, logs, groups and the quorum are passed over, and so are witnesses
    /// without an address, which cannot be asked.
    ///
    /// - Parameters:
    ///   - policy: The policy.
    ///   - name: The file it came from, for errors.
    /// - Returns: The witnesses, in the order of their lines.
    /// - Throws: `.unreadableInput` if it is not a policy, or names no witness with an address.
    package static func all(
        in policy: [UInt8],
        from name: String
    ) throws(LedgerError) -> [AskedWitness] {
        var witnesses: [AskedWitness] = []
        let lines = String(decoding: policy, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            switch first {
            case "log", "group", "quorum": continue
            case "witness" where words.count == 3: continue
            case "witness" where words.count == 4:
                let address = words[3]
                guard let key = VerifierKey(words[2]), key.kind == .cosignature,
                    address.hasPrefix("https://") || address.hasPrefix("http://")
                else { throw mistake(in: name, line: number + 1) }
                let base = address.hasSuffix("/") ? address.dropLast() : address[...]
                witnesses.append(AskedWitness(key: key, address: base + "/add-checkpoint"))
            default: throw mistake(in: name, line: number + 1)
            }
        }
        guard !witnesses.isEmpty else {
            throw LedgerError(
                .unreadableInput,
                at: name,
                cause: "it names no witness with an address",
                hint: "A line is `witness NAME VKEY URL`; `ledger witness show` prints the key"
            )
        }
        return witnesses
    }

    private static func mistake(in name: String, line: Int) -> LedgerError {
        LedgerError(
            .unreadableInput,
            at: "\(name):\(line)",
            cause: "this is no line of a policy",
            hint: "A line is `witness NAME VKEY URL`, with the key that `ledger witness show` "
                + "prints there"
        )
    }

    /// Asks the witness to cosign a head, first as one that it has not seen before; it answers
    /// which size it has seen.
    ///
    /// - Parameters:
    ///   - head: The last signed head of a ledger.
    ///   - ledger: The ledger.
    ///   - now: The present time; that of a cosignature may differ by ten minutes.
    ///   - post: Posts a request to an address, and returns the answer.
    /// - Returns: The head with the witness's cosignature.
    /// - Throws: `LedgerError` with the witness's objection; what `post` throws.
    package func cosigned(
        _ head: SignedHead,
        of ledger: Ledger,
        now: Timestamp,
        post: ([UInt8], String) throws -> Answer
    ) throws -> SignedHead {
        let size = head.head.size
        var proof = try ledger.consistencyProof(fromSize: 0, to: head)
        var answer = try post(proof.bytes, address)
        if answer.status == 409 {
            let line = answer.body.prefix { $0 != UInt8(ascii: "\n") }
            guard let seen = DecimalNumber.read(String(decoding: line, as: UTF8.self)[...]) else {
                throw refusal("it does not say how many entries it has seen")
            }
            guard seen <= size else {
                throw refusal(
                    "it has seen \(seen) entries of this log, and the signed head has only "
                        + "\(size): an older copy may stand in the ledger's place"
                )
            }
            proof = try ledger.consistencyProof(fromSize: seen, to: head)
            answer = try post(proof.bytes, address)
        }
        guard answer.status == 200 else { throw refusal(Self.meaning(of: answer.status)) }
        return try cosigned(head, by: answer.body, now)
    }

    /// Returns a head with the cosignature that came back, which must be this witness's.
    private func cosigned(
        _ head: SignedHead,
        by lines: [UInt8],
        _ now: Timestamp
    ) throws(LedgerError) -> SignedHead {
        let signatures: [NoteSignature]
        do {
            let answered = try SignedHead(Array("\(head.content.text)\n".utf8) + lines)
            signatures = try answered.note.signatures(by: [key]).map(\.signature)
        } catch {
            throw refusal(error.description)
        }
        guard let seconds = signatures.first?.cosignedAt else {
            throw refusal("the answer is not signed with its key")
        }
        guard let time = Timestamp(secondsSince1970: seconds),
            abs(time.milliseconds(since: now)) <= HeadStamps.clockTolerance
        else {
            throw refusal(
                "its cosignature is of another time (\(seconds) s since 1970) than the clock here, "
                    + RFC3339.text(now)
            )
        }
        return SignedHead(head.content, signatures: signatures)
    }

    private static func meaning(of status: Int) -> String {
        switch status {
        case 403: "it does not know the key under the head (403)"
        case 404: "it does not know this ledger (404)"
        case 409: "it has seen other entries of this log (409)"
        case 422: "it has seen other entries: the log was changed, or forked (422)"
        default: "it answers \(status)"
        }
    }

    private func refusal(_ cause: String) -> LedgerError {
        LedgerError(
            .unreadableInput,
            at: Excerpt.address(address),
            cause: "the witness \(key.name) has not cosigned: \(cause)",
            hint: "Ask the person behind it; `ledger witness add` makes a ledger known there"
        )
    }
}
