// Source: RFC 9636, section 3.3.2, and POSIX.1-2017, section 8.3, `TZ`.
extension YearlyOffsetRule {
    /// Reads a rule such as `CET-1CEST,M3.5.0,M10.5.0/3` or `<+0545>-5:45`.
    ///
    /// - Throws: `.invalidRule`.
    init(posix: [UInt8]) throws(TimeZoneProblem) {
        var reader = YearlyRuleReader(posix)
        try reader.skipName()
        standardOffset = -(try reader.readSeconds(hours: 0...24))
        guard Self.isWritable(standardOffset) else { throw .invalidRule }
        guard !reader.isAtEnd else { return }
        try reader.skipName()
        var offset = standardOffset + 3_600
        if !reader.takes(",") {
            offset = -(try reader.readSeconds(hours: 0...24))
            guard reader.takes(",") else { throw .invalidRule }
        }
        let start = try reader.readMoment()
        guard reader.takes(",") else { throw .invalidRule }
        summer = Summer(offset: offset, start: start, end: try reader.readMoment())
        guard reader.isAtEnd, Self.isWritable(offset) else { throw .invalidRule }
    }

    /// Whether RFC 3339 can write an offset.
    private static func isWritable(_ offset: Int) -> Bool { offset.magnitude <= 86_340 }
}
