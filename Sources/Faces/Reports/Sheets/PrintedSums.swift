import Geodesy
package import Tables
import TripEvents

/// The sums of the lines of a mileage log as they are printed.
///
/// The rule, for all reports: a total that is printed is the sum of the lines as they are printed,
/// so that a reader who adds them up gets the same. The exact sum, in whole millimetres, stands in
/// JSON and CSV, and in a sentence below the table if it differs.
struct PrintedSums: Sendable {
    /// Distances in hundredths of the unit.
    struct Figures {
        var distance: Int64 = 0
        var excluded: Int64 = 0
        var gaps: Int64 = 0

        mutating func add(_ other: Figures) {
            distance += other.distance
            excluded += other.excluded
            gaps += other.gaps
        }
    }

    private let style: TextStyle

    /// One for each class, in the order of `TripClass`.
    private var classes = TripClass.allCases.map { _ in Figures() }

    /// Begins without lines.
    init(_ style: TextStyle) {
        self.style = style
    }

    /// Adds a line.
    mutating func add(_ line: borrowing MileageLine) {
        let figures = Figures(
            distance: printed(line.distance),
            excluded: printed(line.excludedDistance),
            gaps: printed(line.gapDistance)
        )
        classes[MileageLog.index(of: line.tripClass)].add(figures)
    }

    /// Adds other lines.
    mutating func add(_ other: PrintedSums) {
        for index in classes.indices { classes[index].add(other.classes[index]) }
    }

    /// Returns a table of the sums of a log's classes, and their total.
    func table(of log: MileageLog) -> TextTable {
        let columns = PrintedSum.columns
        let rows = log.sums.map { sum in
            PrintedSum(
                sum: sum,
                figures: classes[MileageLog.index(of: sum.tripClass ?? .unclassified)]
            )
        }
        var table = columns.table(style)
        for row in rows { columns.add(row, to: &table, style) }
        let total = PrintedSum(sum: log.total, figures: Figures())
        columns.addTotal(total, of: rows, to: &table, style)
        return table
    }

    /// Returns a sentence if a log's total differs from the sum of its printed lines.
    func phrase(on log: MileageLog) -> Phrase? {
        let sum = classes.reduce(0) { $0 + $1.distance }
        return Self.phrase(on: log.total.distance, printedAs: sum, style)
    }

    /// Returns a sentence if a sum differs from the sum of the lines.
    ///
    /// - Parameters:
    ///   - distance: The sum.
    ///   - hundredths: The sum of the lines, in hundredths of the unit.
    ///   - style: How the lines are printed.
    /// - Returns: A sentence, or `nil` if there is nothing to say.
    static func phrase(
        on distance: Distance,
        printedAs hundredths: Int64,
        _ style: TextStyle
    ) -> Phrase? {
        guard printed(distance, style) != hundredths else { return nil }
        return .exactSum(distance, in: style.unit)
    }

    /// Returns the same in English with the end of its line, or nothing.
    static func remark(
        on distance: Distance,
        printedAs hundredths: Int64,
        _ style: TextStyle
    ) -> String {
        phrase(on: distance, printedAs: hundredths, style).map { $0.english + "\n" } ?? ""
    }

    private func printed(_ distance: Distance) -> Int64 { Self.printed(distance, style) }

    private static func printed(_ distance: Distance, _ style: TextStyle) -> Int64 {
        Cell.distance(distance).printedUnits(style) ?? 0
    }
}

/// The sum over a class in a mileage log, as people see it.
private struct PrintedSum {
    let sum: MileageSum
    let figures: PrintedSums.Figures

    static let columns = Columns<PrintedSum>(
        MileageSum.columns.of { (row: PrintedSum) in row.sum }
            .map { column in
                switch column.name {
                case "distance_m":
                    column.shown(as: { .printedDistance($0.figures.distance) })
                case "excluded_distance_m":
                    column.shown(as: { row in
                        row.sum.excludedDistance > .zero
                            ? .printedDistance(row.figures.excluded) : .none
                    })
                case "gap_distance_m":
                    column.shown(as: { .printedDistance($0.figures.gaps) })
                default: column
                }
            }
    )
}

extension TotalsLine {
    /// Returns a sentence if the total differs from the sum of the groups as printed.
    package static func remark(on lines: [TotalsLine], _ style: TextStyle) -> String {
        guard let total = lines.last else { return "" }
        let sum = lines.dropLast()
            .reduce(0) {
                $0 + (Cell.distance($1.distance).printedUnits(style) ?? 0)
            }
        return PrintedSums.remark(on: total.distance, printedAs: sum, style)
    }
}

extension Cell {
    /// The printed value, in units of its last digit; `nil` if it cannot be added up.
    fileprivate func printedUnits(_ style: TextStyle) -> Int64? {
        switch self {
        case .distance(let distance):
            DistanceText.scaled(distance, in: style.unit, decimals: Self.shownDecimals)
        case .printedDistance(let hundredths): hundredths
        case .duration(let milliseconds): LocalTime.seconds(milliseconds)
        default: nil
        }
    }
}

extension Columns {
    /// Returns a table of rows, the last of which is the total of the others.
    package func table(of rows: [Row], _ style: TextStyle) -> TextTable {
        var table = table(style)
        for row in rows.dropLast() { add(row, to: &table, style) }
        if let total = rows.last { addTotal(total, of: rows.dropLast(), to: &table, style) }
        return table
    }

    /// Adds the total of rows to a table: for a distance or a length of time, the sum of the
    /// printed values.
    package func addTotal(
        _ total: Row,
        of rows: [Row],
        to table: inout TextTable,
        _ style: TextStyle
    ) {
        table.beginLine(.total)
        for column in all where column.title != nil {
            let cell = column.shownCell(total)
            switch cell {
            case .distance, .printedDistance, .duration:
                let sum = rows.reduce(0) {
                    $0 + (column.shownCell($1).printedUnits(style) ?? 0)
                }
                let printed: Cell =
                    if case .duration = cell { .duration(sum * 1_000) } else {
                        .printedDistance(sum)
                    }
                printed.append(to: &table, style)
            default: cell.append(to: &table, style)
            }
        }
        table.endLine()
    }
}
