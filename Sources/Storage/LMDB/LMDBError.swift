internal import CLMDB
internal import Glibc
package import SystemPackage

/// An error of LMDB or the system: which call failed, where and why.
package struct LMDBError: Error, Hashable, Sendable {
    /// The reason.
    package let code: Code

    /// The C function that failed, such as `mdb_put`; or, where we refused, what was asked for.
    package let operation: String

    /// The directory of the environment, or the file in it that is at fault.
    package let path: FilePath

    /// Creates an error.
    package init(code: Code, operation: String, path: FilePath) {
        self.code = code
        self.operation = operation
        self.path = path
    }

    /// Whether the transaction may have become durable although its commit failed.
    ///
    /// A commit writes the pages, then the meta page that makes them count, and a failure does not
    /// say on which side of that it was. A caller MUST NOT take such a commit for done or for
    /// undone without opening the environment again and looking.
    package var outcomeIsUnknown: Bool {
        guard operation == "mdb_txn_commit" else { return false }
        switch code {
        case .system, .panic, .other, .lostWrite, .displaced: return true
        default: return false
        }
    }
}

extension LMDBError {
    /// Names why a call failed: LMDB's codes one to one, the system's, and our own refusals.
    package enum Code: Hashable, Sendable {
        /// `MDB_KEYEXIST`: an appended key does not come after the last one.
        case keyExists
        /// `MDB_NOTFOUND`: no such key or table.
        case notFound
        /// `MDB_PAGE_NOTFOUND`: a page is missing; the file is damaged.
        case pageNotFound
        /// `MDB_CORRUPTED`: a page is of the wrong kind; the file is damaged.
        case corrupted
        /// `MDB_PANIC`: an earlier failure left the open environment unusable.
        case panic
        /// `MDB_VERSION_MISMATCH`: the file has another format version.
        case versionMismatch
        /// `MDB_INVALID`: not a file of LMDB.
        case invalid
        /// `MDB_MAP_FULL`: the map has no room for the transaction.
        case mapFull
        /// `MDB_DBS_FULL`: more tables than ``Environment/Options/maximumTables``.
        case tablesFull
        /// `MDB_READERS_FULL`: more readers than ``Environment/Options/maximumReaders``.
        case readersFull
        /// `MDB_TLS_FULL`: no thread key left.
        case threadKeysFull
        /// `MDB_TXN_FULL`: the transaction changes too many pages.
        case transactionFull
        /// `MDB_CURSOR_FULL`: the tree is too deep.
        case cursorFull
        /// `MDB_PAGE_FULL`: a page has no room.
        case pageFull
        /// `MDB_MAP_RESIZED`: another process let the file outgrow our map.
        case mapResized
        /// `MDB_INCOMPATIBLE`: the table was made with other flags, or is not a table.
        case incompatible
        /// `MDB_BAD_RSLOT`: the reader's slot is in use.
        case badReaderSlot
        /// `MDB_BAD_TXN`: the transaction failed before and can only be aborted.
        case badTransaction
        /// `MDB_BAD_VALSIZE`: a key is empty or longer than 511 bytes, or a value too long.
        case badValueSize
        /// `MDB_BAD_DBI`: the table was dropped or is not open.
        case badTable
        /// The system refused.
        case system(Errno)
        /// A code that LMDB 0.9.24 does not have.
        case other(CInt)

        /// This process has the environment open already.
        case alreadyOpen
        /// The environment was closed, or its map was lost.
        case closed
        /// A process with our process identifier, in another container, holds our reader slot.
        case processIdentifierTaken
        /// The file is not LMDB's, or its first pages are damaged; LMDB was not let near it.
        case foreignFile
        /// The file ends before its last used page.
        case truncated(fileBytes: Int, neededBytes: Int)
        /// The path is a symbolic link.
        case symbolicLink
        /// The path is something else than a directory, or its data file than a regular file.
        case wrongFileType
        /// The files were exchanged for others while they were being opened.
        case replaced
        /// The file that is open is not the one at its path any more, or an older copy was written
        /// over it.
        case displaced
        /// Another process has the data file open with another lock file than the one that is
        /// there now.
        case lockFileLost
        /// Someone cut the lock file while another process uses it.
        case lockFileCut
        /// A reader on this thread keeps the map from growing.
        case mapInUse
        /// A commit succeeded, and the file shows only what was there before it.
        case lostWrite
    }
}

extension LMDBError.Code {
    /// Whether the file is not what LMDB once wrote.
    package var isDamage: Bool {
        switch self {
        case .pageNotFound, .corrupted, .versionMismatch, .invalid, .foreignFile, .truncated: true
        default: false
        }
    }

    /// Whether pages that were read are not as LMDB wrote them: every code that LMDB returns then.
    package var saysThatPagesAreDamaged: Bool {
        switch self {
        case .badTransaction, .badValueSize, .badTable, .cursorFull, .incompatible, .notFound,
            .other:
            true
        default: isDamage
        }
    }

    /// Whether there is no room to write.
    package var isLackOfRoom: Bool {
        self == .system(.noSpace) || self == .system(.diskQuotaExceeded)
    }

    /// Whether the medium, or the rights on it, let nothing be written.
    package var isLackOfRights: Bool {
        switch self {
        case .system(.readOnlyFileSystem), .system(.permissionDenied): true
        default: false
        }
    }

    /// Translates what a function of LMDB returned.
    init(status: CInt) {
        switch status {
        case MDB_KEYEXIST: self = .keyExists
        case MDB_NOTFOUND: self = .notFound
        case MDB_PAGE_NOTFOUND: self = .pageNotFound
        case MDB_CORRUPTED: self = .corrupted
        case MDB_PANIC: self = .panic
        case MDB_VERSION_MISMATCH: self = .versionMismatch
        case MDB_INVALID: self = .invalid
        case MDB_MAP_FULL: self = .mapFull
        case MDB_DBS_FULL: self = .tablesFull
        case MDB_READERS_FULL: self = .readersFull
        case MDB_TLS_FULL: self = .threadKeysFull
        case MDB_TXN_FULL: self = .transactionFull
        case MDB_CURSOR_FULL: self = .cursorFull
        case MDB_PAGE_FULL: self = .pageFull
        case MDB_MAP_RESIZED: self = .mapResized
        case MDB_INCOMPATIBLE: self = .incompatible
        case MDB_BAD_RSLOT: self = .badReaderSlot
        case MDB_BAD_TXN: self = .badTransaction
        case MDB_BAD_VALSIZE: self = .badValueSize
        case MDB_BAD_DBI: self = .badTable
        case 1...: self = .system(Errno(rawValue: status))
        default: self = .other(status)
        }
    }
}

extension LMDBError: CustomStringConvertible {
    /// Where, what, and what to do, in one line.
    package var description: String {
        let unknown =
            outcomeIsUnknown
            ? "; whether the transaction was stored is unknown: open again and look" : ""
        return "\(path): \(operation): \(code)\(unknown)"
    }
}

extension LMDBError.Code: CustomStringConvertible {
    /// The error as a clause that does not say where it happened.
    package var description: String {
        switch self {
        case .keyExists: "the key is taken, or does not follow the last one"
        case .notFound: "no such key or table"
        case .pageNotFound: "a page is missing, the file is damaged"
        case .corrupted: "a page is of the wrong kind, the file is damaged"
        case .panic: "an earlier failure made the open environment unusable; close and open it"
        case .versionMismatch: "the file has another format version"
        case .invalid: "not a file of LMDB"
        case .mapFull: "the map has no room for the transaction"
        case .tablesFull: "too many tables for this environment's options"
        case .readersFull: "all reader slots are taken by live readers; try again later"
        case .threadKeysFull: "no thread key left"
        case .transactionFull: "the transaction changes too many pages; make it smaller"
        case .cursorFull: "the tree is too deep, the file may be damaged"
        case .pageFull: "a page has no room, the file may be damaged"
        case .mapResized: "another process let the file outgrow our map"
        case .incompatible: "the table was made with other flags, or is not a table"
        case .badReaderSlot: "the reader's slot is in use"
        case .badTransaction: "the transaction failed before and can only be aborted"
        case .badValueSize: "a key has no or more than 511 bytes, or a value is too long"
        case .badTable: "the table was dropped or is not open"
        case .system(let number): number.description
        case .other(let status): "unknown status \(status)"
        case .alreadyOpen: "this process has it open already; close that one first"
        case .closed: "the environment is closed"
        case .processIdentifierTaken:
            "a process with our process identifier reads here, probably in another container; "
                + "run one of them with the other's process namespace"
        case .foreignFile: "not a file of LMDB, or its first pages are damaged"
        case .truncated(let fileBytes, let neededBytes):
            "the file is truncated: it has \(fileBytes) of at least \(neededBytes) bytes"
        case .symbolicLink: "is a symbolic link; give the real path"
        case .wrongFileType: "is not of the expected file type"
        case .replaced: "was exchanged for another while it was being opened; open it again"
        case .displaced:
            "this file was deleted, moved, replaced or overwritten while it was in use"
        case .lockFileLost:
            "another process uses data.mdb with a lock file that stood here before and was deleted "
                + "or replaced; end it first"
        case .lockFileCut:
            "this file was cut while another process uses it; end that one first"
        case .mapInUse: "a reader on this thread keeps the map from growing; end it first"
        case .lostWrite: "what was written is not in the file; its medium loses writes"
        }
    }
}

extension LMDBError {
    /// Runs a call of the system and says which one failed on which file.
    static func system<Result>(
        _ operation: String,
        _ path: FilePath,
        _ body: () throws -> Result
    ) throws(LMDBError) -> Result {
        do {
            return try body()
        } catch {
            let number = error as? Errno ?? .ioError
            throw LMDBError(code: .system(number), operation: operation, path: path)
        }
    }

    /// Checks what a function of the C library returned that leaves its reason in `errno`.
    static func require(
        _ status: CInt,
        _ operation: String,
        _ path: FilePath
    ) throws(LMDBError) {
        let number = Errno(rawValue: errno)
        guard status == 0 else {
            throw LMDBError(code: .system(number), operation: operation, path: path)
        }
    }
}
