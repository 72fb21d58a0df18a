import EventStore
import LMDB
import Platform
import Proofs
public import SystemPackage
import TripEvents
public import TripLedger

extension Ledger {
    /// How many entries are put into one transaction.
    private static let importBatch = 10_000

    /// Makes a ledger from an export, or adds the newer entries of an export to its ledger.
    ///
    /// Everything is checked before anything can be seen of it: a new ledger appears whole or not
    /// at all, and an old one is only added to after the whole export has been read once.
    ///
    /// - Parameters:
    ///   - source: A file or directory that `ledger export` wrote; `nil` for standard input.
    ///   - path: The ledger's directory.
    ///   - head: An earlier head of the log: only its entries are taken, and the ledger is a new
    ///     one. `nil` for all entries.
    ///   - onProgress: Told how many entries of how many were read, now and then.
    /// - Returns: What was done.
    /// - Throws: `.unreadableInput` if the export is damaged or is not of the same history,
    ///   `.alreadyThere` if there is a ledger and only the entries of `head` are wanted,
    ///   `.damaged`, `.inputOutput`.
    public static func importing(
        _ source: FilePath?,
        into path: FilePath,
        asOf head: LedgerHead? = nil,
        onProgress: (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in }
    ) throws(LedgerError) -> ImportSummary {
        let isThere = try LedgerError.translating(at: path) {
            try Directory.holds(path.appending("log"))
        }
        guard isThere else { return try found(source, at: path, asOf: head, onProgress) }
        guard head == nil else {
            throw LedgerError(
                .alreadyThere,
                at: path.string,
                cause: "there is a ledger here already, and it cannot go back to an earlier head",
                hint: "Name a directory that is not there yet with --ledger"
            )
        }
        guard let source, canBeReadTwice(source) else {
            throw LedgerError(
                .unreadableInput,
                at: source?.string ?? "standard input",
                cause: "there is a ledger already, and what is to be added is read twice",
                hint: "Name a file"
            )
        }
        let ledger = try Ledger(at: path)
        defer { ledger.close() }
        return try ledger.catchUp(with: source, onProgress)
    }

    private static func found(
        _ source: FilePath?,
        at path: FilePath,
        asOf head: LedgerHead?,
        _ onProgress: (_ done: UInt64, _ total: UInt64) -> Void
    ) throws(LedgerError) -> ImportSummary {
        let unfinished = path.appending(".import-\(UInt64.random(in: 0 ... .max)).new")
        let isNew = (try? Directory.holds(path)) == false
        var check: ExportCheck?
        var log: EventLog?
        var batch: [ImportedEntry] = []
        var withheld: UInt64 = 0
        func flush() throws {
            try check?.requireSound()
            guard !batch.isEmpty else { return }
            let note = check?.header.signedWithheld?.note.bytes ?? []
            log = try append(batch, to: log, at: unfinished, note)
            batch.removeAll(keepingCapacity: true)
        }
        do {
            try Directory.make(path)
            try ExportReader(source)
                .read { header in
                    guard header.from == 0 else {
                        throw ExportDamage("it begins at position \(header.from), not at 0")
                    }
                    check = ExportCheck(header, watching: head?.size)
                } take: { content, line in
                    let name = try check?.take(content, line)
                    // Entries after the head are read all the same: the whole must be sound.
                    guard let position = check?.position, position <= head?.size ?? .max
                    else { return }
                    if case .withheld = content { withheld += 1 }
                    batch.append(ImportedEntry(content, name))
                    guard batch.count == importBatch else { return }
                    try flush()
                    if let check { onProgress(position, check.header.head.size) }
                }
            try flush()
            check?.finish()
            let imported = try require(check, log, asOf: head)
            log?.close()
            try publish(unfinished, at: path)
            return ImportSummary(
                added: imported.size,
                known: 0,
                withheld: withheld,
                head: LedgerHead(imported)
            )
        } catch {
            log?.close()
            // A leftover does no harm; the error that left it is the one to report.
            try? Directory.remove(unfinished)
            if isNew { try? Directory.removeEmpty(path) }
            throw Self.refusal(error, source, at: path)
        }
    }

    /// Creates a log from its first entries, adds the others, and returns it.
    private static func append(
        _ batch: [ImportedEntry],
        to log: EventLog?,
        at path: FilePath,
        _ withheldNote: [UInt8]
    ) throws -> EventLog {
        guard let log else {
            return try EventLog.create(at: path, importing: batch, withheldNote: withheldNote)
        }
        _ = try log.append(importing: batch, at: log.newest.head().size, withheldNote: withheldNote)
        return log
    }

    /// Puts an imported log in its place, where nothing may be yet.
    private static func publish(_ log: FilePath, at path: FilePath) throws {
        do {
            try DurableFile.move(log, to: path.appending("log"), isReplacing: false)
        } catch Errno.fileExists {
            throw LedgerError(
                .alreadyThere,
                at: path.string,
                cause: "another program made a ledger here meanwhile",
                hint: "Nothing was imported. Import again to add what the export holds more"
            )
        }
    }

    private static func canBeReadTwice(_ source: FilePath) -> Bool {
        // If it does not exist, reading it says so.
        guard let type = try? Stat(source).type else { return true }
        return type == .regular || type == .directory
    }

    /// Returns the head of a log that holds exactly what the export claims, or what an earlier head
    /// does.
    private static func require(
        _ check: ExportCheck?,
        _ log: EventLog?,
        asOf earlier: LedgerHead?
    ) throws -> TreeHead {
        try check?.requireSound()
        guard let check, let log else { throw ExportDamage("it holds no entries") }
        let head = try log.newest.head()
        guard let earlier else {
            guard head == check.header.head else {
                throw ExportDamage("its entries do not have the root that it names")
            }
            return head
        }
        let typed = TypedRoot(earlier.root)
        if let mistake = typed.mistake(inCount: earlier.size, for: check.header.head) {
            throw ExportDamage(mistake)
        }
        guard earlier.size <= check.header.head.size else {
            throw ExportDamage(
                "it holds \(check.header.head.size) entries, and the head is of \(earlier.size)"
            )
        }
        guard head == TreeHead(earlier) else {
            if let mistake = typed.mistake(for: head.root) {
                throw ExportDamage(mistake)
            }
            throw ExportDamage("its first \(earlier.size) entries are not those of the head")
        }
        if let erased = check.firstErasedLater, erased < earlier.size {
            throw ExportDamage(
                "what stood at position \(erased) was erased after that head: what was computed "
                    + "from it then cannot be computed again"
            )
        }
        return head
    }

    private func catchUp(
        with source: FilePath,
        _ onProgress: (_ done: UInt64, _ total: UInt64) -> Void
    ) throws(LedgerError) -> ImportSummary {
        var added: UInt64 = 0
        do {
            let before = try log.head()
            var checked: [Digest] = []
            try readContinuation(source, of: before, onProgress) { batch in
                checked.append(Self.digest(of: batch))
            }
            var left = checked[...]
            if !left.isEmpty {
                try readContinuation(source, of: before) { batch in
                    // Only checked entries are added, whatever the file holds by now.
                    guard left.popFirst() == Self.digest(of: batch) else { throw Self.hasChanged }
                    _ = try eventLog.append(importing: batch, at: before.size + added)
                    added += UInt64(batch.count)
                }
            }
            guard left.isEmpty else { throw Self.hasChanged }
            return ImportSummary(
                added: added,
                known: before.size,
                withheld: 0,
                head: LedgerHead(try log.head())
            )
        } catch {
            throw Self.refusal(error, source, at: path, added: added)
        }
    }

    private static let hasChanged = ExportDamage("it changed while it was read")

    private static func digest(of batch: [ImportedEntry]) -> Digest {
        var stream = SHA256Stream()
        for entry in batch {
            switch entry {
            case .entry(let bytes, _): stream.update(bytes.span)
            case .withheld(let leaf): stream.update(leaf.array.span)
            }
        }
        return stream.finish()
    }

    /// Reads an export, and checks that it is sound and that its log begins with this one, or this
    /// one with it; hands over the entries that this log lacks in batches, before the end of the
    /// export is checked.
    private func readContinuation(
        _ source: FilePath,
        of head: TreeHead,
        _ onProgress: (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in },
        take: ([ImportedEntry]) throws -> Void
    ) throws {
        var check: ExportCheck?
        var batch: [ImportedEntry] = []
        try ExportReader(source, earlier: { try self.earlierEntries(before: $0) })
            .read { header in
                guard header.ledger == founding.ledger else {
                    throw ExportDamage("it is of another ledger, \(header.ledger)")
                }
                guard header.from <= head.size, header.withheld == 0 else {
                    throw Self.isIncomplete
                }
                check = ExportCheck(header, watching: head.size)
            } take: { content, line in
                let name = try check?.take(content, line)
                guard let check else { return }
                if case .withheld = content { throw Self.isIncomplete }
                if check.position.isMultiple(of: UInt64(Self.importBatch)) {
                    onProgress(check.position, check.header.head.size)
                }
                guard check.position > head.size else { return }
                batch.append(ImportedEntry(content, name))
                guard batch.count == Self.importBatch else { return }
                try take(batch)
                batch.removeAll(keepingCapacity: true)
            }
        check?.finish()
        guard let check else { throw ExportDamage("it is empty") }
        try check.requireSound()
        try requireSameHistory(check, head, in: source)
        if !batch.isEmpty { try take(batch) }
    }

    private static let isIncomplete = ExportDamage(
        "entries are missing between this ledger and it, or are withheld"
    )

    private func requireSameHistory(
        _ check: ExportCheck,
        _ head: TreeHead,
        in source: FilePath
    ) throws {
        if let erased = check.firstErasedLater, erased < head.size {
            throw LedgerError(
                .unreadableInput,
                at: source.string,
                cause: "the entry at position \(erased) was erased since, and an import adds "
                    + "entries and erases none",
                hint: "Nothing was imported, and this copy still holds what was erased. Make a new "
                    + "one with `ledger import \(source) --ledger NEW`, check it with "
                    + "`ledger verify NEW`, and delete this one"
            )
        }
        let size = check.header.head.size
        let isSame =
            size < head.size
            ? try LogTree(log).root(atSize: size) == check.header.head.root
            : check.watchedRoot == head.root
        guard isSame else {
            throw ExportDamage("its history is another one than this ledger's")
        }
    }

    private static func refusal(
        _ error: any Error,
        _ source: FilePath?,
        at path: FilePath,
        added: UInt64 = 0
    ) -> LedgerError {
        let place = source?.string ?? "standard input"
        let hint =
            added == 0
            ? "Nothing was imported"
            : "\(added) entries were added, all of which had been checked. Import it again to go on"
        switch error {
        case let error as LedgerError: return error
        case let error as ExportDamage:
            return LedgerError(
                error.segments?.errorCode ?? .unreadableInput,
                at: place,
                cause: error.description,
                hint: hint
            )
        case EventLogError.damaged(let position, let what):
            return LedgerError(
                .unreadableInput,
                at: place,
                cause: "position \(position): \(what)",
                hint: hint
            )
        case let error as Errno:
            return LedgerError(.unreadableInput, at: place, cause: error.description)
        default:
            do {
                return try LedgerError.translating(at: path) { throw error }
            } catch {
                return error
            }
        }
    }
}

extension ImportedEntry {
    fileprivate init(_ content: ExportedContent, _ source: RegisteredSource?) {
        switch content {
        case .entry(let bytes): self = .entry(bytes, registering: source)
        case .withheld(let leaf): self = .withheld(leaf)
        }
    }
}

/// The result of an import.
public struct ImportSummary: Hashable, Sendable {
    /// Entries that were added.
    public var added: UInt64

    /// Entries that the ledger had before.
    public var known: UInt64

    /// Entries whose hash alone was in the export.
    public var withheld: UInt64

    /// The ledger's size and root afterwards.
    public var head: LedgerHead
}
