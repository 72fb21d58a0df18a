import ArgumentParser
import Proofs
import SystemPackage
import TripLedger

/// What a check of heads and proofs needs besides them.
struct HandedOverOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The owner's verifier key, which `ledger key show` prints.",
            valueName: "vkey"
        )
    )
    var key: VerifierKey?

    @Option(
        help: ArgumentHelp(
            "A witness's verifier key, whose cosignature has to be there; may be repeated.",
            valueName: "vkey"
        )
    )
    var witness: [VerifierKey] = []

    @Option(
        help: ArgumentHelp("The entry that a .tlog-proof is about.", valueName: "file")
    )
    var entry: String?

    @Option(
        help: ArgumentHelp(
            "What `ledger prove --consistency` wrote, for two heads.",
            valueName: "file"
        )
    )
    var proof: String?

    /// The keys whose signatures are demanded.
    var keys: TrustedKeys { TrustedKeys(owner: key, witnesses: witness) }

    /// Whether these arguments are proofs or heads, and not a ledger or an export.
    func concern(_ subjects: [String]) -> Bool {
        switch subjects.count {
        case 1:
            // Whatever else lies in a ledger's directory, what is asked about is the ledger.
            entry != nil
                || !Ledger.isOne(at: FilePath(subjects[0]))
                    && (ProofFolderCheck.isOne(subjects[0]) || isExport(subjects[0]))
        case 2: true
        default: false
        }
    }

    private func isExport(_ subject: String) -> Bool {
        subject == "-" || isFiledExport(subject)
    }

    private func isFiledExport(_ subject: String) -> Bool {
        ExportVerification.isExport(at: FilePath(subject))
    }

    /// Refuses arguments that do not go together.
    func validate(_ subjects: [String]) throws {
        guard key?.kind != .cosignature else {
            throw ValidationError("--key is a witness's key; give it with --witness.")
        }
        guard witness.allSatisfy({ $0.kind == .cosignature }) else {
            throw ValidationError("--witness is an owner's key; `ledger witness show` has others.")
        }
        if subjects.count == 2 {
            guard entry == nil else {
                throw ValidationError("--entry goes with a .tlog-proof, not with two heads.")
            }
            guard proof == nil || !isFiledExport(subjects[0]) else {
                throw ValidationError("An export needs no --proof: it holds every hash itself.")
            }
        } else {
            guard proof == nil else {
                throw ValidationError("--proof goes with two heads: the newer one, then the older.")
            }
            guard entry == nil || subjects.count == 1 else {
                throw ValidationError("--entry goes with a .tlog-proof.")
            }
            guard entry != nil || subjects.first?.hasSuffix(".tlog-proof") != true else {
                throw ValidationError("Name the entry that the proof is about with --entry.")
            }
        }
    }

    /// Checks a proof, a directory of proofs, an export, or an export or head and an older head.
    func outcome(of subjects: [String]) throws -> VerifyOutcome {
        let verification = ProofVerification(trusting: keys)
        if subjects.count == 2, isFiledExport(subjects[0]) {
            return try outcome(ofExport: subjects[0], since: subjects[1], verification)
        }
        if subjects.count == 2 {
            return verification.outcome(
                newer: try InputFile.bytes(of: subjects[0]),
                older: try InputFile.bytes(of: subjects[1]),
                proof: try proof.map(InputFile.bytes)
            )
        }
        if let entry {
            return verification.outcome(
                ofProof: try InputFile.bytes(of: subjects[0]),
                entry: try InputFile.bytes(of: entry)
            )
        }
        if isExport(subjects[0]) {
            let path = subjects[0] == "-" ? nil : FilePath(subjects[0])
            return try ExportVerification.outcome(ofExportAt: path, trusting: keys)
        }
        return try ProofFolderCheck.outcome(of: subjects[0], verification)
    }

    /// Checks an export that must begin with the entries of an older head.
    private func outcome(
        ofExport export: String,
        since older: String,
        _ verification: ProofVerification
    ) throws -> VerifyOutcome {
        guard let named = NamedHead(argument: older) else {
            throw ValidationError("Name the older head: a file, or its size, a colon and its root.")
        }
        let (head, signed) = try named.read()
        var outcome = try ExportVerification.outcome(
            ofExportAt: FilePath(export),
            beginningWith: head,
            trusting: keys
        )
        guard key != nil || !witness.isEmpty else { return outcome }
        if let signed { verification.checkSignatures(of: signed, into: &outcome) }
        return outcome
    }
}
