internal import CPlatform
import Glibc
package import SystemPackage

/// Renaming in one step what plain renaming cannot: two paths at once, or only where nothing is.
///
/// Not every file system can; these functions throw `.invalidArgument` then.
package enum AtomicRename {
    private static let noReplaceFlag: UInt32 = 1 << 0
    private static let exchangeFlag: UInt32 = 1 << 1

    /// Gives a file or directory another name, which nothing may have.
    ///
    /// The corresponding C function is `renameat2` with `RENAME_NOREPLACE`.
    ///
    /// - Throws: `.fileExists` if something has that name.
    package static func move(_ path: FilePath, to destination: FilePath) throws(Errno) {
        try rename(path, destination, noReplaceFlag)
    }

    /// Puts two files or directories in the place of one another.
    ///
    /// The corresponding C function is `renameat2` with `RENAME_EXCHANGE`.
    package static func exchange(_ path: FilePath, with other: FilePath) throws(Errno) {
        try rename(path, other, exchangeFlag)
    }

    private static func rename(
        _ path: FilePath,
        _ other: FilePath,
        _ flag: UInt32
    ) throws(Errno) {
        // The paths live as long as the call.
        let status = unsafe renameat2(AT_FDCWD, path.string, AT_FDCWD, other.string, flag)
        guard status != 0 else { return }
        throw errno == ENOSYS ? .invalidArgument : Errno(rawValue: errno)
    }
}
