import Geodesy
import Reports
import TripEvents

/// The trips of a mileage log for people.
struct MileageTable {
    private static let decimals = 2
    private static let shownDigits = 8

    private let unit: DistanceUnit
    private var table: TextTable

    init(unit: DistanceUnit) {
        self.unit = unit
        table = TextTable(
            [
                .words("DATE"), .words("START"), .words("END"), .words("FROM"), .words("TO"),
                .words("PURPOSE"), .words("CLIENT"), .words("CLASS"), .words("VEHICLE"),
                .numbers("ODOMETER"), .numbers("UNTIL"),
                .numbers("DISTANCE \(unit.rawValue)"), .numbers("MEASURED"), .numbers("GAPS"),
                .numbers("GAP \(unit.rawValue)"), .words("FLAGS"), .numbers("DAYS"),
                .words("TRIP"),
            ],
            leavesOutEmptyColumns: true
        )
    }

    /// Whether there are no trips.
    var isEmpty: Bool { table.isEmpty }

    /// Adds a trip.
    mutating func add(_ line: MileageLine) {
        // Only what a cell needs is captured: the whole line would be copied each time.
        let (date, startedAt, endedAt, trip) = (line.date, line.startedAt, line.endedAt, line.trip)
        table.addCell(plain: { date.append(to: &$0) })
        table.addCell(plain: { LocalTime.appendMinute(startedAt, to: &$0) })
        table.addCell(plain: { bytes in
            guard let endedAt else { return }
            LocalTime.appendMinute(endedAt, onOtherDayThan: date, to: &bytes)
        })
        add(line.origin)
        add(line.destination)
        add(line.purpose)
        add(line.client)
        table.addCell(line.tripClass.rawValue)
        add(line.vehicle)
        add(line.odometerStart)
        add(line.odometerEnd)
        add(line.distance)
        add(line.measuredDistance)
        add(count: line.gaps > 0 ? line.gaps : nil)
        add(line.gaps > 0 ? line.gapDistance : nil)
        add(line.flags.isEmpty ? nil : line.flags.joined(separator: " "))
        add(count: line.daysUntilDetails)
        table.addCell(plain: { trip.append(digits: Self.shownDigits, to: &$0) })
    }

    /// Writes the trips.
    func write(to output: Output) throws(OutputError) {
        try table.write(to: output)
    }

    /// The sums of a mileage log, with the total.
    static func sums(_ log: MileageLog, unit: DistanceUnit) -> TextTable {
        var table = TextTable([
            .words("CLASS"), .numbers("TRIPS"), .numbers("DISTANCE \(unit.rawValue)"),
            .numbers("GAPS"), .numbers("GAP \(unit.rawValue)"),
        ])
        for sum in log.sums + [log.total] {
            table.addCell(sum.tripClass?.rawValue ?? "total")
            table.addCell(String(sum.trips))
            table.addCell(plain: { append(sum.distance, in: unit, to: &$0) })
            table.addCell(String(sum.gaps))
            table.addCell(plain: { append(sum.gapDistance, in: unit, to: &$0) })
        }
        return table
    }

    private mutating func add(_ place: MileagePlace?) {
        switch place {
        case .words(let words): add(words)
        case .position: table.addCell(plain: { place?.append(to: &$0) })
        case nil: table.addEmptyCell()
        }
    }

    private mutating func add(_ text: String?) {
        guard let text else { return table.addEmptyCell() }
        table.addCell(Excerpt.escaped(text))
    }

    private mutating func add(_ distance: Distance?) {
        guard let distance else { return table.addEmptyCell() }
        table.addCell(plain: { [unit] in Self.append(distance, in: unit, to: &$0) })
    }

    private mutating func add(count: Int64?) {
        guard let count else { return table.addEmptyCell() }
        table.addCell(plain: { FixedPoint.append(count, decimals: 0, to: &$0) })
    }

    private static func append(
        _ distance: Distance,
        in unit: DistanceUnit,
        to bytes: inout [UInt8]
    ) {
        ShownDistance.append(distance, in: unit, decimals: decimals, to: &bytes)
    }
}
