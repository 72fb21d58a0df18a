/// Why bytes are no rules of a time zone.
public enum TimeZoneProblem: Error, Hashable, Sendable {
    /// They do not begin as a file of the tz database does.
    case notTimeZoneFile

    /// The file is of a version that this program does not know.
    case unknownVersion

    /// The file ends too early.
    case truncated

    /// The file goes on after its end.
    case trailingBytes

    /// A count contradicts another, or there is no offset at all.
    case invalidCount

    /// The changes are not in order of time, or lead to no offset.
    case invalidTransition

    /// An offset is a day or more, or its name or kind is damaged.
    case invalidOffset

    /// The file counts leap seconds, which no time of an event does.
    case countsLeapSeconds

    /// The rule for the years after the last change is none.
    case invalidRule
}
