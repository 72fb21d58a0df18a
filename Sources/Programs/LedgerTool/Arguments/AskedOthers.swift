import ArgumentParser
import LedgerKeeping
import Platform
import Proofs
import SystemPackage
import TripEvents
import TripLedger

/// The parties that are asked to confirm that a signed head existed: a time authority, and
/// witnesses.
struct AskedOthers: ParsableArguments {
    /// What they answered.
    struct Answers {
        /// The stamp of the authority, if one was asked.
        fileprivate(set) var stamp: HeadStamps.Statement?

        /// The witnesses who cosigned; `nil` if none were asked.
        fileprivate(set) var cosigners: [VerifierKey]?

        /// Whether all witnesses did.
        fileprivate(set) var areComplete = true
    }

    /// The content of the files that were named for asking them.
    struct Files {
        /// The certificates that are trusted, as PEM; empty if no authority is asked.
        fileprivate let certificates: [UInt8]

        /// The witnesses of the policy; `nil` if none are asked.
        fileprivate let witnesses: [AskedWitness]?
    }

    @Option(
        help: ArgumentHelp(
            "Ask this authority (RFC 3161) to stamp the signed head; without --stamps one that "
                + "the system's certificates vouch for.",
            valueName: "URL"
        )
    )
    var stamp: String?

    @OptionGroup var trusted: StampOptions

    @Option(
        help: ArgumentHelp(
            "Ask the witnesses of this C2SP policy to cosign the signed head.",
            valueName: "file"
        ),
        completion: .file()
    )
    var witnesses: String?

    /// Whether any party is to be asked.
    var areNamed: Bool { stamp != nil || witnesses != nil }

    func validate() throws {
        if let stamp, !stamp.hasPrefix("https://"), !stamp.hasPrefix("http://") {
            throw ValidationError("--stamp takes an address that begins with https:// or http://.")
        }
        guard trusted.stamps == nil || stamp != nil else {
            throw ValidationError("--stamps goes with --stamp, or with `ledger verify`.")
        }
    }

    /// Reads the files that were named, so that a mistake in one is found before anything is done.
    ///
    /// - Throws: `LedgerError.unreadableInput`.
    func files() throws(LedgerError) -> Files {
        var asked: [AskedWitness]?
        if let witnesses {
            let policy = try InputFile.bytes(of: witnesses)
            asked = try AskedWitness.all(in: policy, from: witnesses)
        }
        return Files(
            certificates: try stamp == nil ? [] : trusted.certificates(),
            witnesses: asked
        )
    }

    /// Asks them about a head, reports each answer, and keeps the answers with the head.
    ///
    /// - Parameters:
    ///   - head: The last signed head of a ledger.
    ///   - ledger: The ledger.
    ///   - store: Its signed heads.
    ///   - files: What ``files()`` has read.
    /// - Returns: What they answered.
    /// - Throws: `LedgerError` if there is no stamp.
    func ask(
        about head: SignedHead,
        of ledger: Ledger,
        in store: HeadStore,
        with files: Files
    ) throws -> Answers {
        var answers = Answers()
        if let stamp {
            answers.stamp = try ask(stamp, toStamp: head, of: ledger, trusting: files.certificates)
        }
        guard let witnesses = files.witnesses else { return answers }
        var cosigners: [VerifierKey] = []
        for witness in witnesses {
            do {
                let cosigned = try witness.cosigned(
                    head,
                    of: ledger,
                    now: WallClock.now
                ) { bytes, address in
                    try NeighbourProgram.post(bytes, to: address, as: "text/plain")
                }
                try ledger.keepCosigned(cosigned, from: Excerpt.address(witness.address), in: store)
                cosigners.append(witness.key)
                Diagnostic.say("\(witness.key.name) has cosigned the head.\n")
            } catch let error as LedgerError {
                answers.areComplete = false
                Diagnostic.note("\(Excerpt.escaped(error.place)): \(Excerpt.escaped(error.cause))")
            }
        }
        answers.cosigners = cosigners
        return answers
    }

    private func ask(
        _ address: String,
        toStamp head: SignedHead,
        of ledger: Ledger,
        trusting certificates: [UInt8]
    ) throws -> HeadStamps.Statement {
        let request = TimeStampRequest(
            of: HeadStamps.stamped(head),
            number: UInt64.random(in: 0 ... .max)
        )
        let answer = try NeighbourProgram.post(
            request.bytes,
            to: address,
            as: TimeStampRequest.mediaType
        )
        guard answer.status == 200 else {
            throw LedgerError(
                .inputOutput,
                at: Excerpt.address(address),
                cause: "the authority answers \(answer.status)",
                hint: "Look at the address: it is the one to which RFC 3161 requests are posted"
            )
        }
        let (stamp, policy) = try HeadStamps(of: ledger)
            .keep(
                answer.body,
                to: request,
                over: head,
                from: Excerpt.address(address),
                trusting: certificates,
                now: WallClock.now,
                hint: trusted.hint
            )
        Diagnostic.say(
            "Stamped at \(RFC3339.text(stamp.time)) by \(stamp.name), policy "
                + "\(Excerpt.escaped(policy)): \(Excerpt.escaped(stamp.file))\n"
        )
        return stamp
    }
}

/// The options for the trusted time authorities.
struct StampOptions: ParsableArguments {
    /// Where most systems keep the certificates that they trust.
    private static let systemFile = "/etc/ssl/certs/ca-certificates.crt"

    @Option(
        help: ArgumentHelp(
            "Certificates (PEM) of authorities for the time.",
            valueName: "file"
        ),
        completion: .file()
    )
    var stamps: String?

    /// The hint about a stamp that none of them vouches for.
    var hint: String {
        stamps.map { "The certificates that are trusted are those in \(Excerpt.escaped($0))" }
            ?? "The certificates that are trusted are those of the system, \(Self.systemFile): "
            + "name those of the authority with --stamps"
    }

    /// Returns the certificates that are trusted, as PEM.
    ///
    /// - Throws: `LedgerError.unreadableInput` if the file cannot be read, or holds none.
    func certificates() throws(LedgerError) -> [UInt8] {
        let file = stamps ?? Self.systemFile
        let text = try InputFile.bytes(of: file)
        guard TimeStamp.holdsCertificate(text) else {
            throw LedgerError(
                .unreadableInput,
                at: file,
                cause: "there is no certificate (PEM) in it",
                hint: "Take those of the authority for the time from the authority itself: each "
                    + "begins with BEGIN CERTIFICATE"
            )
        }
        return text
    }

    /// Returns the certificates in the file that was named; `nil` if none was.
    ///
    /// - Throws: `LedgerError.unreadableInput` if the file cannot be read, or holds none.
    func namedCertificates() throws(LedgerError) -> [UInt8]? {
        try stamps == nil ? nil : certificates()
    }
}
