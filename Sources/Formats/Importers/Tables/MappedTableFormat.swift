import TripEvents

/// A table that is read by a map: the map that its owner wrote, or that of a known app.
///
/// Lines before the one that names the columns are remarks of the app. Rows of trips end with the
/// line of totals.
struct MappedTableFormat: LineFormat {
    /// The most lines that may stand before the one that names the columns.
    static let mostLinesBefore = 40

    /// The maps that may fit a table: the first one whose columns the table has is used.
    private let maps: [SoughtColumns]

    /// The format, whose name is the source of rows that name none.
    private let format: ImportFormat

    private let options: ImportOptions
    private var found: MappedRows?

    /// The rows before; `nil` before the columns are found.
    private var earlier: EarlierRows?

    /// The lines before the one that names the columns; `nil` if none does.
    private var before: [Int]? = []

    /// The line with the most columns of a map: its number, the columns that it lacks, and its
    /// names.
    private var nearest: (number: Int, missing: [String], names: [String])?

    /// Whether the line of totals has come, after which apps write remarks.
    private var hasEnded = false

    init(_ maps: [SoughtColumns], _ format: ImportFormat, _ options: ImportOptions) {
        self.maps = maps
        self.format = format
        self.options = options
    }

    mutating func take(
        _ text: Span<UInt8>,
        _ line: Range<Int>,
        _ number: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        guard let before else { return batch.ignore("no_header", record: number) }
        guard let found else {
            let names = LineNames(text, line)
            guard let (map, header) = find(text, line, names) else {
                self.before = before + [number]
                noteNames(text, line, number, names)
                return before.count >= Self.mostLinesBefore ? giveUp(into: &batch) : ()
            }
            for record in before { batch.ignore("preamble", record: record) }
            let rows = MappedRows(map, header, format, options)
            self.found = rows
            earlier = EarlierRows(map, header, text, line)
            if !map.hasHeader { try read(text, line, number, rows, into: &batch) }
            return
        }
        try read(text, line, number, found, into: &batch)
    }

    mutating func finish(into batch: inout ImportBatch) {
        if found == nil, before != nil { giveUp(into: &batch) }
    }

    private func find(
        _ text: Span<UInt8>,
        _ line: Range<Int>,
        _ names: LineNames
    ) -> (map: ColumnMap, header: ColumnHeader)? {
        for sought in maps {
            let header =
                sought.map.hasHeader
                ? ColumnHeader(sought, names) : ColumnHeader(sought, text, line)
            if let header { return (sought.map, header) }
        }
        return nil
    }

    private mutating func read(
        _ text: Span<UInt8>,
        _ line: Range<Int>,
        _ number: Int,
        _ rows: MappedRows,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        let cells = CSVCells(text, line, separator: rows.header.separator)
        if rows.map.rows != .fixes, let first = cells.text(0, text),
            first.lowercased().hasPrefix("total")
        {
            hasEnded = true
        }
        guard !hasEnded else { return batch.ignore("totals", record: number) }
        guard cells.ranges.contains(where: { !$0.isEmpty }) else {
            return batch.ignore("empty", record: number)
        }
        if let count = rows.header.columnCount { try cells.check(columnCount: count) }
        guard rows.header.selects(cells, text) else {
            return batch.ignore("not_selected", record: number)
        }
        let first = batch.items.count
        switch rows.map.rows {
        case .fixes: return try rows.readFix(text, cells, number, into: &batch)
        case .trips: try rows.readTrip(text, cells, number, into: &batch)
        case .expenses: try rows.readExpense(text, cells, number, into: &batch)
        }
        earlier?.compare(text, line, number, itemsFrom: first, in: &batch)
    }

    // MARK: A table without the columns

    /// Notes a line if it has more columns of a map than those before.
    private mutating func noteNames(
        _ text: Span<UInt8>,
        _ line: Range<Int>,
        _ number: Int,
        _ names: LineNames
    ) {
        for map in maps {
            for separator in map.separators {
                let names = names[separator]
                guard map.missingCount(in: names) < nearest?.missing.count ?? .max else { continue }
                let cells = CSVCells(text, line, separator: separator)
                let written = cells.ranges.indices.compactMap { cells.text($0, text) }
                nearest = (number, map.missing(in: names), written)
            }
        }
    }

    /// Reports the columns that the table lacks, at the line that names the most of them.
    private mutating func giveUp(into batch: inout ImportBatch) {
        let lines = before ?? []
        before = nil
        for record in lines where record != nearest?.number {
            batch.ignore("no_header", record: record)
        }
        guard let nearest, let column = nearest.missing.first else { return }
        let question = NearestNames(to: column, among: nearest.names).question
        let names = nearest.names.prefix(Self.mostNamesShown).map { Excerpt.of($0) }
        let cure = question ?? "There are \(names.joined(separator: ", "))."
        let sentence = "No line names a column \(Excerpt.of(column)). \(cure)"
        batch.reject(
            Rejection(.missingField, field: column, sentence: sentence),
            record: nearest.number
        )
    }

    private static let mostNamesShown = 8
}
