import ActiveTripProjection
import ArgumentParser
import EmbeddedFiles
import LedgerKeeping
import LedgerRows
import Projections
import Rates
import Reports
import RoutinesProjection
import ServerStore
import Tables
import TotalsProjection
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// The form of an input or output of the program: its name, its JSON Schema, and its columns.
struct Schema: ExpressibleByArgument {
    /// Its name, without its version.
    let name: String

    /// The things that have this form, in one sentence.
    let summary: String

    private let describe: @Sendable () -> [ColumnDescription]

    /// Whether it is printed as CSV too.
    private let isTable: Bool

    private init(
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

    /// The name of the form of event lines.
    static let event = "event"

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

    /// The name of the file in `Schemas/`.
    var fileName: String { "\(name)\(Self.version).schema.json" }

    /// The file, as it stood in `Schemas/` when the program was built.
    var text: String { String(decoding: file, as: UTF8.self) }

    /// The parsed file; `nil` if it is not JSON.
    var document: SchemaDocument? { SchemaDocument(file) }

    private var file: [UInt8] { EmbeddedFolder.schemas[fileName] }

    /// The columns with their meanings in the schema, each name once; empty if the form is not one
    /// of rows that this program describes by columns.
    var describedColumns: [ColumnDescription] {
        var names: Set<String> = []
        let document = document
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

extension Schema {
    /// The forms of requests to `ledger serve` and its answers, in the order in which they are
    /// listed.
    private static let ofRequests = [
        Schema(
            "serving",
            "Whether requests are taken: GET /health of `ledger serve`."
        ),
        Schema(
            "posted-events",
            "Several events in a request: POST /v1/events."
        ),
        Schema(
            "events-answer",
            "What became of them."
        ),
        Schema(
            "decision",
            "What a person asks to be decided: POST /v1/decisions."
        ),
        Schema(
            "posted-decisions",
            "Several decisions in a request, all or none: POST /v1/decisions."
        ),
        Schema(
            "decisions-answer",
            "What became of them."
        ),
        Schema(
            "sync",
            "What an exchange of events with another ledger came to: `ledger sync`."
        ),
        Schema(
            "sync-greeting",
            "What a ledger says of itself to another one: GET /v1/sync."
        ),
        Schema(
            "sync-page",
            "The last line of events between ledgers: GET and POST /v1/sync/events."
        ),
        Schema(
            "page",
            "Some rows of a list: GET /v1/trips and other lists."
        ),
        Schema(
            "trip-line",
            "The way of a trip as a line: GET /v1/trips/ID/track."
        ),
        Schema(
            "roads",
            "How often each road was driven: GET /v1/roads."
        ),
        Schema(
            "drop",
            "A file that was dropped on the page: POST /v1/drops."
        ),
        Schema(
            "unnamed-stop",
            "Where trips end that is no place yet: GET /v1/stops.",
            UnnamedStop.columns.notingAny.descriptions
        ),
        Schema(
            "safekeeping",
            "When the ledger was last copied and read again: GET /v1/safekeeping."
        ),
        Schema(
            "trip-options",
            "What can be decided about a trip: GET /v1/trips/ID/options."
        ),
        Schema(
            "change",
            "A row that changed: an item of GET /v1/changes."
        ),
        Schema(
            "latest-cursor",
            "The cursor of a reader who knows all rows: GET /v1/changes/latest-cursor."
        ),
        Schema(
            "trip-proof",
            "A line of the proof of a trip: GET /v1/trips/ID/proof."
        ),
        Schema(
            "report-request",
            "A report that is asked for, as a value: `ledger report --request`."
        ),
        Schema(
            "report-form",
            "A report that can be asked for: GET /v1/reports."
        ),
        Schema(
            "inbox-count",
            "How many trips need a class or a purpose: GET /v1/inbox/count."
        ),
        Schema(
            "device",
            "A device that delivers, or was set up to: GET /v1/devices.",
            DeliveringDevice.columns.descriptions
        ),
        Schema(
            "new-device",
            "A token that was made for a device, with its link and code: POST /v1/devices.",
            NewDevice.columns.descriptions
        ),
        Schema(
            "new-button",
            "A token that was made to press GO and STOP: POST /v1/buttons.",
            NewButton.columns.descriptions
        ),
        Schema(
            "new-link",
            "A link that was made for a browser: POST /v1/links.",
            NewPageLink.columns.descriptions
        ),
        Schema(
            "new-share",
            "A link that was made for one trip or report: POST /v1/shares."
        ),
        Schema(
            "live-trip",
            "What the link of a trip shows: GET /live/LINK/stream."
        ),
        Schema(
            "webhook-answer",
            "What an app without a clock is answered: /webhook/ping and others."
        ),
        Schema(
            "client-event",
            "A trip as the feed client reads it: GET /api/v1/events and others."
        ),
        Schema(
            "client-setting",
            "A routine, place or field as it reads it: GET /api/v1/geofences and others."
        ),
        Schema(
            "client-changes",
            "What changed, as it reads it: GET /api/v1/changes."
        ),
        Schema(
            "problem",
            "Why a request was not done: the answers with 400 and above."
        ),
    ]
}

extension Schema {
    /// The forms of events and trips, in the order in which they are listed.
    private static let ofTrips = [
        Schema(
            event,
            "A line that `ledger append` takes.",
            TripEvent.columns.descriptions
        ),
        Schema(
            "receipt",
            "The answer to one event: `ledger append --receipts`, `ledger go`.",
            LineReceipt.columns.descriptions + EventAnswer.ownColumns.descriptions
        ),
        Schema(
            "summary",
            "The line that `ledger append` ends with.",
            AppendSummary.columns.descriptions
        ),
        Schema(
            "column-map",
            "What the columns of a table mean: `ledger append --map`."
        ),
        Schema(
            "mqtt-settings",
            "What `ledger-mqtt` takes from a broker, and tells it."
        ),
        Schema(
            "picture",
            "Lines, signs and words: `ledger map -o map.json`, for `ledger-print`."
        ),
        Schema(
            "document",
            "A report for paper and screens, for `ledger-print`: --format document."
        ),
        Schema(
            "trip",
            "A trip: `ledger trips`, `ledger trip`, the end of `ledger explain`.",
            NamedTrip.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "waiting-trip",
            "A trip that needs a class or a purpose: `ledger inbox`.",
            WaitingTrip.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "explanation",
            "An event of a trip with its verdict: `ledger explain`.",
            ExplainedEvent.columns.descriptions,
            isTable: true
        ),
        Schema(
            "track",
            "A fix of a trip or a source: `ledger track`.",
            TrackedFix.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "totals",
            "A group of trips with its sums, or their total: `ledger totals`.",
            TotalsLine.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "mileage-log",
            "A trip, a sum or the total of a mileage log: `ledger report log`.",
            MileageLine.columns.descriptions + MileageSum.columns.descriptions
                + MileageTotal.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "year-summary",
            "The kilometres of each vehicle and year: `ledger report summary`.",
            SummaryReport.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "methods",
            "What each method of a jurisdiction gives: `ledger report methods`.",
            MethodsReport.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "reconciliation",
            "Odometers beside trips: `ledger report reconcile`.",
            ReconciliationReport.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "completeness",
            "What a mileage log lacks: `ledger report completeness`.",
            CompletenessReport.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "report-changes",
            "Every later change: `ledger report changes`.",
            ChangesReport.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "status",
            "A ledger at a glance: `ledger status`.",
            LedgerGlance.columns.notingAny.descriptions
        ),
        Schema(
            "notification",
            "Something about a trip or a place to be told at once: `ledger watch`.",
            NotificationMessage.columns.descriptions
        ),
        Schema(
            "rules",
            "The tracking rules of a source: `ledger rules show`.",
            SourceRules.columns.notingAny.descriptions
        ),
        Schema(
            "place",
            "A place: `ledger place list`.",
            SavedPlace.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "visit",
            "A stay of a source at a place: `ledger visits`.",
            SourceVisit.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "inference",
            "A stay or a way that others inferred: `ledger inferences`.",
            ReportedInference.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "vehicle",
            "A vehicle: `ledger vehicle list`.",
            ListedVehicle.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "rate",
            "A rate with its days: `ledger rates list`, `ledger rates show`.",
            ListedRate.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "rate-check",
            "A rate that ends soon, or is not sure: `ledger rates check`.",
            CheckedRate.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "rate-table",
            "A table of rates: `ledger rates load FILE`."
        ),
        Schema(
            "claim",
            "A line, what is not claimed, or the total of a claim: `ledger report claim`.",
            ClaimLine.columns.descriptions + ClaimCut.columns.descriptions
                + EnergyLine.columns.descriptions + ExpenseLine.columns.descriptions
                + UnclaimedLine.columns.descriptions + UnclaimedExpenses.columns.descriptions
                + ClaimTotal.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "odometer",
            "What an odometer showed, beside the trips: `ledger odometer VEHICLE --list`.",
            OdometerComparison.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "expense",
            "Something that was paid beside the distance: `ledger expense list`.",
            ListedExpense.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "routine",
            "A template for trips: `ledger routine list`.",
            ListedRoutine.columns.notingAny.descriptions,
            isTable: true
        ),
    ]
}

extension Schema {
    /// The forms of settings and evidence, in the order in which they are listed.
    private static let ofLedgers = [
        Schema(
            "suggestion",
            "A routine that may fit a trip: `ledger routine suggest`.",
            RoutineSuggestion.columns.descriptions,
            isTable: true
        ),
        Schema(
            "amendment",
            "What a decision changed about a trip or a setting: `ledger history`.",
            AuditLine.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "orphan",
            "A decision that has no effect: `ledger changes --orphans`.",
            DecisionWithoutEffect.columns.descriptions,
            isTable: true
        ),
        Schema(
            "issued-report",
            "A report that was handed out: `ledger report issued`.",
            IssuedReport.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "line-difference",
            "A line of an issued report that is another now: `ledger report reissue --compare`.",
            LineDifference.columns.descriptions,
            isTable: true
        ),
        Schema(
            "changes",
            "What was appended after a head or a date: `ledger changes --since`.",
            LedgerChanges.columns.descriptions
        ),
        Schema(
            "setting",
            "A setting of the ledger: `ledger settings`.",
            ListedSetting.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "field",
            "A custom field of trips: `ledger field list`.",
            FieldDefined.columns.notingAny.descriptions,
            isTable: true
        ),
        Schema(
            "log-entry",
            "An entry of the log: `ledger log`.",
            StoredEvent.columns.descriptions,
            isTable: true
        ),
        Schema(
            "ledger",
            "A new ledger: `ledger init`.",
            NewLedger.columns.descriptions
        ),
        Schema(
            "projection",
            "What `ledger project` did.",
            ProjectionReport.columns.descriptions
        ),
        Schema(
            "view-difference",
            "A row that is not what the log says: `ledger project --check`.",
            ViewDifference.columns.descriptions
        ),
        Schema(
            "erasure",
            "What was erased: `ledger erase`.",
            ErasureResult.columns.descriptions
        ),
        Schema(
            "export",
            "What an export holds: `ledger export DIR`.",
            WrittenExport.columns.descriptions
        ),
        Schema(
            "bundle",
            "What a bundle holds: `ledger bundle -o DIR`.",
            WrittenBundle.columns.descriptions
        ),
        Schema(
            "monthly",
            "A month that is kept: `ledger monthly`.",
            MonthlyOutcome.columns.descriptions
        ),
        Schema(
            "bundle-manifest",
            "The files of a bundle, and the requests that make its reports again: manifest.json."
        ),
        Schema(
            "export-header",
            "The first line of an export: `ledger export -`."
        ),
        Schema(
            "export-line",
            "An entry in an export: the other lines."
        ),
        Schema(
            "import",
            "What was imported: `ledger import`.",
            ImportSummary.columns.descriptions
        ),
        Schema(
            "verification",
            "What `ledger verify` came to.",
            VerifyOutcome.columns.descriptions
        ),
        Schema(
            "backup",
            "A backup that was made: `ledger backup`.",
            LedgerBackup.Report.columns.descriptions
        ),
        Schema(
            "compaction",
            "What `ledger compact` did.",
            CompactionReport.columns.descriptions
        ),
        Schema(
            "restored",
            "What `ledger restore-backup` did.",
            LedgerRestore.Report.columns.descriptions
        ),
        Schema(
            "rescue",
            "What could be saved: `ledger rescue`, and rescue.json."
        ),
        Schema(
            "health",
            "How a ledger is: `ledger doctor`.",
            HealthReport.columns.descriptions
        ),
        Schema(
            "head",
            "The head of a log, signed or not: `ledger head`, `ledger witness cosign`.",
            PrintedHead.columns.descriptions
        ),
        Schema(
            "proof",
            "The files that prove one event: `ledger prove`.",
            ProofFiles.columns.descriptions
        ),
        Schema(
            "consistency",
            "A proof that a log has only grown: `ledger prove --consistency`.",
            PrintedConsistency.columns.descriptions
        ),
        Schema(
            "key",
            "The public half of a key: `ledger key`, `ledger witness init`.",
            PublishedKey.columns.descriptions
        ),
        Schema(
            "witness",
            "A witness and what it has seen: `ledger witness show`.",
            WitnessPage.columns.descriptions
        ),
        Schema(
            "token",
            "A token without its text: `ledger token list`.",
            ListedToken.columns.descriptions,
            isTable: true
        ),
        Schema(
            "new-token",
            "A token that was just made: `ledger token new`.",
            NewToken.columns.descriptions
        ),
        Schema(
            "token-meaning",
            "What the holder of a token can see and do: `ledger token show`.",
            TokenMeaning.columns.descriptions
        ),
        Schema(
            "refused-item",
            "Something that was delivered and refused: `ledger refused`.",
            NumberedItem.columns.descriptions,
            isTable: true
        ),
        Schema(
            "retried-item",
            "What became of something that was refused: `ledger refused --retry`.",
            RetriedItem.columns.descriptions,
            isTable: true
        ),
        Schema(
            "erased-items",
            "What was erased of refused deliveries: `ledger erase --set-aside`.",
            ErasedItems.columns.descriptions
        ),
        Schema(
            "schema",
            "A schema by its name and file: `ledger schema`.",
            Schema.columns.descriptions,
            isTable: true
        ),
        Schema(
            "error",
            "An error, on standard error: any command with --format json.",
            ErrorReport.columns.descriptions
        ),
        Schema(
            "scenario",
            "What can be simulated: `ledger simulate --list`.",
            SimulatedSituation.columns.descriptions,
            isTable: true
        ),
    ]
}
