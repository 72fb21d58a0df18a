import Hummingbird
import LedgerHTTP
import LedgerRows
import TripLedger

/// Answers how often each road was driven.
struct RoadsEndpoint: Sendable {
    /// The reader of the ledger.
    let reader: LedgerReader

    private static let mediaType = "application/geo+json"

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/roads",
                "How often each road was driven, as GeoJSON lines from seldom to often",
                Query.days + [.group, .atLeast],
                as: AnswerForm(mediaType: Self.mediaType, schema: "roads"),
                reaching: .seen,
                answer
            )
        ]
    }

    private func answer(_ call: Call) async throws(Problem) -> Response {
        try await reader.answer(call, as: Self.mediaType) { snapshot, bytes in
            let period = try call.query.period(by: try snapshot.requireClock())
            var filter = TripFilter(period: period, isOldestFirst: true)
            filter.group = call.access.selection(in: call.query)
            let trips = try snapshot.trips(filter).map(\.trip.id)
            var roads = RoadMap()
            try snapshot.readWays(of: trips) { roads.add($0) }
            roads.write(to: &bytes)
        }
    }
}
