import Projections
package import Reports
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
    ///   - tripClass: The only class that counts; `nil` for all.
    ///   - columns: What people see of each trip, and CSV has.
    ///   - style: How people see it; its unit is that of CSV too, and its zone is the period's.
    ///   - format: The format.
    ///   - showsTrips: Whether each trip has a line, before the sums.
    ///   - isDraft: Whether it names no root, for it is not to be handed over.
    ///   - hidesPrivate: Whether places and times of private trips are left out.
    package init(
        in period: LocalPeriod,
        vehicle: String? = nil,
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
        self.columns = columns
        var style = style
        style.zone = period.localDay.zone
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
    ///   - isAlone: Whether this thread does without another one; for tests.
    ///   - write: Takes closures that each append to what they are given, in order. It is called
    ///     once all rows were found to be what was written.
    /// - Returns: The trips that go on.
    /// - Throws: `.damaged`, `.inputOutput`, and what `write` throws.
    package func write(
        _ snapshot: borrowing Snapshot,
        isAlone: Bool = false,
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) throws -> UnfinishedTrips {
        let none = MileageLog(in: period, vehicle: filter.vehicle, tripClass: filter.tripClass)
        let (ways, overlaps) = try snapshot.relateTrips(into: none) { $0.add($1) }
        var log = try MileageLog(
            in: period,
            vehicle: filter.vehicle,
            tripClass: filter.tripClass,
            places: try snapshot.places(),
            vehicles: try snapshot.vehicles(),
            notingAll: { note in
                try snapshot.readTrips(TripFilter(isOldestFirst: true)) { row in
                    if !overlaps.leaveOut(row.booked.id) { note(row.booked) }
                    return true
                }
            }
        )
        log.overlaps = overlaps
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
        try whole.finish(snapshot, isDraft: isDraft, write)
        return whole.unfinished
    }
}

/// What the trips of a stretch of a mileage log come to: their lines and sums.
private struct MileagePart: Sendable {
    private let format: RowFormat
    private let style: TextStyle
    private let showsTrips: Bool
    private let missing: MissingEntries
    private let shownColumns: Columns<MileageLine>
    private let lineColumns: Columns<MileageLine>
    private let sumColumns: Columns<MileageSum>

    /// The sums.
    private var log: MileageLog

    /// What they add up to as people see them.
    private var printed: PrintedSums

    /// The lines as people see them, whose widths are known after the last one.
    private var table: TextTable

    /// The lines as programs see them.
    private(set) var bytes: [UInt8] = []

    /// The trips that go on.
    private(set) var unfinished = UnfinishedTrips()

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
        self.showsTrips = showsTrips
        self.log = log
        printed = PrintedSums(style)
        table = columns.table(style)
    }

    /// Adds a trip; trips MUST come in order of their starts.
    mutating func add(_ booked: borrowing BookedTrip) {
        if booked.status == .active {
            unfinished.add(booked.id, of: booked.trip.source, from: booked.trip.startedAt)
        }
        guard let line = log.add(booked) else { return }
        if format == .text { printed.add(line) }
        guard showsTrips else { return }
        switch format {
        case .text: shownColumns.add(line, to: &table, style)
        case .json:
            lineColumns.appendJSON(line, to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        case .csv: lineColumns.appendCSV(line, to: &bytes, unit: style.unit)
        }
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
        table.add(next.table)
        unfinished.add(next.unfinished)
    }

    /// Forgets all trips, as in a part that has none.
    mutating func empty(like empty: borrowing MileagePart) {
        log = empty.log
        printed = empty.printed
        table = empty.table
        bytes.removeAll(keepingCapacity: true)
        unfinished = UnfinishedTrips()
    }

    /// Appends what comes before the first trip.
    func appendTitles(to bytes: inout [UInt8]) {
        guard format == .csv else { return }
        if showsTrips {
            lineColumns.appendCSVTitles(to: &bytes, unit: style.unit)
        } else {
            sumColumns.appendCSVTitles(to: &bytes, unit: style.unit)
        }
    }

    /// Hands over what comes after the last trip, or all lines if people see them.
    func finish(
        _ snapshot: borrowing Snapshot,
        isDraft: Bool,
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) throws {
        switch format {
        case .text: try finishText(snapshot, isDraft: isDraft, write)
        case .json:
            let total = MileageTotal(
                log,
                of: snapshot.founding,
                head: isDraft ? nil : snapshot.head,
                asOf: try snapshot.latestEndByTime()
            )
            try write { bytes in
                for sum in log.sums {
                    sumColumns.appendJSON(sum, to: &bytes)
                    bytes.append(UInt8(ascii: "\n"))
                }
                MileageTotal.columns.noting(missing).appendJSON(total, to: &bytes)
                bytes.append(UInt8(ascii: "\n"))
            }
        case .csv:
            guard !showsTrips else { return }
            try write { bytes in
                for sum in log.sums {
                    sumColumns.appendCSV(sum, to: &bytes, unit: style.unit)
                }
            }
        }
    }

    private func finishText(
        _ snapshot: borrowing Snapshot,
        isDraft: Bool,
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) throws {
        let facts = FactSheet(try facts(of: snapshot, isDraft: isDraft)).text(width: style.width)
        try write { $0.append(contentsOf: "Mileage log\n\(facts)\n".utf8) }
        var leftOut: [String] = []
        if !table.isEmpty {
            leftOut = try table.write(within: style.width, write)
            try write { $0.append(UInt8(ascii: "\n")) }
        }
        leftOut += try printed.table(of: log).write(within: style.width, write)
        let ending = """

            \(log.period.localDay.sentence)
            Gaps, where nothing was measured, stand beside the distance and are never inside it.
            \(printed.remark(on: log))\(unrecordedSentence)\(odometerSentence)\
            \(log.total.overlapping.text)\(detailsSentence)\
            \(TextTable.remark(onLeftOut: leftOut))
            """
        try write { $0.append(contentsOf: style.wrapped(ending).utf8) }
    }

    /// How soon details were entered, if there are trips.
    private var detailsSentence: String {
        log.total.trips == 0 ? "" : log.total.details.sentence + "\n"
    }

    /// What the column of unrecorded ways means, if there is one.
    private var unrecordedSentence: String {
        log.total.unrecorded.count == 0 ? "" : UnrecordedTotal.sentence + "\n"
    }

    /// What odometers say of the time between trips, if they say anything.
    private var odometerSentence: String {
        let between = log.total.odometerBetween
        guard between > .zero else { return "" }
        return
            "Odometers went \(DistanceText.text(between, in: style.unit)) between trips, on none: "
            + "readings at the end of one and at the start of the next (BETWEEN).\n"
    }

    private func facts(
        of snapshot: borrowing Snapshot,
        isDraft: Bool
    ) throws -> [(label: String, fact: String)] {
        var facts = [("Period", period)]
        if let vehicle = log.vehicle { facts.append(("Vehicle", Excerpt.escaped(vehicle))) }
        if let tripClass = log.tripClass { facts.append(("Class", tripClass.rawValue)) }
        if log.hidesPrivate { facts.append(("Private", "kilometres only: no places, no times")) }
        facts += [
            ("Time zone", Excerpt.escaped(log.period.localDay.zone.name)),
            ("Unit", style.unit.rawValue), ("Ledger", snapshot.founding.ledger),
        ]
        facts +=
            isDraft
            ? [("Draft", "not for handing over; made without --draft it names its entries")]
            : [("Entries", String(snapshot.head.size)), ("Root", snapshot.head.root)]
        if let instant = try snapshot.latestEndByTime() {
            let time = log.period.localDay.local(EventTime(instant))
            facts.append(("As of", RFC3339.text(time.timestamp, utcOffset: time.utcOffset)))
        }
        return facts + missing.facts
    }

    private var period: String {
        switch (log.period.from, log.period.to) {
        case (nil, nil): "all days"
        case (let from?, nil): "from \(from)"
        case (nil, let to?): "until \(to)"
        case (let from?, let to?): "\(from) to \(to)"
        }
    }
}
