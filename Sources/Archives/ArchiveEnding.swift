/// The last bytes of an archive, which tell whether all of it is there.
///
/// Read from front to back, an archive that was cut off between two files looks whole, and so does
/// a zip archive in which the beginning of a file is damaged: libarchive looks for the next one.
struct ArchiveEnding {
    /// What the first file in a zip archive begins with.
    static let firstFile: [UInt8] = [0x50, 0x4B, 0x03, 0x04]

    /// What the record at the end of a zip archive begins with (APPNOTE.TXT 4.3.16).
    static let directoryEnd: [UInt8] = [0x50, 0x4B, 0x05, 0x06]

    /// The size of that record, without a comment of up to 65,535 bytes.
    private static let directoryEndByteCount = 22

    /// Where in it the number of files stands, and what stands there if it is too large for that.
    private static let fileCountOffset = 10
    private static let manyFiles = 0xFFFF

    private static let longestByteCount = directoryEndByteCount + 0xFFFF

    /// A tar archive ends with two such blocks of zeros.
    private static let blockByteCount = 512

    private var bytes: [UInt8] = []

    /// Takes note of the next bytes of the archive.
    mutating func note(_ next: Span<UInt8>) {
        let start = max(0, next.count - Self.longestByteCount)
        for index in start..<next.count { bytes.append(next[index]) }
        let excess = bytes.count - Self.longestByteCount
        if excess > Self.longestByteCount { bytes.removeFirst(excess) }
    }

    /// Looks whether the archive is whole.
    ///
    /// - Throws: `ArchiveProblem`.
    func check(_ form: ArchiveForm, fileCount: Int) throws(ArchiveProblem) {
        switch form {
        case .tar:
            guard bytes.suffix(Self.blockByteCount).allSatisfy({ $0 == 0 }) else {
                throw .truncated
            }
        case .zip:
            guard let start = lastDirectoryEnd else { throw .truncated }
            let number = start + Self.fileCountOffset
            let count = Int(bytes[number]) | Int(bytes[number + 1]) << 8
            guard count == fileCount || count == Self.manyFiles else {
                throw .damaged("it should hold \(count) files, and \(fileCount) were found")
            }
        }
    }

    private var lastDirectoryEnd: Int? {
        let last = bytes.count - Self.directoryEndByteCount
        guard last >= 0 else { return nil }
        return stride(from: last, through: 0, by: -1)
            .first { start in
                bytes[start...].starts(with: Self.directoryEnd)
            }
    }
}
