/// What a data block of a file of the tz database says.
struct TimeZoneFileBlock {
    /// When the offset changes, in seconds since 1970; ascending.
    var transitions: [Int64] = []

    /// The offset from each change on, in seconds east of UTC.
    var offsets: [Int] = []

    /// The offset before the first change, in seconds east of UTC.
    var firstOffset: Int
}
