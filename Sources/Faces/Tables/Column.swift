package import Geodesy
package import TripEvents

/// One column of a kind of row: its names, and what stands in it.
///
/// From it follow the member of JSON, the field of CSV, the column of the table for people, and its
/// documentation. A name with a point in it, such as `start.lat`, is a member of an object in JSON,
/// and `start_lat` in CSV. A column without a name is for people only: it combines the values of
/// several others.
package struct Column<Row>: Sendable {
    /// The name in JSON and, with underscores instead of points, in CSV; empty if it is for people
    /// only.
    package let name: String

    /// The title of the column for people; `nil` if it is for programs only.
    ///
    /// In a list of facts it stands before the fact. The unit of a distance is added to it.
    package let title: ColumnTitle?

    /// The kind of its values.
    package let kind: ColumnKind

    /// Whether JSON leaves the member out where there is no value, instead of `null`.
    package private(set) var isOptional = false

    /// Whether it is a column of CSV.
    package private(set) var isInCSV: Bool

    /// Whether it was requested by name, so that it is shown even if no row has a value in it.
    package private(set) var isChosen = false

    /// Whether commands recognise a row by its value.
    package private(set) var isIdentifying = false

    /// Returns the columns of the rows in it, if it holds rows.
    ///
    /// A closure, because most tables are written and never described.
    package let inner: @Sendable () -> [ColumnDescription]

    /// The value for programs.
    package let cell: @Sendable (Row) -> Cell

    /// The value for people.
    package private(set) var shownCell: @Sendable (Row) -> Cell

    /// Whether that cell differs from the one for programs.
    private var showsOtherCell = false

    /// Whether a document has its value in the cell of the column before, below that one's value.
    package private(set) var below = TextTable.Below.no

    /// Its behaviour if the screen is too narrow; by default, texts are shortened, down to 8
    /// characters.
    private(set) var narrowing: Narrowing

    /// Appends its members in JSON, if it has members instead of a value.
    private(set) var appendMembers: (@Sendable (Row, inout [UInt8]) -> Void)?

    /// Creates a column; the functions below are for each kind.
    package init(
        _ name: String,
        _ title: ColumnTitle?,
        _ kind: ColumnKind,
        inner: @escaping @Sendable () -> [ColumnDescription] = { [] },
        _ cell: @escaping @Sendable (Row) -> Cell
    ) {
        self.name = name
        self.title = title
        self.kind = kind
        self.inner = inner
        self.cell = cell
        shownCell = cell
        narrowing = kind.isText ? .shortens(to: 8) : .none
        isInCSV = !name.isEmpty && kind != .rows
    }
}

// MARK: What columns can hold

extension Column {
    /// A text, which may come from outside.
    package static func text(
        _ name: String,
        _ title: ColumnTitle? = nil,
        _ value: @escaping @Sendable (Row) -> String?
    ) -> Column {
        Column(name, title, .text) { row in value(row).map { .text($0) } ?? .none }
    }

    /// One of the names that this program chooses: plain ASCII.
    package static func name(
        _ name: String,
        _ title: ColumnTitle? = nil,
        _ value: @escaping @Sendable (Row) -> String?
    ) -> Column {
        Column(name, title, .name) { row in value(row).map { .name($0) } ?? .none }
    }

    /// A phrase of the program, which programs get in English.
    package static func phrase(
        _ name: String,
        _ title: ColumnTitle? = nil,
        _ value: @escaping @Sendable (Row) -> Phrase?
    ) -> Column {
        Column(name, title, .text) { row in value(row).map { .phrase($0) } ?? .none }
    }

    /// A sentence of the program that has times in it, which a clock tells.
    package static func telling(
        _ name: String,
        _ title: ColumnTitle? = nil,
        _ text: @escaping @Sendable (Row, LocalDay?) -> String
    ) -> Column where Row: Sendable {
        Column(name, title, .text) { row in .telling { text(row, $0) } }
    }

    /// Texts in their order.
    package static func list(
        _ name: String,
        _ title: ColumnTitle? = nil,
        _ values: @escaping @Sendable (Row) -> [String]?
    ) -> Column {
        Column(name, title, .list) { row in values(row).map { .list($0) } ?? .none }
    }

    /// A whole number.
    package static func integer<Number: BinaryInteger & SendableMetatype>(
        _ name: String,
        _ title: ColumnTitle? = nil,
        _ value: @escaping @Sendable (Row) -> Number?
    ) -> Column {
        Column(name, title, .integer) { row in
            guard let number = value(row) else { return .none }
            // A sender's counter may exceed the range of a cell.
            return Int64(exactly: number).map { .integer($0) } ?? .json(Array("\(number)".utf8))
        }
    }

    /// A number with three decimals, given in thousandths.
    package static func thousandths(
        _ name: String,
        _ title: ColumnTitle? = nil,
        _ value: @escaping @Sendable (Row) -> Int64?
    ) -> Column {
        Column(name, title, .number) { row in value(row).map { .thousandths($0) } ?? .none }
    }

    /// A number exactly as it was reported.
    package static func decimal(
        _ name: String,
        _ title: ColumnTitle? = nil,
        _ value: @escaping @Sendable (Row) -> ExactDecimal?
    ) -> Column {
        Column(name, title, .number) { row in value(row).map { .decimal($0) } ?? .none }
    }

    /// Numbers with points before their decimals, which JSON has as a text.
    package static func figures(
        _ name: String,
        _ title: ColumnTitle? = nil,
        _ value: @escaping @Sendable (Row) -> String?
    ) -> Column {
        Column(name, title, .name) { row in value(row).map { .figures($0) } ?? .none }
    }

    /// A finite number.
    package static func number(
        _ name: String,
        _ title: ColumnTitle? = nil,
        _ value: @escaping @Sendable (Row) -> Double?
    ) -> Column {
        Column(name, title, .number) { row in value(row).map { .number($0) } ?? .none }
    }

    /// Yes or no.
    package static func boolean(
        _ name: String,
        _ title: ColumnTitle? = nil,
        _ value: @escaping @Sendable (Row) -> Bool?
    ) -> Column {
        Column(name, title, .boolean) { row in value(row).map { .boolean($0) } ?? .none }
    }

    /// A day.
    package static func day(
        _ name: String,
        _ title: ColumnTitle? = nil,
        _ value: @escaping @Sendable (Row) -> CivilDate?
    ) -> Column {
        Column(name, title, .day) { row in value(row).map { .day($0) } ?? .none }
    }

    /// A time, written in the clock by which it counts: in JSON and CSV it has that clock's offset.
    package static func time(
        _ name: String,
        _ title: ColumnTitle? = nil,
        _ value: @escaping @Sendable (Row) -> EventTime?
    ) -> Column {
        Column(name, title, .time) { row in value(row).map { .time($0) } ?? .none }
    }

    /// A time as a device said it, and as precisely; people see milliseconds at most.
    package static func preciseTime(
        _ name: String,
        _ title: ColumnTitle? = nil,
        _ value: @escaping @Sendable (Row) -> PreciseTime
    ) -> Column {
        Column(name, title, .time) { row in
            let precise = value(row)
            guard precise.nanoseconds > 0 else { return .said(precise.time) }
            return .name(RFC3339.text(precise))
        }
        .shown(as: { .said(value($0).time) })
    }

    /// A time as it was said, with the offset that it had then; in UTC if it had none.
    package static func saidTime(
        _ name: String,
        _ title: ColumnTitle? = nil,
        _ value: @escaping @Sendable (Row) -> EventTime?
    ) -> Column {
        Column(name, title, .time) { row in value(row).map { .said($0) } ?? .none }
    }

    /// A time in UTC.
    package static func instant(
        _ name: String,
        _ title: ColumnTitle? = nil,
        _ value: @escaping @Sendable (Row) -> Timestamp?
    ) -> Column {
        Column(name, title, .time) { row in value(row).map { .said(EventTime($0)) } ?? .none }
    }

    /// A length of time, given in milliseconds: seconds for programs.
    package static func duration(
        _ name: String,
        _ title: ColumnTitle? = nil,
        _ value: @escaping @Sendable (Row) -> Int64?
    ) -> Column {
        Column(name, title, .seconds) { row in value(row).map { .duration($0) } ?? .none }
    }

    /// A distance; its name ends with `_m` or `meters`, which another unit replaces in CSV.
    package static func distance(
        _ name: String,
        _ title: ColumnTitle? = nil,
        _ value: @escaping @Sendable (Row) -> Distance?
    ) -> Column {
        Column(name, title, .meters) { row in value(row).map { .distance($0) } ?? .none }
    }

    /// A trip's id, of which people see the beginning.
    package static func trip(
        _ name: String,
        _ title: ColumnTitle? = nil,
        _ value: @escaping @Sendable (Row) -> TripID?
    ) -> Column {
        Column(name, title, .trip) { row in value(row).map { .trip($0) } ?? .none }
    }

    /// The value of a custom field.
    package static func value(
        _ name: String,
        _ title: ColumnTitle? = nil,
        _ value: @escaping @Sendable (Row) -> CustomValue?
    ) -> Column {
        Column(name, title, .value) { row in value(row).map { .value($0) } ?? .none }
    }

    /// Custom fields with their values: an object in JSON, and the same JSON in CSV.
    package static func fields(
        _ name: String,
        _ value: @escaping @Sendable (Row) -> CustomFields?
    ) -> Column {
        Column(name, nil, .object) { row in
            guard let fields = value(row) else { return .none }
            var json: [UInt8] = []
            JSONWriter.append(fields, to: &json)
            return .json(json)
        }
    }

    /// Rows of another kind, for JSON only; their columns are made when the first one is written.
    package static func rows<Inner: Sendable>(
        _ name: String,
        _ columns: @autoclosure @escaping @Sendable () -> Columns<Inner>,
        _ values: @escaping @Sendable (Row) -> [Inner]
    ) -> Column {
        let inner = { @Sendable in columns().descriptions }
        return Column(name, nil, .rows, inner: inner) { row in
            let values = values(row)
            return .jsonByClock { clock, json in
                guard !values.isEmpty else { return json.append(contentsOf: "[]".utf8) }
                let columns = columns()
                json.append(UInt8(ascii: "["))
                for (index, inner) in values.enumerated() {
                    if index > 0 { json.append(UInt8(ascii: ",")) }
                    columns.appendJSON(inner, to: &json, by: clock)
                }
                json.append(UInt8(ascii: "]"))
            }
        }
    }

    /// A row of another kind, for JSON only; its columns are made when the first one is written.
    package static func row<Inner: Sendable>(
        _ name: String,
        _ columns: @autoclosure @escaping @Sendable () -> Columns<Inner>,
        _ value: @escaping @Sendable (Row) -> Inner?
    ) -> Column {
        Column(name, nil, .object) { row in
            guard let inner = value(row) else { return .none }
            return .jsonByClock { columns().appendJSON(inner, to: &$1, by: $0) }
        }
        .notInCSV
    }

    /// Members whose names depend on the row: they stand in JSON beside the others, and in CSV as
    /// one object of JSON under the column's name.
    ///
    /// - Parameters:
    ///   - name: The column's name.
    ///   - title: The title for people.
    ///   - append: Appends the members, each as `"name":value` after a comma unless it is the first
    ///     of the object that was begun.
    /// - Returns: The column.
    package static func members(
        _ name: String,
        _ title: ColumnTitle? = nil,
        _ append: @escaping @Sendable (Row, inout [UInt8]) -> Void
    ) -> Column {
        var column = Column(name, title, .members) { row in
            var json = [UInt8(ascii: "{")]
            append(row, &json)
            json.append(UInt8(ascii: "}"))
            return .json(json)
        }
        column.appendMembers = append
        return column
    }

    /// A column for people only; programs put it together from other columns.
    package static func shown(
        _ title: ColumnTitle,
        _ kind: ColumnKind = .text,
        _ value: @escaping @Sendable (Row) -> Cell
    ) -> Column {
        Column("", title, kind, value)
    }

    /// The two ends of a position.
    package static func place(
        _ name: String,
        _ value: @escaping @Sendable (Row) -> Coordinate?
    ) -> [Column] {
        [
            number("\(name).lat") { value($0)?.latitude },
            number("\(name).lon") { value($0)?.longitude },
        ]
    }
}

// MARK: Variations

extension Column {
    /// The same column, as the one by which commands recognise a row.
    package var identifying: Column {
        var column = self
        column.isIdentifying = true
        return column
    }

    /// The same column, left out of JSON where there is no value.
    package var optional: Column {
        var column = self
        column.isOptional = true
        return column
    }

    /// The same column, left out of JSON where a condition does not hold; where it holds and there
    /// is no value, it is `null`.
    package func optional(onlyWhere holds: @escaping @Sendable (Row) -> Bool) -> Column {
        let cell = cell
        let column = Column(name, title, kind, inner: inner) { row in
            guard holds(row) else { return .none }
            let value = cell(row)
            return value.isNone ? .null : value
        }
        .placed(as: self).optional
        return showsOtherCell ? column.shown(as: shownCell) : column
    }

    /// The same column under another title, or none.
    package func titled(_ title: ColumnTitle?) -> Column {
        var column = Column(name, title, kind, inner: inner, cell).placed(as: self)
        column.appendMembers = appendMembers
        return showsOtherCell ? column.shown(as: shownCell) : column
    }

    /// The same column, with the placement of another one: in JSON, in CSV and on narrow screens.
    package func placed<Other>(as other: Column<Other>) -> Column {
        var column = self
        column.isOptional = other.isOptional
        column.isInCSV = other.isInCSV
        column.isChosen = other.isChosen
        column.isIdentifying = other.isIdentifying
        column.narrowing = other.narrowing
        column.below = other.below
        return column
    }

    /// The same column, requested by name: it is in text and CSV even without a value.
    var chosen: Column {
        var column = self
        column.isChosen = true
        column.isInCSV = true
        return column
    }

    /// The same column, which is not one of CSV.
    package var notInCSV: Column {
        var column = self
        column.isInCSV = false
        return column
    }

    /// The same column, which gives way where the screen is too narrow.
    package func narrowing(_ narrowing: Narrowing) -> Column {
        var column = self
        column.narrowing = narrowing
        return column
    }

    /// The same column, whose value stands in a document in the cell of the column before it.
    package func standing(below: TextTable.Below) -> Column {
        var column = self
        column.below = below
        return column
    }

    /// The same column, in which people see something else than programs.
    package func shown(as cell: @escaping @Sendable (Row) -> Cell) -> Column {
        var column = self
        column.shownCell = cell
        column.showsOtherCell = true
        return column
    }

    /// The same column, in which people see a value only where a condition holds.
    package func shown(onlyWhere holds: @escaping @Sendable (Row) -> Bool) -> Column {
        let cell = cell
        return shown(as: { holds($0) ? cell($0) : .none })
    }

    /// The same column of a row that is a part of another one; where there is no such part, the
    /// column has no value.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of the column's name.
    ///   - lend: Calls the closure that it is given with the part, if there is one.
    /// - Returns: The column.
    package func of<Whole>(
        _ prefix: String = "",
        lending lend: @escaping @Sendable (Whole, (Row) -> Void) -> Void
    ) -> Column<Whole> {
        let lent = Self.lent(cell, by: lend)
        var column = Column<Whole>(prefix + name, title, kind, inner: inner, lent).placed(as: self)
        if let appendMembers {
            column.appendMembers = { whole, bytes in
                lend(whole) { appendMembers($0, &bytes) }
            }
        }
        return showsOtherCell ? column.shown(as: Self.lent(shownCell, by: lend)) : column
    }

    private static func lent<Whole>(
        _ cell: @escaping @Sendable (Row) -> Cell,
        by lend: @escaping @Sendable (Whole, (Row) -> Void) -> Void
    ) -> @Sendable (Whole) -> Cell {
        { whole in
            var value = Cell.none
            lend(whole) { value = cell($0) }
            return value
        }
    }
}
