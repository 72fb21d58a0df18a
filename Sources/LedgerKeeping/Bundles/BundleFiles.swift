import Platform
import Proofs
import SystemPackage

/// The files of a bundle, by their paths within it.
enum BundleFiles {
    /// The list of all others, with what the reports were made from.
    static let manifest = "manifest.json"

    /// The SHA-256 of the manifest and of all files in it, as `sha256sum` writes them.
    static let hashes = "SHA256SUMS"

    /// The signature of that hash, if the ledger has a key.
    static let manifestNote = "manifest.note"

    /// What explains the others.
    static let readMe = "README.txt"

    /// The verifier key of the ledger, if it has one.
    static let key = "key.txt"

    /// The signed head of the evidence, if the ledger has a key.
    static let head = "head.note"

    /// The directory with the export of the log.
    static let evidence = "evidence"

    /// The directory with the reports.
    static let reports = "reports"

    /// The directory with the rows of the table of rates.
    static let rates = "rates"

    /// What is about the manifest, and so not listed in it.
    static let unlisted: Set<String> = [manifest, hashes, manifestNote]

    /// The path of the rows of a table of the program, whose name is that of a jurisdiction.
    static func rates(of table: String) -> String { "\(rates)/\(table).jsonl" }

    /// Returns the paths of all files in a directory and below it, in their order.
    ///
    /// - Throws: `Errno`.
    static func paths(in directory: FilePath, below prefix: String = "") throws -> [String] {
        var paths: [String] = []
        for name in try Directory.names(in: directory).sorted() {
            let path = directory.appending(name)
            if try Stat(path, followTargetSymlink: false).type == .directory {
                paths += try Self.paths(in: path, below: "\(prefix)\(name)/")
            } else {
                paths.append(prefix + name)
            }
        }
        return paths
    }

    /// Returns what a manifest says of a file.
    ///
    /// - Throws: `Errno`.
    static func file(_ path: String, in directory: FilePath) throws -> BundleManifest.File {
        var hash = SHA256Stream()
        var byteCount: UInt64 = 0
        try DurableFile.forEachChunk(of: directory.appending(path)) { chunk in
            hash.update(chunk.span)
            byteCount += UInt64(chunk.count)
        }
        return BundleManifest.File(path: path, byteCount: byteCount, hash: hash.finish())
    }

    /// Returns the list of all hashes.
    ///
    /// - Parameters:
    ///   - manifest: What it is a list of.
    ///   - hash: The hash of the manifest's file.
    /// - Returns: The file.
    static func hashes(of manifest: BundleManifest, _ hash: Digest) -> [UInt8] {
        let lines = [(hash, Self.manifest)] + manifest.files.map { ($0.hash, $0.path) }
        return Array(lines.map { "\($0)  \($1)\n" }.joined().utf8)
    }
}
