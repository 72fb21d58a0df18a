import RowFormats
import TripEvents

/// A report that the command `report` makes, and the options of it that a request may use: of
/// each, `_` in its name stands for `-`.
struct ReportForm: Sendable {
    /// What the command calls it.
    let name: String

    /// What it shows, as a sentence without a full stop.
    let summary: String

    /// The schema of a line of its JSON.
    let schema: String

    /// The options of this report alone.
    private let own: [Parameter]

    private init(
        _ name: String,
        _ summary: String,
        as schema: String,
        _ own: [Parameter]
    ) {
        self.name = name
        self.summary = summary
        self.schema = schema
        self.own = own
    }

    /// What may stand in the query.
    var parameters: [Parameter] { [Self.format] + own + Self.common + [Self.download] }

    /// Every report.
    static let all = [
        ReportForm(
            "log",
            "The mileage log: a line for each trip, and the sums per class",
            as: "mileage-log",
            days + [
                Parameter("class", .word(TripClass.allCases.map(\.rawValue)), "Only of this class"),
                flag("sums", "Only the sums, without the trips"), privacy,
                columns(of: MileageTotal.lineColumns),
            ]
        ),
        ReportForm(
            "summary",
            "The kilometres of each vehicle and year, for the forms",
            as: "year-summary",
            days + [jurisdiction("Whose forms and tax years are meant")]
        ),
        ReportForm(
            "reconcile",
            "Odometers beside trips, and what cannot have been",
            as: "reconciliation",
            days + [privacy]
        ),
        ReportForm(
            "completeness",
            "What the log has and lacks of what is asked for",
            as: "completeness",
            days + [
                jurisdiction("Whose requirements and tax years are meant"),
                Parameter(
                    "late_after",
                    .number(0...36_500),
                    "After how many days an entry is late; 7 if it is not said"
                ),
            ]
        ),
        ReportForm(
            "changes",
            "Every later change of the trips of some days: the auditor's page",
            as: "report-changes",
            days + [privacy, flag("all", "What was entered for the first time too")]
        ),
        ReportForm(
            "claim",
            "What trips come to by the rates of a jurisdiction",
            as: "claim",
            [
                year, from, to,
                Parameter(
                    "jurisdiction",
                    .text,
                    "us, gb, ca, nl, de, au, fr, or a name of rates of one's own",
                    isRequired: true
                ),
                Parameter("scheme", .text, "Only the rates of this scheme"),
                Parameter("region", .text, "The part of the jurisdiction"),
                Parameter(
                    "as_known_on",
                    .day,
                    "Only the rates that were announced by this day"
                ),
                columns(of: ClaimRow.columns),
            ]
        ),
        ReportForm(
            "methods",
            "The methods of a jurisdiction side by side, as figures",
            as: "methods",
            days + [
                jurisdiction("Whose methods and tax years are meant", isRequired: true),
                Parameter("base_year", .number(1_000...9_999), "The year with which ca compares"),
            ]
        ),
    ]

    /// How a report is written.
    enum Format: String, CaseIterable {
        case text
        case json
        case csv
        case html
        case pdf
        case document

        /// The media type; that of JSON is of a line each.
        var mediaType: String {
            switch self {
            case .text: "text/plain; charset=utf-8"
            case .json: "application/x-ndjson"
            case .csv: "text/csv; charset=utf-8"
            case .html: "text/html; charset=utf-8"
            case .pdf: "application/pdf"
            case .document: "application/json"
            }
        }

        /// What the name of a file of it ends with.
        var ending: String {
            switch self {
            case .text: "txt"
            case .json: "jsonl"
            case .csv, .html, .pdf: rawValue
            case .document: "json"
            }
        }
    }
}

// MARK: - Options

extension ReportForm {
    /// How it is written.
    static let format = Parameter(
        "format",
        .word(Format.allCases.map(\.rawValue)),
        "How it is written; json, an object on each line, if it is not said"
    )

    /// Whether a browser is to keep it as a file.
    static let download = flag("download", "As a file to keep, with a name")

    /// What is said to an option that is there or not.
    static let yes = "yes"

    private static let year = Parameter(
        "year",
        .number(1_000...9_999),
        "All days of a year, which is a tax year where there is a jurisdiction"
    )
    private static let from = Parameter(
        "from",
        .days,
        "The first day, or the month or year that it begins"
    )
    private static let to = Parameter("to", .days, "The last day, month or year")

    private static let days = [
        year, from, to,
        Parameter("month", .month, "All days of a month, such as 2026-03"),
        Parameter("day", .day, "One day"),
    ]

    private static let privacy = Parameter(
        "private_as",
        .word(["all", "km-only"]),
        "What is shown of private trips: all, or their distances alone"
    )

    private static func columns<Row>(of columns: Columns<Row>) -> Parameter {
        Parameter(
            "columns",
            .words(columns.chosenNames),
            "Only these columns of text and CSV, with commas between them"
        )
    }

    private static let common = [
        Parameter("vehicle", .text, "Only trips with this vehicle"),
        Parameter("time_zone", .zone, "Count each trip on its day in this time zone"),
        Parameter("as_of", .instant, "Let time pass to this millisecond, not to now"),
        Parameter("units", .word(["km", "mi"]), "The unit of distances for people and CSV"),
        Parameter(
            "excel",
            .word(["comma", "point"]),
            "As CSV that a spreadsheet program with this decimal mark opens; csv is for programs"
        ),
        Parameter(
            "language",
            .word(["en", "nl", "de", "fr"]),
            "The language of text, html and pdf; en if it is not said"
        ),
        Parameter("paper", .word(["a4", "letter"]), "The paper of html and pdf"),
        flag("draft", "Take the figures from the views: quick, and not for handing over"),
    ]

    private static func jurisdiction(_ meaning: String, isRequired: Bool = false) -> Parameter {
        Parameter(
            "jurisdiction",
            .word(["us", "gb", "ca", "nl", "de", "au", "fr"]),
            meaning,
            isRequired: isRequired
        )
    }

    private static func flag(_ name: String, _ meaning: String) -> Parameter {
        Parameter(name, .word([yes]), meaning)
    }

    /// Returns the arguments of the command that a query stands for, without the format.
    func arguments(for query: Query) -> [String] {
        let named = parameters.filter { ![Self.format.name, Self.download.name].contains($0.name) }
        return named.flatMap { parameter in
            query.texts(parameter.name)
                .map { value in
                    let option = "--" + parameter.name.replacing("_", with: "-")
                    return parameter.isFlag ? option : "\(option)=\(value)"
                }
        }
    }
}

extension Parameter {
    /// Whether it is there or not, and says nothing more.
    fileprivate var isFlag: Bool {
        if case .word([ReportForm.yes]) = form { true } else { false }
    }
}
