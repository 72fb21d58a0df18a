public import TripEvents

/// Why a report cannot be made as it is asked for.
public enum ReportProblem: Error, Hashable, Sendable {
    /// It is no request: what is wrong with its JSON, as a sentence.
    case notARequest(String)

    /// There is no report of this name.
    case unknownReport(String)

    /// A later version of the program made the request: the version of its form, as written.
    case newerVersion(String)

    /// The report has no parameter of this name.
    case unknownMember(String, of: ReportKind)

    /// It says where a report goes, and so is no part of the request for it.
    case displayOnly(ReportParameter)

    /// A value does not have the required form.
    case wrongValue(ReportParameter, of: ReportKind, value: String)

    /// It must be said, and is not.
    case missing(ReportParameter)

    /// This machine does not know the time zone.
    case unknownZone(String)

    /// Days are said in several ways.
    case daysSaidTwice([ReportParameter])

    /// The last day is before the first.
    case endsBeforeItBegins(first: CivilDate, last: CivilDate)

    /// A claim is for days with a first and a last one.
    case claimWithoutDays

    /// The days are not those of one tax year.
    case notOneTaxYear

    /// The sums have no columns to choose.
    case columnsOfSums

    /// Only Canada compares with another year.
    case baseYearElsewhere

    /// CSV for a spreadsheet program was asked for in another format.
    case spreadsheet(as: ReportFormat)

    /// There is no column of this name.
    case unknownColumn(String, among: [String])

    /// A draft cannot be issued.
    case draftIssued

    /// A report of days without a first or a last one cannot be issued.
    case openDaysIssued

    /// The parameters that are wrong, by their names in a request.
    package var members: [String] {
        parameters.map(\.rawValue)
            + {
                switch self {
                case .unknownMember(let name, of: _): [name]
                case .unknownReport: ["report"]
                case .newerVersion: ["version"]
                default: []
                }
            }()
    }

    private var parameters: [ReportParameter] {
        switch self {
        case .notARequest, .unknownReport, .newerVersion, .unknownMember: []
        case .displayOnly(let parameter), .missing(let parameter): [parameter]
        case .wrongValue(let parameter, of: _, value: _): [parameter]
        case .unknownZone: [.timeZone]
        case .daysSaidTwice(let said): said
        case .endsBeforeItBegins: [.from, .to]
        case .claimWithoutDays, .notOneTaxYear, .openDaysIssued: [.year, .from, .to]
        case .columnsOfSums: [.columns, .sums]
        case .baseYearElsewhere: [.baseYear]
        case .spreadsheet: [.excel, .format]
        case .unknownColumn: [.columns]
        case .draftIssued: [.draft]
        }
    }

    /// Returns the reason in sentences, which call parameters as a door does.
    package func sentence(at door: ReportDoor) -> String {
        func name(_ parameter: ReportParameter) -> String { parameter.name(at: door) }
        switch self {
        case .notARequest(let sentence): return sentence
        case .unknownReport(let name):
            let known = ReportKind.allCases.map(\.rawValue)
            return Self.unknown("report", name, among: known)
        case .newerVersion(let version):
            return "The request has version \(Excerpt.escaped(version)), and this program knows "
                + "version \(ReportRequest.version)."
        case .unknownMember(let member, of: let kind):
            let known = ["version", "report"] + kind.parameters.map(\.rawValue)
            return Self.unknown("member", member, of: kind, among: known)
        case .displayOnly(let parameter):
            return "\(parameter.rawValue) says where a report goes, and is no part of a request."
        case .wrongValue(let parameter, of: let kind, let value):
            return Self.wrong(value, parameter.form(in: kind), name(parameter))
        case .missing(.jurisdiction):
            return "\(name(.jurisdiction)) is missing: no country is set, or this report knows no "
                + "rules of it. Name another; `ledger settings --country de` sets one for all."
        case .missing(let parameter): return "\(name(parameter)) is missing."
        case .unknownZone(let zone):
            return "\(Excerpt.escaped(zone)) is no time zone that this machine knows; "
                + "use an IANA name such as Europe/Amsterdam."
        case .daysSaidTwice:
            return "\(name(.year)), \(name(.month)) and \(name(.day)) mean all their days: use "
                + "one, without \(name(.from)) and \(name(.to))."
        case .endsBeforeItBegins(let first, let last):
            return "\(name(.to)) \(last) is before \(name(.from)) \(first)."
        case .claimWithoutDays:
            return "Say which days: \(name(.year)) 2025, or \(name(.from)) and \(name(.to))."
        case .notOneTaxYear:
            return "Name the days of one tax year: \(name(.year)) 2025, or \(name(.from)) and "
                + "\(name(.to))."
        case .columnsOfSums:
            return "\(name(.columns)) are those of the trips: use it without \(name(.sums))."
        case .baseYearElsewhere: return "\(name(.baseYear)) is for \(name(.jurisdiction)) ca."
        case .spreadsheet(let format):
            return "\(name(.excel)) is CSV: use it without \(name(.format)) \(format.rawValue)."
        case .unknownColumn(let column, let known):
            return Self.sentence(onNoColumn: column, among: known)
        case .draftIssued:
            return "A draft is not for handing over: issue it without \(name(.draft))."
        case .openDaysIssued:
            return "Say which days the report is issued for: \(name(.year)) 2025, or "
                + "\(name(.from)) and \(name(.to))."
        }
    }

    /// Returns what is said of a column that is not there.
    package static func sentence(onNoColumn name: String, among known: [String]) -> String {
        let unknown = "There is no column \(Excerpt.escaped(name)) here"
        let question = NearestNames(to: name, among: known).question
        return (question.map { "\(unknown). \($0) Choose from " } ?? "\(unknown); choose from ")
            + known.joined(separator: ", ") + "."
    }

    private static func unknown(
        _ what: String,
        _ name: String,
        of kind: ReportKind? = nil,
        among known: [String]
    ) -> String {
        let place = kind.map { " in a request for the report \($0.rawValue)" } ?? ""
        let question = NearestNames(to: name, among: known).question.map { " \($0)" } ?? ""
        return "There is no \(what) '\(Excerpt.escaped(name))'\(place).\(question)"
    }

    private static func wrong(
        _ value: String,
        _ form: ReportParameter.Form,
        _ name: String
    ) -> String {
        let question: String? =
            switch form {
            case .word(let words): NearestNames(to: value, among: words).question
            case .number(ReportParameter.years):
                // A year written as its last two digits.
                Int(value).flatMap { (0...99).contains($0) ? "Did you mean \(2_000 + $0)?" : nil }
            case .flag, .text, .day, .days, .month, .instant, .zone, .group, .number,
                .columns:
                nil
            }
        return "\(name) is \(Excerpt.of(value)); it must be \(form.expectation)."
            + (question.map { " \($0)" } ?? "")
    }
}
