import ArgumentParser
import EmbeddedFiles
import RowFormats
import TripEvents
import TripLedger

/// The form of something that crosses the border: its name, its JSON Schema, and its columns.
struct Schema: ExpressibleByArgument {
    /// What it is called, without its version.
    let name: String

    /// What has this form, in one sentence.
    let summary: String

    private let describe: @Sendable () -> [ColumnDescription]

    /// Whether it is printed as CSV too.
    private let isTable: Bool

    init(
        _ name: String,
        _ summary: String,
        _ columns: @escaping @autoclosure @Sendable () -> [ColumnDescription] = [],
        isTable: Bool = false
    ) {
        self.name = name
        self.summary = summary
        describe = columns
        self.isTable = isTable
    }

    private static let version = ".v1"

    /// Finds a schema by its name, with or without its version: `trip` or `trip.v1`.
    init?(argument: String) {
        let name =
            argument.hasSuffix(Self.version)
            ? String(argument.dropLast(Self.version.count)) : argument
        guard let found = Self.all.first(where: { $0.name == name }) else { return nil }
        self = found
    }

    static var allValueStrings: [String] { all.map(\.name) }

    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    /// What the file is called in `Schemas/`.
    var fileName: String { "\(name)\(Self.version).schema.json" }

    /// The file, as it stood in `Schemas/` when the program was built.
    var text: String { String(decoding: file, as: UTF8.self) }

    private var file: [UInt8] { EmbeddedFolder.schemas[fileName] }

    /// The columns with what the schema says of each, a name once; none if the form is not one of
    /// rows that this program describes by columns.
    var describedColumns: [ColumnDescription] {
        var names: Set<String> = []
        let document = SchemaDocument(file)
        return describe().filter { names.insert($0.name).inserted }
            .map { column in
                var column = column
                column.meaning = document?.meaning(of: column.name)
                if !isTable { column.csvName = nil }
                return column
            }
    }

    /// Every schema.
    static let all = ofTrips + ofLedgers + ofRequests
}

extension Schema: Tabular {
    /// A schema in the list of all: `schema.v1.schema.json`.
    static let columns = Columns<Schema> {
        Column.name("name", "NAME") { $0.name }
        Column.name("file", "FILE") { $0.fileName }
        Column.text("summary", "SUMMARY") { $0.summary }
    }
}
