/// How an export is written; the raw value is its name on the command line.
public enum ExportFormat: String, CaseIterable, Sendable {
    /// A line of JSON for each entry with its exact bytes: it can be verified and imported.
    case jsonl

    /// A CloudEvents 1.0 object for each event, for programs that take those.
    case cloudevents

    /// Files as C2SP tlog-tiles lays them out: it can be verified and imported.
    case tiles
}
