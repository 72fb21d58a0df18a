import Platform
import Proofs
package import SystemPackage
package import TripEvents
package import TripLedger

/// The check of an auditor's bundle: it needs no ledger and no network.
///
/// Every file is hashed, the evidence is checked from its first byte to its last, and every report
/// is made again from it and compared byte for byte.
package struct BundleVerification {
    /// Makes reports of a bundle again.
    ///
    /// Gets a ledger that was made from the evidence, the manifest, and the rows of the table of
    /// rates; returns the bytes of the reports in the manifest's order.
    package typealias Maker = (Ledger, BundleManifest, RatesLoaded?) throws -> [[UInt8]]

    private static let maximumReportBytes = 1 << 30
    private static let maximumManifestBytes = 1 << 24

    private let path: FilePath
    private let keys: TrustedKeys
    private let make: Maker
    private var outcome = VerifyOutcome()

    /// Returns whether a bundle is in a directory: its manifest is.
    package static func isBundle(at path: FilePath) -> Bool {
        (try? Directory.holds(path.appending(BundleFiles.manifest))) == true
    }

    /// Checks a bundle.
    ///
    /// - Parameters:
    ///   - path: Its directory.
    ///   - keys: The keys whose signatures are required; empty if none are.
    ///   - onProgress: Told how many entries of how many were checked, now and then.
    ///   - make: Makes the reports again.
    /// - Returns: What the check came to.
    /// - Throws: `.unreadableInput` if a file cannot be read, `.inputOutput`.
    package static func outcome(
        ofBundleAt path: FilePath,
        trusting keys: TrustedKeys,
        onProgress: (_ done: UInt64, _ total: UInt64) -> Void,
        _ make: @escaping Maker
    ) throws -> VerifyOutcome {
        var check = BundleVerification(path: path, keys: keys, make: make)
        try check.run(onProgress)
        return check.outcome
    }

    private init(path: FilePath, keys: TrustedKeys, make: @escaping Maker) {
        self.path = path
        self.keys = keys
        self.make = make
    }

    private mutating func run(
        _ onProgress: (_ done: UInt64, _ total: UInt64) -> Void
    ) throws {
        let bytes = try read(BundleFiles.manifest, atMost: Self.maximumManifestBytes)
        let hash = SHA256.digest(bytes.span)
        try checkSignature(of: hash)
        guard let manifest = BundleManifest(bytes) else {
            outcome.report(
                .bundle,
                "\(BundleFiles.manifest) is not as `ledger bundle` writes it, so that nothing else "
                    + "could be compared with it"
            )
            return
        }
        checkHashes(of: manifest, hash)
        try checkFiles(of: manifest)
        let evidence = try ExportVerification.outcome(
            ofExportAt: path.appending(BundleFiles.evidence),
            trusting: keys,
            onProgress: onProgress
        )
        outcome.add(evidence)
        guard evidence.findingCount == 0 else {
            return outcome.doubt("the reports, for they cannot be made from damaged evidence")
        }
        try checkReports(of: manifest)
    }

    private mutating func checkHashes(of manifest: BundleManifest, _ hash: Digest) {
        let list = try? read(BundleFiles.hashes, atMost: Self.maximumManifestBytes)
        guard list != BundleFiles.hashes(of: manifest, hash) else { return }
        outcome.report(
            .bundle,
            "\(BundleFiles.manifest) and \(BundleFiles.hashes) do not belong together: one of them "
                + "is missing or was changed"
        )
    }

    /// Checks the owner's signature under the manifest, with the key that is known or else with the
    /// one in the bundle.
    private mutating func checkSignature(of hash: Digest) throws {
        guard try holds(BundleFiles.manifestNote) else {
            if keys.owner != nil {
                outcome.doubt("who vouches for the bundle: its manifest is not signed")
            }
            return
        }
        let key = try keys.owner ?? ownKey()
        guard let key else {
            outcome.report(.bundle, "\(BundleFiles.key) is no verifier key")
            return
        }
        let note = try read(BundleFiles.manifestNote, atMost: SignedNote.maximumByteCount)
        if let problem = BundleNote.problem(of: note, about: hash, by: key) {
            outcome.report(.bundle, "\(BundleFiles.manifestNote): \(problem)")
        } else if keys.owner != nil {
            outcome.confirm(.bundle, "\(key.name) has signed the manifest")
        } else {
            outcome.confirm(
                .bundle,
                "the manifest is signed with the key in \(BundleFiles.key), by \(key.name): "
                    + "whether that is the owner's key, only the owner can say"
            )
        }
    }

    private func ownKey() throws -> VerifierKey? {
        guard try holds(BundleFiles.key) else { return nil }
        let bytes = try read(BundleFiles.key, atMost: 10_000)
        guard let key = VerifierKey(String(decoding: bytes.dropLast(), as: UTF8.self)),
            Array("\(key)\n".utf8) == bytes
        else { return nil }
        return key
    }

    private mutating func checkFiles(of manifest: BundleManifest) throws {
        let before = outcome.findingCount
        let there = try BundleFiles.paths(in: path)
        let listed = Set(manifest.files.map(\.path))
        for name in there where !listed.contains(name) && !BundleFiles.unlisted.contains(name) {
            outcome.report(.bundle, "\(name) is not in the manifest")
        }
        for file in manifest.files {
            guard there.contains(file.path) else {
                outcome.report(.bundle, "\(file.path) is missing")
                continue
            }
            guard try BundleFiles.file(file.path, in: path) != file else { continue }
            outcome.report(.bundle, "\(file.path) was changed: it has another SHA-256")
        }
        guard outcome.findingCount == before else { return }
        outcome.confirm(.bundle, "\(manifest.files.count) files are those of the manifest")
    }

    // MARK: Reports

    private mutating func checkReports(of manifest: BundleManifest) throws {
        let place = Directory.temporary
            .appending("ledger-bundle-\(UInt64.random(in: 0 ... .max))")
        // Best effort: what stays behind is in a directory for passing things.
        defer { try? Directory.remove(place) }
        let evidence = path.appending(BundleFiles.evidence)
        let imported = try Ledger.importing(evidence, into: place)
        guard imported.head == manifest.head else {
            outcome.report(
                .bundle,
                "the reports are said to be made from \(manifest.head.size) entries with root "
                    + "\(manifest.head.root), and the evidence has \(imported.head.size) with root "
                    + imported.head.root
            )
            return
        }
        let ledger = try Ledger(at: place, isReadOnly: true)
        defer { ledger.close() }
        let made: [[UInt8]]
        do {
            made = try make(ledger, manifest, try rates(of: manifest))
        } catch let error as LedgerError {
            outcome.doubt("the reports: \(error.cause)")
            return
        }
        try compare(manifest.reports, made, of: manifest)
    }

    private func rates(of manifest: BundleManifest) throws -> RatesLoaded? {
        guard let table = manifest.table else { return nil }
        let bytes = try read(BundleFiles.rates(of: table), atMost: Self.maximumManifestBytes)
        let rows = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        return RatesLoaded(
            table: table,
            rates: rows,
            contentHash: SHA256.digest(bytes.span).description
        )
    }

    private mutating func compare(
        _ reports: [BundleManifest.Report],
        _ made: [[UInt8]],
        of manifest: BundleManifest
    ) throws {
        var sameCount = 0
        for (report, bytes) in zip(reports, made) where try holds(report.file) {
            let there = try read(report.file, atMost: Self.maximumReportBytes)
            if let difference = FirstDifference(of: there, from: bytes) {
                outcome.report(.report, "\(report.file), \(difference.sentence)")
            } else {
                sameCount += 1
            }
        }
        guard sameCount == reports.count else { return }
        outcome.confirm(
            .report,
            "\(sameCount) reports are, byte for byte, what the evidence gives"
        )
    }

    private func holds(_ name: String) throws -> Bool {
        try Directory.holds(path.appending(name))
    }

    private func read(_ name: String, atMost byteCount: Int) throws -> [UInt8] {
        do {
            return try PrivateFile.read(path.appending(name), maximumByteCount: byteCount)
        } catch {
            throw LedgerError(
                .unreadableInput,
                at: path.appending(name).string,
                cause: (error as? Errno ?? .ioError).description
            )
        }
    }
}
