import JSONText
import TripEvents
import TripLedger

/// The geofences, as the feed client has them: the places of the ledger.
///
/// A place is called what the client calls the geofence's id, and the geofence's name is its label.
/// What else the client says is kept with the event that saves the place, and stays when others
/// save it.
struct ClientPlaces: Sendable {
    /// A geofence.
    struct Geofence: Sendable {
        /// The place.
        var saved: PlaceSaved

        /// What the client has said of it that no place has.
        var added = ClientObject()

        /// When it was made, and when it was last changed.
        var createdAt: Timestamp
        var updatedAt: Timestamp

        /// Its id.
        var id: String { ClientID.id(of: saved.place) }

        /// Whether it is looked at.
        var isActive: Bool { if case .boolean(false) = added["is_active"] { false } else { true } }

        /// Whether the client wants to be told on arrival, and on departure.
        ///
        /// For one that is not looked at the ledger tells nothing, and what was said is kept.
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

    private var posted: [String: Geofence] = [:]

    /// Makes the geofences of all places and the decisions about them.
    init(_ places: PlaceBook, _ decisions: [Decision]) {
        // By the bytes of the names: two spellings of a letter are two names.
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
                // Of one who does not say these, what the place says holds.
                if added["is_active"] == nil {
                    for name in ["is_active", "notify_on_entry", "notify_on_exit"] {
                        geofence.added[name] = nil
                    }
                }
                geofence.added.merge(added, Self.added)
                byName[key] = geofence
                if let id = decision.event.id { posted[id] = geofence }
            case .placeRemoved(let removal): byName[Array(removal.place.utf8)] = nil
            default: break
            }
        }
        all = places.places.compactMap { place in
            byName[Array(place.name.utf8)]
                .map { geofence in
                    var geofence = geofence
                    // An imported place takes nothing from one that a person saved.
                    geofence.saved = place.saving
                    return geofence
                }
        }
    }

    /// Returns the geofence of an id; `nil` if there is none.
    func geofence(_ id: String) -> Geofence? {
        let name = ClientID.name(of: id)
        return all.first { $0.id == id || $0.saved.place == name || $0.id == name }
    }

    /// Returns the geofence that an event of an id has made; `nil` if there is no such event.
    func posted(as id: String) -> Geofence? { posted[id] }
}

extension ClientPlaces {
    /// What a request says of a geofence.
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

    /// Returns what saves a geofence as a request says it.
    ///
    /// - Parameters:
    ///   - request: The request; what it does not say, or says null of, stays as it was.
    ///   - old: The geofence as it was; `nil` for a new one.
    ///   - name: The name of the place.
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
            // A null takes it away.
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
