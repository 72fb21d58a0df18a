import Hummingbird
import Platform
import RowFormats
import ServerStore
import TripLedger

/// Answers what is asked about the ledger and what stands in it beside trips.
struct ListsEndpoint: Sendable {
    /// What reads the ledger.
    let reader: LedgerReader

    /// Where devices are that have not delivered everything yet.
    let present: PresentPositions

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/status",
                "The ledger at a glance, and what its sources are doing",
                [Parameter("source", .text, "Only this source"), .atLeast],
                as: .object("status"),
                for: [.read, .live, .admin],
                status
            ),
            Route(
                .get,
                "/v1/totals",
                "Distances and times of trips that are over, in groups, then all together",
                [Self.grouping, Self.innerGrouping, .group] + Query.days + [
                    .cursor, .longLimit, .atLeast,
                ],
                as: .page(of: "totals"),
                totals
            ),
            list("/v1/places", "The places that there are now", of: "place") { snapshot, access in
                try snapshot.places().places.filter { access.reads($0.group) }
            } named: {
                [$0.group, $0.name].compactMap(\.self).joined(separator: "/")
            },
            list("/v1/vehicles", "Vehicles with what their odometers showed last", of: "vehicle") {
                snapshot,
                access in
                ListedVehicle.all(in: try snapshot.vehicles()).filter { access.reads($0.group) }
            } named: {
                [$0.group, $0.name].compactMap(\.self).joined(separator: "/")
            },
            list("/v1/routines", "Routines, and what their trips have in common", of: "routine") {
                snapshot,
                access in
                let places = try snapshot.places()
                return try snapshot.routines().routines.filter { access.reads($0.group) }
                    .map { ListedRoutine($0, places: places) }
            } named: {
                [$0.group, $0.name].compactMap(\.self).joined(separator: "/")
            },
            list("/v1/fields", "The custom fields of trips", of: "field") { snapshot, access in
                try snapshot.fields(for: access.group).definitions
            } named: {
                $0.key
            },
        ]
    }

    private static let grouping = Parameter(
        "by",
        .word(TotalsGrouping.allCases.map(\.rawValue)),
        "What the groups are; month if it is not said"
    )

    private static let innerGrouping = Parameter(
        "then_by",
        .word(TotalsGrouping.allCases.map(\.rawValue)),
        "What the groups within each of them are"
    )

    /// Describes a list that is made as a whole for each page.
    private func list<Row: Tabular & Sendable>(
        _ path: String,
        _ summary: String,
        of schema: String,
        _ rows: @escaping @Sendable (borrowing Snapshot, Access) throws -> [Row],
        named name: @escaping @Sendable (Row) -> String
    ) -> Route {
        let reader = reader
        let parameters: [Parameter] = [.cursor, .longLimit, .atLeast]
        return Route(.get, path, summary, parameters, as: .page(of: schema)) {
            call async throws(Problem) in
            try await reader.page(call, of: Row.columns) { snapshot in
                let page = try ListPage(of: try rows(snapshot, call.access), call.query, name)
                return (page.rows, page.next)
            }
        }
    }

    private func status(_ call: Call) async throws(Problem) -> Response {
        let source = call.query.text("source")
        let readsPast = call.access.isAllowed([.read, .admin])
        let present = present
        return try await reader.answer(call) { snapshot, bytes in
            if let source { try snapshot.requireSource(named: source) }
            let now = WallClock.now
            var status = try snapshot.status(
                asOf: now,
                of: source.map { .named($0) } ?? .readable
            )
            present.show(in: &status)
            if !readsPast { status.keepPositionsOfTrips() }
            LedgerGlance.columns.noting(try snapshot.missingEntries())
                .appendJSON(
                    LedgerGlance(status, asOf: EventTime(now)),
                    to: &bytes,
                    by: snapshot.clock
                )
        }
    }

    private func totals(_ call: Call) async throws(Problem) -> Response {
        let grouping =
            call.query.text(Self.grouping.name).flatMap(TotalsGrouping.init) ?? .month
        let inner = call.query.text(Self.innerGrouping.name).flatMap(TotalsGrouping.init)
        guard grouping != inner else {
            throw .invalidParameter(Self.innerGrouping.name, "another one than by")
        }
        let columns = TotalsLine.columns(by: grouping, thenBy: inner)
        return try await reader.page(call, of: columns) { snapshot in
            let period =
                try call.query.period(in: snapshot.founding)
                ?? Query.period(from: nil, to: nil, in: snapshot.founding)
            // The total of all comes last, and has no name as the group of trips without one.
            let totals = try snapshot.totals(
                by: grouping,
                thenBy: inner,
                in: period,
                of: call.access.selection(in: call.query)
            )
            let lines = TotalsLine.all(of: totals)
            let numbered = lines.enumerated().map { $0 }
            let page = try ListPage(of: numbered, call.query) { "\($0.offset)" }
            return (page.rows.map(\.element), page.next)
        }
    }
}

extension LedgerStatus {
    /// Leaves out where sources are that are on no trip, for those who may see the present alone.
    mutating func keepPositionsOfTrips() {
        for (index, source) in sources.enumerated() {
            let began = source.live.trip?.startedAt.timestamp
            if let began, let position = source.lastPosition, position.at >= began { continue }
            sources[index].lastPosition = nil
        }
    }
}
