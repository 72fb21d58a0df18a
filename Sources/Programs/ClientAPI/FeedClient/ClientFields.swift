import Hummingbird
import JSONText
import LedgerHTTP
import TripEvents
import TripLedger

/// The definitions of properties, as the feed client has them: the custom fields of the ledger.
///
/// The ledger's fields are for all trips, and the client's are each for a type: one field may be
/// several definitions of one key, which are kept with the event that defines it. A field that the
/// client does not know is a definition for trips without a routine.
struct ClientFields: Sendable {
    /// A definition.
    struct Definition: Sendable {
        /// The client's members that no field has: its id and type, and its default.
        var added: ClientObject

        /// Its id.
        var id: String

        /// The type of events that it is for.
        var typeID: String

        /// Whether the client has deleted it.
        var isDeleted: Bool

        /// Reads what was kept with an event that defines a field.
        fileprivate init?(_ added: ClientObject) {
            guard let id = added["id"]?.text, let type = added["event_type_id"]?.text else {
                return nil
            }
            self.added = added
            (self.id, typeID) = (id, type)
            isDeleted = if case .boolean(true) = added["deleted"] { true } else { false }
        }

        /// The definition of a field about which the client has said nothing.
        fileprivate init(ofField key: String) {
            (id, typeID, isDeleted) = (ClientID.id(of: key), ClientTypes.idOfTrips, false)
            added = ClientObject([("id", .text(id)), ("event_type_id", .text(typeID))])
        }

        /// Creates a definition as a request says it.
        init(_ request: ClientObject, id: String, typeID: String) {
            added =
                ClientObject([
                    ("id", .text(id)), ("event_type_id", .text(typeID)),
                    ("default_value", request.said("default_value")),
                ])
                .inOrder
            (self.id, self.typeID, isDeleted) = (id, typeID, false)
        }
    }

    /// A field.
    struct Field: Sendable {
        /// Its definition in the ledger.
        var defined: FieldDefined

        /// When that was made.
        var definedAt: Timestamp

        /// The definitions of it that the client has, also those that it has deleted.
        var definitions: [Definition]

        /// Returns a definition as the client reads it.
        func object(_ definition: Definition, of user: String) -> ClientObject {
            ClientObject([
                ("id", .text(definition.id)), ("event_type_id", .text(definition.typeID)),
                ("user_id", .text(user)), ("key", .text(defined.key)),
                ("label", .text(defined.label)),
                ("property_type", .text(defined.valueType.rawValue)),
                ("options", defined.options.map { .list($0.map { .text($0) }) }),
                ("default_value", definition.added["default_value"]),
                ("display_order", .number(literal: "\(defined.order ?? 0)")),
                ("created_at", .text(definedAt.wholeSeconds)),
                ("updated_at", .text(definedAt.wholeSeconds)),
            ])
        }
    }

    private static let added = "property_definitions"

    /// All fields.
    let all: [Field]

    /// Makes the definitions from the valid decisions about fields.
    init(_ decisions: [Decision]) {
        all = decisions.compactMap { decision in
            guard case .fieldDefined(let defined) = decision.event.body else { return nil }
            let kept = ClientObject(addedTo: decision.event)[Self.added]?.elements
            let definitions = kept.map { elements in
                elements.compactMap { ClientObject($0) }.compactMap { Definition($0) }
            }
            return Field(
                defined: defined,
                definedAt: decision.recordedAt,
                definitions: definitions ?? [Definition(ofField: defined.key)]
            )
        }
    }

    /// Returns the field of a key; `nil` if there is none.
    func field(_ key: String) -> Field? {
        all.first { $0.defined.key.hasSameBytes(as: key) }
    }

    /// Returns a definition that is not deleted, with its field; `nil` if there is none.
    func definition(_ id: String) -> (field: Field, definition: Definition)? {
        let name = ClientID.name(of: id)
        for field in all {
            for definition in field.definitions
            where !definition.isDeleted && [id, name].containsName(definition.id) {
                return (field, definition)
            }
        }
        return nil
    }

    /// Returns the definitions for a type, in order of the keys.
    func definitions(forType id: String) -> [(field: Field, definition: Definition)] {
        all.flatMap { field in
            field.definitions.filter { !$0.isDeleted && $0.typeID == id }.map { (field, $0) }
        }
    }
}

extension ClientFields {
    /// The members of a definition in a request.
    static let members = [
        BodyMember("id", .uuid), BodyMember("key", .text(most: 64), isRequired: true),
        BodyMember("label", .text(most: 200)),
        BodyMember(
            "property_type",
            .word(CustomFieldType.allCases.map(\.rawValue)),
            isRequired: true
        ),
        BodyMember("options", .texts), BodyMember("default_value", .any),
        BodyMember("display_order", .number(orders)),
    ]

    /// The allowed places of a field.
    private static let orders: ClosedRange<Int64> = 0...Int64(UInt32.max)

    /// Returns the event that defines a field, with the client's members for it.
    ///
    /// - Parameters:
    ///   - request: The client's request; members that are missing or null stay.
    ///   - key: The key.
    ///   - old: The field as it was; `nil` for a new one.
    ///   - definitions: The definitions that the client then has of it.
    /// - Returns: The field, and the client's members that the ledger does not have.
    /// - Throws: `ClientComplaint` if the field is invalid, or if it exists with another type.
    fileprivate static func defining(
        _ request: ClientObject,
        _ key: String,
        over old: Field?,
        _ definitions: [Definition]
    ) throws(ClientComplaint) -> (field: FieldDefined, added: ClientObject) {
        guard !FieldCatalogue.detailNames.contains(key) else {
            throw ClientComplaint("key", "every trip has \(key); choose another key")
        }
        let typeName = try request.text("property_type") ?? old?.defined.valueType.rawValue
        guard let type = typeName.flatMap({ CustomFieldType(rawValue: $0) }) else {
            let known = CustomFieldType.allCases.map(\.rawValue).joined(separator: ", ")
            throw ClientComplaint("property_type", "one of \(known) is needed")
        }
        let others = definitions.filter { !$0.isDeleted }.count > 1
        if let old, others, old.defined.valueType != type {
            throw ClientComplaint(
                "property_type",
                "\(key) is a field of type \(old.defined.valueType.rawValue) already"
            )
        }
        var options = request.said("options")?.texts ?? old?.defined.options
        if type != .select || options?.isEmpty == true { options = nil }
        guard type != .select || options != nil else {
            throw ClientComplaint("options", "a field of type select needs one for each choice")
        }
        let order = try request.number("display_order", in: orders)
        let defined = FieldDefined(
            key: key,
            label: try request.text("label", most: 200) ?? old?.defined.label ?? key,
            valueType: type,
            options: options,
            order: order?.units(places: 0).flatMap { UInt32(exactly: $0) } ?? old?.defined.order
        )
        return (
            defined,
            ClientObject([(Self.added, .list(definitions.map(\.added.value)))])
        )
    }
}

extension ClientFields.Definition {
    /// The definition after the client has deleted it: a field cannot be removed from a ledger.
    var deleted: ClientFields.Definition {
        var deleted = self
        deleted.isDeleted = true
        deleted.added["deleted"] = .boolean(true)
        return deleted
    }
}

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
                Self.response(try await definition(call.words[0], call).value)
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

    private func fields(_ call: Call) async throws(Problem) -> ClientFields {
        try await reader.read(seenBy: call.sight) { ClientFields(try $0.fieldDecisions()) }
    }

    private func definition(_ id: String, _ call: Call) async throws(Problem) -> ClientObject {
        guard let (field, definition) = try await fields(call).definition(id) else {
            throw .noSuchID
        }
        return field.object(definition, of: user)
    }

    private func listDefinitions(_ call: Call) async throws(Problem) -> Response {
        let word = call.words[0]
        let id = try await read(call) { $1.types.type(word)?.id } ?? word
        let objects = try await fields(call).definitions(forType: id)
            .map { $0.field.object($0.definition, of: user).value }
        return Self.response(.list(objects))
    }

    private func makeDefinition(_ call: Call) async throws(Problem) -> Response {
        let word = call.words[0]
        return try await making(call) { request async throws(Problem) in
            let typeID = try await read(call) { $1.types.type(word)?.id } ?? word
            let fields = try await fields(call)
            let (id, key) = try Self.checking { () throws(ClientComplaint) in
                (try request.newID(), try request.object.requiredText("key", most: 64))
            }
            if let (field, definition) = fields.definition(id) {
                let object = field.object(definition, of: user)
                let differing = ["key", "label", "property_type"]
                    .filter {
                        request.object[$0]?.text != object[$0]?.text
                    }
                if differing.isEmpty { return Self.made(object, isReplayed: true) }
                guard !request.isNamed(id) else { throw .clientKeyReused(differing) }
                return try await changeDefinition(id, request, call)
            }
            let event = try Self.checking { () throws(ClientComplaint) in
                let old = fields.field(key)
                let new = ClientFields.Definition(request.object, id: id, typeID: typeID)
                let others = (old?.definitions ?? []).filter { $0.id != id }
                return try Self.event(request, key, over: old, others + [new])
            }
            try await decide([event], by: request.author)
            return Self.made(try await definition(id, call), isReplayed: false)
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
        try await making(call) { request async throws(Problem) in
            try await changeDefinition(call.words[0], request, call)
        }
    }

    private func changeDefinition(
        _ id: String,
        _ request: ClientRequest,
        _ call: Call
    ) async throws(Problem) -> Response {
        guard let (field, old) = try await fields(call).definition(id) else { throw .noSuchID }
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
        try await decide([event], by: request.author)
        return Self.response(try await definition(old.id, call).value)
    }

    private func deleteDefinition(_ call: Call) async throws(Problem) -> Response {
        let id = call.words[0]
        let fields = try await fields(call)
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
        try await decide([event], by: request.author)
        return Self.deleted
    }
}
