import HTTPTypes
import Hummingbird
import JSONText
import LedgerHTTP
import Platform
import ServerStore
import TripEvents
import TripLedger

/// Serves an app that has a button and a position, but no clock: `/webhook/…`.
///
/// The app asks what its trip is doing. The answer follows from the status of its token's source
/// just before and just after the request was stored; nothing else is kept of a trip.
struct WebhookEndpoint: Sendable {
    /// The reader of the ledger.
    let reader: LedgerReader

    /// The writer that appends events.
    let writer: EventWriter

    /// The bodies of all requests.
    let bodies: RequestBodies

    private let turns = WebhookTurns()

    init(reader: LedgerReader, writer: EventWriter, bodies: RequestBodies) {
        self.reader = reader
        self.writer = writer
        self.bodies = bodies
    }

    /// The paths.
    var routes: [Route] {
        [
            action("ping", "Stores where the app is, and begins a trip if none goes on", ping),
            action(
                "start",
                "Begins a trip where the app is, or goes on with the one there is",
                ping
            ),
            action("end", "Ends the trip where the app is", end),
            action("finalize", "Ends the trip", end),
            action("cancel", "Ends the trip, and says that it was none", cancel),
            Route(
                .get,
                "/webhook/status",
                "How far the trip has got that goes on",
                Self.parameters,
                as: .object("webhook-answer.status"),
                for: [.ingest, .read, .live, .admin],
                refusing: .detail,
                reaching: .seen,
                status
            ),
        ]
    }

    /// The most bytes of a body.
    private static let mostBytes = 4_096

    private static let parameters = [
        Parameter("user", .text, "Whose trip it is, which is answered and not looked at"),
        Parameter("car_id", .text, "The vehicle, if one of that name is registered"),
        Parameter("device_id", .text, "The device, which is kept with the beginning of a trip"),
    ]

    /// The members of the app's position, in degrees.
    private static let position = [
        BodyMember("lat", .number(-90...90), isRequired: true),
        BodyMember("lng", .number(-180...180), isRequired: true),
    ]

    private func action(
        _ name: String,
        _ summary: String,
        _ act: @escaping @Sendable (WebhookRequest) async throws(Problem) -> WebhookAnswer
    ) -> Route {
        let (turns, bodies) = (turns, bodies)
        let needsPosition = !["finalize", "cancel"].contains(name)
        return Route(
            .post,
            "/webhook/\(name)",
            summary,
            Self.parameters,
            taking: BodyForm(
                kinds: [("application/json", [])],
                members: needsPosition ? Self.position : Self.position.optional,
                isOpen: true,
                isRequired: needsPosition
            ),
            as: .object("webhook-answer.action"),
            for: [.ingest, .admin],
            refusing: .detail,
            reaching: .seen
        ) { call async throws(Problem) in
            try await bodies.withBody(of: call, atMost: Self.mostBytes) {
                body async throws(Problem) in
                let request = try WebhookRequest(call, body, needsPosition: needsPosition)
                let answer = try await turns.take(
                    request,
                    named: name,
                    activeTrip: activeTrip,
                    act
                )
                return Response(object: answer.members)
            }
        }
    }
}

// MARK: - What is done

extension WebhookEndpoint {
    private func ping(_ request: WebhookRequest) async throws(Problem) -> WebhookAnswer {
        let now = WallClock.now
        let before = try await activity(of: request, asOf: now)
        var lines: [WebhookLine] = []
        if before?.live.trip == nil {
            lines.append(request.go(at: now, vehicle: try await vehicle(of: request)))
        }
        lines.append(request.fix(at: now))
        try await store(lines, of: request.group)
        let after = try await activity(of: request, asOf: now)
        return request.answer(WebhookState(before: before?.live, after: after?.live).rawValue)
    }

    private func end(_ request: WebhookRequest) async throws(Problem) -> WebhookAnswer {
        let now = WallClock.now
        guard let trip = try await activity(of: request, asOf: now)?.live.trip else {
            return request.answer("ignored", reason: "no_active_trip")
        }
        let fix = request.position.map { _ in request.fix(at: now) }
        try await store([fix, request.stop(at: now)].compactMap(\.self), of: request.group)
        // The trip's last position may have shown that another trip had begun.
        let ended = try await reader.read(seenBy: request.access.sight) { snapshot in
            try snapshot.status(asOf: now, of: .named(request.source)).sources.first?.awaited
                ?? snapshot.tripRow(trip.id)?.booked
        }
        guard let ended, ended.counts else {
            let reason = ended?.abandonReason.map(\.rawValue) ?? ended?.status.rawValue
            return request.answer("skipped", reason: reason ?? "no_trip")
        }
        return request.answer("finalized", kilometers: ended.claimedDistance)
    }

    private func cancel(_ request: WebhookRequest) async throws(Problem) -> WebhookAnswer {
        let now = WallClock.now
        if let trip = try await activity(of: request, asOf: now)?.live.trip {
            // The decision comes first: if only that is stored, a repeat finds the trip again.
            _ = try await writer.decide(request.void(trip.id))
            try await store([request.stop(at: now)], of: request.group)
        }
        return request.answer("cancelled")
    }

    private func status(_ call: Call) async throws(Problem) -> Response {
        let request = try WebhookRequest(call, [], needsPosition: false)
        let bytes = try await reader.read(seenBy: request.access.sight) { snapshot in
            let now = WallClock.now
            let status = try snapshot.status(asOf: now, of: .named(request.source))
            var bytes: [UInt8] = []
            let figures = try status.sources.first.flatMap { source in
                try WebhookFigures(of: source, in: snapshot)
            }
            JSONWriter.append(WebhookFigures.members(figures), to: &bytes)
            return bytes
        }
        return Response(.ok, as: "application/json", bytes)
    }

    private func activity(
        of request: WebhookRequest,
        asOf now: Timestamp
    ) async throws(Problem) -> LedgerStatus.Source? {
        try await reader.read(seenBy: request.access.sight) { snapshot in
            try snapshot.status(asOf: now, of: .named(request.source)).sources.first
        }
    }

    /// Returns the trip in progress; `nil` if there is none.
    private func activeTrip(_ request: WebhookRequest) async throws(Problem) -> TripID? {
        try await activity(of: request, asOf: WallClock.now)?.live.trip?.id
    }

    /// Returns the vehicle that the app names, if there is one of that name.
    private func vehicle(of request: WebhookRequest) async throws(Problem) -> String? {
        guard let name = request.car else { return nil }
        return try await reader.read(seenBy: request.access.sight) { snapshot in
            try snapshot.vehicles().vehicle(named: name, for: request.group).map { _ in name }
        }
    }

    /// Stores events, all of them or none.
    private func store(_ lines: [WebhookLine], of group: String?) async throws(Problem) {
        var items: [Delivery.Item] = []
        var bytes: [UInt8] = []
        for line in lines {
            let start = bytes.count
            JSONWriter.append(line, to: &bytes)
            items.append(Delivery.Item(.success(start..<bytes.count)))
        }
        var delivery = Delivery(items, in: bytes)
        delivery.isAllOrNothing = true
        delivery.group = group
        let answer = try await writer.store(delivery)
        for line in answer.receipts {
            if case .rejected(let rejection) = line.receipt { throw .refused(rejection) }
        }
    }
}

extension Problem {
    /// The request cannot become an event.
    fileprivate static func refused(_ rejection: Rejection) -> Problem {
        Problem(
            kind: "invalid-parameter",
            status: .unprocessableContent,
            title: "This can be no event",
            detail: rejection.sentence,
            errors: [Detail(field: rejection.field ?? "", code: rejection.code.rawValue)]
        )
    }
}
