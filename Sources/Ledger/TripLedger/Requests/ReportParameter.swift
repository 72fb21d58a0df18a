import TripEvents

/// A parameter of a report request; the raw value is its name.
///
/// This is the only description of it. From it follow the option of `ledger report`, the parameter
/// of `/v1/reports`, the member of a request in JSON, the parameter that `report_issued` stores,
/// and what a bundle lists.
public enum ReportParameter: String, CaseIterable, Sendable {
    // Which trips.
    case year
    case from
    case to
    case month
    case day
    case timeZone = "time_zone"
    case ownOffsets = "own_offsets"
    case asOf = "as_of"
    case group
    case vehicle
    case driver
    case tripClass = "class"

    // The part of them that is shown.
    case sums
    case columns
    case all
    case privateAs = "private_as"
    case jurisdiction
    case scheme
    case region
    case asKnownOn = "as_known_on"
    case lateAfter = "late_after"
    case baseYear = "base_year"
    case draft

    // The format.
    case format
    case excel
    case units
    case language
    case paper

    // Where it goes, and who hands it out.
    case ledger
    case output
    case replace
    case wide
    case noPager = "no_pager"
    case proved
    case issue
    case actor
    case download

    /// The effect of a parameter.
    public enum Effect: Hashable, Sendable {
        /// A byte of the report: it is a member of the request, and stored with an issued report.
        case bytes

        /// Only where the report goes and how it is looked at: it is an option or a parameter of a
        /// query alone, and no request has it.
        case display
    }

    /// The effect of the parameter.
    public var effect: Effect {
        switch self {
        case .ledger, .output, .replace, .wide, .noPager, .proved, .issue, .actor, .download:
            .display
        case .year, .from, .to, .month, .day, .timeZone, .ownOffsets, .asOf, .group, .vehicle,
            .driver, .tripClass, .sums, .columns, .all, .privateAs, .jurisdiction, .scheme,
            .region, .asKnownOn, .lateAfter, .baseYear, .draft, .format, .excel, .units,
            .language, .paper:
            .bytes
        }
    }

    /// Whether people say it themselves: ``ownOffsets`` follows from whether they name a time zone.
    package var isAsked: Bool { self != .ownOffsets }

    /// How a door calls it.
    package func name(at door: ReportDoor) -> String {
        switch door {
        case .commandLine: "--" + rawValue.replacing("_", with: "-")
        case .request: rawValue
        }
    }
}

/// The door at which a report is asked for, which decides the names of the parameters.
package enum ReportDoor: Sendable {
    /// As options of `ledger report`.
    case commandLine

    /// As members of a request in JSON, or parameters of a query.
    case request
}

// MARK: - Values

/// The value of a parameter, as a request holds it.
package enum ReportValue: Hashable, Sendable {
    case text(String)
    case number(Int64)
    case flag(Bool)
}

extension ReportParameter {
    /// The form of a parameter's value.
    package enum Form: Hashable, Sendable {
        /// True or false; it is false if nothing is said.
        case flag

        /// Any text of 1 … 4,000 bytes without U+0000.
        case text

        /// A day, such as `2026-03-14`.
        case day

        /// A day, or a month or a year for all its days: `2026-03-14`, `2026-03` or `2026`; or a
        /// word for a day.
        case days

        /// A month, such as `2026-03`.
        case month

        /// An instant, such as `2026-03-14T15:09:26Z`.
        case instant

        /// A time zone, such as `Europe/Amsterdam`.
        case zone

        /// A whole number.
        case number(ClosedRange<Int64>)

        /// The name of a group of sources; false, in a query an empty text, for the owner's, which
        /// are of none.
        case group

        /// One of some words.
        case word([String])

        /// Names of columns with commas between them.
        case columns
    }

    fileprivate static let mostBytes = 4_000

    /// The years that can be said.
    static let years: ClosedRange<Int64> = 1_000...9_999

    private static let mostDays: Int64 = 36_500

    /// Returns what its value looks like in requests for a report.
    package func form(in kind: ReportKind) -> Form {
        switch self {
        case .year, .baseYear: .number(Self.years)
        case .from, .to: .days
        case .month: .month
        case .day, .asKnownOn: .day
        case .timeZone: .zone
        case .asOf: .instant
        case .group: .group
        case .vehicle, .driver, .scheme, .region, .ledger, .output, .actor: .text
        case .tripClass: Self.words(TripClass.self)
        case .columns: .columns
        case .privateAs: Self.words(PrivateTrips.self)
        case .jurisdiction: kind == .claim ? .text : Self.words(LogJurisdiction.self)
        case .lateAfter: .number(0...Self.mostDays)
        case .format: Self.words(ReportFormat.self)
        case .excel: Self.words(DecimalMark.self)
        case .units: Self.words(DistanceUnit.self)
        case .language: Self.words(Language.self)
        case .paper: Self.words(PaperSize.self)
        case .ownOffsets, .sums, .all, .draft, .replace, .wide, .noPager, .proved, .issue,
            .download:
            .flag
        }
    }

    private static func words<Word>(_ type: Word.Type) -> Form
    where Word: RawRepresentable<String> & CaseIterable {
        .word(type.allCases.map(\.rawValue))
    }
}

extension ReportParameter.Form {
    /// The word for true in a query.
    package static let yes = "yes"

    /// Reads what a query says; `nil` if it does not have this form.
    package func value(reading text: String) -> ReportValue? {
        switch self {
        case .flag: text == Self.yes ? .flag(true) : nil
        case .number: Int64(text).flatMap { canonical(.number($0)) }
        case .group: text.isEmpty ? .flag(false) : canonical(.text(text))
        case .text, .day, .days, .month, .instant, .zone, .word, .columns: canonical(.text(text))
        }
    }

    /// Returns the one spelling of a value; `nil` if it does not have this form.
    package func canonical(_ value: ReportValue) -> ReportValue? {
        switch (self, value) {
        case (.flag, .flag): value
        case (.group, .flag(let flag)): flag ? nil : value
        case (.number(let range), .number(let number)): range.contains(number) ? value : nil
        case (.flag, _), (.number, _), (_, .flag), (_, .number): nil
        case (_, .text(let text)): canonical(text).map { .text($0) }
        }
    }

    private func canonical(_ text: String) -> String? {
        switch self {
        case .text, .zone:
            (1...ReportParameter.mostBytes).contains(text.utf8.count) && !text.utf8.contains(0)
                ? text : nil
        case .day: CivilDate(text)?.description ?? DayWord(rawValue: text)?.rawValue
        case .days: AskedDays(text)?.text ?? DayWord(rawValue: text)?.rawValue
        case .month:
            AskedDays(text).flatMap { $0.isMonth ? $0.text : nil }
                ?? MonthWord(rawValue: text)?.rawValue
        case .instant: RFC3339.time(text).map { RFC3339.text($0.timestamp) }
        case .group: (try? TripEvent.checkGroup(named: text)) == nil ? nil : text
        case .word(let words): words.contains(text) ? text : nil
        case .columns:
            text.utf8.count <= ReportParameter.mostBytes
                && !text.split(separator: ",", omittingEmptySubsequences: false).contains("")
                ? text : nil
        case .flag, .number: nil
        }
    }

    /// What a value must be, as the end of a sentence.
    package var expectation: String {
        switch self {
        case .flag: "true or false"
        case .text: "a text of 1 to \(ReportParameter.mostBytes) bytes without U+0000"
        case .day: "a day, such as 2026-03-14, today or yesterday"
        case .days: "a day, a month or a year: 2026-03-14, today, yesterday, 2026-03 or 2026"
        case .month: "a month, such as 2026-03, this or last"
        case .instant: "an instant, such as 2026-03-14T15:09:26Z"
        case .zone: "a time zone, such as Europe/Amsterdam"
        case .number(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .group: "the name of a group: 1 to 64 bytes without control characters"
        case .word(let words): "one of \(words.joined(separator: ", "))"
        case .columns: "names of columns with commas between them"
        }
    }
}

// MARK: - Words for people

extension ReportParameter {
    /// What it means, as a sentence without a full stop.
    package var meaning: String {
        switch self {
        case .year: "All days of a year, which is a tax year where there is a jurisdiction"
        case .from: "The first day, such as 2026-01-01, or the month or year that it begins"
        case .to: "The last day, month or year"
        case .month: "All days of a month, such as 2026-03, or of this or the last one"
        case .day: "One day, such as 2026-03-14, today or yesterday"
        case .timeZone:
            "Count each trip on its day in this time zone, and not by its own UTC offset or in the "
                + "ledger's time zone"
        case .ownOffsets: "Count each trip by its own offset from UTC if that is known"
        case .asOf:
            "Let time pass to this moment, not to now; a trip is over once silence, no movement or "
                + "a dead device has ended it by then"
        case .group: "Only what belongs to this group of sources; an empty name for the owner's"
        case .vehicle: "Only trips with this vehicle"
        case .driver: "Only trips of this driver"
        case .tripClass: "Only trips of this class"
        case .sums: "Only the sums, without the trips"
        case .columns: "Only these columns of text and CSV, in this order, with commas between them"
        case .all: "List what was entered for the first time too"
        case .privateAs:
            "What is shown of private trips: all, or km-only, without places, times and what "
                + "people wrote"
        case .jurisdiction:
            "Whose tax years, forms, requirements or rates are meant: us, gb, ca, nl, de, au or "
                + "fr; of a claim also at, or a name of rates of one's own"
        case .scheme: "Only the rates of this scheme, not all that need not be named"
        case .region: "The part of the jurisdiction: provinces or territories in ca"
        case .asKnownOn: "Only rates that were announced by this day"
        case .lateAfter: "The days after which an entry is late"
        case .baseYear: "The year with which ca compares"
        case .draft: "Take the figures from the views: quick, and not for handing over"
        case .format: "How it is written"
        case .excel:
            "Write CSV that a spreadsheet program with this decimal mark opens rightly; csv is for "
                + "programs"
        case .units: "The unit of distances for people and CSV"
        case .language:
            "The language of text, html and pdf; what people typed stays as it is, and so do the "
                + "names in json and csv"
        case .paper: "The paper of html and pdf"
        case .ledger: "The directory of the ledger"
        case .output: "The file in which it is written, such as log.pdf; - is standard output"
        case .replace: "Replace the file if it is there"
        case .wide: "Show every column in full, also where the screen is too narrow"
        case .noPager: "Do not page through a report that is longer than the screen; see PAGER"
        case .proved:
            "Compute the log again for a report on a screen too, and use nothing from the views"
        case .issue:
            "Note in the ledger that the report is handed out, and what makes the same bytes "
                + "again: see `ledger report reissue`"
        case .actor: "Who issues it"
        case .download: "As a file to keep, with a name"
        }
    }

    /// The default, as people read it; `nil` if that needs no words.
    package var fallback: String? {
        switch self {
        case .units:
            "the ledger's, else mi in us; in CSV for programs km; of a claim that of its rates"
        case .language: "the ledger's, else en"
        case .jurisdiction: "the ledger's country, if it is one of these"
        case .paper: "the ledger's, else letter in us and ca and their time zones, a4 elsewhere"
        case .privateAs: "all"
        case .lateAfter: "\(LogJurisdiction.daysForEntries)"
        case .ledger: "LEDGER_DIR, else ~/.local/share/ledger"
        case .actor: "LEDGER_ACTOR, else your user name"
        case .year, .from, .to, .month, .day, .timeZone, .ownOffsets, .asOf, .group, .vehicle,
            .driver, .tripClass, .sums, .columns, .all, .scheme, .region, .asKnownOn, .baseYear,
            .draft,
            .format, .excel, .output, .replace, .wide, .noPager, .proved, .issue, .download:
            nil
        }
    }
}

extension ReportParameter {
    /// The placeholder for its value in the help of a command; `nil` for its own name.
    package var valueName: String? {
        switch self {
        case .from, .to: "date"
        case .timeZone: "zone"
        case .asOf: "time"
        case .columns: "names"
        case .asKnownOn: "day"
        case .lateAfter: "days"
        case .baseYear: "year"
        case .excel: "mark"
        case .paper: "size"
        case .ledger: "dir"
        case .output: "file"
        case .year, .month, .day, .ownOffsets, .group, .vehicle, .driver, .tripClass, .sums, .all,
            .privateAs, .jurisdiction, .scheme, .region, .draft, .format, .units, .language,
            .replace, .wide, .noPager, .proved, .issue, .actor, .download:
            nil
        }
    }
}

/// The way in which a report shows private trips.
public enum PrivateTrips: String, CaseIterable, Sendable {
    /// All that is known.
    case all

    /// Days and distances alone.
    case kmOnly = "km-only"
}
