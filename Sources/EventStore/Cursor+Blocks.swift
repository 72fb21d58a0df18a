internal import LMDB

extension Cursor {
    /// Steps to the block that holds `position` if any does, or returns `false` if the table has no
    /// block that starts at or before it.
    // A step changes where the cursor stands, not what it borrows.
    @_lifetime(self: copy self)
    mutating func seek(toBlockOf position: UInt64) throws -> Bool {
        guard try seek(toKeyAtOrAfter: LogKey.number(position)) else { return try last() }
        if try blockPosition == position { return true }
        return try previous()
    }

    /// Steps to the last key that is less than `key`, or returns `false` if there is none.
    // A step changes where the cursor stands, not what it borrows.
    @_lifetime(self: copy self)
    mutating func seek(toLastKeyBefore key: [UInt8]) throws(LMDBError) -> Bool {
        try seek(toKeyAtOrAfter: key) ? previous() : last()
    }

    /// Returns the block that the cursor stands on, checked.
    // A plain block lies in the map, as the cursor's value does; a compact one in the buffer.
    // Not inlined: some callers make the optimizer of Swift 6.3.1 crash otherwise.
    @inline(never)
    @_lifetime(copy self, &buffer)
    func block(decodedInto buffer: inout BlockBuffer) throws(EventLogError) -> BlockView {
        try BlockView(value, at: blockPosition, decodedInto: &buffer)
    }

    /// The position of the first entry of the block that the cursor stands on, as its key says.
    var blockPosition: UInt64 {
        get throws(EventLogError) {
            guard key.count == 8 else { throw .notALog("a block's key is not a position") }
            return key.bigEndian(at: 0)
        }
    }
}
