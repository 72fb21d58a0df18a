import Platform
import Proofs
package import SystemPackage
package import TripEvents
package import TripLedger

/// What a bundle has beside the evidence.
package struct BundleContent {
    /// The reports with their bytes.
    package var reports: [(report: BundleManifest.Report, bytes: [UInt8])]

    /// Their first and last day.
    package var days: ClosedRange<CivilDate>

    /// The table of the program whose rates they go by, as an event would bring it; `nil` if they
    /// go by none.
    package var rates: RatesLoaded?

    /// Describes what a bundle has beside the evidence.
    package init(
        reports: [(report: BundleManifest.Report, bytes: [UInt8])],
        days: ClosedRange<CivilDate>,
        rates: RatesLoaded?
    ) {
        self.reports = reports
        self.days = days
        self.rates = rates
    }
}

extension Ledger {
    /// Writes an auditor's bundle: reports, the evidence that they were made from, the rates, and a
    /// manifest of all files; it appears complete or not at all.
    ///
    /// - Parameters:
    ///   - path: A directory where nothing may be yet.
    ///   - signer: Who signs the head of the log and the manifest; `nil` for none.
    ///   - program: The version of this program.
    ///   - onProgress: Told how many entries of how many were written as evidence.
    ///   - make: Makes the reports from the entries of a head.
    /// - Returns: The manifest.
    /// - Throws: `.alreadyThere`, `.damaged`, `.inputOutput`, and what `make` throws.
    package func writeBundle(
        at path: FilePath,
        signedBy signer: LedgerSigner?,
        program: String,
        onProgress: (_ done: UInt64, _ total: UInt64) -> Void,
        _ make: (LedgerHead) throws -> BundleContent
    ) throws -> BundleManifest {
        guard try !Directory.holds(path) else { throw Self.isThere(path) }
        do {
            return try Directory.create(path) { folder in
                let signed = try signer.map { try signHead(with: $0.key, in: $0.store) }
                let evidence = try export(
                    as: .jsonl,
                    signedBy: nil,
                    into: folder.appending(BundleFiles.evidence),
                    onProgress: onProgress
                )
                let content = try make(evidence.head)
                let manifest = BundleManifest(
                    ledger: founding.ledger,
                    head: evidence.head,
                    days: content.days,
                    programVersion: program,
                    table: content.rates?.table,
                    reports: content.reports.map(\.report)
                )
                return try write(manifest, content, signed, signer?.key, into: folder)
            }
        } catch Errno.fileExists {
            throw Self.isThere(path)
        }
    }

    private func write(
        _ manifest: BundleManifest,
        _ content: BundleContent,
        _ signed: SignedHead?,
        _ key: SigningKey?,
        into folder: FilePath
    ) throws -> BundleManifest {
        func put(_ bytes: [UInt8], _ path: String) throws {
            try DurableFile.write(bytes, to: folder.appending(path))
        }
        try Directory.make(folder.appending(BundleFiles.reports))
        for (report, bytes) in content.reports { try put(bytes, report.file) }
        if let rates = content.rates {
            try Directory.make(folder.appending(BundleFiles.rates))
            let rows = rates.rates.map { $0 + "\n" }.joined()
            try put(Array(rows.utf8), BundleFiles.rates(of: rates.table))
        }
        if let signed { try put(signed.note.bytes, BundleFiles.head) }
        if let key { try put(Array("\(key.verifier(.text))\n".utf8), BundleFiles.key) }
        try put(Array(BundleReadMe(manifest, isSigned: key != nil).text.utf8), BundleFiles.readMe)
        var manifest = manifest
        manifest.files = try BundleFiles.paths(in: folder)
            .map { try BundleFiles.file($0, in: folder) }
        let json = manifest.json
        let hash = SHA256.digest(json.span)
        try put(json, BundleFiles.manifest)
        try put(BundleFiles.hashes(of: manifest, hash), BundleFiles.hashes)
        if let key { try put(BundleNote.signed(hash, by: key).bytes, BundleFiles.manifestNote) }
        return manifest
    }

    private static func isThere(_ path: FilePath) -> LedgerError {
        LedgerError(
            .alreadyThere,
            at: path.string,
            cause: "there is something here already",
            hint: "Name a directory that is not there yet"
        )
    }
}
