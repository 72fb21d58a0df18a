import EventStore
import Platform
import Proofs
package import SystemPackage
import TripLedger

/// The part of a backup that holds the signed heads with their cosignatures, and the stamps over
/// them, in a folder beside the file of the log: they alone show when others saw the entries, and
/// nothing can make them again.
package struct HeadsBackup: Hashable, Sendable {
    private static let suffix = ".heads"

    /// The folder that they were copied to.
    package private(set) var folder: FilePath

    /// How many signed heads were copied.
    package private(set) var headCount = 0

    /// How many stamps were copied.
    package private(set) var stampCount = 0

    /// Files that were not copied: they cannot be read, or are about other entries than the log's.
    package private(set) var left: [String] = []

    /// Whether nothing was copied.
    package var isEmpty: Bool { headCount == 0 && stampCount == 0 }

    /// Returns the folder with the heads of a backup.
    static func path(of backup: FilePath) -> FilePath { backup.appendingSuffix(suffix) }

    /// Copies the heads and stamps of a ledger that are about entries in the copy of its log.
    ///
    /// - Parameters:
    ///   - ledger: The ledger's directory.
    ///   - backup: The file of the log's backup, which does not have its name yet.
    ///   - stage: A directory for what is not complete, with the copy of the log, which was read.
    ///   - isReplacing: Whether heads that are there already may be replaced.
    /// - Returns: What was copied.
    /// - Throws: `Errno`, `.fileExists` if something is there that may not be replaced, or that is
    ///   not a folder of heads; `LedgerError`.
    static func make(
        of ledger: FilePath,
        beside backup: FilePath,
        in stage: FilePath,
        isReplacing: Bool
    ) throws -> HeadsBackup {
        let place = stage.appending("heads")
        var made = try copying(from: ledger.appending("heads"), to: place, ofLedgerAt: stage)
        made.folder = path(of: backup)
        if try Directory.holds(made.folder) {
            // Heads without a backup beside them are left over from a backup that did not finish.
            guard try isReplacing || !Directory.holds(backup), try isOwn(made.folder) else {
                throw Errno.fileExists
            }
            // Heads of an older backup do not belong to this one.
            let replaced = stage.appending("replaced")
            try DurableFile.move(made.folder, to: replaced, isReplacing: false)
        }
        if !made.isEmpty {
            try DurableFile.move(place, to: made.folder, isReplacing: false)
        }
        return made
    }

    /// Puts the heads and stamps of a backup into a ledger that was made of it; those that it has
    /// already stay.
    ///
    /// - Parameters:
    ///   - backup: The file of the log's backup.
    ///   - ledger: The ledger's directory.
    /// - Returns: What was copied; `nil` if the backup has none.
    /// - Throws: `Errno`, `LedgerError`.
    static func restore(from backup: FilePath, into ledger: FilePath) throws -> HeadsBackup? {
        let place = ledger.appending("heads")
        let copied = try copying(from: path(of: backup), to: place, ofLedgerAt: ledger)
        return copied.isEmpty && copied.left.isEmpty ? nil : copied
    }

    /// Copies the heads and stamps in a folder that are about entries of a ledger's log; those of
    /// more entries than it has stay where they are.
    ///
    /// - Parameters:
    ///   - source: The folder, which need not be there.
    ///   - folder: Where to; it is made if there are any.
    ///   - ledger: The directory of the ledger, whose log was read and is sound.
    /// - Returns: What was copied.
    /// - Throws: `Errno`, `LedgerError`.
    static func copying(
        from source: FilePath,
        to folder: FilePath,
        ofLedgerAt ledger: FilePath
    ) throws -> HeadsBackup {
        var copied = HeadsBackup(folder: folder)
        guard try Directory.holds(source) else { return copied }
        let book = try Ledger(at: ledger, isReadOnly: true)
        defer { book.close() }
        let tree = try LogTree(book.log)
        func isOfLog(_ head: TreeHead) throws -> Bool {
            try tree.root(atSize: head.size) == head.root
        }
        let found = try HeadStore.survivors(in: source)
        copied.left = found.unreadable
        for head in found.heads where head.head.size <= tree.head.size {
            let name = HeadStore.name(ofSize: head.head.size)
            if try !isOfLog(head.head) {
                copied.left.append(source.appending(name).string)
            } else if try put(head.note.bytes, at: folder.appending(name)) {
                copied.headCount += 1
            }
        }
        let stamps = HeadStamps(in: folder)
        for kept in try HeadStamps(in: source).all() {
            guard let (stamped, stamp) = try? kept.content.get(),
                let head = try? SignedHead(stamped).head
            else {
                copied.left.append(kept.file)
                continue
            }
            guard head.size <= tree.head.size else { continue }
            if try isOfLog(head) {
                try stamps.put(stamp, over: stamped, as: kept.name)
                copied.stampCount += 1
            } else {
                copied.left.append(kept.file)
            }
        }
        return copied
    }

    /// Removes the heads of a backup that goes.
    ///
    /// - Throws: `Errno`.
    static func remove(of backup: FilePath) throws {
        let folder = path(of: backup)
        guard try Directory.holds(folder), try isOwn(folder) else { return }
        try Directory.removeTree(folder)
    }

    /// Removes what a backup that is not complete has copied, as well as it can.
    static func remove(in stage: FilePath) {
        // A leftover does no harm, and the name of the directory says that it is one.
        for name in ["heads", "replaced"] { try? Directory.removeTree(stage.appending(name)) }
    }

    /// Writes a file unless there is one.
    ///
    /// - Returns: Whether it was written.
    private static func put(_ bytes: [UInt8], at file: FilePath) throws -> Bool {
        try Directory.make(file.removingLastComponent())
        do {
            try DurableFile.put(bytes, at: file, isReplacing: false)
            return true
        } catch Errno.fileExists {
            return false
        }
    }

    /// Whether a folder holds heads and stamps alone.
    private static func isOwn(_ folder: FilePath) throws -> Bool {
        guard try Stat(folder, followTargetSymlink: false).type == .directory else { return false }
        return try Directory.names(in: folder)
            .allSatisfy { HeadStore.isName($0) || HeadStamps.isName($0[...]) }
    }
}
