import ArgumentParser
import Platform
import SystemPackage
import TripLedger

/// Files that commands write for people.
enum HandedOutFile {
    /// The name for standard output.
    static let standardOutput = "-"

    /// Refuses a missing name, or standard output, for a result that is not a stream of bytes.
    ///
    /// - Parameters:
    ///   - name: The place that was named, if one was.
    ///   - what: The kind of file or directory, with its article.
    /// - Throws: `ValidationError`.
    static func requireName(_ name: String?, ofNew what: String) throws {
        guard name != "" else { throw ValidationError("Name \(what).") }
        guard name != standardOutput else {
            throw ValidationError(
                "- is standard output, which takes no such thing: name \(what)."
            )
        }
    }

    /// Writes a file that survives a crash as a whole or not at all; directories above it that are
    /// missing are made.
    ///
    /// - Parameters:
    ///   - bytes: Its content.
    ///   - path: Its name.
    ///   - isReplacing: Whether an existing file is replaced.
    /// - Throws: `LedgerError`.
    static func put(_ bytes: [UInt8], at path: String, isReplacing: Bool) throws {
        do {
            let file = FilePath(path)
            let folder = file.removingLastComponent()
            if !folder.isEmpty { try Directory.make(folder) }
            try DurableFile.put(bytes, at: file, isReplacing: isReplacing)
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
