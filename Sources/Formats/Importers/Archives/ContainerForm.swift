/// How an archive holds files.
package enum ArchiveForm: Hashable, Sendable {
    /// The form of zip.
    case zip

    /// The form of tar.
    case tar
}

/// The archive or compression format of a file, recognised by its first bytes.
package enum ContainerForm: Hashable, Sendable {
    /// One file compressed by gzip.
    case gzip

    /// The files of an archive.
    case archive(ArchiveForm)

    /// The number of bytes that tell it.
    package static let headByteCount = 512

    /// Recognises a form; `nil` if the bytes have none of these, or are too few to tell.
    package init?(_ head: Span<UInt8>) {
        if Self.holds(head, [0x1F, 0x8B, 0x08], at: 0) {
            self = .gzip
        } else if Self.holds(head, ArchiveEnding.firstFile, at: 0)
            || Self.holds(head, ArchiveEnding.directoryEnd, at: 0)
        {
            self = .archive(.zip)
        } else if Self.holds(head, Array("ustar".utf8), at: 257) {
            self = .archive(.tar)
        } else {
            return nil
        }
    }

    private static func holds(_ head: Span<UInt8>, _ magic: [UInt8], at start: Int) -> Bool {
        guard head.count >= start + magic.count else { return false }
        for index in magic.indices where head[start + index] != magic[index] { return false }
        return true
    }
}
