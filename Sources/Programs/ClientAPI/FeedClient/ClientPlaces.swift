import Hummingbird
import JSONText
import LedgerHTTP
import TripEvents
import TripLedger

/// The geofences, as the feed client has them: the places of the ledger.
///
/// The geofence's id is the name of the place, and the geofence's name is its label. Further
/// members of the client are kept with the event that saves the place, and stay when others save
/// it.
struct ClientPlaces: Sendable {
    /// A geofence.
    struct Geofence: Sendable {
        /// The place.
        var saved: PlaceSaved

        /// The client's members that no place has.
        var added = ClientObject()

        /// When it was made, and when it was last changed.
        var createdAt: Timestamp
        var updatedAt: Timestamp

        /// Its id.
        var id: String { ClientID.id(of: saved.place) }

        /// Whether it is active.
        var isActive: Bool { if case .boolean(false) = added["is_active"] { false } else { true } }

        /// Whether the client wants to be told on arrival, and on departure.
        ///
        /// The ledger sends no notifications about a place that is not active, but keeps these
        /// settings.
        var notifies: (onEntry: JSONValue, onExit: JSONValue) {
            (
                added["notify_on_entry"] ?? .boolean(saved.notifiesOnEntry ?? false),
                added["notify_on_exit"] ?? .boolean(saved.notifiesOnExit ?? false)
            )
        }

        /// Returns the geofence as the client reads it.
        func object(of user: String) -> ClientObject {
            ClientObject([
                ("id", .text(id)), ("user_id", .text(user)),
                ("name", .text(saved.label ?? saved.place)),
                ("latitude", .number(literal: saved.latitude.description)),
                ("longitude", .number(literal: saved.longitude.description)),
                ("radius", .number(literal: saved.radiusMeters.description)),
                ("event_type_entry_id", added["event_type_entry_id"]),
                ("event_type_exit_id", added["event_type_exit_id"]),
                ("is_active", .boolean(isActive)), ("notify_on_entry", notifies.onEntry),
                ("notify_on_exit", notifies.onExit),
                ("ios_region_identifier", added["ios_region_identifier"]),
                ("created_at", .text(createdAt.wholeSeconds)),
                ("updated_at", .text(updatedAt.wholeSeconds)),
            ])
        }
    }

    /// The members of an event that saves a place which the client adds.
    private static let added = [
        "event_type_entry_id", "event_type_exit_id", "is_active", "ios_region_identifier",
        "notify_on_entry", "notify_on_exit",
    ]

    /// The geofences that there are, in order of the places' names.
    let all: [Geofence]

    private var posted: [NameKey: Geofence] = [:]

    /// Makes the geofences of all places and the decisions about them.
    init(_ places: PlaceBook, _ decisions: [Decision]) {
        // The geofences by the bytes of their names: two spellings of a letter are two names.
        var byName: [[UInt8]: Geofence] = [:]
        for decision in decisions.sorted() {
            switch decision.event.body {
            case .placeSaved(let saving):
                let at = decision.recordedAt
                let key = Array(saving.place.utf8)
                var geofence =
                    byName[key] ?? Geofence(saved: saving, createdAt: at, updatedAt: at)
                geofence.saved = saving
                geofence.updatedAt = at
                let added = ClientObject(addedTo: decision.event)
                // If the client does not give these, the place's own values hold.
                if added["is_active"] == nil {
                    for name in ["is_active", "notify_on_entry", "notify_on_exit"] {
                        geofence.added[name] = nil
                    }
                }
                geofence.added.merge(added, Self.added)
                byName[key] = geofence
                if let id = decision.event.id { posted[NameKey(id)] = geofence }
            case .placeRemoved(let removal): byName[Array(removal.place.utf8)] = nil
            default: break
            }
        }
        all = places.places.compactMap { place in
            byName[Array(place.name.utf8)]
                .map { geofence in
                    var geofence = geofence
                    // An imported place does not replace one that a person saved.
                    geofence.saved = place.saving
                    return geofence
                }
        }
    }

    /// Returns the geofence of an id; `nil` if there is none.
    func geofence(_ id: String) -> Geofence? {
        let name = ClientID.name(of: id)
        return all.first { geofence in
            [(geofence.id, id), (geofence.saved.place, name), (geofence.id, name)]
                .contains { $0.hasSameBytes(as: $1) }
        }
    }

    /// Returns the geofence that an event of an id has made; `nil` if there is no such event.
    func posted(as id: String) -> Geofence? { posted[NameKey(id)] }
}

extension ClientPlaces {
    /// The members of a geofence in a request.
    static let members =
        [
            BodyMember("id", .uuid), BodyMember("name", .text(most: 200), isRequired: true),
            BodyMember("latitude", .number(-90...90), isRequired: true),
            BodyMember("longitude", .number(-180...180), isRequired: true),
            BodyMember("radius", .number(radii), isRequired: true),
        ]
        + ["event_type_entry_id", "event_type_exit_id", "ios_region_identifier"]
        .map { BodyMember($0, .text(most: 1_000)) }
        + ["is_active", "notify_on_entry", "notify_on_exit"].map { BodyMember($0, .boolean) }

    /// The radii that are taken, in metres.
    private static let radii: ClosedRange<Int64> = 0...1_000_000

    /// Returns the event that saves a geofence as requested.
    ///
    /// - Parameters:
    ///   - request: The request; members that are missing or null stay as they were.
    ///   - old: The geofence as it was; `nil` for a new one.
    ///   - name: The name of the place.
    /// - Returns: The place, and the client's members that the ledger does not have.
    /// - Throws: `ClientComplaint`.
    static func saving(
        _ request: ClientObject,
        over old: Geofence?,
        named name: String
    ) throws(ClientComplaint) -> (place: PlaceSaved, added: ClientObject) {
        guard
            let latitude = try request.number("latitude", in: -90...90) ?? old?.saved.latitude
        else { throw ClientComplaint("latitude", "it is missing") }
        guard
            let longitude = try request.number("longitude", in: -180...180)
                ?? old?.saved.longitude
        else { throw ClientComplaint("longitude", "it is missing") }
        guard
            let radius = try request.number("radius", in: radii)
                ?? old?.saved.radiusMeters
        else { throw ClientComplaint("radius", "it is missing") }
        let title = try request.text("name", most: 200) ?? old?.saved.label ?? old?.saved.place
        guard let title else { throw ClientComplaint("name", "it is missing") }
        var saved = PlaceSaved(
            place: name,
            latitude: latitude,
            longitude: longitude,
            radiusMeters: radius,
            label: title == name ? nil : title,
            skips: old?.saved.skips
        )
        var added = ClientObject()
        for member in ["event_type_entry_id", "event_type_exit_id", "ios_region_identifier"] {
            // A null removes it.
            added[member] =
                try request.text(member).map { .text($0) }
                ?? (request[member] == nil ? old?.added[member] : nil)
            if added[member] == nil, old?.added[member] != nil { added[member] = .null }
        }
        let isActive = try request.boolean("is_active") ?? old?.isActive ?? true
        let entry = try request.boolean("notify_on_entry") ?? old?.notifies.onEntry.isTrue ?? false
        let exit = try request.boolean("notify_on_exit") ?? old?.notifies.onExit.isTrue ?? false
        saved.notifiesOnEntry = isActive && entry
        saved.notifiesOnExit = isActive && exit
        if !isActive {
            added["is_active"] = .boolean(false)
            added["notify_on_entry"] = .boolean(entry)
            added["notify_on_exit"] = .boolean(exit)
        }
        return (saved, added)
    }
}

extension JSONValue {
    /// Whether it is true.
    fileprivate var isTrue: Bool { if case .boolean(true) = self { true } else { false } }
}

// Geofences: places that are saved and removed.
extension FeedClientEndpoint {
    /// The paths of geofences.
    var geofenceRoutes: [Route] {
        [
            route(
                .get,
                "geofences",
                "Geofences, which are places",
                [
                    Parameter(
                        "active",
                        .word(["true", "false"]),
                        "Only those that are active, or not"
                    )
                ],
                asList: true,
                for: Self.readers,
                listGeofences
            ),
            route(
                .post,
                "geofences",
                "Makes a geofence",
                taking: ClientPlaces.members,
                for: Self.owners,
                makeGeofence
            ),
            route(.get, "geofences/{geofence}", "A geofence", for: Self.readers) {
                call async throws(Problem) in
                Self.response(try await geofence(call.words[0], call).value)
            },
            route(
                .put,
                "geofences/{geofence}",
                "Changes a geofence",
                taking: ClientPlaces.members.optional,
                for: Self.owners,
                changeGeofence
            ),
            route(
                .delete,
                "geofences/{geofence}",
                "Deletes a geofence",
                for: Self.owners,
                deleteGeofence
            ),
        ]
    }

    private func places(_ call: Call) async throws(Problem) -> ClientPlaces {
        try await reader.read(seenBy: call.sight) { try ClientPlaces(in: $0) }
    }

    private func geofence(_ id: String, _ call: Call) async throws(Problem) -> ClientObject {
        guard let geofence = try await places(call).geofence(id) else { throw .noSuchID }
        return geofence.object(of: user)
    }

    private func listGeofences(_ call: Call) async throws(Problem) -> Response {
        let asked = call.query.text("active").map { $0 == "true" }
        let some = try await places(call).all.filter { asked == nil || $0.isActive == asked }
        return Self.response(.list(some.map { $0.object(of: user).value }))
    }

    private func makeGeofence(_ call: Call) async throws(Problem) -> Response {
        try await making(call) { request async throws(Problem) in
            let places = try await places(call)
            let (id, event) = try Self.checking { () throws(ClientComplaint) in
                let id = try request.newID()
                let (place, added) = try ClientPlaces.saving(request.object, over: nil, named: id)
                let eventID = "geofence:\(id)"
                return (
                    id,
                    try request.author.event(.placeSaved(place), id: eventID, adding: added)
                )
            }
            let receipts = try await decide([event], by: request.author)
            if case .conflict = receipts.first {
                let posted = places.posted(as: event.id ?? "")
                guard !request.isNamed(id) else {
                    throw .clientKeyReused(Self.differences(event, posted))
                }
                return try await changeGeofence(id, request, call)
            }
            var isReplayed = false
            if case .duplicate = receipts.first { isReplayed = true }
            // It may have been deleted since it was made.
            let object =
                try await self.places(call).geofence(id)?.object(of: user)
                ?? places.posted(as: event.id ?? "")?.object(of: user)
            return Self.made(object ?? request.object, isReplayed: isReplayed)
        }
    }

    /// Returns the members in which a geofence differs from the one that was made under its id.
    private static func differences(
        _ event: TripEvent,
        _ posted: ClientPlaces.Geofence?
    ) -> [String] {
        guard let posted, case .placeSaved(let place) = event.body else { return ["id"] }
        let saved = posted.saved
        let pairs = [
            ("name", place.label == saved.label), ("latitude", place.latitude == saved.latitude),
            ("longitude", place.longitude == saved.longitude),
            ("radius", place.radiusMeters == saved.radiusMeters),
        ]
        let differing = pairs.filter { !$0.1 }.map(\.0)
        return differing.isEmpty ? ["is_active"] : differing
    }

    private func changeGeofence(_ call: Call) async throws(Problem) -> Response {
        let id = call.words[0]
        return try await making(call) { request async throws(Problem) in
            guard try await places(call).geofence(id) != nil else { throw .noSuchID }
            return try await changeGeofence(id, request, call)
        }
    }

    /// Saves a geofence as requested, in place of the present or deleted one.
    private func changeGeofence(
        _ id: String,
        _ request: ClientRequest,
        _ call: Call
    ) async throws(Problem) -> Response {
        let old = try await places(call).geofence(id)
        let event = try Self.checking { () throws(ClientComplaint) in
            let (place, added) = try ClientPlaces.saving(
                request.object,
                over: old,
                named: old?.saved.place ?? id
            )
            return try request.author.event(.placeSaved(place), adding: added)
        }
        if old?.isSaid(by: event) != true { try await decide([event], by: request.author) }
        return Self.response(try await geofence(old?.id ?? id, call).value)
    }

    private func deleteGeofence(_ call: Call) async throws(Problem) -> Response {
        let name = ClientID.name(of: call.words[0])
        if let geofence = try await places(call).geofence(call.words[0]) {
            let removed = PlaceRemoved(place: geofence.saved.place)
            let author = author(call)
            try await decide([author.event(.placeRemoved(removed))], by: author)
            return Self.deleted
        }
        let wasThere = try await reader.read(seenBy: call.sight) { snapshot in
            try snapshot.places().versions.contains { $0.name.hasSameBytes(as: name) }
        }
        guard wasThere else { throw .noSuchID }
        return Self.deleted
    }
}

extension ClientPlaces {
    /// Reads the geofences of a ledger.
    init(in snapshot: borrowing Snapshot) throws {
        self.init(try snapshot.places(), try snapshot.decisions(on: .places))
    }
}

extension ClientPlaces.Geofence {
    /// Whether an event that saves the place would change nothing.
    fileprivate func isSaid(by event: TripEvent) -> Bool {
        guard case .placeSaved(let place) = event.body else { return false }
        let names = added.members.map(\.name)
        var after = added
        after.merge(ClientObject(addedTo: event), names)
        let isAdded = ClientObject(addedTo: event).members.allSatisfy { names.contains($0.name) }
        return place == saved && isAdded && after.bytes == added.bytes
            && isActive == after.isActive
    }
}

extension ClientObject {
    /// Whether a geofence with these members is active.
    fileprivate var isActive: Bool {
        if case .boolean(false) = self["is_active"] { false } else { true }
    }
}
