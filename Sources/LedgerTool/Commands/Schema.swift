import ActiveTripProjection
import ArgumentParser
import LedgerKeeping
import Projections
import Rates
import Reports
import RoutinesProjection
import RowFormats
import TotalsProjection
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// The form of something that crosses the border: its name, its JSON Schema, and its columns.
struct Schema: ExpressibleByArgument {
    /// What it is called, without its version.
    let name: String

    /// What has this form, in one sentence.
    let summary: String

    private let file: @Sendable () -> [UInt8]
    private let describe: @Sendable () -> [ColumnDescription]

    /// Whether it is printed as CSV too.
    private let isTable: Bool

    private init(
        _ name: String,
        _ summary: String,
        _ file: @escaping @autoclosure @Sendable () -> [UInt8],
        _ columns: @escaping @autoclosure @Sendable () -> [ColumnDescription] = [],
        isTable: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.file = file
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

    /// The file, as it stands in `Schemas/`; it is compiled in.
    var text: String { String(decoding: file(), as: UTF8.self) }

    /// The columns with what the schema says of each, a name once; none if the form is not one of
    /// rows that this program describes by columns.
    var describedColumns: [ColumnDescription] {
        var names: Set<String> = []
        let document = SchemaDocument(file())
        return describe().filter { names.insert($0.name).inserted }
            .map { column in
                var column = column
                column.meaning = document?.meaning(of: column.name)
                if !isTable { column.csvName = nil }
                return column
            }
    }

    /// Every schema.
    static let all = [
        Schema(
            "event",
            "A line that `ledger append` takes.",
            PackageResources.event_v1_schema_json,
            TripEvent.columns.descriptions
        ),
        Schema(
            "receipt",
            "The answer to one event: `ledger append --receipts`, `ledger go`.",
            PackageResources.receipt_v1_schema_json,
            LineReceipt.columns.descriptions + EventAnswer.ownColumns.descriptions
        ),
        Schema(
            "summary",
            "The line that `ledger append` ends with.",
            PackageResources.summary_v1_schema_json,
            AppendSummary.columns.descriptions
        ),
        Schema(
            "column-map",
            "What the columns of a table mean: `ledger append --map`.",
            PackageResources.column_map_v1_schema_json
        ),
        Schema(
            "picture",
            "Lines, signs and words: `ledger map -o map.json`, for `ledger-print`.",
            PackageResources.picture_v1_schema_json
        ),
        Schema(
            "trip",
            "A trip: `ledger trips`, `ledger trip`, the end of `ledger explain`.",
            PackageResources.trip_v1_schema_json,
            NamedTrip.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "waiting-trip",
            "A trip that needs a class or a purpose: `ledger inbox`.",
            PackageResources.waiting_trip_v1_schema_json,
            WaitingTrip.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "explanation",
            "An event of a trip with its verdict: `ledger explain`.",
            PackageResources.explanation_v1_schema_json,
            ExplainedEvent.columns.descriptions,
            isTable: true
        ),
        Schema(
            "track",
            "A fix of a trip or a source: `ledger track`.",
            PackageResources.track_v1_schema_json,
            TrackedFix.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "totals",
            "A group of trips with its sums, or their total: `ledger totals`.",
            PackageResources.totals_v1_schema_json,
            TotalsLine.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "mileage-log",
            "A trip, a sum or the total of a mileage log: `ledger report log`.",
            PackageResources.mileage_log_v1_schema_json,
            MileageLine.columns.descriptions + MileageSum.columns.descriptions
                + MileageTotal.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "year-summary",
            "The kilometres of each vehicle and year: `ledger report summary`.",
            PackageResources.year_summary_v1_schema_json,
            SummaryReport.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "reconciliation",
            "Odometers beside trips: `ledger report reconcile`.",
            PackageResources.reconciliation_v1_schema_json,
            ReconciliationReport.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "completeness",
            "What a mileage log lacks: `ledger report completeness`.",
            PackageResources.completeness_v1_schema_json,
            CompletenessReport.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "report-changes",
            "Every later change: `ledger report changes`.",
            PackageResources.report_changes_v1_schema_json,
            ChangesReport.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "status",
            "A ledger at a glance: `ledger status`.",
            PackageResources.status_v1_schema_json,
            StatusPage.columns.notingAny.descriptions
        ),
        Schema(
            "notification",
            "Something about a trip or a place to be told at once: `ledger watch`.",
            PackageResources.notification_v1_schema_json,
            NotificationMessage.columns.descriptions
        ),
        Schema(
            "rules",
            "The tracking rules of a source: `ledger rules show`.",
            PackageResources.rules_v1_schema_json,
            SourceRules.columns.descriptions
        ),
        Schema(
            "place",
            "A place: `ledger place list`.",
            PackageResources.place_v1_schema_json,
            SavedPlace.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "visit",
            "A stay of a source at a place: `ledger visits`.",
            PackageResources.visit_v1_schema_json,
            SourceVisit.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "inference",
            "A stay or a way that others inferred: `ledger inferences`.",
            PackageResources.inference_v1_schema_json,
            ReportedInference.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "vehicle",
            "A vehicle: `ledger vehicle list`.",
            PackageResources.vehicle_v1_schema_json,
            ListedVehicle.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "rate",
            "A rate with its days: `ledger rates list`, `ledger rates show`.",
            PackageResources.rate_v1_schema_json,
            ListedRate.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "rate-table",
            "A table of rates: `ledger rates load FILE`.",
            PackageResources.rate_table_v1_schema_json
        ),
        Schema(
            "claim",
            "A line, what is not claimed, or the total of a claim: `ledger report claim`.",
            PackageResources.claim_v1_schema_json,
            ClaimLine.columns.descriptions + UnclaimedLine.columns.descriptions
                + ClaimTotal.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "odometer",
            "What an odometer showed, beside the trips: `ledger odometer VEHICLE --list`.",
            PackageResources.odometer_v1_schema_json,
            OdometerComparison.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "expense",
            "Something that was paid beside the distance: `ledger expense list`.",
            PackageResources.expense_v1_schema_json,
            ListedExpense.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "routine",
            "A template for trips: `ledger routine list`.",
            PackageResources.routine_v1_schema_json,
            ListedRoutine.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "suggestion",
            "A routine that may fit a trip: `ledger routine suggest`.",
            PackageResources.suggestion_v1_schema_json,
            RoutineSuggestion.columns.descriptions,
            isTable: true
        ),
        Schema(
            "amendment",
            "What a decision changed about a trip or a setting: `ledger history`.",
            PackageResources.amendment_v1_schema_json,
            AuditLine.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "orphan",
            "A decision about a trip that is not there: `ledger changes --orphans`.",
            PackageResources.orphan_v1_schema_json,
            OrphanedDecision.columns.descriptions,
            isTable: true
        ),
        Schema(
            "changes",
            "What was appended after a head or a date: `ledger changes --since`.",
            PackageResources.changes_v1_schema_json,
            LedgerChanges.columns.descriptions
        ),
        Schema(
            "field",
            "A custom field of trips: `ledger field list`.",
            PackageResources.field_v1_schema_json,
            FieldDefined.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "log-entry",
            "An entry of the log: `ledger log`.",
            PackageResources.log_entry_v1_schema_json,
            StoredEvent.columns.descriptions,
            isTable: true
        ),
        Schema(
            "ledger",
            "A new ledger: `ledger init`.",
            PackageResources.ledger_v1_schema_json,
            NewLedger.columns.descriptions
        ),
        Schema(
            "projection",
            "What `ledger project` did.",
            PackageResources.projection_v1_schema_json,
            ProjectionReport.columns.descriptions
        ),
        Schema(
            "view-difference",
            "A row that is not what the log says: `ledger project --check`.",
            PackageResources.view_difference_v1_schema_json,
            ViewDifference.columns.descriptions
        ),
        Schema(
            "erasure",
            "What was erased: `ledger erase`.",
            PackageResources.erasure_v1_schema_json,
            ErasureResult.columns.descriptions
        ),
        Schema(
            "export",
            "What an export holds: `ledger export DIR`.",
            PackageResources.export_v1_schema_json,
            WrittenExport.columns.descriptions
        ),
        Schema(
            "export-header",
            "The first line of an export: `ledger export -`.",
            PackageResources.export_header_v1_schema_json
        ),
        Schema(
            "export-line",
            "An entry in an export: the other lines.",
            PackageResources.export_line_v1_schema_json
        ),
        Schema(
            "import",
            "What was imported: `ledger import`.",
            PackageResources.import_v1_schema_json,
            ImportSummary.columns.descriptions
        ),
        Schema(
            "verification",
            "What `ledger verify` came to.",
            PackageResources.verification_v1_schema_json,
            VerifyOutcome.columns.descriptions
        ),
        Schema(
            "backup",
            "A backup that was made: `ledger backup`.",
            PackageResources.backup_v1_schema_json,
            LedgerBackup.Report.columns.descriptions
        ),
        Schema(
            "compaction",
            "What `ledger compact` did.",
            PackageResources.compaction_v1_schema_json,
            CompactionReport.columns.descriptions
        ),
        Schema(
            "restored",
            "What `ledger restore-backup` did.",
            PackageResources.restored_v1_schema_json,
            LedgerRestore.Report.columns.descriptions
        ),
        Schema(
            "rescue",
            "What could be saved: `ledger rescue`, and rescue.json.",
            PackageResources.rescue_v1_schema_json
        ),
        Schema(
            "health",
            "How a ledger is: `ledger doctor`.",
            PackageResources.health_v1_schema_json,
            HealthReport.columns.descriptions
        ),
        Schema(
            "head",
            "The head of a log, signed or not: `ledger head`, `ledger witness cosign`.",
            PackageResources.head_v1_schema_json,
            PrintedHead.columns.descriptions
        ),
        Schema(
            "proof",
            "The files that prove one event: `ledger prove`.",
            PackageResources.proof_v1_schema_json,
            ProofFiles.columns.descriptions
        ),
        Schema(
            "consistency",
            "A proof that a log has only grown: `ledger prove --consistency`.",
            PackageResources.consistency_v1_schema_json,
            PrintedConsistency.columns.descriptions
        ),
        Schema(
            "key",
            "The public half of a key: `ledger key`, `ledger witness init`.",
            PackageResources.key_v1_schema_json,
            PublishedKey.columns.descriptions
        ),
        Schema(
            "witness",
            "A witness and what it has seen: `ledger witness show`.",
            PackageResources.witness_v1_schema_json,
            WitnessPage.columns.descriptions
        ),
        Schema(
            "schema",
            "A schema by its name and file: `ledger schema`.",
            PackageResources.schema_v1_schema_json,
            Schema.columns.descriptions,
            isTable: true
        ),
        Schema(
            "error",
            "An error, on standard error: any command with --format json.",
            PackageResources.error_v1_schema_json,
            ErrorReport.columns.descriptions
        ),
        Schema(
            "scenario",
            "What can be simulated: `ledger simulate --list`.",
            PackageResources.scenario_v1_schema_json,
            SimulatedSituation.columns.descriptions,
            isTable: true
        ),
    ]
}

extension Schema: Tabular {
    /// A schema in the list of all: `schema.v1.schema.json`.
    static let columns = Columns<Schema> {
        Column.name("name", "NAME") { $0.name }
        Column.name("file", "FILE") { $0.fileName }
        Column.text("summary", "SUMMARY") { $0.summary }
    }
}
