import Geodesy
package import Tables
package import TripEvents
package import TripLedger

/// The last line of a mileage log, with what it was made from: `mileage-log.v1.schema.json`.
package struct MileageTotal: Tabular {
    /// The log, with all its trips.
    package let log: MileageLog

    /// The content of the ledger's first entry.
    package let founding: LedgerCreated

    /// The head of the entries that it was made from; `nil` for a draft.
    package let head: LedgerHead?

    /// When time alone last ended a trip; `nil` if it has ended none.
    package let passedTo: Timestamp?

    /// The only group of sources that counts, or the owner's; `nil` for all.
    let group: GroupSelection?

    /// Joins a log and what it was made from.
    package init(
        _ log: MileageLog,
        of founding: LedgerCreated,
        head: LedgerHead?,
        asOf passedTo: Timestamp?,
        group: GroupSelection?
    ) {
        self.log = log
        self.founding = founding
        self.head = head
        self.passedTo = passedTo
        self.group = group
    }

    /// The columns of the lines above it.
    package static var lineColumns: Columns<MileageLine> { MileageLine.columns }

    /// The columns.
    package static let columns = Columns<MileageTotal> {
        Column.name("kind") { _ in "total" }
        MileageSum.figures.of { $0.log.total }
        Column.day("first_day") { $0.log.period.from }
        Column.day("last_day") { $0.log.period.to }
        Column.text("group") { $0.group?.shownName }.optional
        Column.text("vehicle") { $0.log.vehicle }
        Column.text("driver") { $0.log.driver }.optional
        Column.name("class") { $0.log.tripClass?.rawValue }
        Column.text("time_zone") { $0.log.period.localDay.zone.name }
        Column.boolean("uses_own_offsets") { $0.log.period.localDay.usesOwnOffsets }
        Column.name("ledger") { $0.founding.ledger }
        Column.integer("size") { $0.head?.size }
        Column.name("root") { $0.head?.root }
        Column.instant("as_of") { $0.passedTo }
        Contemporaneity.columns.of("details.") { $0.log.total.details }
        Contemporaneity.columns.of("recorded.") { $0.log.total.recorded }
        Column.boolean("private_hidden") { $0.log.hidesPrivate }
    }
}

extension MileageSum: Tabular {
    /// The sum over a class in a mileage log: `mileage-log.v1.schema.json`.
    package static let columns = Columns<MileageSum> {
        Column.name("kind") { _ in "sum" }.notInCSV
        Column.name("class", .tripClass) { $0.tripClass?.rawValue }
            .shown(as: { .phrase($0.tripClass?.phrase ?? .total) })
        figures
    }

    /// The figures that a class and the whole log have.
    fileprivate static let figures = Columns<MileageSum> {
        Column.integer("trips", .trips) { $0.trips }
        Column.distance("distance_m", .distance) { $0.distance }
        Column.distance("excluded_distance_m", .excluded) { $0.excludedDistance }
            .shown(onlyWhere: { $0.excludedDistance > .zero })
        Column.integer("gaps", .gaps) { $0.gaps }
        Column.distance("gap_distance_m", .gap) { $0.gapDistance }
        Column.integer("unrecorded") { $0.unrecorded.count }
        Column.distance("unrecorded_distance_m", .unrecorded) { $0.unrecorded.distance }
            .shown(onlyWhere: { $0.unrecorded.count > 0 })
        Column.distance("odometer_between_m") { $0.odometerBetween }
        OverlapTotal.columns.of { $0.overlapping }
    }
}
