package import TripEvents

/// A row that describes itself.
package protocol Tabular {
    /// Its columns, in the order in which they are shown.
    static var columns: Columns<Self> { get }
}

/// The columns of a kind of row, in the order in which they are shown: the one description from
/// which text, JSON, CSV and documentation follow.
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
            columns.flatMap(\.self)
        }

        /// Joins the columns of a loop.
        package static func buildArray(_ columns: [[Column<Row>]]) -> [Column<Row>] {
            columns.flatMap(\.self)
        }
    }

    /// What a row's JSON object consists of.
    private enum Member: Sendable {
        /// One column, and its name as the object has it: with quotes and a colon.
        case value(Int, key: [UInt8])

        /// An object with the columns in a range; without it if it is optional and has no values.
        case object(Range<Int>, key: [UInt8], keys: [[UInt8]], isOptional: Bool)
    }

    /// The columns.
    package let all: [Column<Row>]

    private let members: [Member]

    /// Creates a description of rows.
    package init(@List _ columns: () -> [Column<Row>]) {
        self.init(columns())
    }

    /// Creates a description of rows.
    package init(_ columns: [Column<Row>]) {
        all = columns
        members = Self.members(of: columns)
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
        all.map { $0.of(prefix, part) }
    }
}

// MARK: JSON

extension Columns {
    /// Appends a row as a JSON object.
    package func appendJSON(_ row: Row, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for member in members {
            switch member {
            case .value(let index, let key):
                _ = append(all[index], of: row, key: key, to: &bytes)
            case .object(let range, let key, let keys, let isOptional):
                let start = bytes.count
                Self.append(key: key, to: &bytes)
                let valueStart = bytes.count
                bytes.append(UInt8(ascii: "{"))
                var hasValues = false
                for index in range {
                    let key = keys[index - range.lowerBound]
                    hasValues = append(all[index], of: row, key: key, to: &bytes) || hasValues
                }
                bytes.append(UInt8(ascii: "}"))
                guard !hasValues else { continue }
                bytes.removeLast(bytes.count - (isOptional ? start : valueStart))
                if !isOptional { bytes.append(contentsOf: "null".utf8) }
            }
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends a member of an object, and returns whether it has a value.
    private func append(
        _ column: Column<Row>,
        of row: Row,
        key: [UInt8],
        to bytes: inout [UInt8]
    ) -> Bool {
        if let appendMembers = column.appendMembers {
            appendMembers(row, &bytes)
            return true
        }
        let cell = column.cell(row)
        if cell.isNone, column.isOptional { return false }
        Self.append(key: key, to: &bytes)
        cell.appendJSON(to: &bytes)
        return !cell.isNone
    }

    private static func append(key: [UInt8], to bytes: inout [UInt8]) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: key)
    }

    /// Groups columns whose names begin with the same word and a point.
    private static func members(of columns: [Column<Row>]) -> [Member] {
        var members: [Member] = []
        var index = 0
        while index < columns.count {
            let parts = Self.parts(of: columns[index])
            guard parts.count > 1 else {
                if !columns[index].name.isEmpty {
                    members.append(.value(index, key: key(columns[index].name)))
                }
                index += 1
                continue
            }
            let end =
                columns[index...].firstIndex { Self.parts(of: $0).first != parts[0] }
                ?? columns.count
            let range = index..<end
            members.append(
                .object(
                    range,
                    key: key(parts[0]),
                    keys: columns[range].map { key(Self.parts(of: $0)[1]) },
                    isOptional: columns[range].allSatisfy(\.isOptional)
                )
            )
            index = end
        }
        return members
    }

    /// Returns the name of an object's member before and after its point.
    private static func parts(of column: Column<Row>) -> [String] {
        column.name.split(separator: ".", maxSplits: 1).map(String.init)
    }

    private static func key(_ name: String) -> [UInt8] {
        var key: [UInt8] = []
        JSONWriter.append(name, to: &key)
        key.append(UInt8(ascii: ":"))
        return key
    }
}

// MARK: CSV

extension Columns {
    /// Appends the record with the names of the columns, with the line's end of RFC 4180.
    ///
    /// - Parameters:
    ///   - bytes: Receives the record.
    ///   - unit: The unit of distances; `nil` for metres.
    package func appendCSVTitles(to bytes: inout [UInt8], unit: DistanceUnit? = nil) {
        var isFirst = true
        for column in all where column.isInCSV {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            Cell.appendCSV(Self.csvName(of: column, unit: unit), to: &bytes)
        }
        bytes.append(contentsOf: "\r\n".utf8)
    }

    /// Appends a row as a record, with the line's end of RFC 4180.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - bytes: Receives the record.
    ///   - unit: The unit of distances; `nil` for metres.
    package func appendCSV(_ row: Row, to bytes: inout [UInt8], unit: DistanceUnit? = nil) {
        var isFirst = true
        for column in all where column.isInCSV {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            column.cell(row).appendCSV(to: &bytes, unit: unit)
        }
        bytes.append(contentsOf: "\r\n".utf8)
    }

    private static func csvName(of column: Column<Row>, unit: DistanceUnit?) -> String {
        let name = column.name.replacing(".", with: "_")
        guard column.kind == .meters, let unit else { return name }
        let end = name.hasSuffix("meters") ? "meters" : "m"
        return String(name.dropLast(end.count)) + unit.rawValue
    }
}

// MARK: Text

extension Columns {
    /// Returns an empty table for people.
    package func table(unit: DistanceUnit) -> TextTable {
        let columns = all.compactMap { column in
            column.title.map { title in
                TextTable.Column(
                    title: column.kind == .meters ? "\(title) \(unit.rawValue)" : title,
                    isNumber: column.kind.isNumber,
                    noValue: UInt8(ascii: column.isOptional ? " " : "-")
                )
            }
        }
        return TextTable(columns)
    }

    /// Adds a row to a table, which MUST come from ``table(unit:)``.
    package func add(_ row: Row, to table: inout TextTable, unit: DistanceUnit) {
        table.beginLine()
        for column in all where column.title != nil {
            (column.shownCell ?? column.cell)(row).append(to: &table, unit: unit)
        }
        table.endLine()
    }

    /// Returns a row as facts with their labels; a column that has no value is none.
    package func facts(_ row: Row, unit: DistanceUnit = .kilometers) -> FactSheet {
        FactSheet(
            all.compactMap { column in
                guard let title = column.title else { return nil }
                let cell = (column.shownCell ?? column.cell)(row)
                let text = cell.text(in: unit)
                guard !cell.isNone else { return nil }
                return (title, column.kind == .meters ? "\(text) \(unit.rawValue)" : text)
            }
        )
    }
}
