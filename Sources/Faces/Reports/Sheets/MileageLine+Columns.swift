import Geodesy
package import Tables
import TripLedger

extension MileageLine: Tabular {
    /// A trip in a mileage log: `mileage-log.v1.schema.json`.
    package static let columns = Columns<MileageLine> {
        Column.name("kind") { _ in "trip" }.notInCSV
        Column.day("date", .date) { $0.date }
        Column.time("started_at", .start) { $0.startedAt }
            .shown(as: { line in
                line.startedAt.map { .minute($0, on: CivilDate(of: $0)) } ?? .none
            })
        Column.time("ended_at", .end) { $0.endedAt }
            .shown(as: { line in line.endedAt.map { .minute($0, on: line.date) } ?? .none })
            .narrowing(.leaves(10))
        Column("from", .from, .text) { Cell($0.origin) }
        Column.text("from_address", .fromAddress) { $0.originAddress }
            .shown(onlyWhere: { $0.originAddress != nil })
            .narrowing(.leaves(5))
            .standing(below: .untitled)
        Column("to", .to, .text) { Cell($0.destination) }
        Column.text("to_address", .toAddress) { $0.destinationAddress }
            .shown(onlyWhere: { $0.destinationAddress != nil })
            .narrowing(.leaves(5))
            .standing(below: .untitled)
        Column.text("purpose", .purpose) { $0.purpose }
        Column.text("client", .client) { $0.client }
            .narrowing(.leaves(5))
        Column.name("class", .tripClass) { $0.tripClass.rawValue }
            .shown(as: { .phrase($0.tripClass.phrase) })
            .narrowing(.shortens(to: 8))
        Column.text("vehicle", .vehicle) { $0.vehicle }
            .narrowing(.leaves(3))
        Column.text("driver", .driver) { $0.driver }
            .shown(onlyWhere: { $0.driver != nil })
            .narrowing(.leaves(3))
            .standing(below: .titled)
        Column.distance("odometer_start_m", .odometer) { $0.odometerStart?.distance }
            .narrowing(.leaves(4))
        Column.distance("odometer_end_m", .until) { $0.odometerEnd?.distance }
            .narrowing(.leaves(4))
            .standing(below: .titled)
        Column.name("odometer_start_basis") { $0.odometerStart?.basis.rawValue }
        Column.name("odometer_end_basis", .basis) { $0.odometerEnd?.basis.rawValue }
            .shown(as: { line in
                // A line whose odometer was read at both ends needs no note.
                guard let basis = line.odometerBasis, basis != .read else { return .none }
                return .phrase(basis.phrase)
            })
            .narrowing(.leaves(4))
            .standing(below: .untitled)
        // People see it on lines of its own, between those of trips.
        Column.distance("odometer_before_m", .between) { $0.odometerBefore }
            .shown(as: { _ in .none })
            .narrowing(.leaves(2))
        Column.distance("distance_m", .distance) { $0.distance }
        // The columns that an auditor looks for stay even on a narrow screen: the measured distance
        // if another one counts, and the flags.
        Column.distance("measured_distance_m", .measured) { $0.measuredDistance }
            .standing(below: .titled)
        Column.distance("excluded_distance_m", .excluded) { $0.excludedDistance }
            .shown(onlyWhere: { $0.excludedDistance > .zero })
        Column.integer("gaps", .gaps) { $0.gaps }
            .shown(onlyWhere: { $0.gaps > 0 })
            .narrowing(.leaves(1))
        Column.distance("gap_distance_m", .gap) { $0.gapDistance }
            .shown(onlyWhere: { $0.gaps > 0 })
            .narrowing(.leaves(9))
            .standing(below: .titled)
        Column.list("flags", .flags) { $0.flags }
            .narrowing(.shortens(to: 8))
            .shown(as: { line in
                guard !line.flags.isEmpty else { return .none }
                let flags = line.flags.map { FlagPhrases.phrase(of: $0) }
                return .phrase(Phrase("\(flags)"))
            })
        Column.integer("days_until_details", .days) { $0.daysUntilDetails }
            .narrowing(.leaves(0))
        Column.trip("trip", .trip) { $0.trip }
            .narrowing(.leaves(8))
        Column.integer("days_until_last_details") { $0.daysUntilLastDetails }
        Column.integer("days_until_recorded") { $0.daysUntilRecorded }
    }
}
