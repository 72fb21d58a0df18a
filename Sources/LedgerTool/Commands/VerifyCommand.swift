import ArgumentParser
import LedgerKeeping
import Proofs
import RowFormats
import SystemPackage
import TripLedger

/// The command `ledger verify`.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Checks that nothing in a ledger, a proof or a head was changed or damaged.",
        discussion: """
            Every entry is read and hashed again, and everything that is stored beside the entries \
            is compared with what follows from them: checksums, positions, the tree, sources, \
            indexes, every row of the views, and every head that was signed. Nothing is changed.

            With --key, a signed head has to cover every entry, so sign just before you export; \
            the answer names the first position that no signed head covers.

            Proofs, exports and heads that you were given are checked without any ledger. \
            What an export withholds or what was erased is checked by its hash alone; which \
            entries are withheld has to be signed by the owner, whose key --key names. Of a \
            bundle, every file is hashed, and every report made again from the evidence in it. Of \
            two heads, the newer one stands first. An export with an older head after it must \
            begin with the entries of that head: a file, or size and root as a report prints \
            them, with a colon between.

            Exit codes: 0 verified; 1 changed or damaged, with every finding; 2 could not tell.

            Examples:
              ledger verify
              ledger verify /media/usb/book --key VKEY --witness VKEY
              ledger verify proof --key VKEY
              ledger verify exported --key VKEY
              ledger verify audit-2025 --key VKEY
              ledger verify exported paper.note --key VKEY
              ledger verify 1041.tlog-proof --entry 1041.entry --key VKEY
              ledger verify new.note old.note --proof consistency.proof --key VKEY
              ledger verify --format json
            """
    )

    @OptionGroup var options: GlobalOptions

    @OptionGroup var handedOver: HandedOverOptions

    @Argument(
        help: ArgumentHelp(
            "The directory of a ledger (default: the one of --ledger); or a directory of proofs, a "
                + "proof, an export, a bundle, or an export or a signed head and an older head.",
            valueName: "subject"
        ),
        completion: .file()
    )
    var subjects: [String] = []

    func validate() throws {
        try options.refuseCSV()
        guard subjects.count <= 2 else {
            throw ValidationError("Name one ledger or proof, an export and a head, or two heads.")
        }
        try handedOver.validate(subjects)
        if !subjects.isEmpty, options.ledger != nil {
            throw ValidationError("Name the ledger once: with --ledger or as an argument.")
        }
    }

    func run() throws {
        let outcome =
            handedOver.concern(subjects)
            ? try handedOver.outcome(of: subjects)
            : try ledgerOutcome(at: subjects.first.map { FilePath($0) } ?? options.path)
        try VerificationPage(outcome).show(as: options.format)
    }

    private func ledgerOutcome(at path: FilePath) throws -> VerifyOutcome {
        let meter = ProgressMeter()
        let verification = LedgerVerification(at: path, process: LedgerScanner.process)
        let result = try verification.run(onProgress: meter.show)
        meter.clear()
        var outcome = result.outcome
        // If there is a head, another process has just read every page, and come to no harm.
        guard result.head != nil else {
            let why = outcome.findingCount > 0 ? "is damaged" : "could not be read"
            outcome.doubt("the signed heads, for the log \(why)")
            return outcome
        }
        do {
            outcome.add(try headsOutcome(at: path))
        } catch  where error.code == .damaged {
            outcome.report(.log, error.cause)
        } catch {
            outcome.doubt("the signed heads: \(error.cause)")
        }
        return outcome
    }

    private func headsOutcome(at path: FilePath) throws(LedgerError) -> VerifyOutcome {
        let ledger = try Ledger(at: path, isReadOnly: true)
        defer { ledger.close() }
        var outcome = try ledger.checkWithheld(handedOver.keys)
        do {
            outcome.add(try ledger.checkHeads(handedOver.keys, in: HeadStore(of: ledger)))
        } catch  where error.code == .notFound {
            let inside = HeadStore(of: ledger, outsideIn: nil)
            outcome.add(try ledger.checkHeads(handedOver.keys, in: inside))
            outcome.doubt("the last signed head that is kept outside: \(error.cause)")
        }
        return outcome
    }
}

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
        help: ArgumentHelp("The entry that a .tlog-proof is about.", valueName: "file"),
        completion: .file()
    )
    var entry: String?

    @Option(
        help: ArgumentHelp(
            "What `ledger prove --consistency` wrote, for two heads.",
            valueName: "file"
        ),
        completion: .file()
    )
    var proof: String?

    /// The keys whose signatures are demanded.
    var keys: TrustedKeys { TrustedKeys(owner: key, witnesses: witness) }

    /// Whether these arguments are proofs or heads, and not a ledger or an export.
    func concern(_ subjects: [String]) -> Bool {
        switch subjects.count {
        case 1:
            // The directory of a ledger means the ledger, even if it holds proofs as well.
            entry != nil
                || !Ledger.isOne(at: FilePath(subjects[0]))
                    && (isBundle(subjects[0]) || ProofFolderCheck.isOne(subjects[0])
                        || isExport(subjects[0]))
        case 2: true
        default: false
        }
    }

    private func isBundle(_ subject: String) -> Bool {
        BundleVerification.isBundle(at: FilePath(subject))
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
        if isBundle(subjects[0]) {
            let meter = ProgressMeter()
            defer { meter.clear() }
            return try BundleVerification.outcome(
                ofBundleAt: FilePath(subjects[0]),
                trusting: keys,
                onProgress: meter.show
            ) { try BundledReports.made(again: $1, from: $0, by: $2) }
        }
        if isExport(subjects[0]) {
            let path = subjects[0] == "-" ? nil : FilePath(subjects[0])
            let meter = ProgressMeter()
            defer { meter.clear() }
            return try ExportVerification.outcome(
                ofExportAt: path,
                trusting: keys,
                onProgress: meter.show
            )
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
        let meter = ProgressMeter()
        var outcome = try ExportVerification.outcome(
            ofExportAt: FilePath(export),
            beginningWith: head,
            trusting: keys,
            onProgress: meter.show
        )
        meter.clear()
        guard key != nil || !witness.isEmpty else { return outcome }
        if let signed { verification.checkSignatures(of: signed, into: &outcome) }
        return outcome
    }
}
