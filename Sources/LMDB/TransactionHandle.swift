internal import CLMDB

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
        if status == MDB_NOTFOUND { return nil }
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
