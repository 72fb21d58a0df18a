import Platform
import Proofs
import SystemPackage
import TripEvents
import TripLedger

/// The files of a bundle, by their paths within it.
package enum BundleFiles {
    /// The list of all others, with what the reports were made from.
    static let manifest = "manifest.json"

    /// The SHA-256 of the manifest and of all files in it, as `sha256sum` writes them.
    static let hashes = "SHA256SUMS"

    /// The signature of that hash, if the ledger has a key.
    static let manifestNote = "manifest.note"

    /// The file that explains the others.
    static let readMe = "README.txt"

    /// The verifier key of the ledger, if it has one.
    static let key = "key.txt"

    /// The signed head of the evidence, if the ledger has a key.
    static let head = "head.note"

    /// The directory with the export of the log.
    static let evidence = "evidence"

    /// The directory with the reports.
    static let reports = "reports"

    /// The directory with the stamps over that head, if there are any.
    static let stamps = "stamps"

    /// The directory with the rows of the table of rates.
    static let rates = "rates"

    /// The directory with printed reports, whose bytes differ from machine to machine, so that they
    /// cannot be made again and compared.
    static let prints = "prints"

    /// The table of contents of the prints.
    package static let printedIndex = "index.html"

    /// The files that are about the manifest, and so not listed in it.
    static let unlisted: Set<String> = [manifest, hashes, manifestNote]

    /// The file of the evidence.
    static var evidenceLines: String { "\(evidence)/\(Ledger.exportedLines)" }

    /// The files that the owner's signatures need.
    static let ofKey: Set<String> = [key, head]

    /// Returns the files from which a print is said to be made.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - files: The files that the bundle holds, according to its manifest.
    /// - Returns: The report's files; `nil` if the file is not a print, or is a print of a report
    ///   that the bundle does not have.
    static func origin(ofPrint path: String, among files: Set<String>) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == prints else { return nil }
        if parts[1] == printedIndex { return "\(reports)/" }
        let name = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        guard name.count == 2, name[1] == "pdf", ReportKind(rawValue: String(name[0])) != nil,
            files.contains(where: { $0.hasPrefix("\(reports)/\(name[0]).") })
        else { return nil }
        return "\(reports)/\(name[0]).*"
    }

    /// Returns the paths of a stamp and of the stamped file.
    static func paths(of stamp: HeadStamps.Kept) -> [String] {
        stamp.fileNames.map { "\(stamps)/\($0)" }
    }

    /// The path of a print.
    static func printed(_ name: String) -> String { "\(prints)/\(name)" }

    /// The path of the rows of a table of the program, whose name is that of a jurisdiction.
    static func rates(of table: String) -> String { "\(rates)/\(table).jsonl" }

    /// Returns the rows of a table as their file has them.
    static func lines(of rates: RatesLoaded) -> [UInt8] {
        Array(rates.rates.map { $0 + "\n" }.joined().utf8)
    }

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
    /// - Parameters:
    ///   - path: The file.
    ///   - directory: The bundle.
    ///   - limit: The most bytes that it can rightly have; a longer one is not read.
    /// - Returns: Its length and its hash.
    /// - Throws: `Errno`; `.invalidArgument` if it is a symbolic link, a pipe or a device,
    ///   `.fileTooLarge`, `.illegalByteSequence` if it is a sparse file, which `ledger bundle`
    ///   never writes.
    static func file(
        _ path: String,
        in directory: FilePath,
        atMost limit: UInt64 = .max
    ) throws -> BundleManifest.File {
        let file = directory.pushing(FilePath(path))
        let status = try Stat(file, followTargetSymlink: false)
        guard status.type == .regular else { throw Errno.invalidArgument }
        guard UInt64(clamping: status.size) <= limit else { throw Errno.fileTooLarge }
        let descriptor = try PrivateFile.open(file)
        // Nothing was written through it, so there is nothing that closing could lose.
        defer { try? descriptor.close() }
        guard try !FileHoles.isThere(in: descriptor) else { throw Errno.illegalByteSequence }
        _ = try descriptor.seek(offset: 0, from: .start)
        let stream = InputStream(descriptor: descriptor, isOwned: false)
        var hash = SHA256Stream()
        var byteCount: UInt64 = 0
        var chunk: [UInt8] = []
        while case let count = try stream.read(into: &chunk, from: 0), count > 0 {
            hash.update(chunk.span)
            byteCount += UInt64(count)
            guard byteCount <= limit else { throw Errno.fileTooLarge }
        }
        return BundleManifest.File(path: path, byteCount: byteCount, hash: hash.finish())
    }

    /// Returns the list of all hashes.
    ///
    /// - Parameters:
    ///   - manifest: The manifest with the files.
    ///   - hash: The hash of the manifest's file.
    /// - Returns: The file.
    static func hashes(of manifest: BundleManifest, _ hash: Digest) -> [UInt8] {
        line(Self.manifest, hash) + manifest.files.flatMap { line($0.path, $0.hash) }
    }

    /// Returns the line of a file in that list.
    static func line(_ path: String, _ hash: Digest) -> [UInt8] {
        Array("\(hash)  \(path)\n".utf8)
    }
}
