import ArgumentParser

/// The JSON Schemas of what crosses the border.
///
/// The files in `Schemas/` are compiled in.
enum Schema: String, CaseIterable, ExpressibleByArgument {
    case event
    case receipt
    case summary
    case trip
    case explanation
    case totals
    case mileageLog = "mileage-log"
    case status
    case rules
    case logEntry = "log-entry"
    case ledger
    case projection
    case viewDifference = "view-difference"

    /// Finds a schema by its name, with or without its version: `trip` or `trip.v1`.
    init?(argument: String) {
        let name =
            argument.hasSuffix(Self.version)
            ? String(argument.dropLast(Self.version.count)) : argument
        self.init(rawValue: name)
    }

    private static let version = ".v1"

    /// The file, as it stands in `Schemas/`.
    var text: String {
        let bytes =
            switch self {
            case .event: PackageResources.event_v1_schema_json
            case .receipt: PackageResources.receipt_v1_schema_json
            case .summary: PackageResources.summary_v1_schema_json
            case .trip: PackageResources.trip_v1_schema_json
            case .explanation: PackageResources.explanation_v1_schema_json
            case .totals: PackageResources.totals_v1_schema_json
            case .mileageLog: PackageResources.mileage_log_v1_schema_json
            case .status: PackageResources.status_v1_schema_json
            case .rules: PackageResources.rules_v1_schema_json
            case .logEntry: PackageResources.log_entry_v1_schema_json
            case .ledger: PackageResources.ledger_v1_schema_json
            case .projection: PackageResources.projection_v1_schema_json
            case .viewDifference: PackageResources.view_difference_v1_schema_json
            }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What has this form, in one sentence.
    var summary: String {
        switch self {
        case .event: "A line that `ledger append` takes."
        case .receipt: "The answer to one event: `ledger append --receipts`, `ledger go`."
        case .summary: "The line that `ledger append` ends with."
        case .trip: "A trip: `ledger trips`, `ledger trip`, the end of `ledger explain`."
        case .explanation: "An event of a trip with its verdict: `ledger explain`."
        case .totals: "A group of trips with its sums, or their total: `ledger totals`."
        case .mileageLog: "A trip, a sum or the total of a mileage log: `ledger report log`."
        case .status: "A ledger at a glance: `ledger status`."
        case .rules: "The tracking rules of a source: `ledger rules show`."
        case .logEntry: "An entry of the log: `ledger log`."
        case .ledger: "A new ledger: `ledger init`."
        case .projection: "What `ledger project` did."
        case .viewDifference: "A row that is not what the log says: `ledger project --check`."
        }
    }
}
