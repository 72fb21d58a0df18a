import Platform
import Proofs
package import SystemPackage
import TripEvents
package import TripLedger

extension Ledger {
    /// Writes an auditor's bundle: reports, the evidence that they were made from, the rates, and a
    /// manifest of all files; it appears complete or not at all.
    ///
    /// - Parameters:
    ///   - path: A directory where nothing may be yet.
    ///   - signer: Who signs the head of the log and the manifest; `nil` for none.
    ///   - program: The version of this program.
    ///   - onProgress: Told how many entries of how many were written as evidence.
    ///   - make: Makes the reports from the entries of a head, and pages that may name the stamps
    ///     over it.
    /// - Returns: The manifest.
    /// - Throws: `.alreadyThere`, `.damaged`, `.inputOutput`, and what `make` throws.
    package func writeBundle(
        at path: FilePath,
        signedBy signer: LedgerSigner?,
        program: String,
        onProgress: (_ done: UInt64, _ total: UInt64) -> Void,
        _ make: (LedgerHead, [HeadStamps.Statement]) throws -> BundleContent
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
                let stamps = try signed.map {
                    try HeadStamps(of: self).statements(over: LedgerHead($0.head))
                }
                let content = try make(evidence.head, stamps ?? [])
                let manifest = BundleManifest(
                    ledger: founding.ledger,
                    head: evidence.head,
                    question: content.question,
                    days: content.days,
                    programVersion: program,
                    table: content.rates?.table
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
        for (file, bytes) in zip(content.question.reportFiles, content.reports) {
            try put(bytes, file)
        }
        if !content.prints.isEmpty {
            try Directory.make(folder.appending(BundleFiles.prints))
            for print in content.prints { try put(print.bytes, BundleFiles.printed(print.name)) }
        }
        if let rates = content.rates {
            try Directory.make(folder.appending(BundleFiles.rates))
            try put(BundleFiles.lines(of: rates), BundleFiles.rates(of: rates.table))
        }
        try BundleZones.copy(for: settings(), into: folder)
        if let signed {
            try put(signed.note.bytes, BundleFiles.head)
            let stamps = folder.appending(BundleFiles.stamps)
            try HeadStamps(of: self).copy(over: LedgerHead(signed.head), to: stamps)
        }
        if let key { try put(Array("\(key.verifier(.text))\n".utf8), BundleFiles.key) }
        let stamps = try HeadStamps(in: folder.appending(BundleFiles.stamps))
            .statements(over: manifest.head)
        let readMe = BundleReadMe(manifest, isSigned: key != nil, stamps: stamps)
        try put(Array(readMe.text.utf8), BundleFiles.readMe)
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
