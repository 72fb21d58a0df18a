import HTTPTypes
import Hummingbird
import JSONText
import LedgerHTTP
import ServerStore
import TripEvents
import TripLedger

// Events: trips that are reported, edited and voided.
extension FeedClientEndpoint {
    /// The paths of events.
    var eventRoutes: [Route] {
        [
            route(
                .post,
                Self.batch,
                "Makes up to \(Self.mostEvents) events, each for itself",
                taking: [
                    BodyMember(
                        "events",
                        .objects(ClientReport.members, most: Self.mostEvents),
                        isRequired: true
                    )
                ],
                for: Self.editors,
                makeSome
            ),
            route(
                .get,
                "events",
                "Events, newest first",
                [
                    Parameter(
                        "limit",
                        .number(1...1_000),
                        "The most events; 100 if it is not said"
                    ),
                    Parameter("offset", .number(0...UInt64(Int64.max)), "How many are left out"),
                    Parameter("external_id", .text, "Only those that have this external_id"),
                ],
                asList: true,
                for: Self.readers,
                list
            ),
            route(
                .post,
                "events",
                "Makes an event",
                taking: ClientReport.members,
                for: Self.editors,
                make
            ),
            route(.get, "events/{event}", "An event", for: Self.readers, one),
            route(
                .put,
                "events/{event}",
                "Changes an event",
                taking: ClientReport.members.optional,
                for: Self.editors,
                change
            ),
            route(.delete, "events/{event}", "Deletes an event", for: Self.editors, delete),
        ]
    }

    /// The path of several events.
    static let batch = "events/batch"

    /// The most events of a request.
    private static let mostEvents = 500

    private func list(_ call: Call) async throws(Problem) -> Response {
        let (limit, offset) = (call.query.limit, call.query.number("offset") ?? 0)
        let external = call.query.text("external_id")
        let bytes = try await read(call) { snapshot, events in
            var objects: [JSONValue] = []
            var left = offset
            var trips: [TripRow] = []
            try snapshot.readTrips { trip in
                if external != nil {
                    let object = events.object(try events.row(trip, in: snapshot))
                    guard object["external_id"]?.text == external else { return true }
                }
                guard left == 0 else {
                    left -= 1
                    return true
                }
                trips.append(trip)
                return trips.count < limit
            }
            for trip in trips {
                objects.append(events.object(try events.row(trip, in: snapshot)).value)
            }
            var bytes: [UInt8] = []
            JSONWriter.append(.list(objects), to: &bytes)
            return bytes
        }
        return Response(.ok, as: "application/json", bytes)
    }

    private func one(_ call: Call) async throws(Problem) -> Response {
        let id = call.words[0]
        let object = try await read(call) { snapshot, events in
            try events.row(id, in: snapshot).flatMap { $0.isShown ? events.object($0) : nil }
        }
        guard let object else { throw .noSuchID }
        return Self.response(object.value)
    }

    private func change(_ call: Call) async throws(Problem) -> Response {
        try Self.requireReader(call)
        let id = call.words[0]
        return try await answer(call) { request async throws(Problem) in
            let (row, events) = try await read(call) { (try $1.row(id, in: $0), $1) }
            guard let row, row.isShown else { throw .noSuchID }
            let changes = try Self.checking { () throws(ClientComplaint) in
                try ClientEdit(request.object, of: row, in: events)
                    .events(events.types, by: request.author)
            }
            try await decide(changes, by: request.author)
            return try await one(call)
        }
    }

    /// Requires that the client may read, as it is answered what is stored: of an id that is known,
    /// all that anyone has said of that trip.
    private static func requireReader(_ call: Call) throws(Problem) {
        try call.access.require(.read, or: .admin)
    }

    private func delete(_ call: Call) async throws(Problem) -> Response {
        let id = call.words[0]
        let row = try await read(call) { try $1.row(id, in: $0) }
        guard let row else { throw .noSuchID }
        if row.isShown {
            let void = row.voided(because: "Deleted in an app")
            let author = author(call)
            try await decide([author.event(.tripVoided(void))], by: author)
        }
        return Self.deleted
    }
}

// MARK: - Making

extension FeedClientEndpoint {
    /// An event that a request makes, and its outcome.
    private struct Made: Sendable {
        var id: String
        var report: ClientReport
        var events: [TripEvent]

        /// Whether the same was made before, and nothing was stored now.
        var isRepeat = false

        /// Whether there was an event already, which was changed to what the client says now.
        var isChange = false
    }

    private func make(_ call: Call) async throws(Problem) -> Response {
        try Self.requireReader(call)
        return try await making(call) { request async throws(Problem) in
            let outcomes = try await make([request.object.value], request, call)
            let made: Made
            switch outcomes[0] {
            case .success(let outcome): made = outcome
            case .failure(.complaint(let complaint)): throw complaint.problem
            case .failure(.refused(let problem)): throw problem
            case .failure(.reused(let fields)): throw .clientKeyReused(fields)
            }
            guard let object = try await objects([made.id], call)[0] else { throw .noSuchID }
            return made.isChange
                ? Self.response(object.value) : Self.made(object, isReplayed: made.isRepeat)
        }
    }

    private func makeSome(_ call: Call) async throws(Problem) -> Response {
        try Self.requireReader(call)
        return try await making(call) { request async throws(Problem) in
            guard let items = request.object["events"]?.elements,
                1...Self.mostEvents ~= items.count
            else {
                throw ClientComplaint("events", "a list of 1 to \(Self.mostEvents) is needed")
                    .problem
            }
            let outcomes = try await make(items, request, call)
            var (ids, errors): ([String], [JSONValue]) = ([], [])
            for (index, outcome) in outcomes.enumerated() {
                switch outcome {
                case .success(let made): ids.append(made.id)
                case .failure(let failure):
                    let error = ClientObject([
                        ("index", .number(literal: "\(index)")),
                        ("message", .text(failure.message)),
                    ])
                    errors.append(error.value)
                }
            }
            let created = try await objects(ids, call).compactMap { $0?.value }
            let answer = ClientObject([
                ("created", .list(created)), ("errors", errors.isEmpty ? nil : .list(errors)),
                ("total", .number(literal: "\(items.count)")),
                ("success", .number(literal: "\(ids.count)")),
                ("failed", .number(literal: "\(errors.count)")),
            ])
            if errors.isEmpty { return Self.response(answer.value, .created) }
            return Self.response(answer.value, ids.isEmpty ? .badRequest : .someMade)
        }
    }

    /// Why an event was not made.
    private enum Failure: Error {
        case complaint(ClientComplaint)
        case refused(Problem)
        case reused([String])

        var message: String {
            switch self {
            case .complaint(let complaint): complaint.message
            case .refused(let problem): problem.detail
            case .reused(let fields):
                "id: it was used for something else, with another \(fields.joined(separator: ", "))"
            }
        }
    }

    /// Makes events, each for itself, or changes those that there are: one of a known id, or of a
    /// sample of HealthKit.
    private func make(
        _ items: [JSONValue],
        _ request: ClientRequest,
        _ call: Call
    ) async throws(Problem) -> [Result<Made, Failure>] {
        let events = try await read(call) { $1 }
        var outcomes = items.map { item in
            Result { () throws(ClientComplaint) in
                try Self.made(item, request, events, isAlone: items.count == 1)
            }
            .mapError { Failure.complaint($0) }
        }
        let there = try await eventsOfSamples(in: outcomes, call)
        // Decisions about a trip are stored once the trip is.
        let indices = outcomes.indices.filter {
            (try? outcomes[$0].get()) != nil && there[$0] == nil
        }
        var changed = there
        let reports = indices.compactMap { try? outcomes[$0].get().events.first }
        var more: [TripEvent] = []
        for (index, answer) in zip(indices, try await decideEach(reports, by: request.author)) {
            guard case .success(var made) = outcomes[index] else { continue }
            let receipt: Receipt
            do throws(Problem) {
                receipt = try answer.get()
            } catch {
                outcomes[index] = .failure(.refused(error))
                continue
            }
            switch receipt {
            case .conflict:
                let differing = try await differences(made, call)
                if differing.isEmpty {
                    made.isRepeat = true
                } else if request.isNamed(made.id) {
                    outcomes[index] = .failure(.reused(differing))
                    continue
                } else {
                    changed[index] = made.id
                }
            case .duplicate: made.isRepeat = true
            case .rejected(let rejection):
                outcomes[index] = .failure(.complaint(ClientComplaint(rejection)))
                continue
            case .appended, .heldBack, .passedOver: break
            }
            if changed[index] == nil { more += made.events.dropFirst() }
            outcomes[index] = .success(made)
        }
        _ = try await decideEach(more, by: request.author)
        for (index, id) in changed.sorted(by: { $0.key < $1.key }) {
            outcomes[index] = try await change(id, to: outcomes[index], items[index], call)
        }
        return outcomes
    }

    /// Returns the ids of existing events of the samples of requested events, by the indices of the
    /// requested events.
    private func eventsOfSamples(
        in outcomes: [Result<Made, Failure>],
        _ call: Call
    ) async throws(Problem) -> [Int: String] {
        var asked: [(index: Int, id: String, sample: String)] = []
        for (index, outcome) in outcomes.enumerated() {
            guard let made = try? outcome.get(),
                let sample = made.report.added[ClientReport.sample]?.text
            else { continue }
            asked.append((index, made.id, sample))
        }
        guard !asked.isEmpty else { return [:] }
        let (samples, source) = (samples, author(call).reportSource)
        let (ledger, all) = (reader.ledger, asked)
        return try await read(call) { snapshot, events in
            var (ids, latest): ([Int: String], [NameKey: String]) = ([:], [:])
            for (index, id, sample) in all {
                let key = NameKey(sample)
                if latest[key] == nil {
                    // A deleted event may be made again.
                    latest[key] = try samples.ids(of: sample, reportedFrom: source, in: ledger)
                        .first { try events.row($0, in: snapshot)?.isShown ?? false }
                }
                let known = latest[key] ?? id
                latest[key] = known
                if !known.hasSameBytes(as: id) { ids[index] = known }
            }
            return ids
        }
    }

    /// Changes the event of an id to the event that a request asks for.
    private func change(
        _ id: String,
        to outcome: Result<Made, Failure>,
        _ item: JSONValue,
        _ call: Call
    ) async throws(Problem) -> Result<Made, Failure> {
        guard case .success(var made) = outcome, let object = ClientObject(item) else {
            return outcome
        }
        do throws(Problem) {
            let author = author(call)
            if let row = try await read(call, { try $1.row(id, in: $0) }), !row.isShown {
                let restored = TripRestored(
                    trip: row.booked.id,
                    tripStartedAt: row.booked.trip.startedAt
                )
                try await decide([author.event(.tripRestored(restored))], by: author)
            }
            let (row, events) = try await read(call) { (try $1.row(id, in: $0), $1) }
            guard let row else { throw .noSuchID }
            let changes: [TripEvent]
            do throws(ClientComplaint) {
                changes = try ClientEdit(object, of: row, in: events)
                    .events(events.types, by: author)
            } catch {
                return .failure(.complaint(error))
            }
            try await decide(changes, by: author)
        } catch {
            // It is not known what was stored, so the client must send everything again.
            guard error.status.kind == .clientError else { throw error }
            return .failure(.refused(error))
        }
        made.id = id
        made.isChange = true
        return .success(made)
    }

    private static func made(
        _ item: JSONValue,
        _ request: ClientRequest,
        _ events: ClientEvents,
        isAlone: Bool
    ) throws(ClientComplaint) -> Made {
        guard let object = ClientObject(item) else {
            throw ClientComplaint("event", "it is \(item.typeName), and an object is needed")
        }
        let kept = ClientProperties.Kept(ofSource: object["source_type"]?.text)
        let report = try ClientReport(object, events.catalogue, keeping: kept)
        let id =
            if let id = report.id { id } else if isAlone { try request.newID() } else {
                ClientID.random()
            }
        let made = try report.events(as: id, events.types, by: request.author)
        return Made(id: id, report: report, events: made)
    }

    /// Returns the members in which an event differs from the one that was made under its id.
    private func differences(_ made: Made, _ call: Call) async throws(Problem) -> [String] {
        let id = made.id
        let trip = TripID(openedBy: id, from: author(call).reportSource)
        let stored = try await reader.read(seenBy: call.sight) { snapshot in
            try snapshot.decisions(about: trip)
                .first { $0.event.id == id }
        }
        guard let stored, case .tripReported(let old) = stored.event.body else { return ["id"] }
        return made.report.differences(from: old, ClientObject(addedTo: stored.event))
    }

    /// Returns events as the client reads them.
    private func objects(
        _ ids: [String],
        _ call: Call
    ) async throws(Problem) -> [ClientObject?] {
        try await read(call) { snapshot, events in
            try ids.map { id in try events.row(id, in: snapshot).map { events.object($0) } }
        }
    }
}

extension HTTPResponse.Status {
    /// Only some of several things were done (RFC 4918, 11.1).
    static let someMade = HTTPResponse.Status(code: 207, reasonPhrase: "Multi-Status")
}
