import Foundation
import Glibc
import LMDB
import SystemPackage
import TestSupport

/// A directory of its own with room for environments.
struct Playground {
    private let directory: TemporaryDirectory

    /// The path of the environment.
    let path: FilePath

    init() throws {
        directory = try TemporaryDirectory()
        path = FilePath(directory.path("log"))
    }

    /// The environment's data file.
    var dataPath: FilePath { path.appending("data.mdb") }

    /// The environment's lock file.
    var lockPath: FilePath { path.appending("lock.mdb") }

    /// A path beside the environment.
    func path(_ name: String) -> FilePath { FilePath(directory.path(name)) }

    /// Creates an environment and opens it.
    func newEnvironment(_ options: Environment.Options = .small) throws -> Environment {
        try Environment.create(at: path, options: options)
        return try Environment(at: path, options: options)
    }

    /// The path of the environment, in a form that a child process can be given.
    var pathText: String { path.string }

    /// Opens an environment in a child process.
    static func environment(at path: String) throws -> Environment {
        try Environment(at: FilePath(path), options: .small)
    }

    /// Changes some bytes of a file.
    func overwrite(_ path: FilePath, at offset: Int64, with bytes: [UInt8]) throws {
        let descriptor = try FileDescriptor.open(path, .writeOnly)
        try descriptor.closeAfter {
            _ = try descriptor.writeAll(toAbsoluteOffset: offset, bytes)
        }
    }

    /// Cuts a file off, or lengthens it with a hole.
    func resize(_ path: FilePath, to byteCount: Int64) throws {
        let descriptor = try FileDescriptor.open(path, .writeOnly)
        try descriptor.closeAfter { try descriptor.resize(to: byteCount) }
    }
}

extension Environment.Options {
    /// Small enough for every kind of fullness to be met soon.
    static var small: Environment.Options {
        .init(maximumTables: 4, initialMapBytes: 1 << 16, isReadOnly: false, maximumReaders: 4)
    }

    /// The same for reading only.
    static var readOnly: Environment.Options {
        .init(maximumTables: 4, initialMapBytes: 1 << 16, isReadOnly: true, maximumReaders: 4)
    }
}

extension Environment {
    /// Stores a value in a transaction of its own, in a table that it creates if needed.
    @discardableResult
    func store(_ key: [UInt8], _ value: [UInt8]) throws -> Table {
        try write { transaction in
            let table = try transaction.createTable("blocks")
            try transaction.put(table, key, value, append: false)
            return table
        }
    }

    /// Reads a value in a transaction of its own.
    func value(_ table: Table, _ key: [UInt8]) throws -> [UInt8]? {
        try read { transaction in
            if let value = try transaction.get(table, key) { Array(value) } else { nil }
        }
    }
}

extension [UInt8] {
    /// Copies a span.
    init(_ span: Span<UInt8>) {
        self = span.indices.map { span[$0] }
    }

    /// The eight bytes of a number, most significant first.
    init(key number: Int) {
        self = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
}

/// Returns the code of the error that `body` throws, or `nil` if it throws none.
func code(_ body: () throws -> Void) -> LMDBError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? LMDBError)?.code
    }
}

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
