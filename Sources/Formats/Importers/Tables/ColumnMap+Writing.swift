import TripEvents

extension ColumnSuggestion {
    /// The map as JSON, for people to change: two spaces for each level, and a line feed at
    /// the end.
    public var json: String { map.json }
}

extension ColumnMap {
    /// The map as its owner would write it.
    var json: String {
        var members = ["\"rows\": \(Self.quoted(rows.rawValue))"]
        if let app { members.append("\"app\": \(Self.quoted(app))") }
        if let delimiter {
            let text = String(decoding: [delimiter], as: UTF8.self)
            members.append("\"delimiter\": \(Self.quoted(text))")
        }
        if let decimalMark {
            let text = String(decoding: [decimalMark], as: UTF8.self)
            members.append("\"decimal_mark\": \(Self.quoted(text))")
        }
        if let timeFormat { members.append("\"time_format\": \(Self.quoted(timeFormat.text))") }
        if let timeZone { members.append("\"time_zone\": \(Self.quoted(timeZone))") }
        if !hasHeader { members.append("\"header\": false") }
        let fields = Field.allCases.compactMap { field in
            columns[field].map { "    \"\(field.rawValue)\": \(Self.json($0))" }
        }
        members.append("\"columns\": {\n\(fields.joined(separator: ",\n"))\n  }")
        return "{\n" + members.map { "  \($0)" }.joined(separator: ",\n") + "\n}\n"
    }

    private static func json(_ column: Column) -> String {
        let places = column.places.map { place in
            switch place {
            case .name(let name): quoted(name)
            case .number(let number): String(number)
            }
        }
        let list = places.count == 1 ? places[0] : "[\(places.joined(separator: ", "))]"
        if column.constant == nil, column.unit == nil, column.words.isEmpty { return list }
        var members: [String] = []
        if !places.isEmpty { members.append("\"column\": \(list)") }
        if let constant = column.constant { members.append("\"value\": \(quoted(constant))") }
        if let unit = column.unit { members.append("\"unit\": \(quoted(unit.rawValue))") }
        if !column.words.isEmpty {
            let words = column.words.sorted { $0.key < $1.key }
                .map { "\(quoted($0.key)): \(quoted($0.value))" }
            members.append("\"words\": {\(words.joined(separator: ", "))}")
        }
        return "{\(members.joined(separator: ", "))}"
    }

    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONWriter.append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
