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

extension TimeZoneProblem: CustomStringConvertible {
    /// What is wrong, as a sentence without a full stop.
    public var description: String {
        switch self {
        case .notTimeZoneFile: "this is no file of the tz database"
        case .unknownVersion: "the file has a version that this program does not know"
        case .truncated: "the file ends too early"
        case .trailingBytes: "the file goes on after its end"
        case .invalidCount: "the file's counts contradict one another"
        case .invalidTransition: "the file's changes are not in order, or lead to no offset"
        case .invalidOffset: "an offset is a day or more, or damaged"
        case .countsLeapSeconds: "the file counts leap seconds, which no time of an event does"
        case .invalidRule: "the rule for the years to come is none"
        }
    }
}
