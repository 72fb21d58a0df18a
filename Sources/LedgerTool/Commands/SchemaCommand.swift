import ArgumentParser
import RowFormats

/// The command `ledger schema`.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints the JSON Schema of what crosses the border.",
        discussion: """
            Without a name it lists the schemas, which are of draft 2020-12.

            Examples:
              ledger schema
              ledger schema event > event.v1.schema.json
            """
    )

    @OptionGroup var options: GlobalOptions

    @Argument(help: "Which schema.")
    var name: Schema?

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        try Output.standard.writing { output in
            if let name {
                try output.write(name.text)
            } else {
                let facts = Schema.allCases.map { (label: $0.rawValue, fact: $0.summary) }
                try output.write(FactSheet(facts).text)
            }
        }
    }
}

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
    case notification
    case rules
    case place
    case visit
    case vehicle
    case odometer
    case routine
    case suggestion
    case amendment
    case orphan
    case changes
    case field
    case logEntry = "log-entry"
    case ledger
    case projection
    case viewDifference = "view-difference"
    case erasure
    case export
    case exportHeader = "export-header"
    case exportLine = "export-line"
    case importing = "import"
    case verification
    case backup
    case compaction
    case restored
    case rescue
    case health
    case head
    case proof
    case consistency
    case key
    case witness

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
            case .notification: PackageResources.notification_v1_schema_json
            case .rules: PackageResources.rules_v1_schema_json
            case .place: PackageResources.place_v1_schema_json
            case .visit: PackageResources.visit_v1_schema_json
            case .vehicle: PackageResources.vehicle_v1_schema_json
            case .odometer: PackageResources.odometer_v1_schema_json
            case .routine: PackageResources.routine_v1_schema_json
            case .suggestion: PackageResources.suggestion_v1_schema_json
            case .amendment: PackageResources.amendment_v1_schema_json
            case .orphan: PackageResources.orphan_v1_schema_json
            case .changes: PackageResources.changes_v1_schema_json
            case .field: PackageResources.field_v1_schema_json
            case .logEntry: PackageResources.log_entry_v1_schema_json
            case .ledger: PackageResources.ledger_v1_schema_json
            case .projection: PackageResources.projection_v1_schema_json
            case .viewDifference: PackageResources.view_difference_v1_schema_json
            case .erasure: PackageResources.erasure_v1_schema_json
            case .export: PackageResources.export_v1_schema_json
            case .exportHeader: PackageResources.export_header_v1_schema_json
            case .exportLine: PackageResources.export_line_v1_schema_json
            case .importing: PackageResources.import_v1_schema_json
            case .verification: PackageResources.verification_v1_schema_json
            case .backup: PackageResources.backup_v1_schema_json
            case .compaction: PackageResources.compaction_v1_schema_json
            case .restored: PackageResources.restored_v1_schema_json
            case .rescue: PackageResources.rescue_v1_schema_json
            case .health: PackageResources.health_v1_schema_json
            case .head: PackageResources.head_v1_schema_json
            case .proof: PackageResources.proof_v1_schema_json
            case .consistency: PackageResources.consistency_v1_schema_json
            case .key: PackageResources.key_v1_schema_json
            case .witness: PackageResources.witness_v1_schema_json
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
        case .notification: "Something about a trip or a place to be told at once: `ledger watch`."
        case .rules: "The tracking rules of a source: `ledger rules show`."
        case .place: "A place: `ledger place list`."
        case .visit: "A stay of a source at a place: `ledger visits`."
        case .vehicle: "A vehicle: `ledger vehicle list`."
        case .odometer:
            "What an odometer showed, beside the trips: `ledger odometer VEHICLE --list`."
        case .routine: "A template for trips: `ledger routine list`."
        case .suggestion: "A routine that may fit a trip: `ledger routine suggest`."
        case .amendment: "What a decision changed about a trip: `ledger history`."
        case .orphan: "A decision about a trip that is not there: `ledger changes --orphans`."
        case .changes: "What was appended after a head or a date: `ledger changes --since`."
        case .field: "A custom field of trips: `ledger field list`."
        case .logEntry: "An entry of the log: `ledger log`."
        case .ledger: "A new ledger: `ledger init`."
        case .projection: "What `ledger project` did."
        case .viewDifference: "A row that is not what the log says: `ledger project --check`."
        case .erasure: "What was erased: `ledger erase`."
        case .export: "What an export holds: `ledger export DIR`."
        case .exportHeader: "The first line of an export: `ledger export -`."
        case .exportLine: "An entry in an export: the other lines."
        case .importing: "What was imported: `ledger import`."
        case .verification: "What `ledger verify` came to."
        case .backup: "A backup that was made: `ledger backup`."
        case .compaction: "What `ledger compact` did."
        case .restored: "What `ledger restore-backup` did."
        case .rescue: "What could be saved: `ledger rescue`, and rescue.json."
        case .health: "How a ledger is: `ledger doctor`."
        case .head: "The head of a log, signed or not: `ledger head`, `ledger witness cosign`."
        case .proof: "The files that prove one event: `ledger prove`."
        case .consistency: "A proof that a log has only grown: `ledger prove --consistency`."
        case .key: "The public half of a key: `ledger key`, `ledger witness init`."
        case .witness: "A witness and what it has seen: `ledger witness show`."
        }
    }
}
