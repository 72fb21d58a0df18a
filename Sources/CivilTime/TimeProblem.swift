/// Why a text is no time.
package enum TimeProblem: Error {
    /// It is not written as RFC 3339 says, or the calendar has no such instant.
    case malformed

    /// It is the 61st second of a minute.
    case leapSecond

    /// It has digits beyond the millisecond.
    case tooPrecise
}
