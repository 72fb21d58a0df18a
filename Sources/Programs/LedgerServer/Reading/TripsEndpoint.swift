import Hummingbird
import LedgerHTTP
import LedgerRows
import Platform
import Reports
import Tables
import TripLedger

/// Answers questions about trips.
struct TripsEndpoint: Sendable {
    /// The reader of the ledger.
    let reader: LedgerReader

    /// How trips are related to one another.
    let relations: KnownRelations

    /// The ways of long trips.
    let ways: KnownWays

    /// The most rows that a page of a list looks at.
    private static let mostRows = 10_000

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/trips",
                "Trips, newest first; a page may have fewer than asked for although there are more",
                Self.filters + [.cursor, .limit, .atLeast],
                as: .page(of: "trip"),
                reaching: .seen,
                list
            ),
            part("", "A trip", as: .object("trip"), one),
            part(
                "/explanation",
                "What a trip was computed from, event by event, and the trip",
                as: .lines("explanation", endingWith: "trip"),
                explanation
            ),
            part(
                "/options",
                "What can be decided about a trip now, and why the rest is refused",
                as: .object("trip-options"),
                options
            ),
            part("/history", "What people changed", as: .page(of: "amendment"), history),
            Route(
                .get,
                "/v1/trips/{trip}/track",
                "The way of a trip as a GeoJSON line, without points that change it least",
                [Self.most, .atLeast],
                as: AnswerForm(mediaType: "application/geo+json", schema: "trip-line"),
                reaching: .seen,
                track
            ),
        ]
    }

    private func part(
        _ part: String,
        _ summary: String,
        as form: AnswerForm,
        _ answer: @escaping @Sendable (Call) async throws(Problem) -> Response
    ) -> Route {
        Route(
            .get,
            "/v1/trips/{trip}\(part)",
            summary,
            [.atLeast],
            as: form,
            reaching: .seen,
            answer
        )
    }

    private static let filters =
        Query.days + [
            Parameter("class", .word(TripClass.allCases.map(\.rawValue)), "Only of this class"),
            Parameter("vehicle", .text, "Only with this vehicle"),
            Parameter("driver", .text, "Only of this driver"),
            Parameter(
                "place",
                .text,
                "Only from or to this place, or others",
                isRepeatable: true
            ),
            Parameter("source", .text, "Only of this source"), .group,
            Parameter(
                "text",
                .text,
                "Only with all these words in their details or the names of their ends"
            ),
            Parameter(
                "by_rule",
                .word(["yes"]),
                "Only those whose routine applies by itself"
            ),
            Parameter(
                "all",
                .word(["yes"]),
                "Also those that the rules discard, voided ones and parts of others"
            ),
            Parameter(
                "status",
                .word(BookedStatus.allCases.map(\.rawValue)),
                "Only trips with this status, also of all"
            ),
        ]

    private static let most = Parameter(
        "max",
        .number(2...20_000),
        "The most points; 2,000 if it is not said"
    )

    private func list(_ call: Call) async throws(Problem) -> Response {
        let position = try Self.position(in: call.query)
        let relations = relations
        return try await reader.page(call, of: NamedTrip.columns) { snapshot in
            let (places, drivers) = (try snapshot.places(), try snapshot.drivers())
            var filter = try Self.filter(call.query, by: snapshot.requireClock(), places)
            filter.group = call.access.selection(in: call.query)
            if let vehicle = filter.vehicle {
                try snapshot.requireOneVehicle(named: vehicle, of: filter.group)
            }
            filter.driver = call.query.text("driver")
            filter.drivers = drivers
            let related = try relations.relations(in: snapshot)
            let page = try snapshot.tripPage(filter, after: position, mostRows: Self.mostRows)
            let rows = page.rows.map { row in
                NamedTrip(
                    row.booked,
                    places: places,
                    unrecorded: related.unrecorded[row.trip.id],
                    overlap: related.overlaps[row.trip.id],
                    drivers: drivers
                )
            }
            return (rows, page.next?.text)
        }
    }

    /// Returns the position at which a list of trips goes on; `nil` to begin.
    ///
    /// - Throws: `Problem` if the cursor is not one.
    static func position(in query: Query) throws(Problem) -> TripListPosition? {
        guard let cursor = query.text(Parameter.cursor.name) else { return nil }
        guard let position = TripListPosition(cursor) else {
            throw .invalidParameter(Parameter.cursor.name, "next_cursor of a page of trips")
        }
        return position
    }

    private static func filter(
        _ query: Query,
        by clock: LocalDay,
        _ places: PlaceBook
    ) throws -> TripFilter {
        let names = query.texts("place")
        for name in names where !places.versions.map(\.name).containsName(name) {
            throw Problem.invalidParameter("place", "the name of a place")
        }
        let status = query.text("status").flatMap(BookedStatus.init)
        var filter = TripFilter(
            limit: query.limit,
            includesUncounted: query.text("all") != nil || status != nil,
            period: try query.period(by: clock),
            tripClass: query.text("class").flatMap(TripClass.init),
            vehicle: query.text("vehicle"),
            eitherPlaces: names,
            places: places,
            source: query.text("source")
        )
        filter.text = query.text("text").map { TextSearch($0) }
        filter.status = status
        filter.isByRule = query.text("by_rule") != nil
        return filter
    }

    /// Returns the trip that a path names.
    private static func trip(_ call: Call) throws(Problem) -> TripReference {
        guard let reference = TripReference(call.words[0]) else { throw .unknown }
        return reference
    }

    private func one(_ call: Call) async throws(Problem) -> Response {
        let trip = try Self.trip(call)
        let response = try await reader.answer(call) { snapshot, bytes in
            let named = try NamedTrip(trip, in: snapshot)
            NamedTrip.columns.noting(try snapshot.missingEntries())
                .appendJSON(named, to: &bytes, by: snapshot.clock)
        }
        return Self.tagged(response)
    }

    /// Returns an answer about a trip with a tag of the last position in it, which `If-Match` of a
    /// decision about the trip needs.
    private static func tagged(_ response: Response) -> Response {
        var response = response
        let size = response.headers[.ledgerPosition].flatMap { UInt64($0) } ?? 0
        response.headers[.eTag] = TripCondition.tag(of: max(size, 1) - 1)
        return response
    }

    private func explanation(_ call: Call) async throws(Problem) -> Response {
        let trip = try Self.trip(call)
        return try await reader.answer(call, as: "application/x-ndjson") { snapshot, bytes in
            let explanation = try snapshot.explain(trip)
            try explanation.confirm(in: snapshot.path)
            for event in explanation.events {
                ExplainedEvent.columns.appendJSON(event, to: &bytes, by: snapshot.clock)
                bytes.append(UInt8(ascii: "\n"))
            }
            let booked = explanation.row.booked
            let named = NamedTrip(
                booked,
                places: try snapshot.places(),
                inferences: Array(try snapshot.inferences(beside: booked).reversed()),
                drivers: try snapshot.drivers()
            )
            NamedTrip.columns.noting(try snapshot.missingEntries())
                .appendJSON(named, to: &bytes, by: snapshot.clock)
            bytes.append(UInt8(ascii: "\n"))
        }
    }

    private func options(_ call: Call) async throws(Problem) -> Response {
        let trip = try Self.trip(call)
        let ways = ways
        let response = try await reader.answer(call) { snapshot, bytes in
            let options = try snapshot.options(
                of: trip,
                now: WallClock.now,
                for: call.access.group
            ) { snapshot, trip throws(LedgerError) in
                try ways.spans(of: trip, in: snapshot)
            }
            ListedOptions.columns.appendJSON(
                ListedOptions(options, places: try snapshot.places()),
                to: &bytes,
                by: snapshot.clock
            )
        }
        return Self.tagged(response)
    }

    private func history(_ call: Call) async throws(Problem) -> Response {
        let trip = try Self.trip(call)
        return try await reader.page(call, of: TripAmendment.columns) { snapshot in
            (try snapshot.history(of: try snapshot.trip(trip).trip.id), nil)
        }
    }

    private func track(_ call: Call) async throws(Problem) -> Response {
        let trip = try Self.trip(call)
        let most = call.query.number(Self.most.name).map { Int(clamping: $0) }
        let ways = ways
        return try await reader.answer(call, as: "application/geo+json") { snapshot, bytes in
            let id = try snapshot.trip(trip).trip.id
            let points = most ?? KnownWays.usualPoints
            bytes += try ways.line(of: id, mostPoints: points, in: snapshot)
        }
    }
}
