import Geodesy
import Papers
package import Rates
package import Tables
package import TripEvents
package import TripLedger

/// A request with every parameter on which the bytes of the report depend, and with all that is
/// needed to make the report.
///
/// ```swift
/// let bytes = try ledger.readFromLog(asOf: instant) { snapshot in
///     try ResolvedReport(request, asOf: instant, of: snapshot, by: means).bytes(snapshot)
/// }
/// ```
package struct ResolvedReport {
    /// The request; resolved again, it stays as it is.
    package let request: ReportRequest

    /// The days that count, and the clock by which they do.
    package let period: LocalPeriod

    private let means: ReportMeans
    private let style: TextStyle
    private let format: ReportFormat

    /// The question of a claim; `nil` for another report.
    private let claim: ClaimQuestion?

    /// The rates that it uses; `nil` if it uses none.
    private let rates: LoadedRates?

    /// The days of the base year with which Canada compares.
    private let baseYear: ClosedRange<CivilDate>?

    /// Completes a request by the settings of a ledger.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - instant: The instant to which time has passed in the snapshot.
    ///   - snapshot: The ledger.
    ///   - means: The means to make the report.
    /// - Throws: ``ReportProblem`` if the parameters contradict each other; `.notFound` if there
    ///   are no such rates, `.unreadableInput` if this machine does not know the time zone;
    ///   `.damaged`, `.inputOutput`.
    package init(
        _ request: ReportRequest,
        asOf instant: Timestamp,
        of snapshot: borrowing Snapshot,
        by means: ReportMeans
    ) throws {
        try request.check()
        self.means = means
        let defaults = snapshot.reportDefaults(at: instant)
        var full = request
        full.asOf = instant
        full.format = request.excel == nil ? request.format ?? .text : .csv
        full.language = request.language ?? defaults.language
        full.draft = request.draft ?? false
        full.ownOffsets = request.ownOffsets ?? (request.timeZone == nil)
        full.timeZone = request.timeZone ?? defaults.timeZone
        let clock = try full.clock(in: snapshot, defaults)
        full.sayDays(on: clock.day(of: EventTime(instant)))
        // Only now are days that were given as words known, and they can be in the wrong order.
        try full.check()
        full.completeOwn()
        try full.nameColumns()
        if request.kind.takes(.jurisdiction) {
            full.jurisdiction = request.jurisdiction?.lowercased()
            // A claim needs only rates, which countries without forms have, too.
            let hasForms = defaults.country.flatMap(LogJurisdiction.init) != nil
            if request.kind == .claim || hasForms {
                full.jurisdiction = full.jurisdiction ?? defaults.country
            }
        }
        try full.checkComplete()
        var rates: LoadedRates?
        var claim: ClaimQuestion?
        if request.goesByRates {
            let known = try snapshot.rates(asIn: means.issued)
            means.noting(known)
            rates = known
            if request.kind == .claim {
                let row = try known.firstRow(for: full, at: snapshot.path)
                full.region = full.region ?? known.firstRegion(for: full)
                claim = ClaimQuestion(full, days: try full.claimDays(of: row))
                full.units = request.units ?? row.unit
            }
        }
        // Output for programs has the same columns regardless of the ledger's settings.
        let isForPrograms = full.format == .csv && full.excel == nil
        full.units =
            full.units ?? (isForPrograms ? .kilometers : defaults.units(of: full.jurisdiction))
        full.paper = request.paper ?? defaults.paper(of: full.jurisdiction)
        let days =
            claim.map { ($0.days.lowerBound, $0.days.upperBound) }
            ?? full.days(ofTaxYear: full.taxOffice?.days)
        full.setDays(from: days.0, to: days.1)
        period = LocalPeriod(from: days.0, to: days.1, localDay: clock)
        baseYear = full.baseYear.map { YearStart.january.year(beginningIn: $0) }
        style = full.style(on: means.screen, clock: clock)
        format = full.format ?? .text
        (self.rates, self.claim, self.request) = (rates, claim, full)
    }

    /// Makes the report.
    ///
    /// - Parameters:
    ///   - snapshot: The ledger with which the request was completed.
    ///   - write: Takes closures that each append to what they are given, in order.
    /// - Returns: Remarks beside it.
    /// - Throws: ``ReportProblem`` for a column that is not there; `.ambiguous` if several groups
    ///   have a vehicle of one name; `.damaged`, `.inputOutput`, what printing throws, and what
    ///   `write` throws.
    package func make(
        _ snapshot: borrowing Snapshot,
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) throws -> ReportRemarks {
        try readGroup(in: snapshot) { part in try makeKind(part, write) }
    }

    /// Runs `body` on the part of the ledger that the report is about: the group that was asked
    /// for; else all of it, where each name MUST be one vehicle.
    private func readGroup<Result>(
        in snapshot: borrowing Snapshot,
        _ body: (borrowing Snapshot) throws -> Result
    ) throws -> Result {
        // The head of a report says it. Damage there is found while all can still be read again
        // from new views: after trips were handed over it cannot.
        _ = try snapshot.latestEndByTime()
        guard let group = request.group else {
            try snapshot.requireOneVehicle(named: request.vehicle, of: nil)
            return try body(snapshot)
        }
        let part = snapshot.selecting(group)
        return try body(part)
    }

    private func makeKind(
        _ snapshot: borrowing Snapshot,
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) throws -> ReportRemarks {
        switch request.kind {
        case .log: return try makeLog(snapshot, write)
        case .claim: return try makeClaim(snapshot, write)
        case .summary:
            let report = try SummaryReport(
                snapshot,
                try frame(snapshot),
                for: request.taxOffice,
                style,
                rates: rates
            )
            try self.write(report, write)
        case .reconcile:
            let report = try ReconciliationReport(
                snapshot,
                try frame(snapshot),
                hidesPrivate: hidesPrivate
            )
            try self.write(report, write)
        case .completeness:
            let report = try CompletenessReport(
                snapshot,
                try frame(snapshot),
                for: request.taxOffice,
                daysForEntries: request.lateAfter.map(Int64.init) ?? LogJurisdiction.daysForEntries
            )
            try self.write(report, write)
        case .changes:
            let report = try ChangesReport(
                snapshot,
                try frame(snapshot),
                listingEntries: request.all == true,
                hidesPrivate: hidesPrivate
            )
            try self.write(report, write)
        case .methods: try makeMethods(snapshot, write)
        }
        return remarks()
    }

    /// Makes the report as bytes.
    ///
    /// - Throws: As ``make(_:_:)``.
    package func bytes(
        _ snapshot: borrowing Snapshot
    ) throws -> (bytes: [UInt8], remarks: ReportRemarks) {
        var bytes: [UInt8] = []
        let remarks = try make(snapshot) { $0(&bytes) }
        return (bytes, remarks)
    }

    // MARK: Reports

    private func makeLog(
        _ snapshot: borrowing Snapshot,
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) throws -> ReportRemarks {
        let sheet = MileageSheet(
            in: period,
            vehicle: request.vehicle,
            driver: request.driver,
            tripClass: request.tripClass,
            columns: try chosen(of: MileageLine.columns, snapshot),
            style: style,
            format: rows,
            showsTrips: request.sums != true,
            isDraft: isDraft,
            hidesPrivate: hidesPrivate
        )
        guard format.rows == nil else {
            return remarks(unfinished: try sheet.write(snapshot, write))
        }
        let (page, unfinished) = try sheet.page(snapshot)
        try self.write(page, write)
        return remarks(unfinished: unfinished)
    }

    private func makeClaim(
        _ snapshot: borrowing Snapshot,
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) throws -> ReportRemarks {
        let (sheet, rates) = try claimSheet(snapshot)
        guard format.rows == nil else {
            return remarks(unfinished: try sheet.write(snapshot, rates: rates, write))
        }
        let (page, unfinished) = try sheet.page(snapshot, rates: rates)
        try self.write(page, write)
        return remarks(unfinished: unfinished)
    }

    /// Returns the result of a claim; `nil` for another report.
    ///
    /// - Throws: `.ambiguous` if several groups have a vehicle of one name; `.damaged`,
    ///   `.inputOutput`.
    package func claimResult(_ snapshot: borrowing Snapshot) throws -> ClaimResult? {
        guard request.kind == .claim else { return nil }
        let (sheet, rates) = try claimSheet(snapshot)
        return try readGroup(in: snapshot) { part in try sheet.result(part, rates: rates) }
    }

    private func claimSheet(
        _ snapshot: borrowing Snapshot
    ) throws -> (sheet: ClaimSheet, rates: LoadedRates) {
        guard let claim, let rates else {
            preconditionFailure("a claim was completed with its rates")
        }
        let sheet = ClaimSheet(
            claim,
            localDay: period.localDay,
            columns: try chosen(of: ClaimRow.columns, snapshot),
            style: style,
            format: rows,
            isDraft: isDraft
        )
        return (sheet, rates)
    }

    private func makeMethods(
        _ snapshot: borrowing Snapshot,
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) throws {
        guard let jurisdiction = request.taxOffice, let rates, let days = period.days else {
            preconditionFailure("the request was checked, and completed with its rates")
        }
        let report = try MethodsReport(
            snapshot,
            try frame(snapshot),
            for: jurisdiction,
            on: days,
            baseYear: baseYear,
            rates: rates
        )
        try self.write(report, write)
    }

    /// Returns the remarks beside the report that follow from the request.
    package func remarks(unfinished: UnfinishedTrips = UnfinishedTrips()) -> ReportRemarks {
        ReportRemarks(
            unfinished: unfinished,
            days: period.days,
            table: request.jurisdiction.flatMap { rates?.programTable(of: $0) }
        )
    }

    private var isDraft: Bool { request.draft == true }

    private var hidesPrivate: Bool { request.privateAs == .kmOnly }

    private func frame(_ snapshot: borrowing Snapshot) throws -> ReportFrame {
        try ReportFrame(
            snapshot,
            in: period,
            vehicle: request.vehicle,
            driver: request.driver,
            isDraft: isDraft
        )
    }

    /// The columns that were asked for; those of JSON stay.
    private func chosen<Row>(
        of columns: Columns<Row>,
        _ snapshot: borrowing Snapshot
    ) throws -> Columns<Row> {
        guard let names = request.columns, rows == .text || rows == .csv else { return columns }
        let all = rows == .csv ? columns.noting(try snapshot.missingEntries()) : columns
        do {
            return try all.choosing(names, as: rows)
        } catch {
            throw ReportProblem.unknownColumn(error.name, among: error.names)
        }
    }

    // MARK: Formats

    /// The format of rows from which it is made: a document has the content of text.
    private var rows: RowFormat { format.rows ?? .text }

    private func write(
        _ report: some PrintedReport,
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) throws {
        guard let rows = format.rows else { return try self.write(report.page(style), write) }
        let bytes = report.bytes(as: rows, style: style)
        try write { $0 += bytes }
    }

    private func write(
        _ page: ReportPage,
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) throws {
        var document = page.document(on: request.paper ?? .a4)
        document.code = page.head.flatMap(means.code)
        let bytes = try bytes(of: document)
        try write { $0 += bytes }
    }

    private func bytes(of document: Document) throws -> [UInt8] {
        switch format {
        case .pdf: return try means.print(document)
        case .document: return document.json + [UInt8(ascii: "\n")]
        case .html, .text, .json, .csv:
            var bytes: [UInt8] = []
            var writer = HTMLWriter(document)
            writer.append(to: &bytes)
            return bytes
        }
    }
}

// MARK: - Completing

extension ReportKind {
    /// Whether the report has a parameter.
    fileprivate func takes(_ parameter: ReportParameter) -> Bool { parameters.contains(parameter) }
}

extension ReportRequest {
    /// Whether the report shows figures or thresholds of rates.
    fileprivate var goesByRates: Bool {
        switch kind {
        case .claim, .methods: true
        case .summary: jurisdiction != nil
        case .log, .reconcile, .completeness, .changes: false
        }
    }

    /// Sets the defaults of parameters that only some reports have.
    fileprivate mutating func completeOwn() {
        if kind.takes(.sums) { sums = sums ?? false }
        if kind.takes(.all) { all = all ?? false }
        if kind.takes(.privateAs) { privateAs = privateAs ?? .all }
        if kind.takes(.lateAfter) { lateAfter = lateAfter ?? Int(LogJurisdiction.daysForEntries) }
    }

    /// Replaces the names of the requested columns by those in CSV; JSON always has all columns.
    ///
    /// - Throws: ``ReportProblem`` for one that is not there.
    fileprivate mutating func nameColumns() throws(ReportProblem) {
        guard let names = columns, format?.rows != .json else { return }
        do throws(UnknownColumn) {
            columns =
                kind == .claim
                ? try Self.columnNames(names, among: ClaimRow.columns)
                : try Self.columnNames(names, among: MileageLine.columns)
        } catch {
            throw .unknownColumn(error.name, among: error.names)
        }
    }

    private static func columnNames<Row>(
        _ names: [String],
        among columns: Columns<Row>
    ) throws(UnknownColumn) -> [String] {
        // Columns about missing entries are there only if some are missing: errors do not offer
        // them.
        if let found = try? columns.notingAny.names(ofCalled: names) { return found }
        return try columns.names(ofCalled: names)
    }

    /// Replaces the days by a first and a last day.
    fileprivate mutating func setDays(from first: CivilDate?, to last: CivilDate?) {
        (year, month, day) = (nil, nil, nil)
        from = first.map { AskedDays($0) }
        to = last.map { AskedDays($0) }
    }

    /// Returns the days of a claim, whose tax years begin as those of a row of its rates.
    ///
    /// - Throws: ``ReportProblem`` if they have no first or last one.
    fileprivate func claimDays(
        of row: RateRow
    ) throws(ReportProblem) -> ClosedRange<CivilDate> {
        let days = days { row.yearStart.year(beginningIn: $0) }
        guard let first = days.first, let last = days.last else { throw .claimWithoutDays }
        return first...last
    }

    /// Returns the clock by which trips are shown and counted.
    ///
    /// - Throws: `.unreadableInput` if this machine does not know the time zone.
    fileprivate func clock(
        in snapshot: borrowing Snapshot,
        _ defaults: ReportDefaults
    ) throws(LedgerError) -> LocalDay {
        let zone = timeZone ?? defaults.timeZone
        let usesOwn = ownOffsets ?? true
        if usesOwn, zone == defaults.timeZone, let clock = snapshot.clock { return clock }
        return LocalDay(zone: try TimeZoneRules.ofMachine(named: zone), usesOwnOffsets: usesOwn)
    }

    /// Returns how people see the report.
    fileprivate func style(on screen: TextStyle, clock: LocalDay) -> TextStyle {
        var style = screen
        style.unit = units ?? style.unit
        style.clock = clock
        style.language = language ?? style.language
        style.spreadsheet = excel
        return style
    }
}

extension ClaimQuestion {
    fileprivate init(_ request: ReportRequest, days: ClosedRange<CivilDate>) {
        self.init(jurisdiction: request.jurisdiction ?? "", days: days)
        scheme = request.scheme
        region = request.region
        vehicle = request.vehicle
        driver = request.driver
        knownOn = request.asKnownOn
    }
}

extension LoadedRates {
    /// Returns the region of a claim that names none: the first one among its rates.
    fileprivate func firstRegion(for claim: ReportRequest) -> String? {
        RateBook(tables, knownOn: claim.asKnownOn)
            .stretches(in: claim.jurisdiction ?? "", scheme: claim.scheme, region: nil)
            .lazy.compactMap(\.row.region).first
    }

    /// Returns a row of the requested rates, which gives the beginning of years and the unit.
    ///
    /// - Throws: `.notFound` if there is no such jurisdiction, scheme or region.
    fileprivate func firstRow(
        for request: ReportRequest,
        at path: FilePath
    ) throws(LedgerError) -> RateRow {
        func find(
            _ kind: String,
            _ name: String?,
            _ names: (RateRow) -> String?,
            among rows: [RateRow]
        ) throws(LedgerError) -> [RateRow] {
            guard let name else { return rows }
            let found = rows.filter { names($0) == name }
            guard found.isEmpty else { return found }
            let known = Set(rows.compactMap(names)).sorted()
            throw LedgerError(
                .notFound,
                at: path.string,
                cause: "there is no \(kind) \(Excerpt.escaped(name)) among the rates",
                hint: known.isEmpty
                    ? "Leave it out" : "Choose from " + known.joined(separator: ", ")
            )
        }
        let rows = tables.flatMap(\.rows)
        let own = try find("jurisdiction", request.jurisdiction, { $0.jurisdiction }, among: rows)
        let ofScheme = try find("scheme", request.scheme, { $0.scheme }, among: own)
        let chosen = try find("region", request.region, { $0.region }, among: ofScheme)
        guard let first = chosen.first else {
            preconditionFailure("what was found is empty")
        }
        return first
    }
}

extension ReportFormat {
    /// The format of the rows; `nil` for a document.
    package var rows: RowFormat? {
        switch self {
        case .text: .text
        case .json: .json
        case .csv: .csv
        case .html, .pdf, .document: nil
        }
    }
}

extension ReportKind {
    /// The names of the columns that can be chosen; empty if there is no choice.
    package var columnNames: [String] {
        switch self {
        case .log: MileageLine.columns.chosenNames
        case .claim: ClaimRow.columns.chosenNames
        case .summary, .reconcile, .completeness, .changes, .methods: []
        }
    }
}

extension LocalPeriod {
    /// The days; `nil` if they have no first or no last one.
    fileprivate var days: ClosedRange<CivilDate>? {
        guard let from, let to else { return nil }
        return from...to
    }
}
