import LedgerKeeping
import Proofs
import SystemPackage
import Tables
import TripEvents
import TripLedger

/// A directory with proofs of events: for each the entry's bytes, the event as JSON, and the proof.
struct ProofFolder {
    /// The name of the file with the head that all proofs lead to.
    static let headName = "head.note"

    private let path: FilePath
    private let head: SignedHead
    private var isMade = false

    /// Names a directory, which is made with the first event and MUST NOT be there before.
    init(at name: String, under head: SignedHead) {
        path = FilePath(name)
        self.head = head
    }

    /// Writes the files of one event.
    ///
    /// - Returns: The files that were written.
    /// - Throws: `LedgerError.alreadyThere`, `.inputOutput`.
    mutating func write(_ event: ProvenEvent) throws(LedgerError) -> ProofFiles {
        if !isMade {
            try OutputFolder.make(path)
            try write(head.note.bytes, Self.headName)
            isMade = true
        }
        let position = event.event.position
        let names = Self.names(of: String(position))
        try write(event.entry, names.entry)
        try write(event.event.json + [UInt8(ascii: "\n")], names.event)
        try write(event.proof.bytes, names.proof)
        return ProofFiles(
            position: position,
            type: event.event.event.body.kind?.name ?? "unknown",
            entry: path.appending(names.entry),
            event: path.appending(names.event),
            proof: path.appending(names.proof)
        )
    }

    /// Returns the names of the files about one event.
    static func names(of stem: String) -> (entry: String, event: String, proof: String) {
        ("\(stem).entry", "\(stem).json", "\(stem).tlog-proof")
    }

    private func write(_ bytes: [UInt8], _ name: String) throws(LedgerError) {
        try OutputFolder.write(bytes, to: path.appending(name))
    }
}

/// The files that prove one event.
struct ProofFiles: Tabular {
    let position: UInt64
    let type: String
    let entry: FilePath
    let event: FilePath
    let proof: FilePath

    /// For programs: `proof.v1.schema.json`.
    static let columns = Columns<ProofFiles> {
        Column.integer("position") { $0.position }
        Column.name("type") { $0.type }
        Column.text("entry") { $0.entry.string }
        Column.text("event") { $0.event.string }
        Column.text("proof") { $0.proof.string }
    }
}

/// Checks everything in a directory that `ledger prove` wrote: a file that no proof covers is not
/// proven by being beside one.
struct ProofFolderCheck {
    private static let proofSuffix = ".tlog-proof"

    /// The most heads that are named one by one.
    private static let maximumHeads = 10

    private let path: FilePath
    private let verification: ProofVerification
    private var outcome = VerifyOutcome(.origin)
    private var heads: [SignedHead] = []
    private var hasNames = false

    private init(_ path: FilePath, _ verification: ProofVerification) {
        self.path = path
        self.verification = verification
    }

    /// Whether a name is that of a directory with proofs.
    static func isOne(_ name: String) -> Bool {
        (try? OutputFolder.names(in: FilePath(name)).contains { $0.hasSuffix(proofSuffix) })
            ?? false
    }

    /// Checks every proof in a directory, the entries and the events as JSON that go with them, and
    /// that there is nothing else.
    ///
    /// - Throws: `LedgerError.inputOutput` if the directory cannot be read.
    static func outcome(
        of name: String,
        _ verification: ProofVerification
    ) throws(LedgerError) -> VerifyOutcome {
        var check = ProofFolderCheck(FilePath(name), verification)
        try check.run()
        return check.outcome
    }

    private mutating func run() throws(LedgerError) {
        let names = try OutputFolder.names(in: path)
            .sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
        let stems = names.filter { $0.hasSuffix(Self.proofSuffix) }
            .map { String($0.dropLast(Self.proofSuffix.count)) }
        for stem in stems { checkProof(stem) }
        compareHeads()
        var others = Set(names)
        for files in stems.map(ProofFolder.names) {
            others.subtract([files.entry, files.event, files.proof])
        }
        if others.remove(ProofFolder.headName) != nil { checkHead() }
        for name in others.sorted() {
            if name.hasSuffix(".entry") || name.hasSuffix(".json") {
                outcome.report(.proof, "\(name) has no proof beside it")
            } else {
                outcome.doubt("what \(name) says: no proof speaks of it")
            }
        }
        let count = Count.text(stems.count, "event", "events")
        outcome.claim(
            "\(count) \(stems.count == 1 ? "is" : "are") proven, each by itself: whether these are "
                + "all of a trip, no proof says. `ledger prove` said how many it wrote, and an "
                + "export or a bundle shows that none is missing"
        )
        guard hasNames else { return }
        outcome.confirm(
            .entry,
            "the JSON says what the entries say, but entries have the numbers of sources only: "
                + "their names are not proven"
        )
    }

    private mutating func checkProof(_ stem: String) {
        let names = ProofFolder.names(of: stem)
        guard let bytes = read(names.proof) else { return }
        let proof: InclusionProof
        do {
            proof = try InclusionProof(bytes)
        } catch {
            return outcome.report(.proof, "\(names.proof) is no proof: \(error)")
        }
        if !heads.contains(proof.head) {
            heads.append(proof.head)
            verification.checkSignatures(of: proof.head, into: &outcome)
        }
        guard stem == String(proof.position) else {
            return outcome.report(
                .proof,
                at: proof.position,
                "the proof of this position has another name: \(names.proof)"
            )
        }
        guard let entry = read(names.entry),
            verification.checkInclusion(of: entry, by: proof, into: &outcome),
            let shown = read(names.event)
        else { return }
        if verification.checkWords(shown, of: entry, at: proof.position, into: &outcome) {
            hasNames = true
        }
    }

    /// Compares the heads that the proofs lead to: events under two heads are from one log only if
    /// one head continues the other.
    private mutating func compareHeads() {
        var roots: [[UInt8]: Digest] = [:]
        var logs: [String] = []
        for content in heads.map(\.content) {
            let (size, root) = (content.head.size, content.head.root)
            let log = "\(size) entries of \(content.origin)"
            // Names that only look alike belong to different logs.
            guard let known = roots.updateValue(root, forKey: Array(log.utf8)) else {
                logs.append(log)
                continue
            }
            guard known != root else { continue }
            outcome.report(
                .head,
                "the proofs are of two histories that contradict each other: the \(log) have the "
                    + "roots \(known) and \(root)"
            )
        }
        guard logs.count > 1 else { return }
        let named = logs.prefix(Self.maximumHeads).joined(separator: ", ")
        let rest = logs.count - Self.maximumHeads
        outcome.doubt(
            "whether the proofs are of one log: they lead to the heads of \(named)"
                + (rest > 0 ? " and \(rest) more" : "")
                + ". Verify those of each head in a folder of their own, and two heads with "
                + "`ledger verify NEW OLD --proof FILE`"
        )
    }

    /// Checks that the head, which people compare with one on paper, is the one of the proofs.
    private mutating func checkHead() {
        guard let bytes = read(ProofFolder.headName) else { return }
        guard heads.allSatisfy({ $0.note.bytes == bytes }) else {
            return outcome.report(
                .head,
                "\(ProofFolder.headName) is not the head that the proofs lead to"
            )
        }
    }

    private mutating func read(_ name: String) -> [UInt8]? {
        do {
            return try InputFile.bytes(at: path.appending(name))
        } catch {
            outcome.doubt("what \(name) says: \(error.cause)")
            return nil
        }
    }
}
