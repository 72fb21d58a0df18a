import Glibc
package import SystemPackage

/// Files and directories under passing names, `NAME.….new`, until they are complete.
///
/// The process that writes one keeps it locked, and the lock ends with the process. So one without
/// a lock was left by a killed process, and the next process that writes something of the same name
/// removes it. Files with any other name are never removed.
///
/// The corresponding C function is `flock`.
package enum Unfinished {
    private static let suffix = ".new"
    private static let digitCount = 16

    /// Returns a passing name beside a path, which nothing else has.
    static func name(of last: String) -> String {
        let number = String(UInt64.random(in: 0 ... .max), radix: 16)
        let zeros = String(repeating: "0", count: digitCount - number.count)
        return "\(last).\(zeros)\(number)\(suffix)"
    }

    /// Returns the final name that belongs to a passing name; `nil` if the name is not a passing
    /// one.
    package static func lastName(of name: String) -> String? {
        let ending = name.utf8.suffix(1 + digitCount + suffix.utf8.count)
        let digits = ending.dropFirst().dropLast(suffix.utf8.count)
        let areDigits = digits.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
        guard name.hasSuffix(suffix), ending.first == UInt8(ascii: "."),
            digits.count == digitCount, areDigits
        else { return nil }
        return String(name.dropLast(ending.count))
    }

    /// Whether a name is a passing name that belongs to the final name `last`.
    static func isName(_ name: String, of last: String) -> Bool { lastName(of: name) == last }

    /// Makes a directory under a passing name in another one, once those that others left there are
    /// gone, and keeps it locked while `body` runs.
    ///
    /// - Parameters:
    ///   - last: What passing names begin with.
    ///   - parent: The directory in which it is.
    ///   - body: Gets the new directory, which is not removed afterwards.
    /// - Returns: What `body` returned.
    /// - Throws: `Errno`, and what `body` throws.
    package static func withDirectory<Result>(
        for last: String,
        in parent: FilePath,
        _ body: (FilePath) throws -> Result
    ) throws -> Result {
        removeAbandoned(of: last, in: parent)
        while true {
            let path = parent.appending(name(of: last))
            // The path lives as long as the call.
            guard unsafe mkdir(path.string, 0o700) == 0 else { throw Errno(rawValue: errno) }
            guard let descriptor = try lockedDirectory(path) else { continue }
            // Closing gives the lock back, and nothing was written.
            defer { try? descriptor.close() }
            return try body(path)
        }
    }

    /// Locks a directory that was just made; returns `nil` if it is gone, and removes it if it
    /// cannot be locked.
    private static func lockedDirectory(_ path: FilePath) throws -> FileDescriptor? {
        var descriptor: FileDescriptor?
        do {
            let opened = try FileDescriptor.open(
                path,
                .readOnly,
                options: [.directory, .closeOnExec, .noFollow]
            )
            descriptor = opened
            if try isKept(opened, at: path) { return opened }
            try opened.close()
            return nil
        } catch Errno.noSuchFileOrDirectory where descriptor == nil {
            // It was taken for a leftover before it was opened.
            return nil
        } catch {
            try? descriptor?.close()
            try? Directory.removeEmpty(path)
            throw error
        }
    }

    /// Creates an empty file under a passing name beside a path, once those that others left there
    /// are gone; it stays locked until it is closed.
    static func create(beside path: FilePath) throws -> (FilePath, FileDescriptor) {
        let parent = path.removingLastComponent()
        removeAbandoned(of: path.lastComponent?.string ?? "", in: parent)
        while true {
            let temporary = path.besideUntilComplete
            let descriptor = try DurableFile.create(temporary)
            do {
                if try isKept(descriptor, at: temporary) { return (temporary, descriptor) }
            } catch {
                try? descriptor.close()
                try? Directory.remove(temporary)
                throw error
            }
            try descriptor.close()
        }
    }

    /// Locks what was just made; returns `false` if another process took it for a leftover before
    /// that, and it is gone.
    private static func isKept(_ descriptor: FileDescriptor, at path: FilePath) throws -> Bool {
        while flock(descriptor.rawValue, LOCK_EX) != 0 {
            switch errno {
            case EINTR: continue
            // This file system knows no locks: then no one can take it for a leftover either.
            case ENOLCK, ENOTSUP, ENOSYS, EINVAL: return true
            default: throw Errno(rawValue: errno)
            }
        }
        return try FileIdentity.of(descriptor) == (try? FileIdentity.at(path))
    }

    /// Removes what killed processes left under passing names of `last`, as well as that can be
    /// done: what stays does no harm, and its name says that it is a leftover.
    package static func removeAbandoned(of last: String, in parent: FilePath) {
        let place = parent.isEmpty ? FilePath(".") : parent
        for name in (try? Directory.names(in: place)) ?? [] where isName(name, of: last) {
            try? removeIfAbandoned(place.appending(name))
        }
    }

    /// Removes what stands under a passing name if the process that made it has ended.
    ///
    /// - Throws: `Errno`.
    package static func removeIfAbandoned(_ path: FilePath) throws {
        let status = try Stat(path, followTargetSymlink: false)
        guard [.regular, .directory].contains(status.type), status.userID.rawValue == geteuid()
        else { return }
        let descriptor = try FileDescriptor.open(
            path,
            .readOnly,
            options: [.closeOnExec, .noFollow, .nonBlocking]
        )
        // Closing gives the lock back, and nothing was written.
        defer { try? descriptor.close() }
        guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0,
            try FileIdentity.of(descriptor) == FileIdentity.at(path)
        else { return }
        try Directory.removeTree(path)
    }
}
