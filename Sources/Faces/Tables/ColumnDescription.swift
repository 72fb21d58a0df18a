/// The description of a column without any row: a line of its documentation.
package struct ColumnDescription: Sendable, Tabular {
    /// The name in JSON; members of objects in lists have `[]` after the list's name.
    package let name: String

    /// The field of CSV; `nil` if it is for JSON only.
    package var csvName: String?

    /// The title of the column for people; `nil` if it is for programs only.
    package let title: String?

    /// The kind of its values.
    package let kind: String

    /// Whether JSON leaves the member out where there is no value.
    package let isOptional: Bool

    /// Its meaning, as its JSON Schema says.
    package var meaning: String?

    /// For people: what it holds and means, and what else it is called.
    package var summary: String {
        let kind = isOptional ? "\(kind), optional" : kind
        let csv = csvName.flatMap { $0 == name ? nil : "\($0) in CSV" }
        let names = [csv, title.map { "\($0) in tables" }].compactMap(\.self)
        return ["\(kind).", meaning, names.isEmpty ? nil : names.joined(separator: ", ") + "."]
            .compactMap(\.self).joined(separator: " ")
    }

    /// The columns of a documentation.
    package static let columns = Columns<ColumnDescription> {
        Column.text("name", "NAME") { $0.name }
        Column.text("type", "TYPE") { $0.kind }
        Column.boolean("optional", "OPTIONAL") { $0.isOptional }
        Column.text("csv", "CSV") { $0.csvName }
        Column.text("title", "TITLE") { $0.title }
        Column.text("meaning", "MEANING") { $0.meaning }
    }
}

extension Columns {
    /// The documentation of the columns that programs see, in their order.
    package var descriptions: [ColumnDescription] {
        all.filter { !$0.name.isEmpty }
            .flatMap { column in
                [
                    ColumnDescription(
                        name: column.name,
                        csvName: column.isInCSV ? column.name.replacing(".", with: "_") : nil,
                        // The title of a distance is the unit in which people see it.
                        title: column.title.map { $0.english.isEmpty ? "KM or MI" : $0.english },
                        kind: column.kind.rawValue,
                        isOptional: column.isOptional
                    )
                ]
                    + column.inner()
                    .map { inner in
                        ColumnDescription(
                            name: "\(column.name)[].\(inner.name)",
                            csvName: nil,
                            title: nil,
                            kind: inner.kind,
                            isOptional: inner.isOptional
                        )
                    }
            }
    }
}
