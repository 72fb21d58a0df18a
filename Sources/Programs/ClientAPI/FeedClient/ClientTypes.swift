import Hummingbird
import JSONText
import LedgerHTTP
import TripEvents
import TripLedger

/// The types of events, as the feed client has them: the routines of the ledger, and one for trips
/// without a routine.
///
/// A routine has no id and no color. The client's values for these are kept with the event that
/// saves the routine, and stay when others save it.
struct ClientTypes: Sendable {
    /// A type.
    struct EventType: Sendable {
        /// Its id.
        var id: String

        /// The routine; `nil` for the type of trips without a routine.
        var routine: String?

        /// The client's members beside the name.
        var added = ClientObject()

        /// When it was made, and when it was last changed.
        var createdAt: Timestamp
        var updatedAt: Timestamp

        /// Returns the type as the client reads it.
        func object(of user: String) -> ClientObject {
            ClientObject([
                ("id", .text(id)), ("user_id", .text(user)),
                ("name", .text(routine ?? ClientTypes.nameOfTrips)),
                ("color", added["color"] ?? .text("#3B82F6")),
                ("icon", added["icon"] ?? .text("car.fill")),
                ("created_at", .text(createdAt.wholeSeconds)),
                ("updated_at", .text(updatedAt.wholeSeconds)),
            ])
        }
    }

    /// The id of the type of trips without a routine, unless a routine has it.
    static let idOfTrips = "trip"

    private static let nameOfTrips = "Trip"

    /// The members of an event that saves a routine which the client adds.
    static let added = ["event_type_id", "color", "icon"]

    /// The latest type of each routine that ever existed, by the bytes of its name.
    private var byName: [[UInt8]: EventType] = [:]

    /// The bytes of the names of the routines that there are.
    private var present: Set<[UInt8]> = []

    /// The bytes of the names of routines, by the ids that their types had before another one took
    /// the name over, which older servers allowed.
    private var former: [NameKey: [UInt8]] = [:]

    /// The content of an event that saved a routine, and the type as it was then.
    struct Posted: Sendable {
        /// The name, and what was added.
        let said: ClientObject

        /// The type.
        let type: EventType
    }

    /// The events that saved routines, by their ids.
    private var posted: [NameKey: Posted] = [:]

    private let ofTrips: EventType

    /// Makes the types of all decisions that saved and removed routines.
    init(_ decisions: [Decision], begunAt: Timestamp) {
        ofTrips = EventType(id: Self.idOfTrips, createdAt: begunAt, updatedAt: begunAt)
        for decision in decisions.sorted() {
            let at = decision.recordedAt
            switch decision.event.body {
            case .routineSaved(let saving):
                let name = saving.routine
                let added = ClientObject(addedTo: decision.event)
                let key = Array(name.utf8)
                var type =
                    byName[key]
                    ?? EventType(
                        id: ClientID.id(of: name),
                        routine: name,
                        createdAt: at,
                        updatedAt: at
                    )
                type.added.merge(added, Self.added)
                let formerID = type.id
                type.id = type.added["event_type_id"]?.text ?? type.id
                if present.contains(key), !formerID.hasSameBytes(as: type.id) {
                    former[NameKey(formerID)] = key
                }
                former[NameKey(type.id)] = nil
                type.updatedAt = at
                // A type that has another name now keeps the time at which it was made.
                if let old = byName.values.first(where: { $0.id.hasSameBytes(as: type.id) }) {
                    type.createdAt = min(old.createdAt, type.createdAt)
                }
                byName[key] = type
                present.insert(key)
                if let id = decision.event.id {
                    var said = added
                    said["name"] = .text(name)
                    posted[NameKey(id)] = Posted(said: said, type: type)
                }
            case .routineRemoved(let removal):
                let key = Array(removal.routine.utf8)
                present.remove(key)
                byName[key]?.updatedAt = at
            default: break
            }
        }
    }

    /// The types that there are, in order of their names' bytes, then that of trips without one.
    var all: [EventType] {
        let types = present.sorted { $0.lexicographicallyPrecedes($1) }
            .compactMap { byName[$0] }
        return types.contains { $0.id == ofTrips.id } ? types : types + [ofTrips]
    }

    /// Returns the type of an id; `nil` if there is none.
    func type(_ id: String) -> EventType? {
        let all = all
        let name = ClientID.name(of: id)
        return all.first { $0.id.hasSameBytes(as: id) }
            ?? all.first { $0.id.hasSameBytes(as: name) }
            ?? all.first { $0.routine.hasSameBytes(as: name) }
            ?? all.first { $0.id.hasSameBytes(as: presentID(of: id)) }
    }

    /// Returns the present id of a type: a different one if another type took its name over.
    func presentID(of id: String) -> String {
        former[NameKey(id)].flatMap { byName[$0]?.id } ?? id
    }

    /// Returns the id of the type of a routine, which may have been removed.
    func id(ofRoutine name: String) -> String {
        byName[Array(name.utf8)]?.id ?? ClientID.id(of: name)
    }

    /// Returns the type that has a name, other than the one of an id; `nil` if there is none.
    func other(than id: String, named name: String) -> EventType? {
        guard present.contains(Array(name.utf8)) else { return nil }
        return byName[Array(name.utf8)].flatMap { $0.id.hasSameBytes(as: id) ? nil : $0 }
    }

    /// Returns the routine of a type that there is; `nil` if it has none.
    func routine(ofType id: String) -> String? {
        let id = presentID(of: id)
        return present.compactMap { byName[$0] }.filter { $0.id.hasSameBytes(as: id) }
            .max { $0.updatedAt < $1.updatedAt }?
            .routine
    }

    /// Returns what an event of an id said when it saved a routine; `nil` if there is none.
    func posted(as id: String) -> Posted? { posted[NameKey(id)] }
}

// Types of events: routines that are saved and removed.
extension FeedClientEndpoint {
    /// The paths of types.
    var typeRoutes: [Route] {
        [
            route(
                .get,
                "event-types",
                "Types of events, which are routines",
                asList: true,
                for: Self.readers
            ) { call async throws(Problem) in
                let objects = try await read(call) { snapshot, events in
                    events.types.all.map { $0.object(of: events.user) }
                }
                return Self.response(.list(objects.map(\.value)))
            },
            route(
                .post,
                "event-types",
                "Makes a type",
                taking: Self.typeMembers,
                for: Self.editors,
                makeType
            ),
            route(.get, "event-types/{type}", "A type", for: Self.readers) {
                call async throws(Problem) in
                Self.response(try await type(call.words[0], call).value)
            },
            route(
                .put,
                "event-types/{type}",
                "Changes a type",
                taking: Self.typeMembers.optional,
                for: Self.editors,
                changeType
            ),
            route(.delete, "event-types/{type}", "Deletes a type", for: Self.editors, deleteType),
        ]
    }

    /// The members of a type in a request.
    private static let typeMembers = [
        BodyMember("id", .uuid), BodyMember("name", .text(most: 200), isRequired: true),
        BodyMember("color", .text(most: 100)), BodyMember("icon", .text(most: 100)),
    ]

    private func type(_ id: String, _ call: Call) async throws(Problem) -> ClientObject {
        let object = try await read(call) { _, events in
            events.types.type(id)?.object(of: events.user)
        }
        guard let object else { throw .noSuchID }
        return object
    }

    private func makeType(_ call: Call) async throws(Problem) -> Response {
        try await making(call) { request async throws(Problem) in
            let (id, wanted) = try Self.checking { () throws(ClientComplaint) in
                (try request.newID(), try Self.wanted(request.object))
            }
            let eventID = "event_type:\(id)"
            let types = try await read(call) { $1.types }
            let posted = types.posted(as: eventID)
            if let posted {
                let differing = ["name", "color", "icon"]
                    .filter { posted.said[$0]?.text != wanted[$0]?.text }
                if differing.isEmpty {
                    try await bind(id, call)
                    // The type may have been deleted since it was made.
                    let object = try await read(call) { $1.types.type(id)?.object(of: $1.user) }
                    return Self.made(object ?? posted.type.object(of: user), isReplayed: true)
                }
                guard !request.isNamed(id) else { throw .clientKeyReused(differing) }
            }
            if types.routine(ofType: id) != nil { return try await changeType(id, request, call) }
            let name = wanted["name"]?.text ?? ""
            if let other = types.other(than: id, named: name) { throw .duplicateType(other.id) }
            var added = wanted
            added["name"] = nil
            added["event_type_id"] = .text(id)
            let saved = RoutineSaved(routine: name, details: TripDetails(), pattern: TripPattern())
            // A deleted type becomes a new one, and its first name is taken.
            let event = try Self.checking { () throws(ClientComplaint) in
                try request.author.event(
                    .routineSaved(saved),
                    id: posted == nil ? eventID : nil,
                    adding: added
                )
            }
            try await decide([event], by: request.author)
            try await bind(id, call)
            return Self.made(try await type(id, call), isReplayed: false)
        }
    }

    /// Applies the routine of a type to the trips that were of the type before there was one: the
    /// client may deliver its events first.
    private func bind(_ id: String, _ call: Call) async throws(Problem) {
        let author = author(call)
        let applied = try await read(call) { snapshot, events in
            var applied: [TripEvent] = []
            guard let routine = events.types.routine(ofType: id) else { return applied }
            try snapshot.readTrips { trip in
                guard trip.booked.routine == nil else { return true }
                let row = try events.row(trip, in: snapshot)
                guard events.typeID(of: row).hasSameBytes(as: id) else { return true }
                let application = RoutineApplied(
                    trip: trip.trip.id,
                    tripStartedAt: trip.trip.startedAt,
                    routine: routine
                )
                let eventID = row.report.map { "\($0.event.id ?? "")/event_type" }
                applied.append(author.event(.routineApplied(application), id: eventID))
                return true
            }
            return applied
        }
        var rest = applied[...]
        while !rest.isEmpty {
            try await decide(Array(rest.prefix(Self.mostBound)), by: author)
            rest = rest.dropFirst(Self.mostBound)
        }
    }

    /// The most trips to which a routine is applied in one commit.
    private static let mostBound = 500

    /// Returns the members of a type in a request.
    private static func wanted(_ request: ClientObject) throws(ClientComplaint) -> ClientObject {
        ClientObject([
            ("name", .text(try request.requiredText("name"))),
            ("color", try request.text("color", most: 100).map { .text($0) }),
            ("icon", try request.text("icon", most: 100).map { .text($0) }),
        ])
    }

    private func changeType(_ call: Call) async throws(Problem) -> Response {
        try await making(call) { request async throws(Problem) in
            try await changeType(call.words[0], request, call)
        }
    }

    private func changeType(
        _ id: String,
        _ request: ClientRequest,
        _ call: Call
    ) async throws(Problem) -> Response {
        let (types, routines) = try await read(call) { ($1.types, try $0.routines()) }
        guard let old = types.type(id) else { throw .noSuchID }
        if let name = request.object["name"]?.text,
            let other = types.other(than: old.id, named: name)
        {
            throw .duplicateType(other.id)
        }
        let changes = try Self.checking { () throws(ClientComplaint) in
            try Self.changes(request, of: old, routines)
        }
        try await decide(changes, by: request.author)
        return Self.response(try await type(old.id, call).value)
    }

    private static func changes(
        _ request: ClientRequest,
        of old: ClientTypes.EventType,
        _ routines: RoutineCatalogue
    ) throws(ClientComplaint) -> [TripEvent] {
        guard let name = old.routine, let routine = routines.routine(named: name) else {
            throw ClientComplaint("id", "this type is for trips without a routine, and stays so")
        }
        let newName = try request.object.text("name", most: 200) ?? name
        var added = old.added
        added["event_type_id"] = .text(old.id)
        for member in ["color", "icon"] {
            let text = try request.object.text(member, most: 100)
            added[member] = text.map { .text($0) } ?? added[member]
        }
        var events: [TripEvent] = []
        if newName != name {
            let removed = RoutineRemoved(routine: name)
            events.append(request.author.event(.routineRemoved(removed)))
        } else if added.bytes == old.added.bytes {
            return []
        }
        let saved = RoutineSaved(
            routine: newName,
            details: routine.details,
            pattern: routine.pattern
        )
        events.append(
            try request.author.event(
                .routineSaved(saved),
                after: Int64(events.count),
                adding: added
            )
        )
        return events
    }

    private func deleteType(_ call: Call) async throws(Problem) -> Response {
        let id = call.words[0]
        guard let old = try await read(call, { $1.types.type(id) }) else { throw .noSuchID }
        guard let name = old.routine else {
            throw ClientComplaint("id", "this type is for trips without a routine, and stays so")
                .problem
        }
        let removed = RoutineRemoved(routine: name)
        let author = author(call)
        try await decide([author.event(.routineRemoved(removed))], by: author)
        return Self.deleted
    }
}

extension ClientAuthor {
    /// Returns a decision with members that the client adds to it.
    func event(
        _ body: EventBody,
        id: String? = nil,
        after milliseconds: Int64 = 0,
        adding added: ClientObject
    ) throws(ClientComplaint) -> TripEvent {
        var event = event(body, id: id, after: milliseconds)
        event.supplement.extra = try added.extra()
        return event
    }
}
