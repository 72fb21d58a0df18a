/// Whole numbers as the C2SP formats write them.
enum DecimalNumber {
    /// Reads digits without sign and without leading zeros, or returns `nil` if `text` is something
    /// else, or 2^63 or more.
    static func read(_ text: Substring) -> UInt64? {
        guard let number = UInt64(text), number <= UInt64(Int64.max), String(number) == text else {
            return nil
        }
        return number
    }
}
