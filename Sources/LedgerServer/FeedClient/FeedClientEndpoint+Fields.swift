import Hummingbird
import JSONText
import TripEvents
import TripLedger

// Definitions of properties: custom fields that are defined.
extension FeedClientEndpoint {
    /// The paths of definitions.
    var fieldRoutes: [Route] {
        [
            route(
                .get,
                "event-types/{type}/properties",
                "Definitions of properties for a type, which are custom fields",
                asList: true,
                for: Self.readers,
                listDefinitions
            ),
            route(
                .post,
                "event-types/{type}/properties",
                "Makes a definition",
                taking: ClientFields.members,
                for: Self.owners,
                makeDefinition
            ),
            route(.get, "property-definitions/{definition}", "A definition", for: Self.readers) {
                call async throws(Problem) in
                Self.response(try await definition(call.words[0]).value)
            },
            route(
                .put,
                "property-definitions/{definition}",
                "Changes a definition",
                taking: ClientFields.members.optional,
                for: Self.owners,
                changeDefinition
            ),
            route(
                .delete,
                "property-definitions/{definition}",
                "Deletes a definition; the field stays in the ledger",
                for: Self.owners,
                deleteDefinition
            ),
        ]
    }

    private func fields() async throws(Problem) -> ClientFields {
        try await reader.read { ClientFields(try $0.fieldDecisions()) }
    }

    private func definition(_ id: String) async throws(Problem) -> ClientObject {
        guard let (field, definition) = try await fields().definition(id) else { throw .noSuchID }
        return field.object(definition, of: user)
    }

    private func listDefinitions(_ call: Call) async throws(Problem) -> Response {
        let word = call.words[0]
        let id = try await read { $1.types.type(word)?.id } ?? word
        let objects = try await fields().definitions(forType: id)
            .map { $0.field.object($0.definition, of: user).value }
        return Self.response(.list(objects))
    }

    private func makeDefinition(_ call: Call) async throws(Problem) -> Response {
        let word = call.words[0]
        return try await answer(call) { request async throws(Problem) in
            let typeID = try await read { $1.types.type(word)?.id } ?? word
            let fields = try await fields()
            let (id, key) = try Self.checking { () throws(ClientComplaint) in
                (try request.newID(), try request.object.requiredText("key", most: 64))
            }
            if let (field, definition) = fields.definition(id) {
                let object = field.object(definition, of: user)
                let differing = ["key", "label", "property_type"]
                    .filter {
                        request.object[$0]?.text != object[$0]?.text
                    }
                guard differing.isEmpty else { throw .clientKeyReused(differing) }
                return Self.made(object, isReplayed: true)
            }
            let event = try Self.checking { () throws(ClientComplaint) in
                let old = fields.field(key)
                let new = ClientFields.Definition(request.object, id: id, typeID: typeID)
                let others = (old?.definitions ?? []).filter { $0.id != id }
                return try Self.event(request, key, over: old, others + [new])
            }
            try await store([event])
            return Self.made(try await definition(id), isReplayed: false)
        }
    }

    private static func event(
        _ request: ClientRequest,
        _ key: String,
        over old: ClientFields.Field?,
        _ definitions: [ClientFields.Definition]
    ) throws(ClientComplaint) -> TripEvent {
        let (field, added) = try ClientFields.defining(request.object, key, over: old, definitions)
        return try request.author.event(.fieldDefined(field), adding: added)
    }

    private func changeDefinition(_ call: Call) async throws(Problem) -> Response {
        let id = call.words[0]
        return try await answer(call) { request async throws(Problem) in
            guard let (field, old) = try await fields().definition(id) else { throw .noSuchID }
            let event = try Self.checking { () throws(ClientComplaint) in
                let key = try request.object.text("key", most: 64) ?? field.defined.key
                guard key == field.defined.key else {
                    throw ClientComplaint("key", "it stays \(field.defined.key); make another one")
                }
                var new = old
                if let value = request.object["default_value"] {
                    new.added["default_value"] = request.object.said("default_value") ?? nil
                    if case .null = value { new.added["default_value"] = nil }
                }
                let definitions = field.definitions.map { $0.id == old.id ? new : $0 }
                return try Self.event(request, key, over: field, definitions)
            }
            try await store([event])
            return Self.response(try await definition(old.id).value)
        }
    }

    private func deleteDefinition(_ call: Call) async throws(Problem) -> Response {
        let id = call.words[0]
        let fields = try await fields()
        guard let (field, old) = fields.definition(id) else {
            let wasThere = fields.all.contains { field in
                field.definitions.contains { $0.isDeleted && $0.id == id }
            }
            guard wasThere else { throw .noSuchID }
            return Self.deleted
        }
        let request = ClientRequest(object: ClientObject(), author: author(call), key: nil)
        let definitions = field.definitions.map { $0.id == old.id ? $0.deleted : $0 }
        let event = try Self.checking { () throws(ClientComplaint) in
            try Self.event(request, field.defined.key, over: field, definitions)
        }
        try await store([event])
        return Self.deleted
    }
}
