import Projections
import Rates
package import TripEvents
package import TripLedger

/// What a claim is made for.
package struct ClaimQuestion: Sendable {
    /// The jurisdiction.
    package var jurisdiction: String

    /// The scheme; `nil` for all that need not be named.
    package var scheme: String?

    /// The region; `nil` for the one that stands first.
    package var region: String?

    /// The days.
    package var days: ClosedRange<CivilDate>

    /// The only vehicle; `nil` for all.
    package var vehicle: String?

    /// The day as of which rates count that were known; `nil` for all.
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
    ///   - question: What it is made for.
    ///   - localDay: On which day a trip counts.
    ///   - columns: What people see of each line, and CSV has.
    ///   - style: How people see it; its unit is that of CSV too.
    ///   - format: The format.
    ///   - isDraft: Whether it names no root, for it is not to be handed over.
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
        let stretches = RateBook(rates.tables, knownOn: question.knownOn)
            .stretches(
                in: question.jurisdiction,
                scheme: question.scheme,
                region: question.region
            )
        let claim = Claim(
            by: stretches,
            on: question.days,
            vehicle: question.vehicle,
            vehicles: try snapshot.vehicles().claimVehicles
        )
        let (result, unfinished) = try snapshot.finish(claim, localDay: localDay)
        var asked = question
        asked.region = asked.region ?? stretches.lazy.compactMap(\.row.region).first
        let total = ClaimTotal(
            result: result,
            question: asked,
            tables: Self.hashes(of: rates.tables, usedBy: stretches),
            localDay: localDay,
            founding: snapshot.founding,
            head: isDraft ? nil : snapshot.head,
            passedTo: try snapshot.latestEndByTime()
        )
        let missing = try snapshot.missingEntries()
        switch format {
        case .text:
            let cars = Self.assumedCars(result.lines, try snapshot.vehicles())
            try writeText(total, missing, assumedCars: cars, write)
        case .json: try write { Self.appendJSON(total, missing, to: &$0) }
        case .csv:
            let columns = columns.noting(missing)
            try write { bytes in
                columns.appendCSVTitles(to: &bytes, unit: style.unit)
                for line in ClaimRow.all(of: result) {
                    columns.appendCSV(line, to: &bytes, unit: style.unit)
                }
            }
        }
        return unfinished
    }

    private static func hashes(
        of tables: [RateTable],
        usedBy stretches: [RateStretch]
    ) -> [RateTableHash] {
        let used = Set(stretches.map(\.table))
        return tables.filter { used.contains($0.name) }
            .map { RateTableHash(table: $0.name, hash: $0.hash) }
    }

    private static func appendJSON(
        _ total: ClaimTotal,
        _ missing: MissingEntries,
        to bytes: inout [UInt8]
    ) {
        func append<Row>(_ rows: [Row], _ columns: Columns<Row>) {
            for row in rows {
                columns.noting(missing).appendJSON(row, to: &bytes)
                bytes.append(UInt8(ascii: "\n"))
            }
        }
        append(total.result.lines, ClaimLine.columns)
        append(total.result.expenses, ExpenseLine.columns)
        append(total.result.unclaimed, UnclaimedLine.columns)
        append(total.result.unclaimedExpenses, UnclaimedExpenses.columns)
        append([total], ClaimTotal.columns)
    }

    private func writeText(
        _ total: ClaimTotal,
        _ missing: MissingEntries,
        assumedCars: [String],
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) throws {
        let facts = FactSheet(facts(of: total) + missing.facts).text(width: style.width)
        try write { $0.append(contentsOf: "Claim\n\(facts)\n".utf8) }
        var leftOut: [String] = []
        let lines = ClaimRow.all(of: total.result)
        if !lines.isEmpty {
            var table = columns.table(style)
            for line in lines { columns.add(line, to: &table, style) }
            leftOut = try table.write(within: style.width, write)
            try write { $0.append(UInt8(ascii: "\n")) }
        }
        var unclaimed = UnclaimedLine.columns.table(style)
        for line in total.result.unclaimed {
            UnclaimedLine.columns.add(line, to: &unclaimed, style)
        }
        leftOut += try unclaimed.write(within: style.width, write)
        if !total.result.unclaimedExpenses.isEmpty {
            var expenses = UnclaimedExpenses.columns.table(style)
            for line in total.result.unclaimedExpenses {
                UnclaimedExpenses.columns.add(line, to: &expenses, style)
            }
            try write { $0.append(UInt8(ascii: "\n")) }
            leftOut += try expenses.write(within: style.width, write)
        }
        let text = ClaimText(total, assumedCars: assumedCars, unit: style.unit)
        let ending = "\n\(text.text)\(TextTable.remark(onLeftOut: leftOut))"
        try write { $0.append(contentsOf: style.wrapped(ending).utf8) }
    }

    /// Returns the vehicles of lines that count as cars because nothing says what they are.
    private static func assumedCars(_ lines: [ClaimLine], _ book: VehicleBook) -> [String] {
        let names = lines.filter { !$0.rate.row.vehicles.isEmpty }.compactMap(\.vehicle)
        let unknown = names.filter { book.vehicle(named: $0)?.registration.kind == nil }
        return Set(unknown).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private func facts(of total: ClaimTotal) -> [(label: String, fact: String)] {
        let question = total.question
        var facts = [("Jurisdiction", question.jurisdiction)]
        if let scheme = question.scheme { facts.append(("Scheme", scheme)) }
        if let region = question.region { facts.append(("Region", region)) }
        facts.append(("Period", "\(question.days.lowerBound) to \(question.days.upperBound)"))
        if let vehicle = question.vehicle { facts.append(("Vehicle", Excerpt.escaped(vehicle))) }
        facts.append(
            ("Rates", question.knownOn.map { "as known on \($0)" } ?? "all that are known")
        )
        for table in total.tables {
            facts.append(("Table", "\(Excerpt.escaped(table.table)), SHA-256 \(table.hash)"))
        }
        facts += [
            ("Time zone", Excerpt.escaped(localDay.zone.name)), ("Unit", style.unit.rawValue),
            ("Ledger", total.founding.ledger),
        ]
        if let head = total.head {
            facts += [("Entries", String(head.size)), ("Root", head.root)]
        } else {
            facts.append(
                ("Draft", "not for handing over; made without --draft it names its entries")
            )
        }
        if let instant = total.passedTo {
            let time = localDay.local(EventTime(instant))
            facts.append(("As of", RFC3339.text(time.timestamp, utcOffset: time.utcOffset)))
        }
        for amount in total.amounts {
            let text = FixedPoint.text(amount.amount.hundredths, decimals: 2)
            facts.append(("Total", "\(text) \(amount.currency)"))
        }
        return facts
    }
}
