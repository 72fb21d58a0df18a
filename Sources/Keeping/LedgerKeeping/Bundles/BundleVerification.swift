import Platform
import Proofs
package import SystemPackage
package import TripEvents
package import TripLedger

/// The check of an auditor's bundle: it needs no ledger and no network.
///
/// Everything that it reads from the bundle is a claim. From the manifest it takes the purpose of
/// the reports, and says so; the version determines which reports there must be. Every file is
/// hashed, the evidence is checked from its first byte to its last, and every report is made again
/// from it and compared byte for byte.
package struct BundleVerification {
    /// Makes the reports of a bundle again.
    ///
    /// Gets a ledger that was made from the evidence, what the reports are made for, and the rows
    /// of the table of rates in the bundle.
    package typealias Maker = (Ledger, BundleQuestion, RatesLoaded?) throws -> RemadeBundle

    private static let maximumExcessBytes = 1 << 24
    private static let maximumManifestBytes = 1 << 24
    private static let maximumKeyBytes = 10_000

    /// The most files that are named one by one.
    private static let maximumNames = 10

    private let path: FilePath
    private let keys: TrustedKeys
    private let older: LedgerHead?
    private let make: Maker
    private var authorities: [UInt8]?
    private var outcome = VerifyOutcome(.origin)

    /// Whether the manifest is signed with the key that was given.
    private var isManifestVouched = false

    /// Files that cannot be what the manifest says, by their lengths alone; they are not read.
    private var unread: Set<String> = []

    /// The files of the ledger's time zones that the manifest names.
    private var zoneFiles: Set<String> = []

    /// Returns whether a directory holds a bundle: its manifest, or else its evidence and another
    /// part of it.
    package static func isBundle(at path: FilePath) -> Bool {
        func holds(_ name: String) -> Bool { (try? Directory.holds(path.appending(name))) == true }
        return holds(BundleFiles.manifest)
            || holds(BundleFiles.evidence)
                && [BundleFiles.reports, BundleFiles.hashes, BundleFiles.manifestNote]
                    .contains(where: holds)
    }

    /// Returns the path of the export of a log: the evidence if the path is a bundle's, else the
    /// path itself.
    package static func export(at path: FilePath) -> FilePath {
        isBundle(at: path) ? path.appending(BundleFiles.evidence) : path
    }

    /// Checks a bundle.
    ///
    /// - Parameters:
    ///   - path: Its directory.
    ///   - older: A head that its evidence must begin with, if there is one to compare with.
    ///   - keys: The keys whose signatures are required; empty if none are.
    ///   - authorities: The trusted certificates of authorities for the time, as PEM; `nil` if
    ///     stamps are not checked.
    ///   - onProgress: Told how many entries of how many were checked, now and then.
    ///   - make: Makes the reports again.
    /// - Returns: The outcome of the check.
    /// - Throws: `.unreadableInput` if a file cannot be read, `.inputOutput`.
    package static func outcome(
        ofBundleAt path: FilePath,
        beginningWith older: LedgerHead?,
        trusting keys: TrustedKeys,
        stampsBy authorities: [UInt8]? = nil,
        onProgress: (_ done: UInt64, _ total: UInt64) -> Void,
        _ make: @escaping Maker
    ) throws -> VerifyOutcome {
        var check = BundleVerification(path: path, keys: keys, older: older, make: make)
        check.authorities = authorities
        try check.run(onProgress)
        return check.outcome
    }

    private init(path: FilePath, keys: TrustedKeys, older: LedgerHead?, make: @escaping Maker) {
        self.path = path
        self.keys = keys
        self.older = older
        self.make = make
    }

    private mutating func run(
        _ onProgress: (_ done: UInt64, _ total: UInt64) -> Void
    ) throws {
        let manifest = try checkManifest()
        if let manifest { try checkFiles(of: manifest) }
        let isSound = checkEvidence(onProgress)
        guard let manifest else { return }
        guard isSound else {
            return outcome.doubt("the reports, for they cannot be made from damaged evidence")
        }
        try checkAgainstEvidence(manifest)
    }

    /// Checks the export in the bundle.
    ///
    /// - Returns: Whether its entries are complete and unchanged; signatures of heads are checked
    ///   separately.
    private mutating func checkEvidence(
        _ onProgress: (_ done: UInt64, _ total: UInt64) -> Void
    ) -> Bool {
        guard !unread.contains(BundleFiles.evidenceLines) else { return false }
        do {
            let evidence = try ExportVerification.outcome(
                ofExportAt: path.appending(BundleFiles.evidence),
                beginningWith: older,
                trusting: keys,
                onProgress: onProgress
            )
            outcome.add(evidence)
            let aside = evidence.findings.count { [.head, .witness].contains($0.subject) }
            return evidence.findingCount == UInt64(aside)
        } catch {
            outcome.report(.bundle, "\(BundleFiles.evidence) cannot be read: \(error.cause)")
            return false
        }
    }

    // MARK: Manifest

    /// Reads the manifest, and checks what is about it.
    private mutating func checkManifest() throws -> BundleManifest? {
        guard try holds(BundleFiles.manifest) else {
            outcome.report(
                .bundle,
                "\(BundleFiles.manifest) is missing, so that nothing else could be compared with it"
            )
            return nil
        }
        let bytes = try read(BundleFiles.manifest, atMost: Self.maximumManifestBytes)
        let hash = SHA256.digest(bytes.span)
        let version = BundleManifest.foreignVersion(bytes)
        let manifest = BundleManifest(bytes)
        guard version != nil || manifest != nil else {
            outcome.report(
                .bundle,
                "\(BundleFiles.manifest) is not as `ledger bundle` writes it, so that nothing else "
                    + "could be compared with it"
            )
            return nil
        }
        if let version {
            outcome.doubt(
                "what is in the bundle: it is of version \(version), and this program knows "
                    + "version \(BundleQuestion.version)"
            )
        }
        if let manifest {
            outcome.claim(manifest.question.sentence)
            try checkSignature(of: hash, manifest)
        }
        let list = (try? read(BundleFiles.hashes, atMost: Self.maximumManifestBytes)) ?? []
        // Only the beginning of the list is known of an unknown version.
        let isList: Bool
        if let manifest {
            isList = list == BundleFiles.hashes(of: manifest, hash)
        } else {
            isList = list.starts(with: BundleFiles.line(BundleFiles.manifest, hash))
        }
        if !isList {
            outcome.report(
                .bundle,
                "\(BundleFiles.manifest) and \(BundleFiles.hashes) do not belong together: one of "
                    + "them is missing or was changed"
            )
        }
        return manifest
    }

    /// Checks the owner's signature under the manifest; a key in the bundle vouches for nothing.
    private mutating func checkSignature(of hash: Digest, _ manifest: BundleManifest) throws {
        guard try holds(BundleFiles.manifestNote) else {
            if manifest.isSigned {
                outcome.report(.bundle, "\(BundleFiles.manifestNote) is missing")
            } else if keys.owner != nil {
                outcome.doubt("who vouches for the bundle: it is not signed")
            } else {
                outcome.claim("the bundle is not signed")
            }
            return
        }
        guard let own = ownKey() else {
            return outcome.report(.bundle, "\(BundleFiles.key) is missing or is no verifier key")
        }
        let key = keys.owner ?? own
        let name = BundleFiles.manifestNote
        guard let note = try? read(name, atMost: SignedNote.maximumByteCount) else {
            return outcome.report(.bundle, "\(name) is no file")
        }
        if let problem = BundleNote.problem(of: note, about: hash, by: key) {
            outcome.report(.bundle, "\(name): \(problem)")
        } else if keys.owner == nil {
            outcome.claim(
                "the bundle is signed with the key in \(BundleFiles.key), in the name "
                    + "\(key.name): a forger would put another key there. Give the key that the "
                    + "owner told you with --key"
            )
        } else {
            isManifestVouched = true
            outcome.confirm(.bundle, "\(key.name) has signed the manifest")
            guard own != key else { return }
            outcome.report(.bundle, "\(BundleFiles.key) is another key than the one given")
        }
    }

    private func ownKey() -> VerifierKey? {
        guard let bytes = try? read(BundleFiles.key, atMost: Self.maximumKeyBytes),
            let key = VerifierKey(String(decoding: bytes.dropLast(), as: UTF8.self)),
            Array("\(key)\n".utf8) == bytes
        else { return nil }
        return key
    }

    // MARK: Files

    /// Compares the files with the manifest, and both with what a bundle of its version holds.
    private mutating func checkFiles(of manifest: BundleManifest) throws {
        let before = outcome.findingCount
        let there = Set(try BundleFiles.paths(in: path))
        let listed = Set(manifest.files.map(\.path))
        let expected = manifest.expectedFiles
        for name in expected.subtracting(listed).sorted() {
            outcome.report(.bundle, "\(name) is not in the manifest")
        }
        var prints: [(file: String, origin: String)] = []
        var missing: [String] = []
        for file in manifest.files {
            guard there.contains(file.path) else {
                missing.append(file.path)
                continue
            }
            try compare(file)
            guard !expected.contains(file.path),
                let origin = BundleFiles.origin(ofPrint: file.path, among: expected)
            else { continue }
            prints.append((file.path, origin))
        }
        reportMissing(missing)
        tell(prints)
        let stamps = try stamps(of: manifest).flatMap { BundleFiles.paths(of: $0) }
        let known = expected.union(BundleFiles.unlisted).union(prints.map(\.file)).union(stamps)
        tellStrangers(among: there.union(listed), beside: known)
        guard outcome.findingCount == before else { return }
        outcome.confirm(.bundle, "\(manifest.files.count) files are those of the manifest")
    }

    /// Names the first files that are missing, and counts the rest: a manifest may list millions.
    private mutating func reportMissing(_ files: [String]) {
        for file in files.prefix(Self.maximumNames) {
            outcome.report(.bundle, "\(file) is missing")
        }
        let rest = files.count - Self.maximumNames
        if rest > 0 { outcome.report(.bundle, "\(rest) more files are missing") }
    }

    private mutating func compare(_ file: BundleManifest.File) throws {
        do {
            let there = try BundleFiles.file(file.path, in: path, atMost: file.byteCount)
            guard there != file else { return }
            outcome.report(.bundle, "\(file.path) was changed: it has another SHA-256")
        } catch Errno.fileTooLarge {
            unread.insert(file.path)
            outcome.report(
                .bundle,
                "\(file.path) was changed: it is longer than the \(file.byteCount) bytes of the "
                    + "manifest"
            )
        } catch Errno.illegalByteSequence {
            unread.insert(file.path)
            outcome.report(
                .bundle,
                "\(file.path) was changed: a part of it is zeros that take no room on the disk"
            )
        } catch Errno.invalidArgument {
            outcome.report(.bundle, "\(file.path) is no file")
        }
    }

    /// Reports that the prints were not checked, because they cannot be made again: only the key
    /// vouches for them.
    private mutating func tell(_ prints: [(file: String, origin: String)]) {
        if !isManifestVouched { outcome.noteUnvouchedPrints(prints.count) }
        for (file, origin) in prints.prefix(Self.maximumNames) {
            outcome.claim("\(file) is made from \(origin), not checked here")
        }
        let rest = prints.count - Self.maximumNames
        if rest > 0 { outcome.claim("\(rest) more files in \(BundleFiles.prints) are not checked") }
    }

    /// Names files that do not belong to a bundle; the check of the evidence names the strangers
    /// beside it.
    private mutating func tellStrangers(among names: Set<String>, beside known: Set<String>) {
        tellStrangers(
            names.subtracting(known)
                .filter { !$0.hasPrefix("\(BundleFiles.evidence)/") && !BundleZones.isOne($0) }
        )
    }

    /// Names files for time zones that are none of the ledger's.
    private mutating func tellStrangeZones(of ledger: Ledger, _ manifest: BundleManifest) throws {
        let listed = Set(manifest.files.map(\.path))
        zoneFiles = BundleZones.files(for: try ledger.settings()).intersection(listed)
        let there = try BundleFiles.paths(in: path)
        tellStrangers(listed.union(there).filter(BundleZones.isOne).subtracting(zoneFiles))
    }

    /// Names the first of some files, and counts the rest.
    private mutating func tellStrangers(_ files: Set<String>) {
        let strangers = files.sorted()
        guard !strangers.isEmpty else { return }
        let named = strangers.prefix(Self.maximumNames).joined(separator: ", ")
        let rest = strangers.count - Self.maximumNames
        let more = rest > 0 ? " and \(rest) more" : ""
        outcome.doubt(
            "what \(named)\(more) says: no bundle of version \(BundleQuestion.version) made for "
                + "that has such a file"
        )
    }

    // MARK: Reports

    /// Makes a ledger of the evidence, and compares all that follows from it.
    private mutating func checkAgainstEvidence(_ manifest: BundleManifest) throws {
        let place = Directory.temporary
            .appending("ledger-bundle-\(UInt64.random(in: 0 ... .max))")
        // Best effort: leftovers are in a directory for temporary files.
        defer { try? Directory.removeTree(place) }
        guard let imported = try importEvidence(into: place) else { return }
        guard imported.head == manifest.head else {
            outcome.report(
                .bundle,
                "the reports are said to be made from \(manifest.head.size) entries with root "
                    + "\(manifest.head.root), and the evidence has \(imported.head.size) with root "
                    + imported.head.root
            )
            return
        }
        try checkFacts(of: place, manifest)
        let before = self
        guard try !compareReports(of: place, manifest, by: [:]) else { return tellUnusedZones() }
        let zones = self.zones
        guard outcome.findingCount > before.outcome.findingCount, !zones.isEmpty else { return }
        var byZones = before
        guard try byZones.compareReports(of: place, manifest, by: zones) else { return }
        self = byZones
        outcome.doubt(
            "the days and times in the reports: they are right by the time zones in the bundle, "
                + "and this machine has other data of "
                + zones.keys.sorted().joined(separator: ", ")
        )
    }

    /// Checks what follows from the evidence beside the reports, in a ledger that was made of it.
    private mutating func checkFacts(of place: FilePath, _ manifest: BundleManifest) throws {
        let ledger = try Ledger(at: place, isReadOnly: true)
        defer { ledger.close() }
        if ledger.founding.ledger != manifest.ledger {
            outcome.report(
                .bundle,
                "\(BundleFiles.manifest) names the ledger \(manifest.ledger), and the evidence is "
                    + "of \(ledger.founding.ledger)"
            )
        }
        checkHead(of: manifest)
        try checkStamps(of: manifest)
        try tellLaterEntries(of: ledger, after: manifest.question.asOf)
        try tellStrangeZones(of: ledger, manifest)
    }

    /// Makes the reports again in a ledger that was made of the evidence, and compares them.
    ///
    /// - Parameters:
    ///   - place: The ledger.
    ///   - manifest: The manifest.
    ///   - zones: The rules of time zones that count in place of this machine's, by name.
    /// - Returns: Whether they were made, and nothing differs.
    /// - Throws: `.damaged`, `.inputOutput`.
    private mutating func compareReports(
        of place: FilePath,
        _ manifest: BundleManifest,
        by zones: [String: TimeZoneRules]
    ) throws -> Bool {
        let before = outcome.findingCount
        let ledger = try Ledger(at: place, zones: zones, isReadOnly: true)
        defer { ledger.close() }
        let remade: RemadeBundle
        do {
            remade = try make(ledger, manifest.question, rates(of: manifest))
        } catch let error as LedgerError {
            outcome.doubt("the reports: \(error.cause)")
            return false
        }
        outcome.add(remade.rates)
        try compare(remade.content, with: manifest)
        return outcome.findingCount == before
    }

    /// The ledger's time zones by the files in the bundle, by their names; those that cannot be
    /// read are left out.
    private var zones: [String: TimeZoneRules] {
        var zones: [String: TimeZoneRules] = [:]
        for file in zoneFiles.subtracting(unread) {
            let name = BundleZones.name(of: file)
            guard let bytes = try? read(file, atMost: Self.maximumManifestBytes) else { continue }
            zones[name] = try? TimeZoneRules(name: name, file: bytes)
        }
        return zones
    }

    /// Names the files of time zones that say something else than this machine: no report goes by
    /// them.
    private mutating func tellUnusedZones() {
        let zones = self.zones
        for file in zoneFiles.sorted() {
            let name = BundleZones.name(of: file)
            let own = try? TimeZoneRules.ofMachine(named: name)
            if let own, zones[name] == own { continue }
            outcome.claim(
                "\(file) is not what this machine knows of that time zone, and is not needed here"
            )
        }
    }

    /// Makes a ledger of the evidence; returns `nil` if none can be made.
    private mutating func importEvidence(into place: FilePath) throws -> ImportSummary? {
        do {
            return try Ledger.importing(path.appending(BundleFiles.evidence), into: place)
        } catch {
            guard error.code == .unreadableInput else { throw error }
            outcome.doubt("the reports: no ledger can be made of the evidence: \(error.cause)")
            return nil
        }
    }

    /// Checks the head that lies beside the evidence.
    private mutating func checkHead(of manifest: BundleManifest) {
        guard manifest.isSigned,
            let bytes = try? read(BundleFiles.head, atMost: SignedNote.maximumByteCount)
        else { return }
        guard let signed = try? SignedHead(bytes), LedgerHead(signed.head) == manifest.head else {
            return outcome.report(.head, "\(BundleFiles.head) is not the head of the evidence")
        }
        guard let owner = keys.owner, (try? signed.isSigned(by: owner)) != true else { return }
        outcome.report(.head, "\(BundleFiles.head) is not signed by \(owner.name) with that key")
    }

    /// Returns the stamps that the manifest lists, each with its stamped file.
    ///
    /// Stamps that others added are not part of the bundle, and without a signed head there is
    /// nothing to stamp.
    private func stamps(of manifest: BundleManifest) throws -> [HeadStamps.Kept] {
        guard manifest.isSigned else { return [] }
        let listed = Set(manifest.files.map(\.path))
        return try HeadStamps(in: path.appending(BundleFiles.stamps)).all()
            .filter { listed.isSuperset(of: BundleFiles.paths(of: $0)) }
    }

    /// Checks the stamps over that head, or says what they state.
    private mutating func checkStamps(of manifest: BundleManifest) throws {
        let stamps = try stamps(of: manifest)
        if authorities != nil, stamps.isEmpty {
            outcome.doubt("when others saw the head: the bundle has no stamp")
        }
        for kept in stamps {
            guard let authorities else {
                kept.tell(beside: manifest.head, into: &outcome)
                continue
            }
            // Its reports are made from this head, and from no older one.
            let root = TreeHead(manifest.head)?.root ?? MerkleFrontier.emptyRoot
            try kept.check(
                trusting: authorities,
                size: manifest.head.size,
                root: { $0 == manifest.head.size ? root : MerkleFrontier.emptyRoot },
                into: &outcome
            )
        }
    }

    /// Says how many entries are younger than the instant to which the reports let time pass.
    ///
    /// The owner chose that instant, and may have written the entries long after it.
    private mutating func tellLaterEntries(of ledger: Ledger, after instant: Timestamp) throws {
        var count = 0
        _ = try ledger.scanLog(from: 0, where: LogFilter()) { entry in
            if entry.recordedAt > instant { count += 1 }
            return true
        }
        guard count > 0 else { return }
        outcome.claim(
            "the reports are as of \(RFC3339.text(instant)), and "
                + (count == 1 ? "1 entry was" : "\(count) entries were") + " recorded after it"
        )
    }

    private func rates(of manifest: BundleManifest) -> RatesLoaded? {
        guard let table = manifest.table,
            let bytes = try? read(BundleFiles.rates(of: table), atMost: Self.maximumManifestBytes)
        else { return nil }
        let rows = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        return RatesLoaded(
            table: table,
            rates: rows,
            contentHash: SHA256.digest(bytes.span).description
        )
    }

    private mutating func compare(
        _ content: BundleContent,
        with manifest: BundleManifest
    ) throws {
        if content.days != manifest.days {
            outcome.report(
                .bundle,
                "\(BundleFiles.manifest) names the days \(manifest.days.lowerBound) to "
                    + "\(manifest.days.upperBound), and the year has \(content.days.lowerBound) to "
                    + "\(content.days.upperBound)"
            )
        }
        if content.rates?.table != manifest.table {
            outcome.report(
                .bundle,
                "\(BundleFiles.manifest) names the table of rates \(manifest.table ?? "none"), and "
                    + "the reports go by \(content.rates?.table ?? "none")"
            )
        }
        var expected = manifest
        expected.days = content.days
        let stamps = try stamps(of: manifest).compactMap { $0.statement(over: manifest.head) }
        let readMe = BundleReadMe(expected, isSigned: manifest.isSigned, stamps: stamps)
        _ = compare(BundleFiles.readMe, with: Array(readMe.text.utf8), as: .bundle)
        if let rates = content.rates {
            let file = BundleFiles.rates(of: rates.table)
            _ = compare(file, with: BundleFiles.lines(of: rates), as: .rates)
        }
        let files = content.question.reportFiles
        var sameCount = 0
        for (file, bytes) in zip(files, content.reports) {
            sameCount += compare(file, with: bytes, as: .report) ? 1 : 0
        }
        guard sameCount == files.count else { return }
        outcome.confirm(
            .report,
            "\(sameCount) reports are, byte for byte, what the evidence gives"
        )
    }

    /// Compares a file with its expected content.
    ///
    /// - Returns: Whether it is there and the same.
    private mutating func compare(
        _ file: String,
        with bytes: [UInt8],
        as subject: VerifySubject
    ) -> Bool {
        // A file that is missing, not a regular file or too long for the manifest was reported
        // before.
        guard !unread.contains(file) else { return false }
        let limit = bytes.count * 2 + Self.maximumExcessBytes
        let length = (try? Stat(path.pushing(FilePath(file)), followTargetSymlink: false))?.size
        guard length ?? 0 <= Int64(limit) else {
            outcome.report(
                subject,
                "\(file) is longer than the \(bytes.count) bytes that it has to be"
            )
            return false
        }
        guard let there = try? read(file, atMost: limit) else { return false }
        guard let difference = FirstDifference(of: there, from: bytes) else { return true }
        outcome.report(subject, "\(file), \(difference.sentence)")
        return false
    }

    private func holds(_ name: String) throws -> Bool {
        try Directory.holds(path.pushing(FilePath(name)))
    }

    private func read(_ name: String, atMost byteCount: Int) throws -> [UInt8] {
        let file = path.pushing(FilePath(name))
        do {
            return try PrivateFile.read(file, maximumByteCount: byteCount)
        } catch {
            throw LedgerError(
                .unreadableInput,
                at: file.string,
                cause: (error as? Errno ?? .ioError).description
            )
        }
    }
}
