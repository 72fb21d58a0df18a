import CLMDB
import Glibc

/// A snapshot: reads the environment as it was when the transaction began.
///
/// The spans that ``get(_:_:)-(Table,Span<UInt8>)`` returns end with the transaction, which the
/// compiler checks. ``Environment/read(_:)`` begins one. It belongs to one thread.
// @safe because the handle never leaves, except into what borrows this value.
@safe package struct ReadTransaction: ~Copyable {
    private let handle: TransactionHandle

    /// Begins a transaction.
    ///
    /// The corresponding C function is `mdb_txn_begin`.
    init(in environment: Environment) throws(LMDBError) {
        // `deinit` ends what begins here.
        handle = unsafe TransactionHandle(
            pointer: try environment.beginReading(),
            environment: environment
        )
    }

    deinit {
        // Nothing that borrowed this value is left.
        unsafe mdb_txn_abort(handle.pointer)
        handle.environment.gate.leaveReading()
    }

    /// Finds the value of a key, or returns `nil`, as it does for a key that cannot be stored, such
    /// as an empty one.
    ///
    /// The corresponding C function is `mdb_get`.
    // Lent for as long as the transaction lives, because its snapshot never changes.
    @_lifetime(borrow self)
    package func get(
        _ table: Table,
        _ key: borrowing Span<UInt8>
    ) throws(LMDBError) -> Span<UInt8>? {
        guard let value = unsafe try handle.get(table, key) else { return nil }
        var window = ResidentPages.Window()
        unsafe handle.environment.residentPages.count(value.bytes, last: &window)
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

    /// Opens a cursor without a position.
    ///
    /// The corresponding C function is `mdb_cursor_open`.
    // A cursor of a finished transaction would walk over reused pages.
    @_lifetime(borrow self)
    package func cursor(_ table: Table) throws(LMDBError) -> Cursor {
        // The cursor closes its handle, and cannot outlive this value.
        let cursor = unsafe Cursor(
            pointer: try handle.openCursor(table),
            environment: handle.environment,
            readsOnlyMap: true
        )
        return unsafe _overrideLifetime(cursor, borrowing: self)
    }

    /// The number of the write whose outcome it reads: two with the same number read the same.
    ///
    /// The corresponding C function is `mdb_txn_id`.
    package var number: Int {
        // The transaction is alive as long as this value.
        unsafe mdb_txn_id(handle.pointer)
    }

    /// Counts the entries of a table.
    ///
    /// The corresponding C function is `mdb_stat`.
    package func entryCount(_ table: Table) throws(LMDBError) -> Int {
        try handle.entryCount(table)
    }
}

/// One read transaction that several calls share, so that all of them see the same snapshot.
///
/// It is for reads that a closure cannot hold together; ``Environment/read(_:)`` is simpler where
/// one can. It belongs to the thread that began it: use on another thread, or after ``end()``, is a
/// programming error and stops the program. Only one that ``lend()`` began may be read elsewhere.
// @unchecked because every use checks that it runs on the thread that began the transaction; one
// that is lent is used by one thread at a time.
package final class SharedRead: @unchecked Sendable {
    private let environment: Environment
    private let thread = pthread_self()
    private let isLent: Bool
    private var transaction: ReadTransaction?

    /// Begins the transaction.
    ///
    /// - Throws: ``LMDBError``.
    package convenience init(of environment: Environment) throws(LMDBError) {
        try self.init(of: environment, isLent: false)
    }

    private init(of environment: Environment, isLent: Bool) throws(LMDBError) {
        self.environment = environment
        self.isLent = isLent
        transaction = try ReadTransaction(in: environment)
    }

    /// Begins another transaction of the same snapshot, which one other thread may read.
    ///
    /// That thread MUST be started after this call. It MUST have been joined when this thread ends
    /// the transaction.
    ///
    /// - Returns: The transaction, or `nil` if there was a write since this one began.
    /// - Throws: ``LMDBError``.
    package func lend() throws(LMDBError) -> SharedRead? {
        let lent = try SharedRead(of: environment, isLent: true)
        guard lent.number == number else {
            lent.end()
            return nil
        }
        return lent
    }

    /// Runs `body` on the snapshot.
    package func read<Result: ~Copyable>(
        _ body: (borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        precondition(isLent || isOwnThread, "A snapshot is of one thread.")
        switch transaction {
        case .some(let transaction): return try body(transaction)
        case nil: preconditionFailure("The snapshot is over.")
        }
    }

    /// Ends the transaction; does nothing if it has ended.
    package func end() {
        precondition(isOwnThread, "A snapshot is of one thread.")
        transaction = nil
    }

    private var isOwnThread: Bool { pthread_equal(thread, pthread_self()) != 0 }

    /// The number of the write whose outcome it reads; `nil` after the end.
    private var number: Int? { transaction?.number }
}

/// Holds what reading and writing transactions have in common: the calls that read.
///
/// What it returns points into the map; its callers say for how long that lasts.
// @safe because its owner keeps the transaction alive.
@safe struct TransactionHandle {
    let pointer: OpaquePointer
    let environment: Environment

    /// Finds a value.
    ///
    /// The corresponding C function is `mdb_get`.
    func get(_ table: Table, _ key: borrowing Span<UInt8>) throws(LMDBError) -> MDB_val? {
        requireOwn(table)
        // LMDB reads the key during the call only; the caller limits the value's lifetime.
        var value = unsafe MDB_val()
        let status = unsafe key.withUnsafeBytes { bytes in
            var name = unsafe MDB_val(bytes)
            return unsafe mdb_get(pointer, table.identifier, &name, &value)
        }
        // A key that cannot be stored, such as an empty one, is not there either.
        if [MDB_NOTFOUND, MDB_BAD_VALSIZE].contains(status) { return nil }
        try environment.check(status, "mdb_get")
        return unsafe value
    }

    /// Opens a cursor, which the caller closes.
    ///
    /// The corresponding C function is `mdb_cursor_open`.
    func openCursor(_ table: Table) throws(LMDBError) -> OpaquePointer {
        requireOwn(table)
        // The transaction is alive; the caller closes the cursor.
        var cursor: OpaquePointer?
        try environment.check(
            unsafe mdb_cursor_open(pointer, table.identifier, &cursor),
            "mdb_cursor_open"
        )
        guard let cursor = unsafe cursor else {
            preconditionFailure("mdb_cursor_open succeeded without a cursor.")
        }
        return unsafe cursor
    }

    /// Counts a table's entries.
    ///
    /// The corresponding C function is `mdb_stat`.
    func entryCount(_ table: Table) throws(LMDBError) -> Int {
        requireOwn(table)
        // The transaction is alive, and LMDB fills in plain numbers.
        var statistics = MDB_stat()
        try environment.check(
            unsafe mdb_stat(pointer, table.identifier, &statistics),
            "mdb_stat"
        )
        return statistics.ms_entries
    }

    /// Checks that a table is not one of another environment, which LMDB could not tell.
    func requireOwn(_ table: Table) {
        precondition(
            table.environment == ObjectIdentifier(environment),
            "A table can only be used with the environment that it was opened in."
        )
    }
}

extension MDB_val {
    /// Refers to bytes that LMDB will only read.
    init(_ bytes: UnsafeRawBufferPointer) {
        // LMDB takes keys and values as mutable but does not change them.
        unsafe self.init(
            mv_size: bytes.count,
            mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        )
    }

    /// The bytes that it refers to; LMDB decides how long they stay there.
    var bytes: Span<UInt8> {
        // The transaction, which knows for how long, narrows the lifetime at once.
        @_lifetime(immortal)
        get {
            let start = unsafe mv_data?.assumingMemoryBound(to: UInt8.self)
            let buffer = unsafe UnsafeBufferPointer(start: start, count: mv_size)
            return unsafe _overrideLifetime(Span(_unsafeElements: buffer), copying: ())
        }
    }
}

/// Names an open table, LMDB's "named database", of one environment.
///
/// Tables come from ``Environment/openTables(_:)`` or ``WriteTransaction/createTable(_:)`` and are
/// good for that environment until they are dropped or it is closed. A table made in a transaction
/// that is aborted is not good for anything. The corresponding C type is `MDB_dbi`.
package struct Table: Sendable, Hashable {
    /// LMDB's number of it.
    let identifier: MDB_dbi

    /// The one environment that it can be used with.
    let environment: ObjectIdentifier
}
