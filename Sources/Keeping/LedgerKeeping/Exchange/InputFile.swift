import Platform
package import SystemPackage
package import TripLedger

/// Small files that other people hand over: heads, proofs, entries.
package enum InputFile {
    /// The most bytes that are read: more than any head, proof or entry has.
    private static let maximumByteCount = 1 << 20

    /// Reads the file of that name, or standard input if the name is `-`.
    ///
    /// The file may also be a pipe with a writer.
    ///
    /// - Throws: `.unreadableInput`.
    package static func bytes(of name: String) throws(LedgerError) -> [UInt8] {
        try reading(name) {
            guard name != "-" else {
                return try PrivateFile.read(.standardInput, maximumByteCount: maximumByteCount)
            }
            let descriptor = try FileDescriptor.open(
                FilePath(name),
                .readOnly,
                options: .closeOnExec
            )
            return try descriptor.closeAfter {
                try PrivateFile.read(descriptor, maximumByteCount: maximumByteCount)
            }
        }
    }

    /// Reads a file that was found in a directory: no symbolic link, no pipe, no device.
    ///
    /// - Throws: `.unreadableInput`.
    package static func bytes(at path: FilePath) throws(LedgerError) -> [UInt8] {
        try reading(path.string) {
            try PrivateFile.read(path, maximumByteCount: maximumByteCount)
        }
    }

    private static func reading(
        _ name: String,
        _ body: () throws -> [UInt8]
    ) throws(LedgerError) -> [UInt8] {
        do {
            return try body()
        } catch {
            throw LedgerError(
                .unreadableInput,
                at: name,
                cause: (error as? Errno ?? .ioError).description
            )
        }
    }
}

/// New directories with files to hand over; only their owner may read them.
package enum OutputFolder {
    /// Makes a directory where nothing may be yet.
    ///
    /// - Throws: `.alreadyThere`, `.inputOutput`.
    package static func make(_ path: FilePath) throws(LedgerError) {
        try LedgerError.translating(at: path) {
            guard try !Directory.holds(path) else {
                throw LedgerError(
                    .alreadyThere,
                    at: path.string,
                    cause: "there is something here already",
                    hint: "It was left as it is; name a new directory"
                )
            }
            try Directory.make(path)
        }
    }

    /// Returns the names of what a directory holds.
    ///
    /// - Throws: `.inputOutput`.
    package static func names(in path: FilePath) throws(LedgerError) -> [String] {
        try LedgerError.translating(at: path) { try Directory.names(in: path) }
    }

    /// Writes a new file; if the machine stops, it may be incomplete.
    ///
    /// - Throws: `.alreadyThere`, `.inputOutput`.
    package static func write(_ bytes: [UInt8], to path: FilePath) throws(LedgerError) {
        try LedgerError.translating(at: path) {
            let descriptor = try DurableFile.create(path)
            _ = try descriptor.closeAfter { try descriptor.writeAll(bytes) }
        }
    }
}
