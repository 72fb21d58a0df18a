import Glibc
package import SystemPackage

/// A mark that each user of a file sets while the file is open: it names the companion that this
/// user goes with, such as the file whose locks keep writers apart.
///
/// A companion can be deleted while it is in use and made anew: then two processes each have one,
/// and neither waits for the other. So each user also shares a lock on a byte of the file itself,
/// far beyond its end, whose offset is the companion's number. The lock belongs to the descriptor:
/// unlike the locks of a process, it ends when that is closed and at no other time.
/// The corresponding C function is `fcntl` with `F_OFD_SETLK` and `F_OFD_GETLK`.
package enum FileUse {
    // A constant of Linux that Glibc shows only to programs with _GNU_SOURCE.
    private static let getLock: CInt = 36
    private static let setLock: CInt = 37

    /// The first of the bytes that stand for companions; no file reaches it.
    private static let firstOffset: off_t = 1 << 62

    /// How many there are: a file's number, without its highest bits, is below that.
    private static let offsetCount: off_t = (1 << 62) - 1

    /// Says that a file is used through this descriptor, with a companion, until it is closed.
    ///
    /// - Throws: `Errno` if the file system has no such locks.
    package static func declare(
        on file: FileDescriptor,
        with companion: FileIdentity
    ) throws(Errno) {
        let offset = offset(of: companion)
        _ = try ask(file, setLock, F_RDLCK, offset..<offset + 1)
    }

    /// Returns whether a file is used through other descriptors with another companion than this
    /// one; with any, if it is `nil`.
    ///
    /// A process that declares a use first and asks then is not overlooked by another that does the
    /// same.
    ///
    /// - Throws: `Errno`.
    package static func isDeclared(
        on file: FileDescriptor,
        withOtherThan companion: FileIdentity?
    ) throws(Errno) -> Bool {
        let all = firstOffset..<(firstOffset + offsetCount)
        guard let companion else { return try ask(file, getLock, F_WRLCK, all) }
        let own = offset(of: companion)
        for offsets in [all.lowerBound..<own, own + 1..<all.upperBound] where !offsets.isEmpty {
            if try ask(file, getLock, F_WRLCK, offsets) { return true }
        }
        return false
    }

    /// Returns whether any process uses the file at a path, which may be missing.
    ///
    /// - Throws: `Errno`.
    package static func isDeclared(at path: FilePath) throws -> Bool {
        guard try Directory.holds(path) else { return false }
        let descriptor = try FileDescriptor.open(
            path,
            .readOnly,
            options: [.closeOnExec, .noFollow, .nonBlocking]
        )
        // Nothing was written.
        defer { try? descriptor.close() }
        return try isDeclared(on: descriptor, withOtherThan: nil)
    }

    private static func offset(of companion: FileIdentity) -> off_t {
        firstOffset + off_t(companion.number % UInt64(offsetCount))
    }

    /// Asks for a lock on some bytes, or whether another descriptor has one that conflicts with it.
    private static func ask(
        _ file: FileDescriptor,
        _ command: CInt,
        _ type: Int32,
        _ offsets: Range<off_t>
    ) throws(Errno) -> Bool {
        var range = flock()
        range.l_type = Int16(type)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = offsets.lowerBound
        range.l_len = off_t(offsets.count)
        // The structure lives as long as the call.
        guard unsafe fcntl(file.rawValue, command, &range) == 0 else {
            throw Errno(rawValue: errno)
        }
        return range.l_type != Int16(F_UNLCK)
    }
}
