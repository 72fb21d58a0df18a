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

extension Schema {
    /// The forms of events and trips, in the order in which they are listed.
    static let ofTrips = [
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
            "document",
            "A report for paper and screens, for `ledger-print`: --format document.",
            PackageResources.document_v1_schema_json
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
            "methods",
            "What each method of a jurisdiction gives: `ledger report methods`.",
            PackageResources.methods_v1_schema_json,
            MethodsReport.columns.notingAny.descriptions,
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
            LedgerGlance.columns.notingAny.descriptions
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
            ClaimLine.columns.descriptions + ExpenseLine.columns.descriptions
                + UnclaimedLine.columns.descriptions + UnclaimedExpenses.columns.descriptions
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
    ]
}
