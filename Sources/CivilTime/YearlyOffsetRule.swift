/// Standard time and, if the zone has it, summer time, year after year.
struct YearlyOffsetRule: Hashable, Sendable {
    /// Summer time: it may also be a winter time that is behind standard time.
    struct Summer: Hashable, Sendable {
        /// The offset while it lasts, in seconds east of UTC.
        var offset: Int

        /// When it begins, by the clock of standard time.
        var start: YearlyMoment

        /// When it ends, by its own clock.
        var end: YearlyMoment
    }

    /// The offset of standard time, in seconds east of UTC.
    var standardOffset: Int

    /// Summer time, if there is any.
    var summer: Summer?

    /// Returns the offset at an instant, in seconds since 1970.
    func offset(at seconds: Int64) -> Int {
        guard let summer else { return standardOffset }
        let localDay = Self.flooredQuotient(seconds + Int64(standardOffset), 86_400)
        let year = CivilDate(daysSince1970: Int(localDay)).year
        var latest = Int64.min
        var offset = standardOffset
        // A moment can lie a week before or after its year (RFC 9636, section 3.3.2).
        for year in year - 1...year + 1 {
            let start = summer.start.localSeconds(inYear: year) - Int64(standardOffset)
            let end = summer.end.localSeconds(inYear: year) - Int64(summer.offset)
            if end <= seconds, end > latest { (latest, offset) = (end, standardOffset) }
            // Where one begins as the other ends, it is always summer.
            if start <= seconds, start >= latest { (latest, offset) = (start, summer.offset) }
        }
        return offset
    }

    /// Returns when the offset changes in some years, in seconds since 1970; ascending.
    func changes(inYears years: ClosedRange<Int>) -> [Int64] {
        guard let summer else { return [] }
        return
            years.flatMap { year in
                [
                    summer.start.localSeconds(inYear: year) - Int64(standardOffset),
                    summer.end.localSeconds(inYear: year) - Int64(summer.offset),
                ]
            }
            .sorted()
    }

    private static func flooredQuotient(_ number: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
