import Papers
import Projections
package import Rates
package import Tables
package import TripEvents
package import TripLedger

/// The question that a claim answers.
package struct ClaimQuestion: Sendable {
    /// The jurisdiction.
    package var jurisdiction: String

    /// The scheme; `nil` for all schemes that apply without being named.
    package var scheme: String?

    /// The region; `nil` for the first one.
    package var region: String?

    /// The days.
    package var days: ClosedRange<CivilDate>

    /// The only vehicle; `nil` for all.
    package var vehicle: String?

    /// The only driver; `nil` for all, whose trips then count as those of one person.
    package var driver: String?

    /// Only rates that were known on this day count; `nil` for all.
    package var knownOn: CivilDate?

    /// Asks for the days of a jurisdiction.
    package init(jurisdiction: String, days: ClosedRange<CivilDate>) {
        self.jurisdiction = jurisdiction
        self.days = days
    }
}

/// A claim over a snapshot as text, JSON or CSV.
package struct ClaimSheet: Sendable {
    private let question: ClaimQuestion
    private let localDay: LocalDay
    private let columns: Columns<ClaimRow>
    private let style: TextStyle
    private let format: RowFormat
    private let isDraft: Bool

    /// Describes a claim.
    ///
    /// - Parameters:
    ///   - question: The question that the claim answers.
    ///   - localDay: The clock that gives the day of a trip.
    ///   - columns: The columns that people see and CSV has.
    ///   - style: How people see it; its unit is that of CSV too.
    ///   - format: The format.
    ///   - isDraft: Whether it is a draft, which names no root because it is not to be handed over.
    package init(
        _ question: ClaimQuestion,
        localDay: LocalDay,
        columns: Columns<ClaimRow>,
        style: TextStyle,
        format: RowFormat,
        isDraft: Bool
    ) {
        self.question = question
        self.localDay = localDay
        self.columns = columns
        self.style = style
        self.format = format
        self.isDraft = isDraft
    }

    /// Writes the claim.
    ///
    /// - Parameters:
    ///   - snapshot: The ledger.
    ///   - rates: Its rates.
    ///   - write: Takes closures that each append to what they are given, in order.
    /// - Returns: The trips that go on.
    /// - Throws: `.damaged`, `.inputOutput`, and what `write` throws.
    package func write(
        _ snapshot: borrowing Snapshot,
        rates: LoadedRates,
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) throws -> UnfinishedTrips {
        let (total, unfinished) = try total(of: snapshot, rates: rates)
        let missing = try snapshot.missingEntries()
        switch format {
        case .text: try page(of: total, in: snapshot).writeText(write)
        case .json: try write { Self.appendJSON(total, missing, to: &$0) }
        case .ids: preconditionFailure("a report has no ids")
        case .csv:
            let columns = columns.noting(missing)
            try write { bytes in
                let form = CSVForm(style, unit: style.unit)
                columns.appendCSVTitles(to: &bytes, form)
                for line in ClaimRow.all(of: total.result, in: style.unit) {
                    columns.appendCSV(line, to: &bytes, form)
                }
            }
        }
        return unfinished
    }

    /// Returns what people read.
    ///
    /// - Returns: The page, and the trips that go on.
    /// - Throws: `.damaged`, `.inputOutput`.
    package func page(
        _ snapshot: borrowing Snapshot,
        rates: LoadedRates
    ) throws -> (page: ReportPage, unfinished: UnfinishedTrips) {
        let (total, unfinished) = try total(of: snapshot, rates: rates)
        return (try page(of: total, in: snapshot), unfinished)
    }

    /// Returns the result of the claim.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func result(
        _ snapshot: borrowing Snapshot,
        rates: LoadedRates
    ) throws -> ClaimResult {
        try total(of: snapshot, rates: rates).total.result
    }

    private func total(
        of snapshot: borrowing Snapshot,
        rates: LoadedRates
    ) throws -> (total: ClaimTotal, unfinished: UnfinishedTrips) {
        let book = RateBook(rates.tables, knownOn: question.knownOn)
        let stretches = book.stretches(
            in: question.jurisdiction,
            scheme: question.scheme,
            region: question.region
        )
        let others = book.stretches.filter { stretch in
            stretch.row.jurisdiction == question.jurisdiction && stretch.row.isByNameOnly
                && stretch.row.scheme != question.scheme
        }
        let claim = Claim(
            by: stretches,
            on: question.days,
            vehicle: question.vehicle,
            driver: question.driver,
            vehicles: try snapshot.namedVehicles().claimVehicles,
            otherSchemes: others
        )
        let (result, unfinished, _) = try snapshot.finish(claim, localDay: localDay)
        var asked = question
        asked.region = asked.region ?? stretches.lazy.compactMap(\.row.region).first
        let total = ClaimTotal(
            result: result,
            question: asked,
            chargingSchemes: others.filter { $0.row.shape == .perKilowattHour }.map(\.row.scheme),
            tables: Self.hashes(of: rates.tables, usedBy: stretches),
            localDay: localDay,
            founding: snapshot.founding,
            head: isDraft ? nil : snapshot.head,
            passedTo: try snapshot.latestEndByTime(),
            group: snapshot.sight.selection,
            currency: stretches.first?.row.currency
        )
        return (total, unfinished)
    }

    private static func hashes(
        of tables: [RateTable],
        usedBy stretches: [RateStretch]
    ) -> [RateTableHash] {
        let used = Set(stretches.map { NameKey($0.table) })
        return tables.filter { used.contains(NameKey($0.name)) }
            .map { RateTableHash(table: $0.name, hash: $0.hash) }
    }

    private static func appendJSON(
        _ total: ClaimTotal,
        _ missing: MissingEntries,
        to bytes: inout [UInt8]
    ) {
        func append<Row>(_ rows: [Row], _ columns: Columns<Row>) {
            for row in rows {
                columns.noting(missing).appendJSON(row, to: &bytes, by: total.localDay)
                bytes.append(UInt8(ascii: "\n"))
            }
        }
        append(total.result.lines, ClaimLine.columns)
        append(total.result.cuts, ClaimCut.columns)
        append(total.result.energies, EnergyLine.columns)
        append(total.result.expenses, ExpenseLine.columns)
        append(total.result.unclaimed, UnclaimedLine.columns)
        append(total.result.unclaimedExpenses, UnclaimedExpenses.columns)
        append([total], ClaimTotal.columns)
    }

    private func page(
        of total: ClaimTotal,
        in snapshot: borrowing Snapshot
    ) throws -> ReportPage {
        let frame = try ReportFrame(
            snapshot,
            in: LocalPeriod(
                from: question.days.lowerBound,
                to: question.days.upperBound,
                localDay: localDay
            ),
            vehicle: question.vehicle,
            driver: question.driver,
            isDraft: isDraft
        )
        var page = ReportPage(.claim, facts(of: total, frame), frame, .landscape, style)
        page.add(ClaimRow.all(of: total.result, in: style.unit), columns)
        page.add(total.result.unclaimed, UnclaimedLine.columns, under: .tripsNotClaimed)
        page.add(
            total.result.unclaimedExpenses,
            UnclaimedExpenses.columns,
            under: .expensesNotClaimed
        )
        let text = ClaimText(
            total,
            assumedCars: Self.assumedCars(total.result.lines, try snapshot.namedVehicles()),
            definesOneWay: try snapshot.fields().definition(of: ClaimTrip.oneWayField) != nil,
            unit: style.unit
        )
        page.add(text.phrases)
        return page
    }

    /// Returns the vehicles of lines that count as cars because their kind is unknown.
    private static func assumedCars(_ lines: [ClaimLine], _ book: VehicleBook) -> [String] {
        // A limit may apply to all ways except those by car.
        let names =
            lines.filter { line in
                let row = line.rate.row
                return !row.vehicles.isEmpty || row.most != nil && line.mode == nil
            }
            .compactMap(\.vehicle)
        let unknown = names.filter { book.vehicle(named: $0)?.registration.kind == nil }
        return Set(unknown).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private func facts(of total: ClaimTotal, _ frame: ReportFrame) -> [ReportFact] {
        let question = total.question
        var facts = [ReportFact(jurisdiction: question.jurisdiction)]
        if let scheme = question.scheme { facts.append(ReportFact(.scheme, .own(scheme))) }
        if let region = question.region {
            facts.append(ReportFact(.region, .named(region: region)))
        }
        facts += frame.subject
        let known = question.knownOn.map { Phrase.ratesKnown(on: $0) }
        facts.append(ReportFact(.rates, known ?? .allKnownRates))
        for table in total.tables {
            let name = Phrase.jurisdiction(named: table.table)
            facts.append(ReportFact(.table, Phrase("\(name), SHA-256 \(own: table.hash)")))
        }
        facts += frame.evidence(in: style.unit)
        for sum in total.shownAmounts {
            let text = Phrase("\(sum.amount.hundredths, decimals: 2) \(own: sum.currency)")
            facts.append(ReportFact(.totalLabel, text))
        }
        return facts + frame.missing.reportFacts
    }
}
