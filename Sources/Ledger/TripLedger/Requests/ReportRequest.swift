import Platform
import Projections
public import TripEvents

/// A request for a report, as a value: the same on the command line, on the server and in Swift.
///
/// Parameters that are not given follow from the ledger and its settings (``ReportDefaults``); a
/// request that is stored with an issued report or in a bundle gives every parameter on which the
/// bytes depend.
///
/// ```swift
/// var request = ReportRequest(.log)
/// request.year = 2025
/// request.vehicle = "van"
/// let again = try ReportRequest(json: request.json)
/// ```
public struct ReportRequest: Hashable, Sendable {
    /// The version of the form in which requests are written; a request of another one is refused.
    public static let version: Int64 = 1

    /// The kind of report.
    public let kind: ReportKind

    private var values: [ReportParameter: ReportValue] = [:]

    /// Creates a request that says nothing but which report.
    public init(_ kind: ReportKind) {
        self.kind = kind
    }

    /// The value of a parameter; `nil` if it is not given.
    package subscript(parameter: ReportParameter) -> ReportValue? {
        get { values[parameter] }
        set { values[parameter] = newValue }
    }

    /// The parameters that are given, in the order in which they are listed.
    package var said: [ReportParameter] { ReportParameter.allCases.filter { values[$0] != nil } }
}

// MARK: - What is said

extension ReportRequest {
    /// How it is written.
    public var format: ReportFormat? {
        get { word(.format) }
        set { setWord(.format, newValue) }
    }

    /// The decimal mark of CSV for a spreadsheet program; `nil` for CSV that programs read.
    public var excel: DecimalMark? {
        get { word(.excel) }
        set { setWord(.excel, newValue) }
    }

    /// All days of a year: a tax year where there is a jurisdiction.
    public var year: Int? {
        get { number(.year) }
        set { setNumber(.year, newValue) }
    }

    /// All days of a month.
    public var month: AskedDays? {
        get { text(.month).flatMap { AskedDays($0) } }
        set { setText(.month, newValue?.text) }
    }

    /// One day.
    public var day: CivilDate? {
        get { text(.day).flatMap { CivilDate($0) } }
        set { setText(.day, newValue?.description) }
    }

    /// The first day, or the month or year that it begins.
    public var from: AskedDays? {
        get { text(.from).flatMap { AskedDays($0) } }
        set { setText(.from, newValue?.text) }
    }

    /// The last day, or the month or year that it ends.
    public var to: AskedDays? {
        get { text(.to).flatMap { AskedDays($0) } }
        set { setText(.to, newValue?.text) }
    }

    /// The time zone in which trips count.
    public var timeZone: String? {
        get { text(.timeZone) }
        set { setText(.timeZone, newValue) }
    }

    /// Whether a trip counts by its own offset from UTC where that is known.
    public var ownOffsets: Bool? {
        get { flag(.ownOffsets) }
        set { setFlag(.ownOffsets, newValue) }
    }

    /// The instant to which time passes.
    public var asOf: Timestamp? {
        get { text(.asOf).flatMap { RFC3339.time($0)?.timestamp } }
        set { setText(.asOf, newValue.map { RFC3339.text($0) }) }
    }

    /// The only group of sources, or the owner's alone; `nil` for all.
    public var group: GroupSelection? {
        get { values[.group].map { _ in GroupSelection(text(.group)) } }
        set {
            values[.group] = newValue.map { $0.group.map { ReportValue.text($0) } ?? .flag(false) }
        }
    }

    /// The only vehicle.
    public var vehicle: String? {
        get { text(.vehicle) }
        set { setText(.vehicle, newValue) }
    }

    /// The only driver.
    public var driver: String? {
        get { text(.driver) }
        set { setText(.driver, newValue) }
    }

    /// The only class.
    public var tripClass: TripClass? {
        get { word(.tripClass) }
        set { setWord(.tripClass, newValue) }
    }

    /// Whether only the sums are shown.
    public var sums: Bool? {
        get { flag(.sums) }
        set { setFlag(.sums, newValue) }
    }

    /// The names of the columns of text and CSV; `nil` for all that say something.
    public var columns: [String]? {
        get { text(.columns)?.split(separator: ",").map(String.init) }
        set { setText(.columns, newValue?.joined(separator: ",")) }
    }

    /// Whether what was entered for the first time is listed too.
    public var all: Bool? {
        get { flag(.all) }
        set { setFlag(.all, newValue) }
    }

    /// The way in which private trips are shown.
    public var privateAs: PrivateTrips? {
        get { word(.privateAs) }
        set { setWord(.privateAs, newValue) }
    }

    /// The jurisdiction; of a claim also a name of rates of one's own.
    public var jurisdiction: String? {
        get { text(.jurisdiction) }
        set { setText(.jurisdiction, newValue) }
    }

    /// The scheme whose rates count; `nil` for all that need not be named.
    public var scheme: String? {
        get { text(.scheme) }
        set { setText(.scheme, newValue) }
    }

    /// The part of the jurisdiction; `nil` for the one that stands first.
    public var region: String? {
        get { text(.region) }
        set { setText(.region, newValue) }
    }

    /// The day by which rates must have been announced; `nil` for all of the tables.
    public var asKnownOn: CivilDate? {
        get { text(.asKnownOn).flatMap { CivilDate($0) } }
        set { setText(.asKnownOn, newValue?.description) }
    }

    /// The number of days after which an entry is late.
    public var lateAfter: Int? {
        get { number(.lateAfter) }
        set { setNumber(.lateAfter, newValue) }
    }

    /// The year with which Canada compares.
    public var baseYear: Int? {
        get { number(.baseYear) }
        set { setNumber(.baseYear, newValue) }
    }

    /// Whether the figures come from the views, and no root is named.
    public var draft: Bool? {
        get { flag(.draft) }
        set { setFlag(.draft, newValue) }
    }

    /// The unit of distances for people and CSV.
    public var units: DistanceUnit? {
        get { word(.units) }
        set { setWord(.units, newValue) }
    }

    /// The language of text and documents.
    public var language: Language? {
        get { word(.language) }
        set { setWord(.language, newValue) }
    }

    /// The paper of documents.
    public var paper: PaperSize? {
        get { word(.paper) }
        set { setWord(.paper, newValue) }
    }

    private func text(_ parameter: ReportParameter) -> String? {
        if case .text(let text)? = values[parameter] { text } else { nil }
    }

    private mutating func setText(_ parameter: ReportParameter, _ text: String?) {
        values[parameter] = text.map { .text($0) }
    }

    private func word<Word: RawRepresentable<String>>(_ parameter: ReportParameter) -> Word? {
        text(parameter).flatMap(Word.init)
    }

    private mutating func setWord(
        _ parameter: ReportParameter,
        _ word: (some RawRepresentable<String>)?
    ) {
        values[parameter] = word.map { .text($0.rawValue) }
    }

    private func number(_ parameter: ReportParameter) -> Int? {
        if case .number(let number)? = values[parameter] { Int(exactly: number) } else { nil }
    }

    private mutating func setNumber(_ parameter: ReportParameter, _ number: Int?) {
        values[parameter] = number.map { .number(Int64($0)) }
    }

    private func flag(_ parameter: ReportParameter) -> Bool? {
        if case .flag(let flag)? = values[parameter] { flag } else { nil }
    }

    private mutating func setFlag(_ parameter: ReportParameter, _ flag: Bool?) {
        values[parameter] = flag.map { .flag($0) }
    }
}

// MARK: - Days

extension ReportRequest {
    /// Replaces days and a month that were given as a word, such as `last`, by what the word means
    /// if it is said on a given day.
    package mutating func sayDays(on today: CivilDate) {
        if let word = text(.day).flatMap(DayWord.init) { day = word.day(on: today) }
        if let word = text(.from).flatMap(DayWord.init) { from = AskedDays(word.day(on: today)) }
        if let word = text(.to).flatMap(DayWord.init) { to = AskedDays(word.day(on: today)) }
        if let word = text(.month).flatMap(MonthWord.init) { month = word.month(on: today) }
    }

    /// Returns the first and the last day that are meant, as far as they are said.
    ///
    /// - Parameter taxYear: The days of the tax year that begins in a year, which ``year`` means;
    ///   `nil` for years of the calendar.
    /// - Returns: The days; `nil` for one that is not said.
    package func days(
        ofTaxYear taxYear: ((Int) -> ClosedRange<CivilDate>?)? = nil
    ) -> (first: CivilDate?, last: CivilDate?) {
        if let year {
            let days = taxYear.flatMap { $0(year) }
            let asked = AskedDays("\(year)")
            return (days?.lowerBound ?? asked?.first, days?.upperBound ?? asked?.last)
        }
        if let day { return (day, day) }
        return ((month ?? from)?.first, (month ?? to)?.last)
    }

    /// The jurisdiction as one whose tax office asks for a log; `nil` for rates of one's own.
    package var taxOffice: LogJurisdiction? {
        jurisdiction.flatMap { LogJurisdiction(rawValue: $0) }
    }
}

// MARK: - Checking

extension ReportRequest {
    /// Checks what is said: alone, and together.
    ///
    /// - Throws: ``ReportProblem`` that names the first thing that is wrong.
    public func check() throws(ReportProblem) {
        for parameter in said {
            guard kind.parameters.contains(parameter) else {
                throw .unknownMember(parameter.rawValue, of: kind)
            }
            guard let value = values[parameter],
                parameter.form(in: kind).canonical(value) == value
            else {
                throw .wrongValue(parameter, of: kind, value: text(of: parameter))
            }
        }
        try checkDays()
        if sums == true, columns != nil { throw .columnsOfSums }
        if jurisdiction != nil { try checkBaseYear() }
        if excel != nil, let format, ![.text, .csv].contains(format) {
            throw .spreadsheet(as: format)
        }
    }

    /// Checks that this machine knows the time zone that is asked for.
    ///
    /// - Throws: ``ReportProblem``.
    package func checkZone() throws(ReportProblem) {
        if let timeZone, !MachineTimeZone.isKnown(timeZone) { throw .unknownZone(timeZone) }
    }

    private func checkDays() throws(ReportProblem) {
        let saysFrom = values[.from] != nil
        let saysTo = values[.to] != nil
        let isSaid = [ReportParameter.year, .month, .day].map { values[$0] != nil }
        let wayCount = (isSaid + [saysFrom || saysTo]).count(where: \.self)
        guard wayCount <= 1 else {
            throw .daysSaidTwice(
                [.year, .month, .day, .from, .to].filter { values[$0] != nil }
            )
        }
        if kind == .claim {
            guard wayCount == 1, saysFrom == saysTo else { throw .claimWithoutDays }
        }
        if let from, let to, to.last < from.first {
            throw .endsBeforeItBegins(first: from.first, last: to.last)
        }
    }

    /// Checks that nothing is missing, once the settings of the ledger have completed it.
    ///
    /// - Throws: ``ReportProblem``.
    package func checkComplete() throws(ReportProblem) {
        for parameter in kind.required where values[parameter] == nil { throw .missing(parameter) }
        guard kind == .methods else { return }
        try checkBaseYear()
        guard let taxOffice,
            case (let first?, let last?) = days(ofTaxYear: taxOffice.days),
            taxOffice.taxYear(of: first) == taxOffice.taxYear(of: last)
        else { throw .notOneTaxYear }
    }

    private func checkBaseYear() throws(ReportProblem) {
        if baseYear != nil, taxOffice != .ca { throw .baseYearElsewhere }
    }

    /// Checks that it can be handed out.
    ///
    /// - Throws: ``ReportProblem`` for a draft, and for days without a first or a last one.
    package func checkForIssue() throws(ReportProblem) {
        guard draft != true else { throw .draftIssued }
        // A word such as `last-year` means days with a first and a last one, on whatever day it is
        // said.
        var request = self
        request.sayDays(on: CivilDate(daysSince1970: 0))
        guard case (_?, _?) = request.days() else { throw .openDaysIssued }
    }

    private func text(of parameter: ReportParameter) -> String {
        switch values[parameter] {
        case .text(let text): text
        case .number(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        case nil: ""
        }
    }
}

// MARK: - Forms

extension ReportRequest {
    private static let versionName = "version"
    private static let reportName = "report"

    /// Says something as a query does.
    ///
    /// - Throws: ``ReportProblem`` if the value does not have the parameter's form.
    package mutating func say(
        _ parameter: ReportParameter,
        reading text: String
    ) throws(ReportProblem) {
        guard let value = parameter.form(in: kind).value(reading: text) else {
            throw .wrongValue(parameter, of: kind, value: text)
        }
        values[parameter] = value
    }

    /// Reads a request: `report-request.v1.schema.json`.
    ///
    /// - Parameter json: One object, also with white space around it.
    /// - Throws: ``ReportProblem`` if it is not a request, or has something that this program does
    ///   not know.
    public init(json: [UInt8]) throws(ReportProblem) {
        let space = Set(" \t\r\n".utf8)
        let start = json.firstIndex { !space.contains($0) } ?? 0
        let end = json.lastIndex { !space.contains($0) }.map { $0 + 1 } ?? json.count
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue(json.span.extracting(start..<end))
        } catch {
            throw .notARequest(error.sentence)
        }
        try self.init(value)
    }

    /// Reads a request that is a part of other JSON.
    ///
    /// - Throws: ``ReportProblem``.
    package init(_ json: JSONValue) throws(ReportProblem) {
        guard case .object(let members) = json else {
            throw .notARequest("A request is an object, and not \(json.typeName).")
        }
        guard case .text(let report)? = json[Self.reportName] else {
            throw .notARequest("The request does not say which report: report is missing.")
        }
        try self.init(
            report,
            members.filter { $0.name != Self.reportName }
                .map { ($0.name, ReportValue($0.value), Self.literal(of: $0.value)) }
        )
    }

    /// Reads the request that an issued report answers.
    ///
    /// - Throws: ``ReportProblem`` if this program does not know all that it says.
    public init(of issued: ReportIssued) throws(ReportProblem) {
        try self.init(
            issued.report,
            (issued.parameters?.all ?? [])
                .map { ($0.key, ReportValue($0.value), Self.literal(of: $0.value)) }
        )
        from = AskedDays(issued.periodStart)
        to = AskedDays(issued.periodEnd)
        try check()
    }

    private init(
        _ report: String,
        _ members: [(name: String, value: ReportValue?, literal: String)]
    ) throws(ReportProblem) {
        guard let version = members.first(where: { $0.name == Self.versionName }) else {
            throw .notARequest("The request has no version: version is missing.")
        }
        guard version.value == .number(Self.version) else { throw .newerVersion(version.literal) }
        guard let kind = ReportKind(rawValue: report) else { throw .unknownReport(report) }
        self.init(kind)
        for (name, value, literal) in members where name != Self.versionName {
            guard let parameter = ReportParameter(rawValue: name) else {
                throw .unknownMember(name, of: kind)
            }
            guard parameter.effect == .bytes else { throw .displayOnly(parameter) }
            guard kind.parameters.contains(parameter) else {
                throw .unknownMember(name, of: kind)
            }
            guard let value = value.flatMap(parameter.form(in: kind).canonical) else {
                throw .wrongValue(parameter, of: kind, value: literal)
            }
            values[parameter] = value
        }
    }

    private static func literal(of value: JSONValue) -> String {
        if case .text(let text) = value { return text }
        var bytes: [UInt8] = []
        JSONWriter.append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func literal(of value: CustomValue) -> String {
        switch value {
        case .text(let text): text
        case .number(let number): "\(number)"
        case .boolean(let boolean): "\(boolean)"
        case .null: "null"
        }
    }

    /// The request as one JSON object: `report-request.v1.schema.json`.
    public var json: [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.append(.object(members), to: &bytes)
        return bytes
    }

    /// The members of that object, in the order in which parameters are listed.
    package var members: [JSONValue.Member] {
        [
            JSONValue.Member(
                name: Self.versionName,
                value: .number(literal: "\(Self.version)")
            ),
            JSONValue.Member(name: Self.reportName, value: .text(kind.rawValue)),
        ]
            + said.compactMap { parameter in
                values[parameter]
                    .map { JSONValue.Member(name: parameter.rawValue, value: $0.json) }
            }
    }

    /// The parameters that an issued report stores beside its kind and its days.
    package var storedParameters: CustomFields {
        var fields = CustomFields()
        fields[Self.versionName] = ExactDecimal(Self.version).map { .number($0) }
        for parameter in said where parameter != .from && parameter != .to {
            fields[parameter.rawValue] = values[parameter]?.stored
        }
        return fields
    }
}

extension ReportValue {
    /// Takes over a value of JSON; `nil` if no parameter can have it.
    fileprivate init?(_ json: JSONValue) {
        switch json {
        case .text(let text): self = .text(text)
        case .boolean(let flag): self = .flag(flag)
        case .number(let literal):
            guard let number = Int64(literal) else { return nil }
            self = .number(number)
        case .null, .list, .object: return nil
        }
    }

    /// Takes over a stored value; `nil` if no parameter can have it.
    fileprivate init?(_ stored: CustomValue) {
        switch stored {
        case .text(let text): self = .text(text)
        case .boolean(let flag): self = .flag(flag)
        case .number(let decimal):
            guard let number = decimal.units(places: 0),
                ExactDecimal(number) == decimal
            else { return nil }
            self = .number(number)
        case .null: return nil
        }
    }

    fileprivate var json: JSONValue {
        switch self {
        case .text(let text): .text(text)
        case .number(let number): .number(literal: "\(number)")
        case .flag(let flag): .boolean(flag)
        }
    }

    fileprivate var stored: CustomValue? {
        switch self {
        case .text(let text): .text(text)
        case .number(let number): ExactDecimal(number).map { .number($0) }
        case .flag(let flag): .boolean(flag)
        }
    }
}

/// The values for a report where its request says nothing: the settings of the ledger.
///
/// They come from here alone. A request that was completed by them holds their values, so that
/// later settings do not change a report that was handed out.
public struct ReportDefaults: Hashable, Sendable {
    /// The time zone in which trips count that have no offset of their own.
    public var timeZone: String

    /// The unit of distances, as the settings say it or the ledger began.
    public var units: DistanceUnit

    /// Whether a person set the unit after the ledger began.
    public var setsUnits: Bool

    /// The language of text and documents.
    public var language: Language

    /// The paper of documents; `nil` for that of the jurisdiction.
    public var paper: PaperSize?

    /// The country whose rates, forms and paper are meant: two small letters; `nil` for none.
    public var country: String?

    /// Returns the unit for a jurisdiction, or without one: the United States count miles, unless a
    /// person says otherwise.
    package func units(of jurisdiction: String?) -> DistanceUnit {
        !setsUnits && (jurisdiction ?? country) == "us" ? .miles : units
    }

    /// Returns the paper for a jurisdiction, or without one: then the time zone says where the
    /// ledger is.
    package func paper(of jurisdiction: String?) -> PaperSize {
        if let paper { return paper }
        let isLetter =
            (jurisdiction ?? country).map { ["us", "ca"].contains($0) }
            ?? LetterZones.contains(timeZone)
        return isLetter ? .letter : .a4
    }
}

extension Snapshot {
    /// Who keeps the ledger at the instant that was asked about; `nil` if no one is named.
    package var keeper: String? { settings.keeper(at: instant) }

    /// Returns what holds at an instant for reports where their request says nothing.
    public func reportDefaults(at instant: Timestamp) -> ReportDefaults {
        ReportDefaults(
            timeZone: settings.timeZone(at: instant),
            units: settings.units(at: instant),
            // The event that began the ledger has no time of its own.
            setsUnits: settings.saying(of: .units, at: instant)?.since != nil,
            // For de-AT, German; other languages have no reports.
            language: settings.language(at: instant)
                .flatMap { Language(rawValue: String($0.prefix { $0 != "-" })) } ?? .en,
            paper: settings.paper(at: instant),
            country: settings.country(at: instant)
        )
    }
}
