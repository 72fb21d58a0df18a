import Geodesy
import Reports
import TripEvents

/// The trips of a mileage log for people.
struct MileageTable {
    private static let decimals = 2
    private static let shownDigits = 8

    private static let columnCount = columns(in: .kilometers).count

    private let unit: DistanceUnit
    private var table: TextTable

    init(unit: DistanceUnit) {
        self.unit = unit
        table = TextTable(Self.columns(in: unit), leavesOutEmptyColumns: true)
    }

    /// Whether there are no trips.
    var isEmpty: Bool { table.isEmpty }

    /// Adds a trip.
    // Consumed, for a closure would copy a line that is not its own.
    mutating func add(_ line: consuming MileageLine) {
        table.addLine(room: Self.room(for: line)) { [unit] span in
            Self.append(line, in: unit, to: &span)
        }
    }

    /// Adds the trips of another table after these.
    mutating func add(_ other: MileageTable) {
        table.addLines(of: other.table)
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
            table.add([
                sum.tripClass?.rawValue ?? "total", String(sum.trips),
                ShownDistance.number(sum.distance, in: unit, decimals: decimals),
                String(sum.gaps),
                ShownDistance.number(sum.gapDistance, in: unit, decimals: decimals),
            ])
        }
        return table
    }

    private static func columns(in unit: DistanceUnit) -> [TextTable.Column] {
        [
            .words("DATE"), .words("START"), .words("END"), .words("FROM"), .words("TO"),
            .words("PURPOSE"), .words("CLIENT"), .words("CLASS"), .words("VEHICLE"),
            .numbers("ODOMETER"), .numbers("UNTIL"), .numbers("DISTANCE \(unit.rawValue)"),
            .numbers("MEASURED"), .numbers("GAPS"), .numbers("GAP \(unit.rawValue)"),
            .words("FLAGS"), .numbers("DAYS"), .words("TRIP"),
        ]
    }

    /// Returns the most bytes that the cells of a line take.
    private static func room(for line: borrowing MileageLine) -> Int {
        let texts =
            room(for: line.origin) + room(for: line.destination) + room(for: line.purpose)
            + room(for: line.client) + room(for: line.vehicle)
            + line.flags.reduce(0) { $0 + $1.utf8.count + 1 }
        return plainRoom + texts
    }

    /// The most bytes that the cells take without the texts.
    private static let plainRoom =
        columnCount * TextCell.longestHead + 2 * CivilDate.textByteCount + 1
        + 2 * RFC3339.minuteByteCount + longestClass + 5 * ShownDistance.longestText
        + 2 * FixedPoint.longestText + shownDigits

    private static let longestClass =
        TripClass.allCases.reduce(0) { max($0, $1.rawValue.utf8.count) }

    private static func room(for place: MileagePlace?) -> Int {
        guard case .words(let words)? = place else { return MileagePlace.longestPosition }
        return room(for: words)
    }

    private static func room(for text: String?) -> Int {
        guard let text else { return 0 }
        return text.utf8.count * Excerpt.longestEscape
    }

    private static func append(
        _ line: borrowing MileageLine,
        in unit: DistanceUnit,
        to span: inout OutputSpan<UInt8>
    ) {
        appendTimes(of: line, to: &span)
        append(line.origin, to: &span)
        append(line.destination, to: &span)
        append(line.purpose, to: &span)
        append(line.client, to: &span)
        TextCell.append(line.tripClass.rawValue, to: &span)
        append(line.vehicle, to: &span)
        append(line.odometerStart, in: unit, to: &span)
        append(line.odometerEnd, in: unit, to: &span)
        append(line.distance, in: unit, to: &span)
        append(line.measuredDistance, in: unit, to: &span)
        append(count: line.gaps > 0 ? line.gaps : nil, to: &span)
        append(line.gaps > 0 ? line.gapDistance : nil, in: unit, to: &span)
        append(line.flags.isEmpty ? nil : line.flags.joined(separator: " "), to: &span)
        append(count: line.daysUntilDetails, to: &span)
        let cell = TextCell.begin(in: &span)
        line.trip.append(digits: shownDigits, to: &span)
        TextCell.end(cell, in: &span)
    }

    private static func appendTimes(
        of line: borrowing MileageLine,
        to span: inout OutputSpan<UInt8>
    ) {
        var cell = TextCell.begin(in: &span)
        line.date.append(to: &span)
        TextCell.end(cell, in: &span)
        cell = TextCell.begin(in: &span)
        RFC3339.appendMinute(line.startedAt, to: &span)
        TextCell.end(cell, in: &span)
        guard let endedAt = line.endedAt else { return TextCell.appendEmpty(to: &span) }
        cell = TextCell.begin(in: &span)
        LocalTime.appendMinute(endedAt, onOtherDayThan: line.date, to: &span)
        TextCell.end(cell, in: &span)
    }

    private static func append(_ place: MileagePlace?, to span: inout OutputSpan<UInt8>) {
        switch place {
        case .words(let words): append(words, to: &span)
        case .position(let coordinate):
            let cell = TextCell.begin(in: &span)
            MileagePlace.append(coordinate, to: &span)
            TextCell.end(cell, in: &span)
        case nil: TextCell.appendEmpty(to: &span)
        }
    }

    private static func append(_ text: String?, to span: inout OutputSpan<UInt8>) {
        guard let text else { return TextCell.appendEmpty(to: &span) }
        TextCell.append(Excerpt.escaped(text), to: &span)
    }

    private static func append(
        _ distance: Distance?,
        in unit: DistanceUnit,
        to span: inout OutputSpan<UInt8>
    ) {
        guard let distance else { return TextCell.appendEmpty(to: &span) }
        let cell = TextCell.begin(in: &span)
        ShownDistance.append(distance, in: unit, decimals: decimals, to: &span)
        TextCell.end(cell, in: &span)
    }

    private static func append(count: Int64?, to span: inout OutputSpan<UInt8>) {
        guard let count else { return TextCell.appendEmpty(to: &span) }
        let cell = TextCell.begin(in: &span)
        FixedPoint.append(count, decimals: 0, to: &span)
        TextCell.end(cell, in: &span)
    }
}
