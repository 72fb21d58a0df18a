internal import CLMDB

/// Walks over a table in the order of its keys, which is that of their bytes.
///
/// It borrows its transaction: neither the end of that nor a change is possible while it lives.
/// What ``key`` and ``value`` lend lasts as long as that borrow, also after a further step.
// @safe because the handle never leaves and lives as long as the value.
@safe package struct Cursor: ~Copyable, ~Escapable {
    private let pointer: OpaquePointer
    private let environment: Environment
    // What LMDB last filled in; it is looked at only while the transaction is borrowed.
    private var currentKey = unsafe MDB_val()
    private var currentValue = unsafe MDB_val()

    /// Whether the last step found an entry, so that ``key`` and ``value`` may be asked for.
    package private(set) var isPositioned = false

    /// Takes over a cursor. The transaction that opened it MUST narrow the lifetime.
    // The transaction is not known here; its `cursor(_:)` binds the value to itself at once.
    @_lifetime(immortal)
    init(pointer: OpaquePointer, environment: Environment) {
        // The caller hands the handle over; nobody else closes it.
        unsafe self.pointer = unsafe pointer
        self.environment = environment
    }

    deinit {
        // The transaction is still alive, for this value borrows it.
        unsafe mdb_cursor_close(pointer)
    }

    /// The key of the entry that the cursor stands on.
    package var key: Span<UInt8> {
        // The bytes lie in the map and stay as long as the transaction is borrowed.
        @_lifetime(copy self)
        get {
            precondition(isPositioned, "The cursor stands on no entry.")
            return unsafe _overrideLifetime(currentKey.bytes, copying: self)
        }
    }

    /// The value of the entry that the cursor stands on.
    package var value: Span<UInt8> {
        // The bytes lie in the map and stay as long as the transaction is borrowed.
        @_lifetime(copy self)
        get {
            precondition(isPositioned, "The cursor stands on no entry.")
            return unsafe _overrideLifetime(currentValue.bytes, copying: self)
        }
    }

    /// Steps to the first entry, or returns `false` if the table is empty.
    ///
    /// The corresponding C function is `mdb_cursor_get` with `MDB_FIRST`.
    // A step changes where it stands, not what it borrows.
    @_lifetime(self: copy self)
    package mutating func first() throws(LMDBError) -> Bool {
        try step(MDB_FIRST)
    }

    /// Steps to the last entry, or returns `false` if the table is empty.
    ///
    /// The corresponding C function is `mdb_cursor_get` with `MDB_LAST`.
    // A step changes where it stands, not what it borrows.
    @_lifetime(self: copy self)
    package mutating func last() throws(LMDBError) -> Bool {
        try step(MDB_LAST)
    }

    /// Steps to the next entry, or returns `false` at the end; the first step goes to the first.
    ///
    /// The corresponding C function is `mdb_cursor_get` with `MDB_NEXT`.
    // A step changes where it stands, not what it borrows.
    @_lifetime(self: copy self)
    package mutating func next() throws(LMDBError) -> Bool {
        try step(MDB_NEXT)
    }

    /// Steps to the previous entry, or returns `false` at the start; a first step goes to the last.
    ///
    /// The corresponding C function is `mdb_cursor_get` with `MDB_PREV`.
    // A step changes where it stands, not what it borrows.
    @_lifetime(self: copy self)
    package mutating func previous() throws(LMDBError) -> Bool {
        try step(MDB_PREV)
    }

    /// Steps to the first entry whose key is not below `key`, or returns `false` if there is none.
    ///
    /// The corresponding C function is `mdb_cursor_get` with `MDB_SET_RANGE`.
    // A step changes where it stands, not what it borrows.
    @_lifetime(self: copy self)
    package mutating func seek(
        toKeyAtOrAfter key: borrowing Span<UInt8>
    ) throws(LMDBError) -> Bool {
        // LMDB reads the key during the call only, and replaces it by the one it found.
        let cursor = unsafe pointer
        var foundKey = unsafe MDB_val()
        var foundValue = unsafe MDB_val()
        let status = unsafe key.withUnsafeBytes { bytes in
            unsafe foundKey = MDB_val(bytes)
            return unsafe mdb_cursor_get(cursor, &foundKey, &foundValue, MDB_SET_RANGE)
        }
        return unsafe try finishStep(status, foundKey, foundValue)
    }

    /// Steps to the first entry whose key is not below `key`, or returns `false` if there is none.
    ///
    /// The corresponding C function is `mdb_cursor_get` with `MDB_SET_RANGE`.
    // A step changes where it stands, not what it borrows.
    @_lifetime(self: copy self)
    package mutating func seek(toKeyAtOrAfter key: [UInt8]) throws(LMDBError) -> Bool {
        try seek(toKeyAtOrAfter: key.span)
    }

    // A step changes where it stands, not what it borrows.
    @_lifetime(self: copy self)
    private mutating func step(_ operation: MDB_cursor_op) throws(LMDBError) -> Bool {
        // Handle and transaction are alive: this value owns the one and borrows the other.
        var foundKey = unsafe MDB_val()
        var foundValue = unsafe MDB_val()
        let status = unsafe mdb_cursor_get(pointer, &foundKey, &foundValue, operation)
        return unsafe try finishStep(status, foundKey, foundValue)
    }

    // A step changes where it stands, not what it borrows.
    @_lifetime(self: copy self)
    private mutating func finishStep(
        _ status: CInt,
        _ foundKey: MDB_val,
        _ foundValue: MDB_val
    ) throws(LMDBError) -> Bool {
        isPositioned = status == MDB_SUCCESS
        if status != MDB_NOTFOUND { try environment.check(status, "mdb_cursor_get") }
        // Kept only to be lent for as long as the transaction is borrowed.
        unsafe currentKey = unsafe foundKey
        unsafe currentValue = unsafe foundValue
        return isPositioned
    }
}
