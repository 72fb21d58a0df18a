/// Reads the rows of `names`, `ids` and `late`, whose values are numbers of eight bytes.
enum LogValue {
    /// Reads a number, or returns `nil` if there are more or fewer than eight bytes.
    static func number(_ value: Span<UInt8>) -> UInt64? {
        value.count == 8 ? value.littleEndian(at: 0) : nil
    }

    /// Reads a position.
    ///
    /// - Throws: `EventLogError.damaged` if it is none.
    static func position(_ value: Span<UInt8>) throws(EventLogError) -> UInt64 {
        guard let number = number(value), LogLimits.positions.contains(number) else {
            throw .damaged(position: 0, "a row of an index holds no position")
        }
        return number
    }

    /// Reads the number of a source.
    ///
    /// - Throws: `EventLogError.damaged` if it is none.
    static func sourceNumber(_ value: Span<UInt8>) throws(EventLogError) -> UInt32 {
        guard let number = number(value).flatMap(UInt32.init(exactly:)),
            LogLimits.sourceNumbers.contains(number)
        else { throw .damaged(position: 0, "a source's name leads to no number of a source") }
        return number
    }
}
