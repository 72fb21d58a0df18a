import Proofs
import SystemPackage
import TripEvents
import TripLedger

extension ProofFolder {
    private static let proofSuffix = ".tlog-proof"

    /// Whether a name is that of a directory with proofs.
    static func isOne(_ name: String) -> Bool {
        (try? OutputFolder.names(in: FilePath(name)).contains { $0.hasSuffix(proofSuffix) })
            ?? false
    }

    /// Checks every proof in a directory, the entries and the events as JSON that go with them.
    ///
    /// - Throws: `LedgerError.unreadableInput`, `.inputOutput`.
    static func outcome(
        of name: String,
        _ verification: ProofVerification
    ) throws(LedgerError) -> VerifyOutcome {
        var outcome = VerifyOutcome()
        var heads: Set<SignedHead> = []
        let names = try OutputFolder.names(in: FilePath(name))
            .filter { $0.hasSuffix(proofSuffix) }
            .sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
        for file in names {
            let stem = FilePath(name).appending(String(file.dropLast(proofSuffix.count))).string
            let proof: InclusionProof
            do {
                proof = try InclusionProof(InputFile.bytes(of: stem + proofSuffix))
            } catch let error as ProofDamage {
                outcome.report(.proof, "\(file) is no proof: \(error)")
                continue
            } catch {
                outcome.doubt("\(file): \(error)")
                continue
            }
            if heads.insert(proof.head).inserted {
                verification.checkSignatures(of: proof.head, into: &outcome)
            }
            let entry = try InputFile.bytes(of: stem + ".entry")
            guard verification.checkInclusion(of: entry, by: proof, into: &outcome) else {
                continue
            }
            let shown = try InputFile.bytes(of: stem + ".json")
            check(shown, says: entry, at: proof.position, into: &outcome)
        }
        return outcome
    }

    /// Checks that the JSON, which people read, says what the entry, which is proven, says.
    private static func check(
        _ shown: [UInt8],
        says entry: [UInt8],
        at position: UInt64,
        into outcome: inout VerifyOutcome
    ) {
        guard var stored = ProofVerification.event(ofEntry: entry, at: position) else {
            outcome.doubt("what the entry at position \(position) means")
            return
        }
        // The entry has the source's number where the JSON has its name: all but that must agree.
        stored.event.source = ""
        let line = String(decoding: stored.json, as: UTF8.self) + "\n"
        let text = String(decoding: shown, as: UTF8.self)
        let member = "\"source\":\""
        guard let source = line.firstRange(of: member) else { return }
        let head = line[..<source.upperBound]
        let tail = line[source.upperBound...]
        let name = text.dropFirst(head.count).dropLast(tail.count)
        guard text.hasPrefix(head), text.hasSuffix(tail), !name.contains("\""),
            text.count == head.count + name.count + tail.count
        else {
            outcome.report(
                .entry,
                at: position,
                "the event as JSON says something else than the entry that is proven"
            )
            return
        }
    }
}
