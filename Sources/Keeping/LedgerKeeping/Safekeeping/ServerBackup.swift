import LMDB
import Platform
import ServerStore
package import SystemPackage
package import TripLedger

/// The part of a backup that holds the tokens and what was set aside, in a file beside that of the
/// log: a phone keeps delivering to a ledger that was restored, and need not be set up anew.
package struct ServerBackup {
    /// The outcome of a backup.
    package enum Outcome: Hashable, Sendable {
        /// There was nothing to copy.
        case none

        /// There is a copy.
        case copied(FilePath)

        /// There is none, because the original is not sound.
        case unsound(String)
    }

    /// The outcome for the tokens when a backup was restored.
    package enum Restoration: String, Sendable {
        /// They are those of the backup.
        case restored

        /// They are those that were there: older ones would undo what was revoked since.
        case kept

        /// Those of the backup are not sound or cannot be copied, and there are none.
        case unsound
    }

    private static let suffix = ".server"

    private let process: ScanProcess

    /// Prepares to copy; `process` reads what may be damaged.
    package init(process: ScanProcess) {
        self.process = process
    }

    /// Returns the file with the tokens of a backup.
    static func file(of backup: FilePath) -> FilePath { backup.appendingSuffix(suffix) }

    /// Copies what stands beside the log of a ledger, reads the copy, and gives it its name.
    ///
    /// - Parameters:
    ///   - ledger: The ledger's directory.
    ///   - backup: The file of the log's backup, which does not have its name yet.
    ///   - stage: A directory for what is not complete.
    ///   - isReplacing: Whether an existing file may be replaced.
    /// - Returns: The outcome.
    /// - Throws: `Errno` and `LMDBError`.
    func make(
        of ledger: FilePath,
        beside backup: FilePath,
        in stage: FilePath,
        isReplacing: Bool
    ) throws -> Outcome {
        let file = Self.file(of: backup)
        guard try Directory.holds(ServerState.path(of: ledger)) else {
            // Tokens of an older backup do not belong to this one.
            if isReplacing, try Directory.holds(file) { try Directory.remove(file) }
            return .none
        }
        if let why = try fault(in: ledger) { return .unsound(why) }
        let directory = ServerState.path(of: stage)
        try Directory.make(directory)
        let copy = directory.appending("data.mdb")
        guard try Self.copyState(of: ledger, to: copy) else { return .none }
        if let why = try fault(in: stage) { return .unsound(why) }
        try DurableFile.move(copy, to: file, isReplacing: isReplacing)
        return .copied(file)
    }

    /// Puts the tokens of a backup into a ledger that has none.
    ///
    /// - Parameters:
    ///   - backup: The file of the log's backup.
    ///   - ledger: The ledger's directory.
    /// - Returns: The outcome for them; `nil` if the backup has none.
    /// - Throws: `.inputOutput`.
    package func restore(
        from backup: FilePath,
        into ledger: FilePath
    ) throws(LedgerError) -> Restoration? {
        try LedgerError.translating(at: ledger) {
            let file = Self.file(of: backup)
            guard try Directory.holds(file) else { return nil }
            return try place(in: ledger) { copy in
                do {
                    try DurableFile.copy(file, to: copy) { start in
                        guard Environment.isDataFile(beginningWith: start) else {
                            throw Errno.invalidArgument
                        }
                    }
                    return true
                } catch Errno.invalidArgument {
                    return false
                }
            }
        }
    }

    /// Puts the tokens of a ledger, whose log may be damaged, into one that has none.
    ///
    /// - Parameters:
    ///   - source: The directory of the ledger that they are taken from, which stays as it is.
    ///   - ledger: The directory of the other one.
    /// - Returns: The outcome for them; `nil` if the first has none.
    /// - Throws: `.damaged`, `.inputOutput`.
    func copy(from source: FilePath, into ledger: FilePath) throws(LedgerError) -> Restoration? {
        try LedgerError.translating(at: ledger) {
            guard try Directory.holds(ServerState.path(of: source)) else { return nil }
            guard try fault(in: source) == nil else { return .unsound }
            return try place(in: ledger) { try Self.copyState(of: source, to: $0) }
        }
    }

    /// Has a copy made, reads it, and moves it into a ledger that has no tokens.
    ///
    /// - Parameters:
    ///   - ledger: The ledger's directory.
    ///   - copying: Writes the file that it is given, and returns whether it has found data.
    /// - Returns: The outcome.
    /// - Throws: `Errno`, and what `copying` throws.
    private func place(
        in ledger: FilePath,
        copying: (FilePath) throws -> Bool
    ) throws -> Restoration {
        let directory = ServerState.path(of: ledger)
        guard try !Directory.holds(directory) else { return .kept }
        let stage = ledger.appending(".restore-\(UInt64.random(in: 0 ... .max)).new")
        try Directory.make(ServerState.path(of: stage))
        defer { try? Directory.removeTree(stage) }
        let isCopied = try copying(ServerState.path(of: stage).appending("data.mdb"))
        guard try isCopied && fault(in: stage) == nil else { return .unsound }
        try DurableFile.move(ServerState.path(of: stage), to: directory, isReplacing: false)
        return .restored
    }

    /// Writes a snapshot of what a server of a ledger keeps to a new file.
    ///
    /// - Returns: Whether there was anything.
    /// - Throws: `LedgerError`, `Errno`.
    private static func copyState(of ledger: FilePath, to file: FilePath) throws -> Bool {
        guard let state = try ServerState.open(of: ledger, isReadOnly: true) else { return false }
        defer { state.close() }
        let descriptor = try DurableFile.create(file)
        defer { try? descriptor.close() }
        try state.copy(to: descriptor)
        try DurableFile.settle(descriptor)
        return true
    }

    /// Reads all that a server of a ledger keeps, and returns what is wrong with it.
    private func fault(in ledger: FilePath) throws -> String? {
        let outcome = try process.run(.server(ledger, isThorough: true)).outcome
        guard outcome.verdict != .sound else { return nil }
        return outcome.findings.first?.what ?? outcome.doubts.first ?? "it is empty"
    }
}
