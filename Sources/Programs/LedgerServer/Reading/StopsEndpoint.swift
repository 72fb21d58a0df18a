import Hummingbird
import LedgerHTTP
import LedgerRows
import TripLedger

/// Lists the spots where trips begin and end that are not saved places yet.
struct StopsEndpoint: Sendable {
    /// The reader of the ledger.
    let reader: LedgerReader

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/stops",
                "Where trips begin and end that is no place yet, those of the most trips first",
                Query.days + [.group, .cursor, .longLimit, .atLeast],
                as: .page(of: "unnamed-stop"),
                reaching: .seen,
                answer
            )
        ]
    }

    private func answer(_ call: Call) async throws(Problem) -> Response {
        try await reader.page(call, of: UnnamedStop.columns) { snapshot in
            var filter = TripFilter(
                period: try call.query.period(by: try snapshot.requireClock())
            )
            filter.group = call.access.selection(in: call.query)
            var stops = UnnamedStops(places: try snapshot.places())
            try snapshot.readTrips(filter) { row in
                stops.add(row.booked)
                return true
            }
            let page = try ListPage(of: stops.all, call.query) {
                "\($0.middle.latitude) \($0.middle.longitude)"
            }
            return (page.rows, page.next)
        }
    }
}
