/// The header before each data block of a file of the tz database: what the block holds.
struct TimeZoneFileHeader {
    /// The version of the format, 1 … 4.
    let version: Int

    /// The number of indicators of universal time.
    let universalCount: Int

    /// The number of indicators of standard time.
    let standardCount: Int

    /// The number of leap seconds.
    let leapCount: Int

    /// The number of changes.
    let timeCount: Int

    /// The number of kinds of local time.
    let typeCount: Int

    /// The number of bytes of their names.
    let nameByteCount: Int

    /// Returns how long the block is whose times have 4 or 8 bytes.
    func byteCount(timeByteCount: Int) -> Int {
        timeCount * (timeByteCount + 1) + typeCount * 6 + nameByteCount
            + leapCount * (timeByteCount + 4) + standardCount + universalCount
    }
}
