import ArgumentParser

/// How results are written.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    /// For people.
    case text

    /// For programs: one JSON object per line.
    case json

    /// For spreadsheets: RFC 4180.
    case csv
}
