import Platform
import SystemPackage
import TripLedger

/// Files that commands write for people.
enum HandedOutFile {
    /// Writes a file that survives a crash as a whole or not at all.
    ///
    /// - Parameters:
    ///   - bytes: Its content.
    ///   - path: Its name.
    ///   - isReplacing: Whether one that is there already is replaced.
    /// - Throws: `LedgerError`.
    static func put(_ bytes: [UInt8], at path: String, isReplacing: Bool) throws {
        do {
            try DurableFile.put(bytes, at: FilePath(path), isReplacing: isReplacing)
        } catch Errno.fileExists {
            throw LedgerError(
                .alreadyThere,
                at: path,
                cause: "there is a file already",
                hint: "Say --replace to write over it, or name another file"
            )
        } catch let error as Errno {
            throw LedgerError(.inputOutput, at: path, cause: error.description)
        }
    }
}
