import EventStore
import Platform
import Proofs
package import SystemPackage
package import TripEvents
package import TripLedger

/// Keeps a folder of backups useful: removes old ones, and tests the newest one by restoring it.
package struct BackupCare {
    /// The result of trying a backup.
    package struct Rehearsal: Hashable, Sendable {
        /// The head of the ledger that was made of it.
        package let head: LedgerHead

        /// How many trips that ledger has.
        package let tripCount: Int

        /// The signed heads and stamps that came with it.
        package let heads: HeadsBackup?
    }

    private let ledger: Ledger
    private let process: ScanProcess

    /// Prepares to care for the backups of a ledger; `process` reads what may be damaged.
    package init(of ledger: Ledger, process: ScanProcess) {
        self.ledger = ledger
        self.process = process
    }

    /// Removes the oldest backups of this ledger in a folder, with the tokens and heads beside
    /// them: only files with the names that this ledger gives.
    ///
    /// - Parameters:
    ///   - newest: The backup that was just made and verified; it always stays.
    ///   - count: How many backups stay, the newest included.
    /// - Returns: The files of the backups that are gone.
    /// - Throws: `.inputOutput`.
    package func removeOldest(
        besides newest: FilePath,
        keeping count: Int
    ) throws(LedgerError) -> [FilePath] {
        precondition(count > 0, "the newest backup stays")
        let folder = newest.removingLastComponent()
        return try LedgerError.translating(at: folder) {
            let start = LedgerBackup.ownName(ledger.founding.ledger)
            let turns = try turns()
            let others = try Directory.names(in: folder.isEmpty ? "." : folder)
                .filter { Self.isBackup($0, beginningWith: start) }
                .filter { $0 != newest.lastComponent?.string }
                // Those that the history does not have are older, and have the time in their names.
                .sorted { (turns[$0] ?? -1, $0) < (turns[$1] ?? -1, $1) }
            return try others.dropLast(count - 1)
                .map { name in
                    let file = folder.appending(name)
                    let tokens = ServerBackup.file(of: file)
                    if try Directory.holds(tokens) { try Directory.remove(tokens) }
                    try HeadsBackup.remove(of: file)
                    try Directory.remove(file)
                    return file
                }
        }
    }

    /// Returns the turns in which backups were made, by the names of their files: a clock that was
    /// ahead gave names that are later than those of newer ones.
    private func turns() throws(LedgerError) -> [String: Int] {
        var turns: [String: Int] = [:]
        for (turn, record) in try ledger.safekeeping().enumerated() where record.deed == .backup {
            if let name = FilePath(record.file).lastComponent?.string { turns[name] = turn }
        }
        return turns
    }

    /// Whether a name is one that a ledger gives to a backup in a folder: its own beginning, the
    /// time as `20260314T083000Z`, and an ending.
    private static func isBackup(_ name: String, beginningWith start: String) -> Bool {
        let (time, ending) = ("00000000T000000Z", ".backup")
        guard name.hasPrefix(start), name.hasSuffix(ending) else { return false }
        let middle = name.dropFirst(start.count).dropLast(ending.count)
        return middle.count == time.count
            && zip(middle, time).allSatisfy { $1 == "0" ? $0.isASCII && $0.isNumber : $0 == $1 }
    }

    /// Restores a backup into a folder of its own, checks that the result is the ledger as it was,
    /// derives its trips, and removes the folder again.
    ///
    /// - Parameters:
    ///   - backup: The backup, and the head of the log in it.
    ///   - now: The time, for the history.
    ///   - onProgress: Told how far reading is.
    /// - Returns: The result.
    /// - Throws: `.damaged` if it is not the ledger as it was; `.inputOutput`, for example if there
    ///   is no room.
    package func rehearse(
        _ backup: LedgerBackup.Report,
        now: Timestamp,
        onProgress: (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in }
    ) throws(LedgerError) -> Rehearsal {
        let folder = backup.file.removingLastComponent()
        let name = (backup.file.lastComponent?.string ?? "") + LedgerBackup.rehearsalSuffix
        return try LedgerError.translating(at: folder.isEmpty ? "." : folder) {
            try Unfinished.withDirectory(for: name, in: folder) { place in
                defer {
                    // A leftover does no harm, and its name says that it is one.
                    try? Directory.removeTree(place)
                }
                return try rehearse(backup, in: place, now: now, onProgress)
            }
        }
    }

    /// Tries a backup in a directory of its own, in which nothing is yet.
    private func rehearse(
        _ backup: LedgerBackup.Report,
        in place: FilePath,
        now: Timestamp,
        _ onProgress: (_ done: UInt64, _ total: UInt64) -> Void
    ) throws -> Rehearsal {
        let restored = try LedgerRestore(into: place, process: process)
            .restore(backup.file, acceptsLoss: false, now: now, onProgress: onProgress)
        let tokens = try ServerBackup(process: process).restore(from: backup.file, into: place)
        guard backup.tokensFile == nil || tokens == .restored else {
            throw LedgerError(
                .damaged,
                at: ServerBackup.file(of: backup.file).string,
                cause: "the tokens that were copied cannot be read back",
                hint: "Make another backup, on another disk"
            )
        }
        let copy = try Ledger(at: place)
        defer { copy.close() }
        let head = try copy.head()
        guard head == backup.head, restored.head == head,
            copy.founding.ledger == ledger.founding.ledger
        else {
            throw LedgerError(
                .damaged,
                at: backup.file.string,
                cause: "what is restored from it is not the ledger that was copied",
                hint: "Make another backup, on another disk, and look at both with `ledger "
                    + "verify`"
            )
        }
        try requireHeads(of: backup, in: restored)
        let count = try copy.read { try $0.trips().count }
        var record = SafekeepingRecord(.rehearsed, at: now, head: head)
        record.file = try Directory.absolute(backup.file).string
        if !ledger.isReadOnly { try SafekeepingHistory(of: ledger.path).append(record) }
        return Rehearsal(head: head, tripCount: count, heads: restored.heads)
    }

    /// Throws if the restored signed heads and stamps are not those that were copied.
    private func requireHeads(
        of backup: LedgerBackup.Report,
        in restored: LedgerRestore.Report
    ) throws(LedgerError) {
        let (copied, back) = (backup.heads, restored.heads)
        guard copied?.headCount ?? 0 == back?.headCount ?? 0,
            copied?.stampCount ?? 0 == back?.stampCount ?? 0, back?.left.isEmpty ?? true
        else {
            throw LedgerError(
                .damaged,
                at: HeadsBackup.path(of: backup.file).string,
                cause: "the signed heads and stamps in it are not those that were copied",
                hint: "Make another backup, on another disk"
            )
        }
    }
}
