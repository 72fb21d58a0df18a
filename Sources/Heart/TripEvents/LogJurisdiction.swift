/// A country whose tax office asks for a mileage log; the raw value is its name in options.
public enum LogJurisdiction: String, CaseIterable, Sendable {
    case us
    case gb
    case ca
    case nl
    case de
    case au
    case fr

    /// Returns the year to which a day counts: the one in which its tax year begins.
    public func taxYear(of day: CivilDate) -> Int {
        switch self {
        case .us, .ca, .nl, .de, .fr: day.year
        // From 6 April to 5 April.
        case .gb: (day.month, day.day) < (4, 6) ? day.year - 1 : day.year
        // From 1 July to 30 June.
        case .au: day.month < 7 ? day.year - 1 : day.year
        }
    }

    /// Returns the days of the tax year that begins in a year, from 1 to 9998.
    public func days(ofTaxYear year: Int) -> ClosedRange<CivilDate>? {
        let start =
            switch self {
            case .us, .ca, .nl, .de, .fr: (month: 1, day: 1)
            case .gb: (month: 4, day: 6)
            case .au: (month: 7, day: 1)
            }
        guard let first = CivilDate(year: year, month: start.month, day: start.day),
            let next = CivilDate(year: year + 1, month: start.month, day: start.day)
        else { return nil }
        return first...CivilDate(daysSince1970: next.daysSince1970 - 1)
    }

    /// Returns what a tax year is called: `2025`, or `2025/26` if it ends in the next one.
    public func name(ofTaxYear year: Int) -> String {
        switch self {
        case .us, .ca, .nl, .de, .fr: return "\(year)"
        case .gb, .au:
            let end = (year + 1) % 100
            return "\(year)/\(end < 10 ? "0" : "")\(end)"
        }
    }

    /// The number of days after which an entry about a trip is late: what Germany's offices allow
    /// (OFD Rheinland and Münster, 18 February 2013); the others name no number, and the United
    /// States accept a week.
    public static let daysForEntries: Int64 = 7
}
