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
            SourceRules.columns.descriptions
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
            "rate-table",
            "A table of rates: `ledger rates load FILE`."
        ),
        Schema(
            "claim",
            "A line, what is not claimed, or the total of a claim: `ledger report claim`.",
            ClaimLine.columns.descriptions + ExpenseLine.columns.descriptions
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
