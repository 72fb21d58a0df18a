import ArgumentParser
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
            the answer names the position from which on nobody vouches.

            Proofs, exports and heads that somebody handed over are checked without any ledger. \
            What an export withholds or what was erased is checked by its hash alone. Of two \
            heads, the newer one stands first. An export with an older head after it must begin \
            with the entries of that head: a file, or size and root as a report prints them, with \
            a colon between.

            Exit codes: 0 verified; 1 changed or damaged, with every finding; 2 could not tell.

            Examples:
              ledger verify
              ledger verify /media/usb/book --key VKEY --witness VKEY
              ledger verify proof --key VKEY
              ledger verify exported --key VKEY
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
                + "proof, an export, or an export or a signed head and an older head.",
            valueName: "subject"
        )
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
        try ShownVerification(outcome).show(as: options.format)
    }

    private func ledgerOutcome(at path: FilePath) throws -> VerifyOutcome {
        let meter = ScanMeter()
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
        do {
            return try ledger.checkHeads(handedOver.keys, in: HeadStore(of: ledger))
        } catch  where error.code == .notFound {
            let inside = HeadStore(of: ledger, outsideIn: nil)
            var outcome = try ledger.checkHeads(handedOver.keys, in: inside)
            outcome.doubt("the last signed head that is kept outside: \(error.cause)")
            return outcome
        }
    }
}
