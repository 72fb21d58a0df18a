import Hummingbird
import JSONText
import TripEvents
import TripLedger

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
                let objects = try await read { snapshot, events in
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
                Self.response(try await type(call.words[0]).value)
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

    /// What a request says of a type.
    private static let typeMembers = [
        BodyMember("id", .uuid), BodyMember("name", .text(most: 200), isRequired: true),
        BodyMember("color", .text(most: 100)), BodyMember("icon", .text(most: 100)),
    ]

    private func type(_ id: String) async throws(Problem) -> ClientObject {
        let object = try await read { _, events in
            events.types.type(id)?.object(of: events.user)
        }
        guard let object else { throw .noSuchID }
        return object
    }

    private func makeType(_ call: Call) async throws(Problem) -> Response {
        try await answer(call) { request async throws(Problem) in
            let (id, wanted) = try Self.checking { () throws(ClientComplaint) in
                (try request.newID(), try Self.wanted(request.object))
            }
            let eventID = "event_type:\(id)"
            let (posted, routine) = try await reader.read { snapshot in
                let types = ClientTypes(
                    try snapshot.routineDecisions(),
                    begunAt: Timestamp(milliseconds: 0)
                )
                let name = wanted["name"]?.text ?? ""
                return (types.posted(as: eventID), try snapshot.routines().routine(named: name))
            }
            if let posted {
                let differing = ["name", "color", "icon"]
                    .filter { posted.said[$0]?.text != wanted[$0]?.text }
                guard differing.isEmpty else { throw .clientKeyReused(differing) }
                // It may have been deleted since it was made.
                let object = try await read { $1.types.type(id)?.object(of: $1.user) }
                return Self.made(object ?? posted.type.object(of: user), isReplayed: true)
            }
            var added = wanted
            added["name"] = nil
            added["event_type_id"] = .text(id)
            let saved = RoutineSaved(
                routine: wanted["name"]?.text ?? "",
                details: routine?.details ?? TripDetails(),
                pattern: routine?.pattern ?? TripPattern()
            )
            let event = try Self.checking { () throws(ClientComplaint) in
                try request.author.event(.routineSaved(saved), id: eventID, adding: added)
            }
            try await store([event])
            return Self.made(try await type(id), isReplayed: false)
        }
    }

    /// Returns what a request says that a type is.
    private static func wanted(_ request: ClientObject) throws(ClientComplaint) -> ClientObject {
        ClientObject([
            ("name", .text(try request.requiredText("name"))),
            ("color", try request.text("color", most: 100).map { .text($0) }),
            ("icon", try request.text("icon", most: 100).map { .text($0) }),
        ])
    }

    private func changeType(_ call: Call) async throws(Problem) -> Response {
        let id = call.words[0]
        return try await answer(call) { request async throws(Problem) in
            let (old, routines) = try await read { snapshot, events in
                (events.types.type(id), try snapshot.routines())
            }
            guard let old else { throw .noSuchID }
            let changes = try Self.checking { () throws(ClientComplaint) in
                try Self.changes(request, of: old, routines)
            }
            try await store(changes)
            return Self.response(try await type(old.id).value)
        }
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
            guard routines.routine(named: newName) == nil else {
                throw ClientComplaint("name", "another type is called \(newName)")
            }
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
        guard let old = try await read({ $1.types.type(id) }) else { throw .noSuchID }
        guard let name = old.routine else {
            throw ClientComplaint("id", "this type is for trips without a routine, and stays so")
                .problem
        }
        let removed = RoutineRemoved(routine: name)
        try await store([author(call).event(.routineRemoved(removed))])
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
