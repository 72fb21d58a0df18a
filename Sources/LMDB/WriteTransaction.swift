internal import CLMDB

/// Reads and changes the environment; nobody else sees the changes before they are committed.
///
/// What ``get(_:_:)-(Table,Span<UInt8>)`` and cursors lend ends with the next change: the compiler
/// sees to it. ``Environment/write(_:)`` is the only door to one: it commits when its body returns
/// and aborts when that throws. It belongs to one thread.
// @safe because the handle never leaves, except into what borrows this value.
@safe package struct WriteTransaction: ~Copyable {
    private let environment: Environment
    private var pointer: OpaquePointer?
    private var pendingDrops: [Table] = []

    private var hasChanges = false
    private var ranOutOfMap = false
    private var hasClosedTables = false

    /// Whether it failed only because the map is full, so that it is worth while to run again.
    var isRepeatable: Bool { ranOutOfMap && !hasClosedTables }

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

    /// Opens a cursor that stands nowhere yet. While it lives, nothing can be changed.
    ///
    /// The corresponding C function is `mdb_cursor_open`.
    // The cursor must be closed before the transaction ends, and its bytes before the next change.
    @_lifetime(borrow self)
    package func cursor(_ table: Table) throws(LMDBError) -> Cursor {
        // The cursor closes its handle, and cannot outlive this value.
        let cursor = unsafe Cursor(
            pointer: try handle.openCursor(table),
            environment: environment
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
        try finishChange(status, "mdb_put")
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

    /// Makes room for a value of `byteCount` bytes and has `fill` write it there, without a copy.
    ///
    /// `fill` MUST append exactly `byteCount` bytes. The corresponding C function is `mdb_put` with
    /// `MDB_RESERVE`.
    package mutating func reserve(
        _ table: Table,
        _ key: borrowing Span<UInt8>,
        byteCount: Int,
        append: Bool,
        _ fill: (inout OutputSpan<UInt8>) -> Void
    ) throws(LMDBError) {
        handle.requireOwn(table)
        // LMDB leaves the room to us until the next change, which `self` shuts out until the end.
        var content = unsafe MDB_val(mv_size: byteCount, mv_data: nil)
        let flags = MDB_RESERVE | (append ? MDB_APPEND : 0)
        let status = unsafe key.withUnsafeBytes { keyBytes in
            var name = unsafe MDB_val(keyBytes)
            return unsafe mdb_put(
                pointer,
                table.identifier,
                &name,
                &content,
                CUnsignedInt(flags)
            )
        }
        try finishChange(status, "mdb_put")
        let start = unsafe content.mv_data?.assumingMemoryBound(to: UInt8.self)
        let room = unsafe UnsafeMutableBufferPointer(start: start, count: byteCount)
        var output = unsafe OutputSpan(buffer: room, initializedCount: 0)
        fill(&output)
        let written = unsafe output.finalize(for: room)
        precondition(written == byteCount, "A reserved value must be written in full.")
    }

    /// Stores entries at the end of a table, which is found once for all of them.
    ///
    /// Every key MUST be greater than the one before it and than all that the table has. The
    /// corresponding C function is `mdb_cursor_put` with `MDB_APPEND`.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - entries: The entries' bytes, each a key and its value.
    ///   - keyByteCount: The length of each key.
    ///   - valueByteCount: The length of each value.
    /// - Throws: `.keyExists` if a key is not greater, and what else LMDB answers.
    package mutating func append(
        to table: Table,
        _ entries: borrowing Span<UInt8>,
        keyByteCount: Int,
        valueByteCount: Int
    ) throws(LMDBError) {
        let entryByteCount = keyByteCount + valueByteCount
        precondition(entries.count % entryByteCount == 0, "There must be whole entries.")
        guard !entries.isEmpty else { return }
        // LMDB reads key and value during the call only; the cursor is closed before any other
        // change.
        let cursor = unsafe try handle.openCursor(table)
        let status = unsafe entries.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: entryByteCount) {
                let middle = start + keyByteCount
                let end = start + entryByteCount
                var name = unsafe MDB_val(UnsafeRawBufferPointer(rebasing: bytes[start..<middle]))
                var content = unsafe MDB_val(UnsafeRawBufferPointer(rebasing: bytes[middle..<end]))
                let status = unsafe mdb_cursor_put(
                    cursor,
                    &name,
                    &content,
                    CUnsignedInt(MDB_APPEND)
                )
                guard status == MDB_SUCCESS else { return status }
            }
            return MDB_SUCCESS
        }
        unsafe mdb_cursor_close(cursor)
        try finishChange(status, "mdb_cursor_put")
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
        try finishChange(status, "mdb_del")
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

    /// Removes all entries of a table.
    ///
    /// The corresponding C function is `mdb_drop`.
    package mutating func clear(_ table: Table) throws(LMDBError) {
        handle.requireOwn(table)
        // The transaction is alive.
        try finishChange(unsafe mdb_drop(pointer, table.identifier, 0), "mdb_drop")
    }

    /// Removes a table with all its entries.
    ///
    /// The table is empty from now on and gone with the commit. No reader of this process may use
    /// it any more after that: it would get `.badTable`.
    /// The corresponding C function is `mdb_drop`.
    package mutating func drop(_ table: Table) throws(LMDBError) {
        try clear(table)
        pendingDrops.append(table)
    }
}

// MARK: - The end

extension WriteTransaction {
    /// Makes the changes durable, and looks whether the file shows them.
    ///
    /// The corresponding C function is `mdb_txn_commit`.
    /// - Throws: `.lostWrite` if it does not.
    mutating func commit() throws(LMDBError) {
        // Dropping closes the handle at once, which an abort does not take back; hence last of all.
        for table in pendingDrops {
            try finishChange(unsafe mdb_drop(pointer, table.identifier, 1), "mdb_drop")
            hasClosedTables = true
        }
        // The transaction is alive; then its handle is not used again.
        let number = unsafe mdb_txn_id(pointer)
        let status = unsafe mdb_txn_commit(pointer)
        // LMDB frees the transaction whether it succeeds or not.
        unsafe pointer = nil
        try finish(status, "mdb_txn_commit")
        // LMDB writes nothing for a transaction without changes.
        if hasChanges { try environment.requireVisible(number, "mdb_txn_commit") }
    }

    /// Drops the changes.
    ///
    /// The corresponding C function is `mdb_txn_abort`.
    mutating func abort() {
        // The handle is not used again.
        if let pointer = unsafe pointer { unsafe mdb_txn_abort(pointer) }
        unsafe pointer = nil
    }

    private mutating func finishChange(_ status: CInt, _ operation: String) throws(LMDBError) {
        try finish(status, operation)
        hasChanges = true
    }

    private mutating func finish(_ status: CInt, _ operation: String) throws(LMDBError) {
        if status == MDB_MAP_FULL { ranOutOfMap = true }
        try environment.check(status, operation)
    }
}
