import ArgumentParser
import Platform
import Reports
import Tables
import TripEvents
import TripLedger

/// The options of all reports that affect the bytes, except for the days.
struct ReportOptions: ParsableArguments {
    @Option(.format)
    var format: ReportFormat?

    @Option(.excel)
    var excel: DecimalMark?

    @Option(.group)
    var group: SelectedGroup?

    @Option(.vehicle, completion: .vehicle)
    var vehicle: String?

    @Option(.asOf)
    var asOf: TypedTime?

    @Option(.units)
    var units: DistanceUnit?

    @Option(.language)
    var language: Language?

    @Option(.paper)
    var paper: PaperSize?

    @Flag(.draft)
    var draft = false

    /// Says in a request what was written.
    func say(in request: inout ReportRequest, _ output: ReportOutput) {
        request.format = format ?? output.formatOfFile
        request.excel = excel
        request.group = group?.selection
        request.vehicle = vehicle
        request.units = units
        request.language = language
        request.paper = paper
        request.draft = draft ? true : nil
    }
}

/// The options of reports about the trips of some days.
struct ReportDays: ParsableArguments {
    @Option(.year)
    var year: Int?

    @Option(.from)
    var from: TypedDays?

    @Option(.to)
    var to: TypedDays?

    @Option(.month)
    var month: TypedMonth?

    @Option(.day)
    var day: TypedDay?

    @Option(.timeZone)
    var timeZone: String?

    /// Says in a request what was written.
    func say(in request: inout ReportRequest) {
        request.year = year
        from?.say(.from, in: &request)
        to?.say(.to, in: &request)
        month?.say(.month, in: &request)
        day?.say(.day, in: &request)
        request.timeZone = timeZone
    }
}

/// The options for where a report goes, how it is viewed, and whether it is handed out: the bytes
/// of a saved report do not depend on them.
struct ReportOutput: ParsableArguments {
    @Option(
        .output,
        otherName: .customShort("o"),
        completion: .file(extensions: ["pdf", "html", "csv", "json", "txt"])
    )
    var output: String?

    @Flag(.replace)
    var replace = false

    @Flag(.wide)
    var wide = false

    @Flag(.noPager)
    var noPager = false

    @Flag(.proved)
    var proved = false

    @Flag(.issue)
    var issue = false

    @Option(.actor)
    var actor: String?

    /// The formats by the ends of files' names.
    private static let endings: [(ending: String, format: ReportFormat)] = [
        ("txt", .text), ("json", .json), ("jsonl", .json), ("csv", .csv), ("html", .html),
        ("htm", .html), ("pdf", .pdf),
    ]

    /// The file in which it is written; `nil` for standard output.
    var file: String? { output == HandedOutFile.standardOutput ? nil : output }

    /// Returns whether the log is computed again for a report: a report that is handed to others,
    /// in a file, as a document or as issued, takes nothing from the views.
    ///
    /// Text and rows on standard output follow from the views, which know the same entries and
    /// whose sums are checked as they are read.
    func isProved(_ request: ReportRequest) -> Bool {
        guard request.draft != true else { return false }
        return proved || issue || file != nil || request.isDocument
    }

    /// The format that the ending of the file's name stands for.
    var formatOfFile: ReportFormat? {
        guard let name = file?.lowercased() else { return nil }
        return Self.endings.first { name.hasSuffix(".\($0.ending)") }?.format
    }

    func validate() throws {
        guard issue || actor == nil else { throw ValidationError("--actor goes with --issue.") }
    }

    /// Checks that a request can be answered in the place where the report is to go.
    ///
    /// - Throws: `ValidationError`; ``ReportProblem`` if it cannot be issued.
    func check(_ request: ReportRequest) throws {
        if let file, request.format == nil, request.excel == nil {
            let endings = Self.endings.map { ".\($0.ending)" }
            throw ValidationError(
                "The name of a report ends with \(endings.dropLast().joined(separator: ", ")) or "
                    + "\(endings.last ?? ""): \(Excerpt.escaped(file)) does not. Name another "
                    + "file, or say --format."
            )
        }
        guard request.format != .pdf || file != nil || !Terminal.isStandardOutput else {
            throw ValidationError("PDF is nothing for a terminal: name a file by -o log.pdf.")
        }
        guard !proved || request.draft != true else {
            throw ValidationError(
                "--draft takes the figures from the views, and --proved from the log: say one."
            )
        }
        if issue { try request.checkForIssue() }
    }
}

extension ReportRequest {
    /// Whether it is written as a document, not as text or rows.
    var isDocument: Bool { format.map { $0.rows == nil } ?? false }
}

// MARK: - Options by their descriptions

extension ReportParameter {
    /// Its long name as an option, without its hyphens.
    fileprivate var longName: String { String(name(at: .commandLine).dropFirst(2)) }

    /// The text in the help of a command.
    fileprivate var help: ArgumentHelp {
        let text = brief ?? "\(meaning)\(fallback.map { " (default: \($0))" } ?? "")."
        return ArgumentHelp(text, valueName: valueName)
    }

    /// Its meaning on one line of the help, or `nil` if ``meaning`` is short enough.
    ///
    /// `ledger help reports` has the full meanings.
    private var brief: String? {
        switch self {
        case .format: "How it is written (default: by --output, else text)."
        case .excel: "CSV for a spreadsheet program."
        case .year: "All days of a year, or of a jurisdiction's tax year."
        case .from: "The first day, or the month or year that it begins."
        case .month: "All days of a month: 2026-03, this or last."
        case .timeZone: "Count days by the clock of this time zone."
        case .asOf: "Let time pass to this moment, not to now."
        case .group: "Only of this group of sources; '' for the owner's."
        case .columns: "Only these columns, in this order, with commas."
        case .privateAs: "How private trips are shown."
        case .jurisdiction: "Whose rules hold (default: the ledger's country)."
        case .draft: "Quick, from the views; not for handing over."
        case .units: "The unit of distances."
        case .language: "The report's language."
        case .paper: "The paper of html and pdf."
        case .output: "The file, such as log.pdf; - is standard output."
        case .wide: "Show every column in full."
        case .noPager: "Do not page through a report longer than the screen."
        case .proved: "Compute the log again, for a screen too."
        case .issue: "Note in the ledger that it is handed out."
        case .actor: "Who issues it (default: LEDGER_ACTOR, else you)."
        case .to, .day, .ownOffsets, .vehicle, .driver, .tripClass, .sums, .all, .scheme,
            .region, .asKnownOn, .lateAfter, .baseYear, .ledger, .replace, .download:
            nil
        }
    }

    /// The options of all reports with their full meanings, for people.
    static var meanings: FactSheet {
        FactSheet(
            allCases.filter { $0.isAsked && $0 != .ledger && $0 != .download }
                .map { parameter in
                    let fallback = parameter.fallback.map { " Without it: \($0)." } ?? ""
                    return ("--\(parameter.longName)", "\(parameter.meaning).\(fallback)")
                }
        )
    }
}

extension Option {
    /// Creates the option for a parameter of a report.
    ///
    /// - Parameters:
    ///   - parameter: What it says.
    ///   - otherName: Another name.
    ///   - completion: The proposals of a shell.
    init<Wrapped: ExpressibleByArgument>(
        _ parameter: ReportParameter,
        otherName: NameSpecification.Element? = nil,
        completion: CompletionKind? = nil
    ) where Value == Wrapped? {
        var names = [NameSpecification.Element.customLong(parameter.longName)]
        if let otherName { names.append(otherName) }
        self.init(
            name: NameSpecification(names),
            help: parameter.help,
            completion: completion
        )
    }
}

extension Flag where Value == Bool {
    /// Creates the flag that says something of a report.
    init(wrappedValue: Bool, _ parameter: ReportParameter) {
        self.init(
            wrappedValue: wrappedValue,
            name: .customLong(parameter.longName),
            help: parameter.help
        )
    }
}
