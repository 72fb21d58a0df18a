import LedgerKeeping
import LedgerRows
import Rates
import Reports
import TripEvents
import TripLedger

/// The rates in a bundle, beside those that this program and the evidence know.
///
/// The reports use the rows in the bundle, so that a later version of the program makes the same
/// bytes. Therefore each row that a figure uses is compared: a row that this program has, too, is
/// right, regardless of the hash of its table.
struct BundledRates {
    /// The table with which the reports are made again; `nil` if they use none.
    let table: RatesLoaded?

    private let reports: BundledReports
    private let ledger: Ledger

    /// The rows of the bundle's table; empty if it has no table.
    private let rows: [RateRow]

    /// The rows of this program.
    private let known: Set<RateRow>

    /// The rows that are in the evidence and not in this program.
    private let loaded: Set<RateRow>

    /// The table of this program, without what was announced after the bundle was made.
    private let ownTable: RatesLoaded?

    private var outcome = VerifyOutcome(.origin)

    /// Reads the rates of a bundle.
    ///
    /// - Parameters:
    ///   - rates: The rows in the bundle; `nil` if it has none.
    ///   - reports: The reports that use them.
    ///   - snapshot: The evidence.
    ///   - ledger: The ledger of the evidence.
    /// - Throws: `.damaged`, `.inputOutput`.
    init(
        _ rates: RatesLoaded?,
        of reports: BundledReports,
        _ snapshot: borrowing Snapshot,
        _ ledger: Ledger
    ) throws {
        self.reports = reports
        self.ledger = ledger
        let all = try snapshot.rates()
        known = Set(all.programRows)
        loaded = Set(all.tables.flatMap(\.rows)).subtracting(known)
        guard let rates else {
            (table, rows, ownTable) = (nil, [], nil)
            return
        }
        var read: RateTable?
        do throws(RateProblem) {
            read = try RateTable(rates)
        } catch {
            outcome.report(.rates, "\(Self.file(of: rates)) is no table of rates: \(error)")
        }
        let rows = read?.rows ?? []
        let own = all.programTable(of: rows.first?.jurisdiction ?? rates.table)
        self.rows = rows
        table = read?.loading() ?? own?.loading()
        let (day, ofBundle) = (reports.lastDay, Set(rows))
        var kept = own?.loading()
        kept?.rates = (own?.rows ?? [])
            .filter { $0.knownFrom <= day || ofBundle.contains($0) }
            .map { String(decoding: $0.json, as: UTF8.self) }
        ownTable = kept
    }

    /// Returns the means for reports that use a table of the program.
    ///
    /// - Parameters:
    ///   - table: The table; `nil` for none.
    ///   - snapshot: The evidence.
    /// - Returns: The means.
    func means(by table: RatesLoaded?, _ snapshot: borrowing Snapshot) -> ReportMeans {
        let day = reports.lastDay
        var issued = ReportIssued(
            report: "",
            periodStart: day,
            periodEnd: day,
            outputHash: "",
            treeSize: snapshot.head.size,
            treeHash: snapshot.head.root
        )
        issued.table = table?.table
        issued.rates = table?.rates
        return ReportMeans.kept(of: ledger, asIn: issued)
    }

    /// Compares the rows that figures use.
    ///
    /// - Parameters:
    ///   - content: The reports by the rows of the bundle.
    ///   - snapshot: The evidence.
    /// - Returns: What is wrong, what cannot be told and what holds.
    /// - Throws: `.damaged`, `.inputOutput`.
    consuming func outcome(
        beside content: BundleContent,
        _ snapshot: borrowing Snapshot
    ) throws -> VerifyOutcome {
        guard outcome.findingCount == 0 else { return outcome }
        let theirs = means(by: table, snapshot)
        guard let table else {
            let result = try reports.claim(snapshot, on: content.days, by: theirs)?
                .claimResult(snapshot)
            tellOwn(result?.rates ?? [])
            return outcome
        }
        let file = Self.file(of: table)
        let own = means(by: ownTable, snapshot)
        var used: [RateRow] = []
        var ofLedger: [RateStretch] = []
        do {
            let result = try reports.claim(snapshot, on: content.days, by: theirs)?
                .claimResult(snapshot)
            let other = try reports.claim(snapshot, on: content.days, by: own)?
                .claimResult(snapshot)
            ofLedger = (result?.rates ?? []).filter { isOfLedger($0.row) }
            used = (result?.rows ?? []).filter { !isOfLedger($0) }
            for row in used where !known.contains(row) { tell(row, in: file) }
            tellLeftOut((other?.rows ?? []).filter { known.contains($0) }, used, in: file)
            if !outcome.isOpen, !Self.isSame(result, other) {
                outcome.doubt("the claim: by the rates of this program it is another")
            }
            if !outcome.isOpen, try !hasSameSummaries(content, snapshot, own) {
                outcome.doubt(
                    "the thresholds in the summary: by the rates of this program they are others"
                )
            }
        } catch let error as LedgerError {
            outcome.doubt("the rates in \(file): \(error.cause)")
        }
        guard !outcome.isOpen else {
            tellOwn(ofLedger)
            return outcome
        }
        if !used.isEmpty || ofLedger.isEmpty {
            let count = Count.text(used.count, "row", "rows")
            outcome.confirm(.rates, "the claim goes by \(count) that this program has too")
        }
        tellOwn(ofLedger)
        let strange = rows.count { !known.contains($0) }
        if strange > 0 {
            let count = Count.text(strange, "row", "rows")
            outcome.claim("\(file) has \(count) by which no figure goes, not checked here")
        }
        return outcome
    }

    private static func file(of table: RatesLoaded) -> String { "rates/\(table.table).jsonl" }

    // MARK: Rows

    /// Whether only the evidence has a row: it was loaded, and is not in the bundle's table, which
    /// would claim that the row is the program's.
    private func isOfLedger(_ row: RateRow) -> Bool {
        loaded.contains(row) && !rows.contains(row)
    }

    /// Says which rates of a claim are the ledger's own, beside those of this program.
    private mutating func tellOwn(_ rates: [RateStretch]) {
        for rate in rates where !known.contains(rate.row) {
            let row = rate.row
            // Also those announced after the day of the reports, which its owner chose.
            let official = known.filter { $0.isBeside(rate) }
                .min { $0.rank(beside: row) < $1.rank(beside: row) }
            outcome.note(
                LedgersOwnRate(
                    id: row.id,
                    table: rate.table,
                    jurisdiction: row.jurisdiction,
                    authority: row.authority,
                    pays: row.pays,
                    official: official.map { .init(id: $0.id, pays: $0.pays) }
                )
            )
        }
    }

    /// Reports that figures use a row that this program does not have.
    private mutating func tell(_ row: RateRow, in file: String) {
        let place = "\(file), row \(row.id)"
        let inPlace = known.filter { $0.isInPlace(of: row) }.sorted { $0.id < $1.id }
        guard let own = inPlace.first(where: { $0.id == row.id }) ?? inPlace.first else {
            return outcome.doubt(
                "\(place): this program has no such row. A newer version of ledger may have it"
            )
        }
        let difference = RowDifference(of: row, from: own)
        if difference.isOfWords {
            outcome.doubt("\(place): \(difference.sentence)")
        } else {
            outcome.report(.rates, "\(place): \(difference.sentence)")
        }
    }

    /// Reports the rows that this program would use and that the bundle lacks.
    private mutating func tellLeftOut(_ own: [RateRow], _ used: [RateRow], in file: String) {
        let (ofBundle, places) = (Set(rows), used)
        for row in own
        where !ofBundle.contains(row) && !places.contains(where: { $0.isInPlace(of: row) }) {
            outcome.doubt(
                "\(file) lacks the row \(row.id), known from \(row.knownFrom) on, by which this "
                    + "program's claim goes"
            )
        }
    }

    /// Whether two claims have the same lines; a row may hold on more days than in the other.
    private static func isSame(_ one: ClaimResult?, _ other: ClaimResult?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        func figures(_ result: ClaimResult) -> [LineFigures] {
            result.lines.map { LineFigures($0) }
        }
        return figures(one) == figures(other) && one.unclaimed == other.unclaimed
            && one.expenses == other.expenses
            && one.unclaimedExpenses == other.unclaimedExpenses
    }

    private func hasSameSummaries(
        _ content: BundleContent,
        _ snapshot: borrowing Snapshot,
        _ own: ReportMeans
    ) throws -> Bool {
        let requests = content.question.reports(on: content.days, in: reports.units(snapshot))
        for (request, bytes) in zip(requests, content.reports) where request.kind == .summary {
            let resolved = try ResolvedReport(
                request,
                asOf: content.question.asOf,
                of: snapshot,
                by: own
            )
            guard try resolved.bytes(snapshot).bytes == bytes else { return false }
        }
        return true
    }
}

/// The parts of a claim's line from which its money follows.
private struct LineFigures: Hashable {
    private let rows: [RateRow]
    private let tier: RateTier
    private let tripClass: TripClass
    private let vehicle: String?
    private let year: ClosedRange<CivilDate>
    private let trips: Int64
    private let distances: [Distance]

    init(_ line: ClaimLine) {
        rows = [line.rate.row] + [line.multiplier?.row].compactMap(\.self)
        tier = line.tier
        tripClass = line.tripClass
        vehicle = line.vehicle
        year = line.year
        trips = line.trips
        distances = [line.distance, line.before, line.countedBefore, line.countedAfter]
    }
}

/// Where a row in a bundle first differs from the one of this program that is in its place.
private struct RowDifference {
    /// Whether only descriptive members differ, and nothing that affects the money.
    let isOfWords: Bool

    /// The difference, as a sentence without a full stop.
    let sentence: String

    private static let words: Set<String> = [
        "id", "authority", "known_from_assumed", "confidence", "sources", "note",
    ]

    init(of row: RateRow, from own: RateRow) {
        let (theirs, ours) = (Self.members(row), Self.members(own))
        let names = (ours + theirs).map(\.name)
        let differing = names.filter { name in Self.text(name, theirs) != Self.text(name, ours) }
        let figure = differing.first { !Self.words.contains($0) }
        isOfWords = figure == nil
        let name = figure ?? differing.first ?? "id"
        sentence =
            "\(name) is \(Self.text(name, theirs) ?? "not there"), and this program knows "
            + (Self.text(name, ours) ?? "none")
    }

    private static func members(_ row: RateRow) -> [JSONValue.Member] {
        guard case .object(let members)? = try? JSONValue(row.json.span) else { return [] }
        return members
    }

    private static func text(_ name: String, _ members: [JSONValue.Member]) -> String? {
        guard let member = members.first(where: { $0.name == name }) else { return nil }
        var bytes: [UInt8] = []
        JSONWriter.append(member.value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension RateRow {
    /// Whether a row is a different version of another one: it has the same name, or is for the
    /// same trips from the same day on.
    fileprivate func isInPlace(of other: RateRow) -> Bool {
        guard jurisdiction == other.jurisdiction else { return false }
        return id == other.id
            || scheme == other.scheme && region == other.region && shape == other.shape
                && classes == other.classes && vehicles == other.vehicles
                && fiscalPower == other.fiscalPower && fuels == other.fuels
                && engine == other.engine && from == other.from
                && knownFrom == other.knownFrom
    }

    /// Whether it has the name of a rate, or is for the same on some of its days: it does what that
    /// rate does, such as limiting distances, or pays for distances that that rate pays more for.
    fileprivate func isBeside(_ rate: RateStretch) -> Bool {
        let row = rate.row
        if id == row.id { return true }
        let (first, last) = (rate.from, rate.to)
        let meetsDays = (last.map { from <= $0 } ?? true) && (to.map { first <= $0 } ?? true)
        let isAlike =
            isForDistances ? row.addsToDistances && !isByNameOnly : shape == row.shape
        return jurisdiction == row.jurisdiction && isAlike && meetsDays
            && Self.meet(vehicles, row.vehicles) && Self.meet(classes, row.classes)
    }

    /// Whether two lists have something in common; an empty one stands for all there is.
    private static func meet<Element: Hashable>(_ one: [Element], _ other: [Element]) -> Bool {
        one.isEmpty || other.isEmpty || !Set(one).isDisjoint(with: other)
    }

    private var isForDistances: Bool {
        switch shape {
        case .flat, .marginalTiers, .oneWayDayTiers, .cap, .wholeDistanceBracket: true
        case .perPassenger, .multiplier, .limit, .component, .perKilowattHour: false
        }
    }

    /// Whether it pays for distances, or changes what is paid for them.
    private var addsToDistances: Bool {
        isForDistances || shape == .perPassenger || shape == .multiplier
    }

    /// Sorts rows that are beside another one: that of its name first, then those that do the same
    /// as it, those of its scheme and those of its shape, and of several the latest.
    fileprivate func rank(beside other: RateRow) -> (Int, Int, Int, Int, String) {
        let kinship = id == other.id ? 0 : isForDistances == other.isForDistances ? 1 : 2
        return (
            kinship, scheme == other.scheme ? 0 : 1, shape == other.shape ? 0 : 1,
            -from.daysSince1970, id
        )
    }

    /// The money, or what it does instead of paying, in words:
    /// `0.45 to 10000, 0.25 above GBP/mi`, `at most 500 km` or `x 1.20`.
    fileprivate var pays: String {
        switch shape {
        case .flat, .perPassenger, .marginalTiers, .oneWayDayTiers, .cap, .wholeDistanceBracket:
            "\(ratesText) \(currency)/\(unit.rawValue)"
        case .perKilowattHour: "\(tiers.map(\.text).joined()) \(currency)/kWh"
        case .limit: "\(ratesText) \(unit.rawValue)"
        case .multiplier, .component: ratesText
        }
    }
}

extension ClaimResult {
    /// The rows by which its figures go, each once.
    fileprivate var rows: [RateRow] { rates.map(\.row) }

    /// The same, with the tables and days of each.
    fileprivate var rates: [RateStretch] {
        var seen: Set<RateRow> = []
        let ofLines = lines.flatMap { [$0.rate] + [$0.multiplier].compactMap(\.self) }
        return (ofLines + energies.map(\.rate) + cuts.map(\.rate))
            .filter { seen.insert($0.row).inserted }
    }
}

extension VerifyOutcome {
    /// Whether something is wrong or cannot be told.
    fileprivate var isOpen: Bool { findingCount > 0 || !doubts.isEmpty }
}
