internal import CLMDB

/// Walks over a table in the order of its keys, which is that of their bytes.
///
/// It borrows its transaction, which can neither end nor make a change as long as the cursor
/// exists. The spans ``key`` and ``value`` are valid as long as that borrow, also after a further
/// step.
// @safe because the handle never leaves and lives as long as the value.
@safe package struct Cursor: ~Copyable, ~Escapable {
    private let pointer: OpaquePointer
    private let environment: Environment

    /// Whether all that it reads lies in the map: nothing that its transaction has written.
    private let readsOnlyMap: Bool
    private var window = ResidentPages.Window()

    // The key that LMDB last filled in; it is looked at only while the transaction is borrowed.
    private var currentKey = unsafe MDB_val()
    private var currentValue = unsafe MDB_val()

    /// Whether the last step found an entry, so that ``key`` and ``value`` may be asked for.
    package private(set) var isPositioned = false

    /// Takes over a cursor. The transaction that opened it MUST narrow the lifetime.
    // The transaction is not known here; its `cursor(_:)` binds the value to itself at once.
    @_lifetime(immortal)
    init(pointer: OpaquePointer, environment: Environment, readsOnlyMap: Bool) {
        // The caller hands the handle over and does not close it.
        unsafe self.pointer = unsafe pointer
        self.environment = environment
        self.readsOnlyMap = readsOnlyMap
    }

    deinit {
        // The transaction is still open, because this value borrows it.
        unsafe mdb_cursor_close(pointer)
    }

    /// The key of the entry at the cursor's position.
    package var key: Span<UInt8> {
        // The bytes are in the map, which stays as it is as long as the transaction is borrowed.
        @_lifetime(copy self)
        get {
            precondition(isPositioned, "The cursor has no position.")
            return unsafe _overrideLifetime(currentKey.bytes, copying: self)
        }
    }

    /// The value of the entry at the cursor's position.
    package var value: Span<UInt8> {
        // The bytes are in the map, which stays as it is as long as the transaction is borrowed.
        @_lifetime(copy self)
        get {
            precondition(isPositioned, "The cursor has no position.")
            return unsafe _overrideLifetime(currentValue.bytes, copying: self)
        }
    }

    /// Steps to the first entry, or returns `false` if the table is empty.
    ///
    /// The corresponding C function is `mdb_cursor_get` with `MDB_FIRST`.
    // A step changes the position, not what the cursor borrows.
    @_lifetime(self: copy self)
    package mutating func first() throws(LMDBError) -> Bool {
        try step(MDB_FIRST)
    }

    /// Steps to the last entry, or returns `false` if the table is empty.
    ///
    /// The corresponding C function is `mdb_cursor_get` with `MDB_LAST`.
    // A step changes the position, not what the cursor borrows.
    @_lifetime(self: copy self)
    package mutating func last() throws(LMDBError) -> Bool {
        try step(MDB_LAST)
    }

    /// Steps to the next entry, or returns `false` at the end; the first step goes to the first.
    ///
    /// The corresponding C function is `mdb_cursor_get` with `MDB_NEXT`.
    // A step changes the position, not what the cursor borrows.
    @_lifetime(self: copy self)
    package mutating func next() throws(LMDBError) -> Bool {
        try step(MDB_NEXT)
    }

    /// Steps to the previous entry, or returns `false` at the start; a first step goes to the last.
    ///
    /// The corresponding C function is `mdb_cursor_get` with `MDB_PREV`.
    // A step changes the position, not what the cursor borrows.
    @_lifetime(self: copy self)
    package mutating func previous() throws(LMDBError) -> Bool {
        try step(MDB_PREV)
    }

    /// Steps to the first entry whose key is not below `key`, or returns `false` if there is none.
    ///
    /// The corresponding C function is `mdb_cursor_get` with `MDB_SET_RANGE`.
    // A step changes the position, not what the cursor borrows.
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
    // A step changes the position, not what the cursor borrows.
    @_lifetime(self: copy self)
    package mutating func seek(toKeyAtOrAfter key: [UInt8]) throws(LMDBError) -> Bool {
        try seek(toKeyAtOrAfter: key.span)
    }

    // A step changes the position, not what the cursor borrows.
    @_lifetime(self: copy self)
    private mutating func step(_ operation: MDB_cursor_op) throws(LMDBError) -> Bool {
        // Handle and transaction are alive: this value owns the one and borrows the other.
        var foundKey = unsafe MDB_val()
        var foundValue = unsafe MDB_val()
        let status = unsafe mdb_cursor_get(pointer, &foundKey, &foundValue, operation)
        return unsafe try finishStep(status, foundKey, foundValue)
    }

    // A step changes the position, not what the cursor borrows.
    @_lifetime(self: copy self)
    private mutating func finishStep(
        _ status: CInt,
        _ foundKey: MDB_val,
        _ foundValue: MDB_val
    ) throws(LMDBError) -> Bool {
        isPositioned = status == MDB_SUCCESS
        if status != MDB_NOTFOUND { try environment.check(status, "mdb_cursor_get") }
        // Only returned as spans that end with the transaction.
        unsafe currentKey = unsafe foundKey
        unsafe currentValue = unsafe foundValue
        if isPositioned, readsOnlyMap {
            unsafe environment.residentPages.count(foundValue.bytes, last: &window)
        }
        return isPositioned
    }
}

extension Cursor {
    private static let headerByteCount = 16
    private static let leafFlags: UInt16 = 0x02
    private static let overflowFlags: UInt16 = 0x04
    private static let maximumValueByteCount = 1 << 20

    /// Whether the pages that the key and a large value lie on have the headers that LMDB writes.
    ///
    /// Reading does not need them, but the next write does: a wrong number would free a page that
    /// is in use. The value of a small entry lies on the page of its key.
    package var hasSoundPages: Bool {
        let pageBytes = UInt(Environment.pageBytes)
        let keyAddress = Self.address(of: key)
        let valueAddress = Self.address(of: value)
        let leafAddress = keyAddress / pageBytes * pageBytes
        // The headers are in the map, as key and value are, for as long as they are borrowed.
        let leaf = unsafe Self.header(at: leafAddress)
        guard leaf.flags == Self.leafFlags else { return false }
        let headerBytes = UInt(Self.headerByteCount)
        guard valueAddress % pageBytes == headerBytes else { return true }
        // As above.
        let page = unsafe Self.header(at: valueAddress - headerBytes)
        let distance = (Int(valueAddress - headerBytes) - Int(leafAddress)) / Int(pageBytes)
        let needed = (value.count + Self.headerByteCount - 1) / Int(pageBytes) + 1
        return page.flags == Self.overflowFlags
            && Int64(bitPattern: page.number &- leaf.number) == Int64(distance)
            && needed...Self.maximumValueByteCount / Int(pageBytes) ~= Int(page.count)
    }

    private static func address(of bytes: Span<UInt8>) -> UInt {
        // Only the address is kept, as a number; nothing is read through it.
        unsafe bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    }

    /// Reads the header of the page at an address, which MUST be a page of the map.
    // @unsafe because an address does not prove that a page is there; both callers got it from
    // LMDB.
    @unsafe private static func header(
        at address: UInt
    ) -> (number: UInt64, flags: UInt16, count: UInt32) {
        // The caller guarantees the address.
        guard let start = unsafe UnsafeRawPointer(bitPattern: address) else { return (0, 0, 0) }
        let bytes = unsafe RawSpan(_unsafeStart: start, byteCount: headerByteCount)
        return (
            bytes.number(at: 0, as: UInt64.self),
            bytes.number(at: 10, as: UInt16.self),
            bytes.number(at: 12, as: UInt32.self)
        )
    }
}

extension Environment {
    /// Calls `body` with every entry from `start` on, in order of keys, until it returns `false`.
    ///
    /// An empty `start` means the first key. After every `renewalBytes` of values the snapshot is
    /// renewed, so that a long scan does not keep writers from reusing pages; the scan sees what is
    /// written ahead of it during that time.
    package func scan(
        _ table: Table,
        from start: [UInt8],
        everyBytes renewalBytes: Int = 16 << 20,
        _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) throws -> Bool
    ) throws {
        var next: [UInt8]? = start
        while let key = next {
            next = try read { transaction in
                var cursor = try transaction.cursor(table)
                guard try key.isEmpty ? cursor.first() : cursor.seek(toKeyAtOrAfter: key) else {
                    return nil
                }
                var byteCount = 0
                while true {
                    let value = cursor.value
                    guard try body(cursor.key, value) else { return nil }
                    byteCount += value.count
                    guard try cursor.next() else { return nil }
                    if byteCount >= renewalBytes { return Array(copying: cursor.key) }
                }
            }
        }
    }
}

extension [UInt8] {
    /// Copies the bytes of a span.
    init(copying bytes: Span<UInt8>) {
        self.init(capacity: bytes.count) { output in
            for index in bytes.indices { output.append(bytes[index]) }
        }
    }
}
