import ArgumentParser
import LedgerKeeping
import Platform
import Proofs
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
            the answer names the first position that no signed head covers. --stamps checks \
            its stamps, or those of a bundle, and names their times.

            Proofs, exports and heads that you were given are checked without any ledger. \
            What an export withholds or what was erased is checked by its hash alone; which \
            entries are withheld has to be signed by the owner, whose key --key names. Of a \
            bundle, every file is hashed, and every report made again from the evidence in it, by \
            the rates of this program. A ledger in whose directory such things lie is named with \
            --ledger. Of two heads, the newer one stands first. An export or a \
            bundle with an older head after it must begin with the entries of that head: a file, \
            or size and root as a report prints them, with a colon between. For entries that came \
            after it, a newer head has to vouch, or --key.

            An export or a bundle may fit together and yet be made up: for it, give the head from \
            the paper, or --key. A key that comes with it vouches for nothing.

            Exit codes: 0 verified, or sound if it is a ledger; 1 changed or damaged, with every \
            finding; 2 could not tell, or nobody vouches for it.

            Examples:
              ledger verify
              ledger verify /media/usb/book --key VKEY --witness VKEY
              ledger verify proof --key VKEY
              ledger verify exported --key VKEY
              ledger verify audit-2025 --key VKEY --stamps authority.pem
              ledger verify audit-2025 1041:ROOT
              ledger verify exported paper.note --key VKEY
              ledger verify 1041.tlog-proof --entry 1041.entry --key VKEY
              ledger verify new.note old.note --proof consistency.proof --key VKEY
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>

    @OptionGroup var handedOver: HandedOverOptions

    @Argument(
        help: ArgumentHelp(
            "The directory of a ledger (default: the one of --ledger); or a directory of proofs, a "
                + "proof, an export, a bundle, or one of these two or a signed head, and an older "
                + "head.",
            valueName: "subject"
        ),
        completion: .file()
    )
    var subjects: [String] = []

    func validate() throws {
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

    /// Throws with advice if the path does not exist, or is a file, which cannot be a ledger.
    private func requireDirectory(_ path: FilePath) throws(LedgerError) {
        guard let found = try? Stat(path) else {
            // The usual ledger may still have to be made.
            guard !subjects.isEmpty else { return }
            throw LedgerError(
                .missingLedger,
                at: path.string,
                cause: "there is no file or folder of that name",
                hint: "Look at its name, and from which folder you call `ledger`"
            )
        }
        guard found.type == .regular else { return }
        let name = Excerpt.escaped(path.string)
        throw LedgerError(
            .missingLedger,
            at: path.string,
            cause: "this is a file, and neither a ledger nor anything that is verified alone",
            hint: "A report that was issued is made again from the ledger by `ledger report "
                + "reissue`, to be compared with `cmp`; the folder that `ledger bundle` writes is "
                + "verified alone. A backup is checked in full by `ledger --ledger NEW "
                + "restore-backup \(name)`, which makes a ledger of it in a new directory; a head "
                + "is compared with another"
        )
    }

    private func ledgerOutcome(at path: FilePath) throws -> VerifyOutcome {
        try requireDirectory(path)
        let authorities = try handedOver.trusted.namedCertificates()
        let meter = ProgressMeter()
        let verification = LedgerVerification(at: path, process: LedgerScanner.process)
        let result = try verification.run(onProgress: meter.show)
        meter.clear()
        var outcome = result.outcome
        // If there is a head, another process has just read every page without a crash.
        guard result.head != nil else {
            let why = outcome.findingCount > 0 ? "is damaged" : "could not be read"
            outcome.doubt("the signed heads, for the log \(why)")
            return outcome
        }
        do {
            outcome.add(try headsOutcome(at: path, authorities))
        } catch  where error.code == .damaged {
            outcome.report(.log, error.cause)
        } catch {
            outcome.doubt("the signed heads: \(error.cause)")
        }
        return outcome
    }

    private func headsOutcome(
        at path: FilePath,
        _ authorities: [UInt8]?
    ) throws(LedgerError) -> VerifyOutcome {
        let ledger = try Ledger(at: path, isReadOnly: true)
        defer { ledger.close() }
        var outcome = try ledger.checkWithheld(handedOver.keys)
        if let authorities { outcome.add(try ledger.checkStamps(trusting: authorities)) }
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

/// Further inputs for a check of heads and proofs.
struct HandedOverOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The owner's verifier key, which `ledger key show` prints, or a file with it.",
            valueName: "vkey"
        ),
        transform: NamedKey.init
    )
    var key: NamedKey?

    @Option(
        help: ArgumentHelp(
            "A witness's verifier key, or a file with it, whose cosignature has to be there; may "
                + "be repeated.",
            valueName: "vkey"
        ),
        transform: NamedKey.init
    )
    var witness: [NamedKey] = []

    @Option(
        help: ArgumentHelp("The entry that a .tlog-proof is about.", valueName: "file"),
        completion: .file()
    )
    var entry: String?

    @Option(
        help: ArgumentHelp(
            "What `ledger prove --consistency` wrote (two heads).",
            valueName: "file"
        ),
        completion: .file()
    )
    var proof: String?

    @OptionGroup var trusted: StampOptions

    /// The keys whose signatures are demanded.
    var keys: TrustedKeys { TrustedKeys(owner: key?.key, witnesses: witness.map(\.key)) }

    /// Whether these arguments are proofs or heads, and not a ledger or an export.
    func concern(_ subjects: [String]) -> Bool {
        switch subjects.count {
        case 1:
            // The directory may also contain a ledger; it still counts as proofs, and the check
            // reports that.
            entry != nil || isBundle(subjects[0]) || ProofFolderCheck.isOne(subjects[0])
                || isExport(subjects[0])
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
        guard key?.key.kind != .cosignature else {
            throw ValidationError("--key is a witness's key; give it with --witness.")
        }
        if concern(subjects) { try requireFromElsewhere(subjects[0]) }
        let keepsStamps = !concern(subjects) || subjects.first.map(isBundle) ?? false
        guard trusted.stamps == nil || keepsStamps else {
            throw ValidationError("--stamps goes with a ledger or a bundle: they keep stamps.")
        }
        guard witness.allSatisfy({ $0.key.kind == .cosignature }) else {
            throw ValidationError("--witness is an owner's key; `ledger witness show` has others.")
        }
        if subjects.count == 2 {
            guard entry == nil else {
                throw ValidationError("--entry goes with a .tlog-proof, not with two heads.")
            }
            guard proof == nil || !(isFiledExport(subjects[0]) || isBundle(subjects[0])) else {
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

    /// Refuses keys and certificates that came with the data that they are to vouch for.
    private func requireFromElsewhere(_ subject: String) throws {
        var named: [(String, String?)] = witness.map { ("--witness", $0.file) }
        named += [("--key", key?.file), ("--stamps", trusted.stamps)]
        for case (let option, let file?) in named where Self.comes(file, with: subject) {
            throw ValidationError(
                "\(option) names \(Excerpt.escaped(file)), which lies in what it is to vouch for: "
                    + "give what came in another way, such as the key on paper."
            )
        }
    }

    /// Checks a proof, a directory of proofs, an export, or an export or head and an older head.
    func outcome(of subjects: [String]) throws -> VerifyOutcome {
        var outcome = try outcome(ofHandedOver: subjects)
        if subjects[0] != "-", Ledger.isOne(at: FilePath(subjects[0])) {
            let option = ShellWord.option("--ledger", subjects[0])
            outcome.doubt(
                "what the ledger that lies there too says: only what was handed over was checked. "
                    + "`ledger \(option) verify` checks the ledger"
            )
        }
        return outcome
    }

    private func outcome(ofHandedOver subjects: [String]) throws -> VerifyOutcome {
        let verification = ProofVerification(trusting: keys)
        if subjects.count == 2 { try requirePair(subjects[0], subjects[1]) }
        if subjects.count == 2, isBundle(subjects[0]) || isFiledExport(subjects[0]) {
            return try outcome(of: subjects[0], since: subjects[1])
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
        if isBundle(subjects[0]) { return try outcome(ofBundle: subjects[0], since: nil) }
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

    /// Refuses two arguments unless they are an export or bundle and a head, or two heads, as far
    /// as that is known before they are read.
    private func requirePair(_ newer: String, _ older: String) throws(LedgerError) {
        let isWhole = isBundle(newer) || isFiledExport(newer)
        if !isWhole, let book = [newer, older].first(where: { Ledger.isOne(at: FilePath($0)) }) {
            let option = ShellWord.option("--ledger", book)
            throw LedgerError(
                .unreadableInput,
                at: book,
                cause: "this is a ledger, and only an export or a bundle is verified with a head",
                hint: "`ledger \(option) changes --since HEAD` says whether it begins with the "
                    + "entries of a head, and what came after; `ledger \(option) verify` checks it "
                    + "without one"
            )
        }
        guard (try? Stat(FilePath(older)))?.type != .directory else {
            throw LedgerError(
                .unreadableInput,
                at: older,
                cause: "this is a folder, and what stands second is a head",
                hint: "Name the export or the bundle first, and the head after it: a file, or its "
                    + "size, a colon and its root"
            )
        }
        guard !isWhole, KnownHead(argument: older) != nil,
            let type = (try? Stat(FilePath(newer)))?.type, [.regular, .directory].contains(type)
        else { return }
        guard type == .regular, (try? HandedOverFile.head(newer)) != nil else {
            throw LedgerError(
                .unreadableInput,
                at: newer,
                cause: "this is no export and no bundle, and only these are compared with a size "
                    + "and a root",
                hint: "If it is an archive, unpack it and name the folder. A report begins with no "
                    + "entries: compare the head that it prints with the export or the bundle"
            )
        }
        throw LedgerError(
            .unreadableInput,
            at: older,
            cause: "this is no file, and two heads are compared by their signatures",
            hint: "Name two files with signed heads, the newer one first; or an export or a "
                + "bundle, and then this head"
        )
    }

    private func outcome(
        ofBundle bundle: String,
        since older: LedgerHead?
    ) throws -> VerifyOutcome {
        let meter = ProgressMeter()
        defer { meter.clear() }
        return try BundleVerification.outcome(
            ofBundleAt: FilePath(bundle),
            beginningWith: older,
            trusting: keys,
            stampsBy: trusted.namedCertificates(),
            onProgress: meter.show
        ) { try BundledReports($1).made(again: $0, by: $2) }
    }

    /// Whether a file is in a directory that was handed over, or in the bundle that contains it;
    /// `false` for a missing file.
    private static func comes(_ file: String, with subject: String) -> Bool {
        guard let path = try? Directory.absolute(FilePath(file)),
            let part = try? Directory.absolute(FilePath(subject))
        else { return false }
        var bundle = part
        while bundle.removeLastComponent() {
            let evidence = BundleVerification.export(at: bundle)
            guard evidence != bundle, (try? Directory.holds(evidence)) == true else { continue }
            if path.starts(with: bundle) { return true }
        }
        return path != part && path.starts(with: part)
    }

    /// Checks an export or a bundle that must begin with the entries of an older head.
    private func outcome(
        of subject: String,
        since older: String
    ) throws -> VerifyOutcome {
        if let mistake = KnownHead.mistake(in: older) { throw ValidationError(mistake) }
        guard let named = NamedHead(argument: older) else {
            throw ValidationError("Name the older head: a file, or its size, a colon and its root.")
        }
        if case .file(let name) = named, name != "-", Self.comes(name, with: subject) {
            throw ValidationError(
                "The head \(Excerpt.escaped(name)) lies in what it is to vouch for: give the one "
                    + "that came in another way, such as the one on paper."
            )
        }
        let (head, signed) = try named.read()
        var outcome: VerifyOutcome
        if isBundle(subject) {
            outcome = try self.outcome(ofBundle: subject, since: head)
        } else {
            let meter = ProgressMeter()
            outcome = try ExportVerification.outcome(
                ofExportAt: FilePath(subject),
                beginningWith: head,
                trusting: keys,
                onProgress: meter.show
            )
            meter.clear()
        }
        guard key != nil || !witness.isEmpty else { return outcome }
        // The head vouches only for its own entries, and so does the signature under it.
        if let signed { keys.signatures(under: signed, into: &outcome) }
        return outcome
    }
}
