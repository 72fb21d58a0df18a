import ArgumentParser
import Tables

/// The formats that a command offers: its help, its completion and its errors name these, and it
/// accepts no others.
protocol FormatChoice: ExpressibleByArgument {
    /// The format for people, which every command has.
    static var text: Self { get }

    /// The format that was chosen.
    var rows: RowFormat { get }
}

/// The formats of commands with one result that is not a table.
enum PlainFormat: String, CaseIterable, FormatChoice {
    /// For people.
    case text

    /// For programs.
    case json

    var rows: RowFormat {
        switch self {
        case .text: .text
        case .json: .json
        }
    }
}

/// The formats of tables whose rows have no ids by which commands know them.
enum TableFormat: String, CaseIterable, FormatChoice {
    /// For people.
    case text

    /// For programs: one JSON object per line.
    case json

    /// For programs that read tables.
    case csv

    var rows: RowFormat {
        switch self {
        case .text: .text
        case .json: .json
        case .csv: .csv
        }
    }
}

/// The formats of tables whose rows have ids.
extension RowFormat: FormatChoice {
    /// Itself.
    var rows: RowFormat { self }
}
