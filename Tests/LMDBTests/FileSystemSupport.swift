import Foundation
import Glibc
import SystemPackage

/// Makes a symbolic link.
func link(_ path: FilePath, to target: FilePath) throws {
    try FileManager.default.createSymbolicLink(
        atPath: path.string,
        withDestinationPath: target.string
    )
}

/// Renames a file.
func move(_ path: FilePath, to target: FilePath) throws {
    try FileManager.default.moveItem(atPath: path.string, toPath: target.string)
}

/// Deletes a file.
func remove(_ path: FilePath) throws {
    try FileManager.default.removeItem(atPath: path.string)
}

/// An open descriptor of this process.
struct OpenDescriptor {
    let number: CInt

    /// Whether a program that this process starts does not get it.
    var closesOnExec: Bool { fcntl(number, F_GETFD) & FD_CLOEXEC != 0 }

    /// Whether what is written through it is durable at once.
    var writesThrough: Bool { fcntl(number, F_GETFL) & O_DSYNC != 0 }

    /// Lets it lead to another file from now on, which is opened for writing.
    func redirect(to path: FilePath) throws {
        let other = try FileDescriptor.open(path, .readWrite)
        defer { try? other.close() }
        guard dup2(other.rawValue, number) == number else { throw Errno(rawValue: errno) }
    }
}

/// Finds what this process has open of some files.
func descriptors(of paths: [FilePath]) throws -> [OpenDescriptor] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        .compactMap { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/\(name)"
            )
            guard let target, paths.contains(FilePath(target)), let number = CInt(name) else {
                return nil
            }
            return OpenDescriptor(number: number)
        }
}
