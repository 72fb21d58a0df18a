import LMDB
package import Platform
import RowCoding
package import SystemPackage
package import TripLedger

/// The data of a ledger's server that is not evidence: tokens, and items that were set aside.
///
/// It is the environment `server/` in the ledger's directory, beside the log, whose entries must
/// not hold secrets, and the views, which can be thrown away. The log and the trips do without it.
/// Several processes may have it open: a server sees at once what `ledger token` does.
///
/// Any thread may call any method at any time; what a method wrote is durable when it returns. A
/// process can open it once at a time.
package final class ServerState: Sendable {
    private static let directoryName = "server"

    static let options: Environment.Options = {
        var options = Environment.Options(
            maximumTables: ServerTable.allCases.count,
            initialMapBytes: 16 << 20,
            isReadOnly: false,
            maximumReaders: 126
        )
        // No other process would find data in files that were moved away.
        options.staysAtPath = true
        return options
    }()

    /// The directory.
    package let path: FilePath

    /// Whether nothing can be written: asked for, or because the medium or its rights say so.
    package let isReadOnly: Bool

    let environment: Environment
    private let tables: [ServerTable: Table]

    private init(at path: FilePath, isReadOnly: Bool, _ notice: WaitNotice?) throws {
        var options = Self.options
        options.isReadOnly = isReadOnly
        options.waitNotice = notice
        self.path = path
        self.isReadOnly = isReadOnly
        environment = try Environment(at: path, options: options)
        let handles = try environment.openTables(ServerTable.allCases.map(\.rawValue))
        tables = Dictionary(uniqueKeysWithValues: zip(ServerTable.allCases, handles))
    }

    /// Opens what stands beside the log of the ledger in a directory.
    ///
    /// - Parameters:
    ///   - ledger: The ledger's directory.
    ///   - isReadOnly: Whether nothing will be written.
    ///   - notice: Told when this process waits for another one that writes.
    /// - Returns: `nil` if there is nothing yet.
    /// - Throws: `.damaged`, `.inputOutput`.
    package static func open(
        of ledger: FilePath,
        isReadOnly: Bool = false,
        notice: WaitNotice? = nil
    ) throws(LedgerError) -> ServerState? {
        let path = path(of: ledger)
        return try translating(at: path) {
            guard try Directory.holds(path) else { return nil }
            guard !isReadOnly else { return try settled(at: path, isReadOnly: true, notice) }
            do {
                return try settled(at: path, isReadOnly: false, notice)
            } catch let error as LMDBError where error.code.isLackOfRights {
                return try settled(at: path, isReadOnly: true, notice)
            }
        }
    }

    /// Opens what stands beside the log of the ledger in a directory, and makes it if there is
    /// nothing yet.
    ///
    /// - Parameters:
    ///   - ledger: The ledger's directory, which MUST hold one.
    ///   - notice: Told when this process waits for another one that writes.
    /// - Returns: It, open.
    /// - Throws: `.damaged`, `.inputOutput`.
    package static func openOrCreate(
        of ledger: FilePath,
        notice: WaitNotice? = nil
    ) throws(LedgerError) -> ServerState {
        let path = path(of: ledger)
        if let state = try open(of: ledger, notice: notice) { return state }
        return try translating(at: path) {
            do {
                try Environment.create(at: path, options: options) { transaction in
                    for table in ServerTable.allCases {
                        _ = try transaction.createTable(table.rawValue)
                    }
                }
            } catch let error as LMDBError
                where error.code == .system(.fileExists)
                || error.code == .system(.directoryNotEmpty)
            {
                // Another process was faster, and made the same.
            }
            return try settled(at: path, isReadOnly: false, notice)
        }
    }

    /// Opens it, and says why tables may be missing that this version has.
    private static func settled(
        at path: FilePath,
        isReadOnly: Bool,
        _ notice: WaitNotice?
    ) throws -> ServerState {
        do {
            return try steady(at: path, isReadOnly: isReadOnly, notice)
        } catch let error as LMDBError where error.code == .notFound {
            throw earlierVersion(at: path)
        }
    }

    /// Opens it, and tries again while another process writes it anew.
    private static func steady(
        at path: FilePath,
        isReadOnly: Bool,
        _ notice: WaitNotice?
    ) throws -> ServerState {
        for _ in 1...3 {
            do {
                return try ServerState(at: path, isReadOnly: isReadOnly, notice)
            } catch let error as LMDBError where error.code == .replaced {
                continue
            }
        }
        return try ServerState(at: path, isReadOnly: isReadOnly, notice)
    }

    /// Writes a snapshot of the file, byte by byte, to a file that the caller makes durable.
    ///
    /// - Throws: `.inputOutput`.
    package func copy(to descriptor: FileDescriptor) throws(LedgerError) {
        try translating { try environment.copy(to: descriptor) }
    }

    /// Whether it is what stands in the ledger's directory: that may have been removed or replaced
    /// since it was opened.
    package var isAtPath: Bool { environment.isAtPath }

    /// Closes it; it MUST NOT be used after that.
    package func close() { environment.close() }

    /// Returns its path in a ledger's directory.
    package static func path(of ledger: FilePath) -> FilePath {
        ledger.appending(directoryName)
    }

    /// Returns the handle of a table.
    func handle(_ table: ServerTable) -> Table {
        guard let handle = tables[table] else {
            preconditionFailure("every table is opened with the environment")
        }
        return handle
    }
}

/// The tables of the environment `server/`.
enum ServerTable: String, CaseIterable {
    /// The totals of all items that were set aside.
    case state

    /// Tokens, by the SHA-256 of their texts.
    case tokens

    /// Items that were set aside, by their numbers.
    case setAside = "set_aside"

    /// The numbers of these items, by the items' identities.
    case setAsideNumbers = "set_aside_numbers"

    /// How far the logs of other ledgers were received, by the ids of these.
    case peers

    /// The items that are set aside with each token, of each kind.
    case setAsideShares = "set_aside_shares"

    /// The numbers of these items, for each token and kind apart.
    case setAsideOrder = "set_aside_order"
}

// MARK: - Failures

extension ServerState {
    private static let damageHint =
        "The log is not concerned. Put a backup of this directory in its place; or move it away, "
        + "and make new tokens with `ledger token new`"

    /// Runs `body`, and translates its errors into what they mean for the ledger's owner.
    static func translating<Result>(
        at path: FilePath,
        _ body: () throws -> Result
    ) throws(LedgerError) -> Result {
        try LedgerError.translating(at: path) {
            do {
                return try body()
            } catch RowCodingError.unknownVersion {
                throw LedgerError(
                    .newer,
                    at: path.string,
                    cause: "a newer version of ledger wrote this",
                    hint: "Use that version"
                )
            } catch is RowCodingError {
                throw damage(at: path, "a value is not one that the program writes")
            } catch let error as LMDBError where error.code.saysThatPagesAreDamaged {
                throw damage(at: path, error.description)
            }
        }
    }

    /// Returns the error that a table is missing, which every version creates that knows it.
    private static func earlierVersion(at path: FilePath) -> LedgerError {
        LedgerError(
            .damaged,
            at: path.string,
            cause: "an earlier version of ledger made this, or something else did: tables are "
                + "missing that this version keeps",
            hint: "The log is not concerned. Move this directory away, and make new tokens with "
                + "`ledger token new`; what was set aside there can be seen with that version"
        )
    }

    /// Returns the error that a stored value is not what was written.
    static func damage(at path: FilePath, _ cause: String) -> LedgerError {
        LedgerError(.damaged, at: path.string, cause: cause, hint: damageHint)
    }

    /// Runs `body` as ``translating(at:_:)`` does.
    func translating<Result>(_ body: () throws -> Result) throws(LedgerError) -> Result {
        try Self.translating(at: path, body)
    }
}

// MARK: - Values with checksums

extension ServerState {
    private static let checksumByteCount = 4

    /// Returns a value as it is stored: the CRC-32 of key and value, lowest byte first, then the
    /// value.
    ///
    /// LMDB has no checksums, and a flipped bit must not let a token do more.
    static func sealed(_ value: [UInt8], key: [UInt8]) -> [UInt8] {
        let checksum = CRC32.checksum(value, after: CRC32.checksum(key))
        return (0..<UInt32(checksumByteCount))
            .map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
            + value
    }

    /// Returns the value that was stored for a key.
    ///
    /// - Throws: `.damaged` if it is not what was written.
    func opened(_ stored: Span<UInt8>, key: [UInt8]) throws -> [UInt8] {
        let bytes = Self.copy(of: stored)
        let value = Array(bytes.dropFirst(Self.checksumByteCount))
        guard Self.sealed(value, key: key) == bytes else {
            throw Self.damage(at: path, "a value has another checksum")
        }
        return value
    }

    /// Returns bytes as an array, which may outlive the transaction.
    static func copy(of bytes: Span<UInt8>) -> [UInt8] {
        [UInt8](capacity: bytes.count) { output in
            for index in bytes.indices { output.append(bytes[index]) }
        }
    }

    /// Stores a value with its checksum.
    func put(
        _ value: [UInt8],
        key: [UInt8],
        in table: ServerTable,
        _ transaction: inout WriteTransaction
    ) throws {
        let stored = Self.sealed(value, key: key)
        try transaction.put(handle(table), key, stored, append: false)
    }
}
