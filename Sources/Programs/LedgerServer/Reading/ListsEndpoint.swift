import Hummingbird
import LedgerHTTP
import LedgerRows
import Platform
import Reports
import ServerStore
import Tables
import TripLedger

/// Answers questions about the ledger and its contents other than trips.
struct ListsEndpoint: Sendable {
    /// The reader of the ledger.
    let reader: LedgerReader

    /// The current positions of devices that have not delivered everything yet.
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
                reaching: .seen,
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
                reaching: .seen,
                totals
            ),
            list("/v1/places", "The places that there are now", of: "place") { snapshot, _ in
                try snapshot.places().places
            } named: {
                [$0.group, $0.name].compactMap(\.self).joined(separator: "/")
            },
            list("/v1/vehicles", "Vehicles with what their odometers showed last", of: "vehicle") {
                snapshot,
                _ in
                ListedVehicle.all(in: try snapshot.vehicles())
            } named: {
                [$0.group, $0.name].compactMap(\.self).joined(separator: "/")
            },
            list("/v1/routines", "Routines, and what their trips have in common", of: "routine") {
                snapshot,
                _ in
                let places = try snapshot.places()
                return try snapshot.routines().routines.map { ListedRoutine($0, places: places) }
            } named: {
                [$0.group, $0.name].compactMap(\.self).joined(separator: "/")
            },
            list(
                "/v1/settings",
                "The settings of the ledger now, and those that are to come",
                of: "setting"
            ) { snapshot, _ in
                try ListedSetting.all(in: snapshot, at: WallClock.now)
            } named: {
                $0.key
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
        let form = AnswerForm.page(of: schema)
        return Route(.get, path, summary, parameters, as: form, reaching: .seen) {
            call async throws(Problem) in
            try await reader.page(call, of: Row.columns) { snapshot in
                let page = try ListPage(of: try rows(snapshot, call.access), call.query, name)
                return (page.rows, page.next)
            }
        }
    }

    private func status(_ call: Call) async throws(Problem) -> Response {
        let source = call.query.text("source")
        let readsPast = call.access.mayRead
        let present = present
        var response = try await reader.answer(call) { snapshot, bytes in
            // A client who may see only the present is not told which sources there are.
            if let source, readsPast { try snapshot.requireSource(named: source) }
            let now = WallClock.now
            var status = try snapshot.status(
                asOf: now,
                of: source.map { .named($0) } ?? .readable
            )
            present.show(in: &status)
            if !readsPast { status.keepTripsThatGoOn() }
            LedgerGlance.columns.noting(try snapshot.missingEntries())
                .appendJSON(
                    LedgerGlance(status, asOf: EventTime(now)),
                    to: &bytes,
                    by: snapshot.clock
                )
        }
        let scopes = call.access.scopes.map(\.rawValue)
        response.headers[.ledgerScopes] = scopes.joined(separator: " ")
        response.headers[.ledgerSight] = call.sight.isEverything ? "everything" : "part"
        return response
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
            let clock = try snapshot.requireClock()
            let period =
                try call.query.period(by: clock) ?? Query.period(from: nil, to: nil, by: clock)
            // The total comes last, and has no name, as the group of trips without one has none.
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
