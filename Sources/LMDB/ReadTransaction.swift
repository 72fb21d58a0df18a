internal import CLMDB

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

    /// Finds the value of a key, or returns `nil`.
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
