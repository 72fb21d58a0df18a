internal import CLMDB
import Glibc

/// Reads and changes the environment; no other transaction sees the changes before the commit.
///
/// The spans that ``get(_:_:)-(Table,Span<UInt8>)`` and cursors return end with the next change,
/// which the compiler checks. ``Environment/write(_:)`` begins one, commits it when its body
/// returns and aborts it when the body throws. It belongs to one thread.
// @safe because the handle never leaves, except into what borrows this value.
@safe package struct WriteTransaction: ~Copyable {
    private let environment: Environment
    private var pointer: OpaquePointer?

    /// How many changes it has made.
    private(set) var changeCount = 0

    /// Whether it failed because the map is full, so that it should run again on a larger one.
    private(set) var ranOutOfMap = false

    /// Begins a transaction.
    ///
    /// The corresponding C function is `mdb_txn_begin`.
    init(in environment: Environment) throws(LMDBError) {
        self.environment = environment
        // `commit()`, `abort()` or `deinit` ends what begins here.
        unsafe pointer = unsafe try environment.beginWriting()
    }

    deinit {
        // Nothing that borrowed this value is left.
        if let pointer = unsafe pointer { unsafe mdb_txn_abort(pointer) }
    }

    private var handle: TransactionHandle {
        // For the call in hand only, during which this value cannot end.
        guard let pointer = unsafe pointer else {
            preconditionFailure("The transaction is over.")
        }
        return unsafe TransactionHandle(pointer: pointer, environment: environment)
    }
}

// MARK: - Reading

extension WriteTransaction {
    /// Finds the value of a key, or returns `nil`.
    ///
    /// The corresponding C function is `mdb_get`.
    // Lent until the next change, which needs the transaction to itself and may move the page.
    @_lifetime(borrow self)
    package func get(
        _ table: Table,
        _ key: borrowing Span<UInt8>
    ) throws(LMDBError) -> Span<UInt8>? {
        guard let value = unsafe try handle.get(table, key) else { return nil }
        return unsafe _overrideLifetime(value.bytes, borrowing: self)
    }

    /// Finds the value of a key, or returns `nil`.
    ///
    /// The corresponding C function is `mdb_get`.
    // Lent as by the overload for spans.
    @_lifetime(borrow self)
    package func get(_ table: Table, _ key: [UInt8]) throws(LMDBError) -> Span<UInt8>? {
        try get(table, key.span)
    }

    /// Opens a cursor without a position. As long as it exists, nothing can be changed.
    ///
    /// The corresponding C function is `mdb_cursor_open`.
    // The cursor must be closed before the transaction ends, and its bytes before the next change.
    @_lifetime(borrow self)
    package func cursor(_ table: Table) throws(LMDBError) -> Cursor {
        // The cursor closes its handle, and cannot outlive this value.
        let cursor = unsafe Cursor(
            pointer: try handle.openCursor(table),
            environment: environment,
            readsOnlyMap: false
        )
        return unsafe _overrideLifetime(cursor, borrowing: self)
    }

    /// Counts the entries of a table.
    ///
    /// The corresponding C function is `mdb_stat`.
    package func entryCount(_ table: Table) throws(LMDBError) -> Int {
        try handle.entryCount(table)
    }
}

// MARK: - Entries

extension WriteTransaction {
    /// Stores a value, in place of the one that the key had.
    ///
    /// With `append`, the key MUST be greater than every other in the table, which fills pages to
    /// the brim; `.keyExists` is thrown if it is not. The corresponding C function is `mdb_put`.
    package mutating func put(
        _ table: Table,
        _ key: borrowing Span<UInt8>,
        _ value: borrowing Span<UInt8>,
        append: Bool
    ) throws(LMDBError) {
        handle.requireOwn(table)
        // LMDB reads key and value during the call only.
        let status = unsafe key.withUnsafeBytes { keyBytes in
            unsafe value.withUnsafeBytes { valueBytes in
                var name = unsafe MDB_val(keyBytes)
                var content = unsafe MDB_val(valueBytes)
                return unsafe mdb_put(
                    pointer,
                    table.identifier,
                    &name,
                    &content,
                    append ? CUnsignedInt(MDB_APPEND) : 0
                )
            }
        }
        try finishChange(of: table, status, "mdb_put")
    }

    /// Stores a value, in place of the one that the key had.
    ///
    /// The corresponding C function is `mdb_put`.
    package mutating func put(
        _ table: Table,
        _ key: [UInt8],
        _ value: borrowing Span<UInt8>,
        append: Bool
    ) throws(LMDBError) {
        try put(table, key.span, value, append: append)
    }

    /// Stores a value, in place of the one that the key had.
    ///
    /// The corresponding C function is `mdb_put`.
    package mutating func put(
        _ table: Table,
        _ key: [UInt8],
        _ value: [UInt8],
        append: Bool
    ) throws(LMDBError) {
        try put(table, key.span, value.span, append: append)
    }

    /// Removes a key and its value, or returns `false` if there is no such key.
    ///
    /// The corresponding C function is `mdb_del`.
    package mutating func delete(
        _ table: Table,
        _ key: borrowing Span<UInt8>
    ) throws(LMDBError) -> Bool {
        handle.requireOwn(table)
        // LMDB reads the key during the call only.
        let status = unsafe key.withUnsafeBytes { bytes in
            var name = unsafe MDB_val(bytes)
            return unsafe mdb_del(pointer, table.identifier, &name, nil)
        }
        if status == MDB_NOTFOUND { return false }
        try finishChange(of: table, status, "mdb_del")
        return true
    }

    /// Removes a key and its value, or returns `false` if there is no such key.
    ///
    /// The corresponding C function is `mdb_del`.
    package mutating func delete(_ table: Table, _ key: [UInt8]) throws(LMDBError) -> Bool {
        try delete(table, key.span)
    }
}

// MARK: - Tables

extension WriteTransaction {
    /// Opens the table of that name, and creates it if there is none.
    ///
    /// The corresponding C function is `mdb_dbi_open` with `MDB_CREATE`.
    package mutating func createTable(_ name: String) throws(LMDBError) -> Table {
        // LMDB copies the name.
        var identifier = MDB_dbi()
        let status = unsafe mdb_dbi_open(pointer, name, CUnsignedInt(MDB_CREATE), &identifier)
        // No change by itself: the table may have been there.
        try finish(status, "mdb_dbi_open")
        return Table(identifier: identifier, environment: ObjectIdentifier(environment))
    }
}

// MARK: - The end

extension WriteTransaction {
    /// Makes the changes durable, and checks that the file shows them and is at its path.
    ///
    /// The corresponding C function is `mdb_txn_commit`.
    /// - Throws: `.lostWrite` if it does not show them, `.displaced` if it is not at its path.
    mutating func commit() throws(LMDBError) {
        // The transaction is alive; then its handle is not used again.
        let number = unsafe mdb_txn_id(pointer)
        errno = 0
        let status = unsafe mdb_txn_commit(pointer)
        // LMDB frees the transaction whether it succeeds or not.
        unsafe pointer = nil
        // A write that ends early is EIO for LMDB, though no call has failed: the disk is full.
        let isCutShort = status == EIO && errno != EIO
        try finish(isCutShort ? ENOSPC : status, "mdb_txn_commit")
        // LMDB writes nothing for a transaction without changes.
        if changeCount > 0 { try environment.requireCommitted(number, "mdb_txn_commit") }
    }

    /// Drops the changes.
    ///
    /// The corresponding C function is `mdb_txn_abort`.
    mutating func abort() {
        // The handle is not used again.
        if let pointer = unsafe pointer { unsafe mdb_txn_abort(pointer) }
        unsafe pointer = nil
    }

    private mutating func finishChange(
        of table: Table,
        _ status: CInt,
        _ operation: String
    ) throws(LMDBError) {
        try finish(status, operation)
        changeCount += 1
        environment.countChange(of: table)
    }

    private mutating func finish(_ status: CInt, _ operation: String) throws(LMDBError) {
        if status == MDB_MAP_FULL { ranOutOfMap = true }
        try environment.check(status, operation)
    }
}
