import Platform
package import SystemPackage

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
