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
            "A decision about a trip that is not there: `ledger changes --orphans`.",
            OrphanedDecision.columns.descriptions,
            isTable: true
        ),
        Schema(
            "issued-report",
            "A report that was handed out: `ledger report issued`.",
            IssuedReport.columns.descriptions,
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
            "bundle-manifest",
            "The files of a bundle, and the words that make its reports again: manifest.json."
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
            "refused-item",
            "Something that was delivered and set aside: `ledger refused`.",
            NumberedItem.columns.descriptions,
            isTable: true
        ),
        Schema(
            "retried-item",
            "What became of something that was set aside: `ledger refused --retry`.",
            RetriedItem.columns.descriptions,
            isTable: true
        ),
        Schema(
            "erased-items",
            "What was erased of what had been set aside: `ledger erase --set-aside`.",
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
