/// The last bytes of an archive, which tell whether all of it is there.
///
/// Read from front to back, an archive that was cut off between two files looks whole, and so does
/// a zip archive in which the beginning of a file is damaged: libarchive looks for the next one.
/// A file that no longer says that its size follows it looks empty. The directory at the end of a
/// zip archive tells.
struct ArchiveEnding {
    /// The first bytes of the first file in a zip archive.
    static let firstFile: [UInt8] = [0x50, 0x4B, 0x03, 0x04]

    /// The first bytes of the record at the end of a zip archive (APPNOTE.TXT 4.3.16).
    static let directoryEnd: [UInt8] = [0x50, 0x4B, 0x05, 0x06]

    /// The size of that record, without a comment of up to 65,535 bytes.
    private static let directoryEndByteCount = 22

    /// The offset of the number of files in it, and the mark there of a number that is too large.
    private static let fileCountOffset = 10
    private static let manyFiles = 0xFFFF

    /// The offset in it of the size of the directory before it.
    private static let directoryByteCountOffset = 12

    /// The first bytes of the directory's line about a file, and its shortest length (4.3.12).
    private static let directoryLine: [UInt8] = [0x50, 0x4B, 0x01, 0x02]
    private static let directoryLineByteCount = 46

    /// The offset of the file's size in it, and the mark there of a size that is too large.
    private static let sizeOffset = 24
    private static let largeSize = 0xFFFF_FFFF

    /// The offsets in it of the sizes of its name, its extra field and its comment.
    private static let tailOffsets = [28, 30, 32]

    /// A directory of some 10,000 files fits; of a larger one only the number of files is known.
    private static let longestByteCount = 1 << 20

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

    /// Checks that the archive is complete.
    ///
    /// - Parameters:
    ///   - form: The form of the archive.
    ///   - fileCount: The number of files that were found.
    ///   - byteCount: The size of all files; `nil` if it is not known for all.
    /// - Throws: `ArchiveProblem`.
    func check(_ form: ArchiveForm, fileCount: Int, byteCount: Int?) throws(ArchiveProblem) {
        switch form {
        case .tar:
            guard bytes.suffix(Self.blockByteCount).allSatisfy({ $0 == 0 }) else {
                throw .truncated
            }
        case .zip:
            guard let start = lastDirectoryEnd else { throw .truncated }
            let count = number(2, at: start + Self.fileCountOffset)
            guard count == fileCount || count == Self.manyFiles else {
                throw .damaged("it should hold \(count) files, and \(fileCount) were found")
            }
            guard let byteCount, let listed = listedByteCount(before: start) else { return }
            guard listed == byteCount else {
                throw .damaged(
                    "its files should hold \(listed) bytes, and \(byteCount) were found"
                )
            }
        }
    }

    /// The bytes in all files as the directory has them; `nil` if it is not all here, or if a file
    /// is too large for it.
    private func listedByteCount(before end: Int) -> Int? {
        var line = end - number(4, at: end + Self.directoryByteCountOffset)
        var sum = 0
        while line < end {
            guard line >= 0, line + Self.directoryLineByteCount <= end,
                bytes[line...].starts(with: Self.directoryLine)
            else { return nil }
            let size = number(4, at: line + Self.sizeOffset)
            guard size != Self.largeSize else { return nil }
            sum += size
            line +=
                Self.directoryLineByteCount
                + Self.tailOffsets.map { number(2, at: line + $0) }.reduce(0, +)
        }
        return sum
    }

    /// A number of so many bytes, the lowest first.
    private func number(_ byteCount: Int, at start: Int) -> Int {
        (0..<byteCount).reduce(0) { $0 | Int(bytes[start + $1]) << (8 * $1) }
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
