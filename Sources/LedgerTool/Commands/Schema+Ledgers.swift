import ActiveTripProjection
import ArgumentParser
import LedgerKeeping
import Projections
import Rates
import Reports
import RoutinesProjection
import RowFormats
import ServerStore
import TotalsProjection
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

extension Schema {
    /// The forms of settings and evidence, in the order in which they are listed.
    static let ofLedgers = [
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
            "issued-report",
            "A report that was handed out: `ledger report issued`.",
            PackageResources.issued_report_v1_schema_json,
            IssuedReport.columns.descriptions,
            isTable: true
        ),
        Schema(
            "line-difference",
            "A line of an issued report that is another now: `ledger report reissue --compare`.",
            PackageResources.line_difference_v1_schema_json,
            LineDifference.columns.descriptions,
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
            "bundle",
            "What a bundle holds: `ledger bundle -o DIR`.",
            PackageResources.bundle_v1_schema_json,
            WrittenBundle.columns.descriptions
        ),
        Schema(
            "bundle-manifest",
            "The files of a bundle, and the words that make its reports again: manifest.json.",
            PackageResources.bundle_manifest_v1_schema_json
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
            "token",
            "A token without its text: `ledger token list`.",
            PackageResources.token_v1_schema_json,
            ListedToken.columns.descriptions,
            isTable: true
        ),
        Schema(
            "new-token",
            "A token that was just made: `ledger token new`.",
            PackageResources.new_token_v1_schema_json,
            NewToken.columns.descriptions
        ),
        Schema(
            "refused-item",
            "Something that was delivered and set aside: `ledger refused`.",
            PackageResources.refused_item_v1_schema_json,
            NumberedItem.columns.descriptions,
            isTable: true
        ),
        Schema(
            "retried-item",
            "What became of something that was set aside: `ledger refused --retry`.",
            PackageResources.retried_item_v1_schema_json,
            RetriedItem.columns.descriptions,
            isTable: true
        ),
        Schema(
            "erased-items",
            "What was erased of what had been set aside: `ledger erase --set-aside`.",
            PackageResources.erased_items_v1_schema_json,
            ErasedItems.columns.descriptions
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
