import Geodesy
import Papers
import Projections
package import Tables
package import TripEvents
package import TripLedger

/// The mileage log of a snapshot as text, JSON or CSV.
///
/// ```swift
/// let sheet = MileageSheet(in: period, format: .csv)
/// let unfinished = try ledger.read { snapshot in
///     try sheet.write(snapshot) { append in append(&bytes) }
/// }
/// ```
package struct MileageSheet: Sendable {
    private let filter: TripFilter
    private let period: LocalPeriod
    private let driver: String?
    private let columns: Columns<MileageLine>
    private let style: TextStyle
    private let format: RowFormat
    private let showsTrips: Bool
    private let isDraft: Bool
    private let hidesPrivate: Bool

    /// Describes a log.
    ///
    /// - Parameters:
    ///   - period: The days that count.
    ///   - vehicle: The only vehicle that counts; `nil` for all trips.
    ///   - driver: The only driver that counts; `nil` for all trips.
    ///   - tripClass: The only class that counts; `nil` for all.
    ///   - columns: The columns that people see and CSV has.
    ///   - style: How people see it; its unit is that of CSV too, and its clock is the period's.
    ///   - format: The format.
    ///   - showsTrips: Whether each trip has a line, before the sums.
    ///   - isDraft: Whether it names no root, for it is not to be handed over.
    ///   - hidesPrivate: Whether places and times of private trips are left out.
    package init(
        in period: LocalPeriod,
        vehicle: String? = nil,
        driver: String? = nil,
        tripClass: TripClass? = nil,
        columns: Columns<MileageLine> = MileageLine.columns,
        style: TextStyle,
        format: RowFormat,
        showsTrips: Bool = true,
        isDraft: Bool = false,
        hidesPrivate: Bool = false
    ) {
        filter = TripFilter(
            period: period,
            tripClass: tripClass,
            vehicle: vehicle,
            isOldestFirst: true
        )
        self.period = period
        self.driver = driver
        self.columns = columns
        var style = style
        style.clock = period.localDay
        self.style = style
        self.format = format
        self.showsTrips = showsTrips
        self.isDraft = isDraft
        self.hidesPrivate = hidesPrivate
    }

    /// Writes the log.
    ///
    /// - Parameters:
    ///   - snapshot: The ledger.
    ///   - isAlone: Whether it works without a second thread; for tests.
    ///   - write: Takes closures that each append to what they are given, in order. It is called
    ///     only after all rows have been verified.
    /// - Returns: The trips that go on.
    /// - Throws: `.damaged`, `.inputOutput`, and what `write` throws.
    package func write(
        _ snapshot: borrowing Snapshot,
        isAlone: Bool = false,
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) throws -> UnfinishedTrips {
        let whole = try read(snapshot, isAlone: isAlone, write)
        if format == .text {
            try whole.page(try frame(of: snapshot), snapshot.namedVehicles()).writeText(write)
        } else {
            try whole.finish(snapshot, isDraft: isDraft, write)
        }
        return whole.unfinished
    }

    /// Returns what people read; the format MUST be text.
    ///
    /// - Returns: The page, and the trips that go on.
    /// - Throws: `.damaged`, `.inputOutput`.
    package func page(
        _ snapshot: borrowing Snapshot
    ) throws -> (page: ReportPage, unfinished: UnfinishedTrips) {
        precondition(format == .text, "other formats have no page")
        let whole = try read(snapshot, isAlone: false) { _ in }
        let page = whole.page(try frame(of: snapshot), try snapshot.namedVehicles())
        return (page, whole.unfinished)
    }

    private func frame(of snapshot: borrowing Snapshot) throws -> ReportFrame {
        try ReportFrame(snapshot, in: period, vehicle: filter.vehicle, isDraft: isDraft)
    }

    /// Reads the log, and hands over what programs see of its lines.
    private func read(
        _ snapshot: borrowing Snapshot,
        isAlone: Bool,
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) throws -> MileagePart {
        var none = MileageLog(in: period, vehicle: filter.vehicle, tripClass: filter.tripClass)
        none.driver = driver
        let (ways, overlaps) = try snapshot.relateTrips(into: none) { $0.add($1) }
        var log = try MileageLog(
            in: period,
            vehicle: filter.vehicle,
            tripClass: filter.tripClass,
            places: try snapshot.places(),
            vehicles: try snapshot.namedVehicles(),
            notingAll: { note in
                try snapshot.readTrips(TripFilter(isOldestFirst: true)) { row in
                    if !overlaps.leaveOut(row.booked.id) { note(row.booked) }
                    return true
                }
            }
        )
        log.overlaps = overlaps
        log.drivers = try snapshot.drivers()
        log.driver = driver
        // A trip may get its class and vehicle from one that is left out; the log looks at both.
        var filter =
            overlaps.fillsTrips ? TripFilter(period: period, isOldestFirst: true) : self.filter
        // The voided ones are counted, and have no line.
        filter.includesUncounted = format == .text
        log.hidesPrivate = hidesPrivate
        let empty = MileagePart(
            log,
            columns,
            as: format,
            style: style,
            showsTrips: showsTrips,
            missing: try snapshot.missingEntries()
        )
        var whole = empty
        whole.add(ways)
        for overlap in overlaps.all { whole.add(overlap) }
        try snapshot.readTrips(filter, inParts: empty, isAlone: isAlone) { booked, part in
            part.add(booked)
        } _: {
            try write { empty.appendTitles(to: &$0) }
        } forEach: { part in
            whole.add(part)
            if !part.bytes.isEmpty { try write { $0.append(contentsOf: part.bytes) } }
            part.empty(like: empty)
        }
        return whole
    }
}

/// The lines and sums of the trips of a part of a mileage log.
private struct MileagePart: Sendable {
    private let format: RowFormat
    private let style: TextStyle
    private let form: CSVForm
    private let showsTrips: Bool
    private let missing: MissingEntries
    private let shownColumns: Columns<MileageLine>
    private let lineColumns: Columns<MileageLine>
    private let sumColumns: Columns<MileageSum>

    /// The sums.
    private var log: MileageLog

    /// Their sums as people see them.
    private var printed: PrintedSums

    /// The text above and below them, for people.
    private var head = MileageHead()

    /// The lines as people see them, whose widths are known after the last one.
    private var table: TextTable

    /// The lines as programs see them.
    private(set) var bytes: [UInt8] = []

    /// The trips that go on.
    private(set) var unfinished = UnfinishedTrips()

    /// The distances on odometers that no trip recorded, in order of time.
    private let rests: [OdometerRest]

    /// How many of these have their line, or lie before the first trip of this part.
    private var restsDone = 0

    /// When the first trip of this part started; `nil` if it has none.
    private var firstStart: Timestamp?

    /// Begins without trips.
    init(
        _ log: MileageLog,
        _ columns: Columns<MileageLine>,
        as format: RowFormat,
        style: TextStyle,
        showsTrips: Bool,
        missing: MissingEntries
    ) {
        self.missing = missing
        shownColumns = columns
        lineColumns = columns.noting(missing)
        sumColumns = MileageSum.columns.noting(missing)
        self.format = format
        self.style = style
        form = CSVForm(style, unit: style.unit)
        self.showsTrips = showsTrips
        self.log = log
        // Without the column of their distance, their lines would be empty.
        let hasColumn = columns.all.contains { $0.title != nil && $0.name == "odometer_before_m" }
        let showsRests = format == .text && showsTrips && hasColumn
        rests = showsRests ? log.odometerRests.filter(\.hasLine) : []
        printed = PrintedSums(style)
        table = columns.table(style)
    }

    /// Adds a trip; trips MUST come in order of their starts.
    mutating func add(_ booked: borrowing BookedTrip) {
        if booked.status == .active, log.isOfDriver(booked) {
            unfinished.add(booked.id, of: booked.trip.source, from: booked.trip.startedAt)
        }
        addRests(before: booked.trip.startedAt.timestamp)
        guard let line = log.add(booked) else {
            if format == .text { head.addIfVoided(booked, in: log) }
            return
        }
        if format == .text {
            printed.add(line)
            head.add(line)
        }
        guard showsTrips else { return }
        switch format {
        case .text: shownColumns.add(line, to: &table, style)
        case .json:
            lineColumns.appendJSON(line, to: &bytes, by: style.clock)
            bytes.append(UInt8(ascii: "\n"))
        case .csv: lineColumns.appendCSV(line, to: &bytes, form)
        case .ids: preconditionFailure("a report has no ids")
        }
    }

    /// Adds the lines for distances before a trip that no trip recorded; those before the first
    /// trip of a part belong to the part before.
    private mutating func addRests(before start: Timestamp) {
        guard !rests.isEmpty else { return }
        if firstStart == nil {
            firstStart = start
            restsDone = rests.firstIndex { $0.from >= start } ?? rests.count
        }
        while restsDone < rests.count, rests[restsDone].from < start { addNextRest() }
    }

    private mutating func addNextRest() {
        shownColumns.add(line(of: rests[restsDone]).cells, to: &table, style)
        restsDone += 1
    }

    private func line(of rest: OdometerRest) -> OdometerRestLine {
        OdometerRestLine(rest, by: log.period.localDay, hidingTimes: log.hidesPrivate)
    }

    /// Adds what is known of ways between trips.
    mutating func add(_ other: MileageLog) {
        log.add(other)
    }

    /// Counts a trip that overlaps others.
    mutating func add(_ overlap: TripOverlap) {
        log.add(overlap)
    }

    /// Adds the sums of the trips that follow, and their lines for people.
    mutating func add(_ next: borrowing MileagePart) {
        log.add(next.log)
        printed.add(next.printed)
        head.add(next.head)
        if let start = next.firstStart {
            while restsDone < rests.count, rests[restsDone].from < start { addNextRest() }
            restsDone = next.restsDone
        }
        table.add(next.table)
        unfinished.add(next.unfinished)
    }

    /// Forgets all trips, as in a part that has none.
    mutating func empty(like empty: borrowing MileagePart) {
        log = empty.log
        printed = empty.printed
        head = empty.head
        table = empty.table
        bytes.removeAll(keepingCapacity: true)
        unfinished = UnfinishedTrips()
        restsDone = 0
        firstStart = nil
    }

    /// Appends what comes before the first trip.
    func appendTitles(to bytes: inout [UInt8]) {
        guard format == .csv else { return }
        if showsTrips {
            lineColumns.appendCSVTitles(to: &bytes, form)
        } else {
            sumColumns.appendCSVTitles(to: &bytes, form)
        }
    }

    /// Hands over what programs see after the last trip.
    func finish(
        _ snapshot: borrowing Snapshot,
        isDraft: Bool,
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) throws {
        switch format {
        case .text: break
        case .ids: preconditionFailure("a report has no ids")
        case .json:
            let total = MileageTotal(
                log,
                of: snapshot.founding,
                head: isDraft ? nil : snapshot.head,
                asOf: try snapshot.latestEndByTime(),
                group: snapshot.sight.selection
            )
            try write { bytes in
                for rest in showsTrips ? log.odometerRests : [] {
                    OdometerRestLine.columns.appendJSON(line(of: rest), to: &bytes, by: style.clock)
                    bytes.append(UInt8(ascii: "\n"))
                }
                for sum in log.sums {
                    sumColumns.appendJSON(sum, to: &bytes, by: style.clock)
                    bytes.append(UInt8(ascii: "\n"))
                }
                MileageTotal.columns.noting(missing)
                    .appendJSON(total, to: &bytes, by: style.clock)
                bytes.append(UInt8(ascii: "\n"))
            }
        case .csv:
            guard !showsTrips else { return }
            try write { bytes in
                for sum in log.sums { sumColumns.appendCSV(sum, to: &bytes, form) }
            }
        }
    }

    /// Returns what people read.
    func page(_ frame: ReportFrame, _ vehicles: VehicleBook) -> ReportPage {
        var facts = frame.subject(with: head.facts(of: log.vehicle, log.driver, in: vehicles))
        if let tripClass = log.tripClass {
            facts.append(ReportFact(.classLabel, tripClass.phrase))
        }
        if log.hidesPrivate { facts.append(HiddenTrips.fact) }
        facts += frame.evidence(in: style.unit) + frame.missing.reportFacts
        var page = ReportPage(
            .mileageLog,
            facts,
            frame,
            showsTrips ? .landscape : .portrait,
            style
        )
        var whole = self
        while whole.restsDone < whole.rests.count { whole.addNextRest() }
        page.add(whole.table, marked: .tripsLabel, saidAbove: whole.columnsSaidAbove)
        page.add(printed.table(of: log), marked: .sumsOfClasses)
        page.add(sentences)
        if showsTrips { page.addSignature() }
        return page
    }

    /// The columns, among those that people see, whose value is the same on all lines and shown in
    /// the head; a column that was requested stays.
    private var columnsSaidAbove: Set<Int> {
        var names: Set<String> = []
        if let vehicle = head.vehicleOfAll, rests.allSatisfy({ $0.isOf(vehicle) }) {
            names.insert("vehicle")
        }
        if head.driverOfAll != nil { names.insert("driver") }
        if log.tripClass != nil { names.insert("class") }
        let columns = shownColumns.all.filter { $0.title != nil }
        return Set(
            columns.indices.filter { names.contains(columns[$0].name) && !columns[$0].isChosen }
        )
    }

    /// The sentences below the sums.
    private var sentences: [Phrase] {
        var sentences = head.voidedSentences(in: style.unit)
        sentences += [log.period.localDay.phrase, .gapsStandBeside]
        if let remark = printed.phrase(on: log) { sentences.append(remark) }
        if log.total.unrecorded.count > 0 { sentences.append(.unrecordedWays) }
        let unrecorded = log.odometerRests.reduce(Distance.zero) { $0 + $1.distance }
        if unrecorded > .zero {
            sentences.append(.odometersOnNoTrip(unrecorded, in: style.unit))
        }
        if showsTrips, log.total.odometersDerived > 0 { sentences.append(.odometersDerived) }
        if showsTrips {
            sentences += head.carriedSentences(in: style.unit, by: log.period.localDay)
        }
        sentences += Phrase.odometersInDoubt(log.odometerDoubts)
        sentences += log.total.overlapping.phrases
        if log.total.trips > 0 { sentences.append(log.total.details.phrase) }
        if showsTrips { sentences += head.legend(of: shownColumns) }
        return sentences
    }
}
