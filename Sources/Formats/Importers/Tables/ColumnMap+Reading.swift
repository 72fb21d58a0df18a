import TripEvents

/// What is wrong with a map of columns.
public struct ColumnMapProblem: Error, Hashable, Sendable {
    /// The member that is wrong, such as `columns.speed.unit`; `nil` if the whole file is wrong.
    public let member: String?

    /// What is wrong with it, as the rest of a sentence.
    public let cause: String

    /// What to do about it.
    public let cure: String

    init(_ member: String? = nil, _ cause: String, cure: String) {
        self.member = member
        self.cause = cause
        self.cure = cure
    }
}

extension ColumnMap {
    /// The most bytes of a file that are read.
    public static let maximumByteCount = 1 << 16

    /// Reads a map, as its owner wrote it.
    ///
    /// - Parameter json: An object as `column-map.v1` describes it.
    /// - Throws: `ColumnMapProblem`.
    public init(json: Span<UInt8>) throws(ColumnMapProblem) {
        let members = try Self.members(json)
        guard let rowsValue = members["rows"] else {
            throw ColumnMapProblem("rows", "it is missing", cure: Self.choice(Rows.allCases))
        }
        rows = try Self.word(rowsValue, "rows", Rows.self)
        app = try members["app"]
            .map { value throws(ColumnMapProblem) in
                try Self.text(value, "app")
            }
        delimiter = try Self.mark(members["delimiter"], "delimiter", [",", ";", "\t", "|"])
        decimalMark = try Self.mark(members["decimal_mark"], "decimal_mark", [".", ","])
        timeZone = try members["time_zone"]
            .map { value throws(ColumnMapProblem) in
                try Self.text(value, "time_zone")
            }
        if let value = members["time_format"] { timeFormat = try Self.pattern(value) }
        if let value = members["header"] {
            guard case .boolean(let isThere) = value else {
                throw .wrongType("header", value, "true or false")
            }
            hasHeader = isThere
        }
        try readSelection(members["only"])
        try readColumns(members["columns"])
        try check()
    }

    private static let memberNames: Set<String> = [
        "$schema", "rows", "app", "delimiter", "decimal_mark", "time_format", "time_zone",
        "header", "only", "columns",
    ]

    private static func members(
        _ json: Span<UInt8>
    ) throws(ColumnMapProblem) -> [String: JSONValue] {
        let start = JSONLexer.skipSpace(json, from: 0)
        var end = json.count
        while end > start, json[end - 1] <= 0x20 { end -= 1 }
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue(json.extracting(start..<end))
        } catch {
            let place = "in byte \(start + (error.column))"
            let cause =
                error.sentence.prefix(1).lowercased() + error.sentence.dropFirst().dropLast()
            throw ColumnMapProblem(nil, "\(cause), \(place)", cure: sayForm)
        }
        return try object(value, nil, memberNames)
    }

    private static func object(
        _ value: JSONValue,
        _ path: String?,
        _ names: Set<String>? = nil
    ) throws(ColumnMapProblem) -> [String: JSONValue] {
        guard case .object(let members) = value else {
            throw .wrongType(path, value, "an object")
        }
        for member in members {
            guard let names, !names.contains(member.name) else { continue }
            let question = NearestNames(to: member.name, among: names.sorted()).question
            throw ColumnMapProblem(
                path.map { "\($0).\(member.name)" } ?? member.name,
                "there is no such member",
                cure: question ?? "There are \(names.sorted().joined(separator: ", "))."
            )
        }
        return Dictionary(
            members.map { ($0.name, $0.value) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    // MARK: Values

    private static func text(
        _ value: JSONValue,
        _ path: String
    ) throws(ColumnMapProblem) -> String {
        guard case .text(let text) = value, !text.isEmpty else {
            throw .wrongType(path, value, "a text that is not empty")
        }
        return text
    }

    private static func word<Word: RawRepresentable & CaseIterable>(
        _ value: JSONValue,
        _ path: String,
        _ type: Word.Type,
        among allowed: [Word]? = nil
    ) throws(ColumnMapProblem) -> Word where Word.RawValue == String {
        let text = try text(value, path)
        let allowed = allowed ?? Array(Word.allCases)
        guard let word = Word(rawValue: text), allowed.contains(where: { $0.rawValue == text })
        else {
            throw ColumnMapProblem(path, "it is \(Excerpt.of(text))", cure: choice(allowed))
        }
        return word
    }

    private static func choice<Word: RawRepresentable>(_ words: some Collection<Word>) -> String
    where Word.RawValue == String {
        "Say one of \(words.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))."
    }

    private static func mark(
        _ value: JSONValue?,
        _ path: String,
        _ marks: [String]
    ) throws(ColumnMapProblem) -> UInt8? {
        guard let value else { return nil }
        let mark = try text(value, path)
        guard marks.contains(mark) else {
            let choices = marks.map { $0 == "\t" ? "\"\\t\"" : "\"\($0)\"" }
            throw ColumnMapProblem(
                path,
                "it is \(Excerpt.of(mark))",
                cure: "Say one of \(choices.joined(separator: " "))."
            )
        }
        return mark.utf8.first
    }

    private static func pattern(_ value: JSONValue) throws(ColumnMapProblem) -> TimePattern {
        let written = try text(value, "time_format")
        guard let pattern = TimePattern(written) else {
            throw ColumnMapProblem(
                "time_format",
                "it is \(Excerpt.of(written))",
                cure: "It has yyyy or yy, MM or MMM, dd, and mostly HH:mm:ss or hh:mm a, such as "
                    + "dd/MM/yyyy HH:mm."
            )
        }
        return pattern
    }

    // MARK: Columns

    private mutating func readSelection(_ value: JSONValue?) throws(ColumnMapProblem) {
        guard let value else { return }
        for (name, value) in try Self.object(value, "only").sorted(by: { $0.key < $1.key }) {
            guard case .list(let elements) = value else {
                throw .wrongType("only.\(name)", value, "a list of texts")
            }
            var texts: Set<String> = []
            for element in elements { texts.insert(try Self.text(element, "only.\(name)")) }
            let place = Int(name).flatMap { hasHeader ? nil : Place.number($0) } ?? .name(name)
            selection.append((place, texts))
        }
    }

    private mutating func readColumns(_ value: JSONValue?) throws(ColumnMapProblem) {
        guard let value else {
            throw ColumnMapProblem("columns", "it is missing", cure: Self.sayForm)
        }
        let fields = Field.allCases.filter { $0.isOf(rows) }
        let members = try Self.object(value, "columns", Set(fields.map(\.rawValue)))
        for field in fields {
            guard let value = members[field.rawValue] else { continue }
            columns[field] = try Self.column(value, field)
        }
    }

    private static func column(
        _ value: JSONValue,
        _ field: Field
    ) throws(ColumnMapProblem) -> Column {
        let path = "columns.\(field.rawValue)"
        guard case .object = value else { return Column(places: try places(value, field, path)) }
        let members = try object(value, path, ["column", "value", "unit", "words"])
        var column = Column()
        if let value = members["column"] {
            column.places = try places(value, field, "\(path).column")
        }
        if let value = members["value"] { column.constant = try text(value, "\(path).value") }
        guard column.places.isEmpty == (column.constant != nil) else {
            let cure = "Say its column, or the value of all rows, and not both."
            throw ColumnMapProblem(path, "it has no column and no value, or has both", cure: cure)
        }
        if let value = members["unit"] {
            guard !field.units.isEmpty else {
                throw ColumnMapProblem("\(path).unit", "it has no unit", cure: "Leave unit out.")
            }
            column.unit = try word(value, "\(path).unit", Unit.self, among: field.units)
        }
        if let value = members["words"] {
            for (name, value) in try object(value, "\(path).words").sorted(by: { $0.key < $1.key })
            {
                column.words[name.lowercased()] = try text(value, "\(path).words.\(name)")
            }
        }
        return column
    }

    private static func places(
        _ value: JSONValue,
        _ field: Field,
        _ path: String
    ) throws(ColumnMapProblem) -> [Place] {
        switch value {
        case .text(let name) where !name.isEmpty: return [.name(name)]
        case .number(let literal):
            guard let number = Int(literal), (1...10_000).contains(number) else {
                let cure = "Columns are counted from 1."
                throw ColumnMapProblem(path, "there is no column \(literal)", cure: cure)
            }
            return [.number(number)]
        case .list(let elements):
            guard field.isTime || field.isAngle, (1...3).contains(elements.count) else {
                let cure = "Only times and angles are put together, such as [\"Date\", \"Time\"]."
                throw ColumnMapProblem(path, "it is a list of \(elements.count)", cure: cure)
            }
            var places: [Place] = []
            for element in elements {
                if case .list = element { throw .wrongType(path, element, "a column") }
                places += try self.places(element, field, path)
            }
            return places
        case .null, .boolean, .text, .object:
            throw .wrongType(path, value, "the name of a column, or its number")
        }
    }

    // MARK: Members that belong together

    private func check() throws(ColumnMapProblem) {
        for field in Self.neededFields(rows) where columns[field] == nil {
            if field == .distance, hasBothOdometers { continue }
            throw ColumnMapProblem(
                "columns.\(field.rawValue)",
                "it is missing, and without it a row is none of \(rows.rawValue)",
                cure: "Say which column it is; `ledger schema column-map` says how."
            )
        }
        if rows == .fixes, let timeFormat, !timeFormat.hasTimeOfDay {
            let cure = "Add its hours and minutes, such as HH:mm:ss."
            throw ColumnMapProblem("time_format", "it has no time of day", cure: cure)
        }
        for field in Field.allCases where field.needsUnit && columns[field]?.unit == nil {
            guard columns[field] != nil else { continue }
            let units = field.units.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw ColumnMapProblem(
                "columns.\(field.rawValue)",
                "its unit is missing",
                cure: "Say {\"column\": …, \"unit\": …} with one of \(units)."
            )
        }
        guard (columns[.quantity] == nil) == (columns[.quantityUnit] == nil) else {
            let cure = "Say both, such as {\"value\": \"l\"} for the unit of all rows."
            throw ColumnMapProblem(
                "columns.quantity",
                "it and quantity_unit belong together",
                cure: cure
            )
        }
        let hasOdometer = columns[.odometerStart] != nil || columns[.odometerEnd] != nil
        if hasOdometer, columns[.vehicle] == nil {
            throw ColumnMapProblem(
                "columns.vehicle",
                "it is missing, and an odometer is of a vehicle",
                cure: "Say its column, or {\"value\": \"Van\"} for all rows."
            )
        }
        let isNamed = columns.values.contains { $0.places.contains { !$0.isNumber } }
        guard hasHeader || !isNamed else {
            let cure = "Give the columns by their numbers, from 1, or leave header out."
            throw ColumnMapProblem("header", "it is false, and columns are named", cure: cure)
        }
    }

    /// Whether the odometer tells the distance.
    var hasBothOdometers: Bool {
        columns[.odometerStart] != nil && columns[.odometerEnd] != nil
    }

    private static let sayForm =
        "`ledger schema column-map` says what a map looks like; "
        + "`ledger append --suggest-map FILE` proposes one."
}

extension ColumnMap.Place {
    fileprivate var isNumber: Bool {
        if case .number = self { true } else { false }
    }
}

extension ColumnMapProblem {
    fileprivate static func wrongType(
        _ member: String?,
        _ value: JSONValue,
        _ expected: String
    ) -> ColumnMapProblem {
        ColumnMapProblem(member, "it is \(value.typeName)", cure: "It must be \(expected).")
    }
}
