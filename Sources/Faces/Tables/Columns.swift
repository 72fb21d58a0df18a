import Papers
package import TripEvents

/// A row that describes itself.
package protocol Tabular {
    /// Its columns, in the order in which they are shown.
    static var columns: Columns<Self> { get }
}

/// The columns of a kind of row, in the order in which they are shown: the single description from
/// which text, JSON, CSV and documentation are made.
package struct Columns<Row>: Sendable {
    /// Collects columns that are listed one below the other.
    @resultBuilder
    package enum List {
        /// Takes a column.
        package static func buildExpression(_ column: Column<Row>) -> [Column<Row>] { [column] }

        /// Takes several columns.
        package static func buildExpression(_ columns: [Column<Row>]) -> [Column<Row>] { columns }

        /// Takes those of another list.
        package static func buildExpression(_ columns: Columns<Row>) -> [Column<Row>] {
            columns.all
        }

        /// Joins the columns.
        package static func buildBlock(_ columns: [Column<Row>]...) -> [Column<Row>] {
            buildArray(columns)
        }

        /// Joins the columns of a loop.
        package static func buildArray(_ columns: [[Column<Row>]]) -> [Column<Row>] {
            var all: [Column<Row>] = []
            for columns in columns { all += columns }
            return all
        }
    }

    /// The closures that are called for each row.
    ///
    /// They are in an object, so they are called in place; closures in a structure or an optional
    /// are copied for each call.
    private final class Writing: Sendable {
        let cell: @Sendable (Row) -> Cell

        init(_ cell: @escaping @Sendable (Row) -> Cell) {
            self.cell = cell
        }
    }

    /// A member of a row's JSON object.
    private final class Member: Sendable {
        /// The value after the name.
        enum Value: Sendable {
            case cell
            case object([Member])

            /// Members with names of their own.
            case members(@Sendable (Row, inout [UInt8]) -> Void)
        }

        /// The name as JSON has it: with quotes and a colon.
        let key: [UInt8]

        let value: Value

        /// The cell, if the value is one.
        let cell: @Sendable (Row) -> Cell

        /// Whether it is left out if it has no value.
        let isOptional: Bool

        init(_ column: Column<Row>, named name: String) {
            key = Self.key(name)
            value = column.appendMembers.map { .members($0) } ?? .cell
            cell = column.cell
            isOptional = column.isOptional
        }

        init(objectNamed name: String, _ members: [Member]) {
            key = Self.key(name)
            value = .object(members)
            cell = { _ in .none }
            isOptional = members.allSatisfy { $0.isOptional }
        }

        private static func key(_ name: String) -> [UInt8] {
            var key: [UInt8] = []
            JSONWriter.append(name, to: &key)
            key.append(UInt8(ascii: ":"))
            return key
        }
    }

    /// The columns.
    package let all: [Column<Row>]

    /// Those that JSON has, some as members of objects.
    private let members: [Member]

    /// The values for the fields of CSV.
    private let fields: [Writing]

    /// The values that people see.
    private let shown: [Writing]

    /// How a row is set off from others for people.
    private var emphasis: (@Sendable (Row) -> Emphasis)?

    /// Creates a description of rows.
    package init(@List _ columns: () -> [Column<Row>]) {
        self.init(columns())
    }

    /// The same columns, of rows that are set off from others.
    package func emphasizing(_ emphasis: @escaping @Sendable (Row) -> Emphasis) -> Columns {
        var columns = self
        columns.emphasis = emphasis
        return columns
    }

    /// Creates a description of rows.
    package init(_ columns: [Column<Row>]) {
        all = columns
        members = Self.members(of: columns)
        fields = columns.compactMap { $0.isInCSV ? Writing($0.cell) : nil }
        shown = columns.compactMap { $0.title == nil ? nil : Writing($0.shownCell) }
    }

    /// The columns but for some, by their names.
    package func without(_ names: Set<String>) -> Columns {
        Columns(all.filter { !names.contains($0.name) })
    }

    /// The columns that programs see, without titles.
    package var programsOnly: Columns {
        Columns(all.filter { !$0.name.isEmpty }.map { $0.titled(nil) })
    }

    /// The columns of a row that has such a row as a part, with a prefix before their names.
    package func of<Whole>(
        _ prefix: String = "",
        _ part: @escaping @Sendable (Whole) -> Row?
    ) -> [Column<Whole>] {
        of(prefix, lending: { whole, use in if let part = part(whole) { use(part) } })
    }

    /// The columns of a row that has such a row as a part, with a prefix before their names.
    ///
    /// A part that is lent is not copied for each column, which is worth it for large parts.
    ///
    /// ```swift
    /// TripEvent.columns.of(lending: { stored, use in use(stored.event) })
    /// ```
    ///
    /// - Parameters:
    ///   - prefix: The prefix of the names.
    ///   - lend: Calls the closure that it is given with the part, if there is one.
    /// - Returns: The columns.
    package func of<Whole>(
        _ prefix: String = "",
        lending lend: @escaping @Sendable (Whole, (Row) -> Void) -> Void
    ) -> [Column<Whole>] {
        all.map { $0.of(prefix, lending: lend) }
    }
}

// MARK: JSON

extension Columns {
    /// Appends a row as a JSON object.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - bytes: Receives the object.
    ///   - clock: Tells times; `nil` for the offsets that they have.
    package func appendJSON(_ row: Row, to bytes: inout [UInt8], by clock: LocalDay?) {
        bytes.append(UInt8(ascii: "{"))
        for member in members { _ = Self.append(member, of: row, to: &bytes, by: clock) }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends a member of an object, and returns whether it has a value.
    private static func append(
        _ member: Member,
        of row: Row,
        to bytes: inout [UInt8],
        by clock: LocalDay?
    ) -> Bool {
        switch member.value {
        case .cell:
            let cell = member.cell(row)
            if cell.isNone, member.isOptional { return false }
            append(key: member.key, to: &bytes)
            cell.appendJSON(to: &bytes, by: clock)
            return !cell.isNone
        case .object(let members):
            let start = bytes.count
            append(key: member.key, to: &bytes)
            let valueStart = bytes.count
            bytes.append(UInt8(ascii: "{"))
            var hasValues = false
            for inner in members {
                hasValues = append(inner, of: row, to: &bytes, by: clock) || hasValues
            }
            bytes.append(UInt8(ascii: "}"))
            guard !hasValues else { return true }
            bytes.removeLast(bytes.count - (member.isOptional ? start : valueStart))
            if !member.isOptional { bytes.append(contentsOf: "null".utf8) }
            return false
        case .members(let append):
            append(row, &bytes)
            return true
        }
    }

    private static func append(key: [UInt8], to bytes: inout [UInt8]) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: key)
    }

    /// Makes the members of rows' objects; those whose names begin with the same word and a point
    /// share one.
    private static func members(of columns: [Column<Row>]) -> [Member] {
        MemberName.groups(of: columns.map { $0.name })
            .map { group in
                guard let object = group.object else {
                    let only = group.members[0]
                    return Member(columns[only.column], named: only.name)
                }
                return Member(
                    objectNamed: object,
                    group.members.map { Member(columns[$0.column], named: $0.name) }
                )
            }
    }
}

/// The name of a member, of a row's object or of an object in it.
///
/// It is not generic: generic code is compiled for each of a hundred kinds of rows.
private struct MemberName {
    /// Members that follow one another and are one member of the row.
    struct Group {
        /// The name of their object; `nil` for a single member that is the row's own.
        let object: String?

        var members: [MemberName]
    }

    /// The place of its column among all.
    let column: Int

    let name: String

    /// Groups the columns that have names by what stands before the first point.
    static func groups(of columns: [String]) -> [Group] {
        var groups: [Group] = []
        for (index, name) in columns.enumerated() where !name.isEmpty {
            let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
            guard parts.count > 1 else {
                groups.append(Group(object: nil, members: [MemberName(column: index, name: name)]))
                continue
            }
            let member = MemberName(column: index, name: parts[1])
            if groups.last?.object == parts[0] {
                groups[groups.count - 1].members.append(member)
            } else {
                groups.append(Group(object: parts[0], members: [member]))
            }
        }
        return groups
    }
}

// MARK: CSV

extension Columns {
    /// Appends what stands above the first row: the names of the columns.
    package func appendCSVTitles(to bytes: inout [UInt8], _ form: CSVForm) {
        form.begin(to: &bytes)
        var isFirst = true
        for column in all where column.isInCSV {
            if !isFirst { bytes.append(form.separator) }
            isFirst = false
            Cell.text(column.csvName(in: form.unit)).appendCSV(to: &bytes, form)
        }
        form.endRecord(in: &bytes)
    }

    /// Appends a row as a record.
    package func appendCSV(_ row: Row, to bytes: inout [UInt8], _ form: CSVForm) {
        var isFirst = true
        for field in fields {
            if !isFirst { bytes.append(form.separator) }
            isFirst = false
            field.cell(row).appendCSV(to: &bytes, form)
        }
        form.endRecord(in: &bytes)
    }
}

// MARK: Ids

extension Columns {
    /// Whether rows have an id by which commands recognise them.
    package var hasIDs: Bool { identifying != nil }

    /// Appends the id of a row.
    package func appendID(of row: Row, to bytes: inout [UInt8]) {
        guard let identifying else { preconditionFailure("these rows have no ids") }
        bytes.append(contentsOf: identifying.cell(row).plainText.utf8)
    }

    private var identifying: Column<Row>? { all.first(where: \.isIdentifying) }
}

// MARK: Text

extension Columns {
    /// Whether people see times.
    package var showsTimes: Bool { all.contains { $0.title != nil && $0.kind == .time } }

    /// Returns an empty table for people.
    package func table(_ style: TextStyle) -> TextTable {
        let columns = all.compactMap { column in
            column.title.map { title in
                TextTable.Column(
                    title: Self.title(style.words.text(title.phrase), column.kind, in: style.unit),
                    isNumber: column.kind.isNumber,
                    noValue: UInt8(ascii: column.isOptional ? " " : "-"),
                    wraps: column.kind.isText,
                    isAlwaysShown: column.isChosen,
                    below: column.below,
                    narrowing: column.narrowing
                )
            }
        }
        return TextTable(columns)
    }

    /// The title of a column; that of distances stands before their unit.
    private static func title(
        _ title: String,
        _ kind: ColumnKind,
        in unit: DistanceUnit
    ) -> String {
        guard kind == .meters else { return title }
        return title.isEmpty ? unit.rawValue : "\(title) \(unit.rawValue)"
    }

    /// Adds a row to a table, which MUST come from ``table(_:)``; a total is set off from others.
    package func add(
        _ row: Row,
        to table: inout TextTable,
        _ style: TextStyle,
        isTotal: Bool = false
    ) {
        table.beginLine(isTotal ? .total : emphasis?(row) ?? .none)
        for column in shown { column.cell(row).append(to: &table, style) }
        table.endLine()
    }

    /// Adds a line that is no row to a table, which MUST come from ``table(_:)``: the cells of some
    /// columns by their names, and no value in the others.
    package func add(_ cells: [String: Cell], to table: inout TextTable, _ style: TextStyle) {
        table.beginLine()
        for column in all where column.title != nil {
            (cells[column.name] ?? Cell.none).append(to: &table, style)
        }
        table.endLine()
    }

    /// Returns a row as facts with their labels; columns without a value are left out.
    ///
    /// Times have their offset, because no line below facts names a zone.
    package func facts(_ row: Row, _ style: TextStyle = TextStyle()) -> FactSheet {
        FactSheet(
            all.compactMap { column in
                guard let title = column.title else { return nil }
                let cell = column.shownCell(row)
                guard !cell.isNone else { return nil }
                let text = cell.fact(in: style)
                return (
                    ColumnTitle.unbroken(style.words.text(title.phrase)),
                    column.kind == .meters ? "\(text) \(style.unit.rawValue)" : text
                )
            }
        )
    }
}

// MARK: Choosing

/// The error that no column has the requested name.
package struct UnknownColumn: Error {
    /// The name.
    package let name: String

    /// Those that there are.
    package let names: [String]
}

extension Columns {
    /// The columns that can be chosen: lists of rows are for JSON, which has all columns.
    private var choices: [Column<Row>] { all.filter { $0.kind != .rows } }

    /// The names of the columns that can be chosen.
    package var chosenNames: [String] { choices.map(\.chosenName) }

    /// Returns the columns with some names, in the order of the names.
    ///
    /// A column can also be chosen by its title, as it is printed in any language or in lower case;
    /// a column for programs only gets its name as its title. The columns are shown even if no row
    /// has a value in them.
    ///
    /// - Parameters:
    ///   - names: The names.
    ///   - format: The format in which they are written: of two columns with one name, CSV has the
    ///     one for programs, and text the one for people.
    /// - Returns: The columns.
    /// - Throws: ``UnknownColumn``.
    package func choosing(
        _ names: [String],
        as format: RowFormat = .text
    ) throws(UnknownColumn) -> Columns {
        let all =
            format == .csv ? choices.filter(\.isInCSV) + choices.filter { !$0.isInCSV } : choices
        var chosen: [Column<Row>] = []
        for name in names {
            let column = try Self.column(called: name, among: all)
            let title =
                column.title
                ?? ColumnTitle(
                    onlyEnglish: column.chosenName.replacing("_", with: " ").uppercased()
                )
            chosen.append(column.titled(title).narrowing(.none).standing(below: .no).chosen)
        }
        var columns = Columns(chosen)
        columns.emphasis = emphasis
        return columns
    }

    /// Returns the stable names, the same in every language and version, of columns that people
    /// give by name or title.
    ///
    /// - Throws: ``UnknownColumn``.
    package func names(ofCalled names: [String]) throws(UnknownColumn) -> [String] {
        let all = choices
        var found: [String] = []
        for name in names { found.append(try Self.column(called: name, among: all).chosenName) }
        return found
    }

    private static func column(
        called name: String,
        among all: [Column<Row>]
    ) throws(UnknownColumn) -> Column<Row> {
        // An empty name is no column's, although a column may have no title.
        guard !name.isEmpty else { throw UnknownColumn(name: name, names: all.map(\.chosenName)) }
        // A title of another language may be an English title of another column.
        let found =
            all.first { $0.isCalled(name) } ?? all.first { $0.isTitled(name, in: .nl) }
            ?? all.first { $0.isTitled(name, in: .de) } ?? all.first { $0.isTitled(name, in: .fr) }
        guard let found else { throw UnknownColumn(name: name, names: all.map(\.chosenName)) }
        return found
    }
}

extension Column {
    /// The name by which people choose it.
    fileprivate var chosenName: String {
        name.isEmpty ? titleName ?? "" : name.replacing(".", with: "_")
    }

    /// The name above its fields in CSV, which ends with the unit of a distance; `nil` for metres.
    fileprivate func csvName(in unit: DistanceUnit?) -> String {
        let chosen = chosenName
        guard kind == .meters, !name.isEmpty, let unit else { return chosen }
        let end = chosen.hasSuffix("meters") ? "meters" : "m"
        return String(chosen.dropLast(end.count)) + unit.rawValue
    }

    private var titleName: String? { title?.english.lowercased().replacing(" ", with: "_") }

    /// Whether people may mean it: by its name, or by its title as printed or in CSV, with or
    /// without the unit of a distance.
    fileprivate func isCalled(_ typed: String) -> Bool {
        let name = typed.lowercased().replacing(" ", with: "_")
        if name == chosenName || typed == self.name || name == titleName { return true }
        guard kind == .meters else { return false }
        if name + "_m" == self.name { return true }
        return DistanceUnit.allCases.contains { unit in
            let titled =
                title?.english == "" ? unit.rawValue : "\(titleName ?? "")_\(unit.rawValue)"
            return name == titled || name == csvName(in: unit)
        }
    }

    /// Whether it has a title in a language, with the unit of a distance or without it.
    fileprivate func isTitled(_ typed: String, in language: Document.Language) -> Bool {
        guard let title else { return false }
        let words = ColumnTitle.unbroken(Words(language).text(title.phrase)).lowercased()
        let typed = typed.lowercased()
        return typed == words
            || kind == .meters
                && DistanceUnit.allCases.contains { typed == "\(words) \($0.rawValue)" }
    }
}
