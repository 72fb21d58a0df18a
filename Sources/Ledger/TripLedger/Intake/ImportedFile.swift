import Platform
import Proofs
public import SystemPackage
import TripEvents

/// A file in another format, or a part of an archive, as the log remembers it.
public struct ImportedFile: Hashable, Sendable {
    /// The most bytes of a name that are remembered.
    private static let mostNameBytes = 1_000

    /// The file's name without its directory; `-` for standard input.
    public let name: String

    /// The path of the records inside the file, if that is an archive.
    public let part: String?

    /// The format, as `ledger append --as` names it.
    public let format: String

    /// The digest of the file, independent of its name; `nil` if it came through a pipe.
    public let digest: FileDigest?

    /// Describes a file.
    ///
    /// Names are cut to their last 1,000 bytes, and control characters in them are escaped.
    public init(_ name: String, part: String? = nil, format: String, digest: FileDigest?) {
        self.name = Self.remembered(name)
        self.part = part.map(Self.remembered)
        self.format = format
        self.digest = digest
    }

    private static func remembered(_ name: String) -> String {
        var name = Excerpt.escaped(name)
        if name.isEmpty { name = "-" }
        while name.utf8.count > mostNameBytes { name.removeFirst(max(1, name.count / 8)) }
        return name
    }
}

/// The identity of a file's content, independent of its name.
public struct FileDigest: Hashable, Sendable {
    /// How many bytes it has.
    public let byteCount: UInt64

    /// SHA-256 of them, in 64 hexadecimal digits.
    public let sha256: String

    /// The file's state before it was read.
    private let state: FileState

    /// Reads a regular file to its end.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - onProgress: Told how many bytes were read, now and then.
    /// - Throws: `Errno`; `.invalidArgument` if it is no regular file.
    public init(of path: FilePath, onProgress: (Int64) -> Void = { _ in }) throws {
        let stream = try InputStream(atFile: path)
        state = try FileState(of: path)
        var hash = SHA256Stream()
        var piece: [UInt8] = []
        var byteCount: UInt64 = 0
        while try stream.read(into: &piece, from: 0) > 0 {
            hash.update(piece.span)
            byteCount += UInt64(piece.count)
            onProgress(Int64(byteCount))
        }
        self.byteCount = byteCount
        sha256 = hash.finish().description
    }

    /// Whether a file has not been changed since it was read, as far as its times tell.
    public func isStill(at path: FilePath) -> Bool {
        (try? FileState(of: path)) == state
    }
}
