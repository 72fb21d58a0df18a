import JSONText
import TripEvents
import TripLedger

/// The types of events, as the feed client has them: the routines of the ledger, and one for trips
/// without a routine.
///
/// A routine has no id and no color. What the client says of these is kept with the event that
/// saves the routine, and stays when others save it.
struct ClientTypes: Sendable {
    /// A type.
    struct EventType: Sendable {
        /// Its id.
        var id: String

        /// The routine; `nil` for the type of trips without one.
        var routine: String?

        /// What the client has said of it beside its name.
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

    /// What was last said about each routine that there was, by the bytes of its name.
    private var byName: [[UInt8]: EventType] = [:]

    /// The bytes of the names of the routines that there are.
    private var present: Set<[UInt8]> = []

    /// What an event that saved a routine said, and the type as it was then.
    struct Posted: Sendable {
        /// The name, and what was added.
        let said: ClientObject

        /// The type.
        let type: EventType
    }

    /// The events that saved routines, by their ids.
    private var posted: [String: Posted] = [:]

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
                type.id = type.added["event_type_id"]?.text ?? type.id
                type.updatedAt = at
                // One that has another name now is as old as it was.
                if let old = byName.values.first(where: { $0.id == type.id }) {
                    type.createdAt = min(old.createdAt, type.createdAt)
                }
                byName[key] = type
                present.insert(key)
                if let id = decision.event.id {
                    var said = added
                    said["name"] = .text(name)
                    posted[id] = Posted(said: said, type: type)
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
        return all.first { $0.id == id } ?? all.first { $0.id == name }
            ?? all.first { $0.routine == name }
    }

    /// Returns the id of the type of a routine, which may have been removed.
    func id(ofRoutine name: String) -> String {
        byName[Array(name.utf8)]?.id ?? ClientID.id(of: name)
    }

    /// Returns the routine of a type that there is; `nil` if it has none.
    func routine(ofType id: String) -> String? {
        present.compactMap { byName[$0] }.filter { $0.id == id }
            .max { $0.updatedAt < $1.updatedAt }?
            .routine
    }

    /// Returns what an event of an id said when it saved a routine; `nil` if there is none.
    func posted(as id: String) -> Posted? { posted[id] }
}
