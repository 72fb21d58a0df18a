import Glibc
package import SystemPackage

/// The parts of a file that take no room on the disk and read as zeros.
///
/// A file of 16 TiB that is nothing else costs its maker nothing, and its reader days.
package enum FileHoles {
    private static let seekData: CInt = 3
    private static let seekHole: CInt = 4

    /// Returns where the next bytes stand at or after an offset, as far as the file system knows.
    ///
    /// The corresponding C function is `lseek` with `SEEK_DATA`. The call changes the descriptor's
    /// offset.
    ///
    /// - Returns: The offset; the one given if the file system knows no holes, `nil` if nothing but
    ///   holes is left.
    package static func nextData(in file: FileDescriptor, from offset: Int64) -> Int64? {
        let place = Int64(lseek(file.rawValue, off_t(offset), seekData))
        guard place < 0 else { return place }
        return errno == ENXIO ? nil : offset
    }

    /// Returns whether a file has a hole before its end, so that it can be no text.
    ///
    /// The corresponding C function is `lseek` with `SEEK_HOLE`. The call changes the descriptor's
    /// offset.
    package static func isThere(in file: FileDescriptor) throws -> Bool {
        let place = Int64(lseek(file.rawValue, 0, seekHole))
        guard place >= 0 else { return false }
        return place < (try Stat(file).size)
    }
}

/// The limit that the system sets for the length of a file.
package enum FileSizeLimit {
    /// Makes writing beyond the limit fail as it does on a full disk, instead of ending the process
    /// without a message; every program MUST call it before it writes.
    ///
    /// The corresponding C function is `signal` with `SIGXFSZ`.
    package static func failWithError() {
        _ = signal(SIGXFSZ, SIG_IGN)
    }
}
