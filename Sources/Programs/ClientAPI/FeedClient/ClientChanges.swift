import Hummingbird
import JSONText
import LedgerHTTP
import TripEvents
import TripLedger

// Changes: the feed of the ledger's rows, in the client's words.
extension FeedClientEndpoint {
    /// The paths of changes.
    var changeRoutes: [Route] {
        [
            route(
                .get,
                "changes",
                "What changed after a number, each once and as it is now",
                [
                    Parameter(
                        "since",
                        .number(0...UInt64(Int64.max)),
                        "The number: next_cursor of a page; 0 to begin"
                    ),
                    Parameter("limit", .text, "The most changes, up to 500; else 100"),
                ],
                for: Self.readers,
                changes
            ),
            route(
                .get,
                "changes/latest-cursor",
                "The number of the last change",
                for: Self.readers
            ) { call async throws(Problem) in
                let last = try await keeper.readFeed(seenBy: call.sight) { $1.last }
                let object = ClientObject([("cursor", .number(literal: "\(last)"))])
                return Self.response(object.value)
            },
        ]
    }

    /// The kinds of rows that the client knows.
    private static let kinds: Set<FeedSubject.Kind> = [.trip, .place, .routine, .field]

    /// The most changes of other kinds that a page passes over.
    private static let mostRows = 10_000

    private func changes(_ call: Call) async throws(Problem) -> Response {
        let since = call.query.number("since") ?? 0
        let asked = call.query.text("limit").flatMap { Int($0) } ?? 100
        let limit = 1...500 ~= asked ? asked : 100
        let (user, source) = (user, author(call).reportSource)
        let object = try await keeper.readFeed(seenBy: call.sight) { snapshot, head in
            guard since <= head.last else { throw Problem.numberGone }
            let page = try snapshot.feedPage(
                after: since,
                kinds: Self.kinds,
                limit: limit,
                mostRows: Self.mostRows
            )
            let writer = try ClientChanges(in: snapshot, of: user, reportedFrom: source)
            var changes: [JSONValue] = []
            for item in page.items {
                changes += try writer.changes(item, in: snapshot).map(\.value)
            }
            return ClientObject([
                ("changes", .list(changes)), ("next_cursor", .number(literal: "\(page.next)")),
                ("has_more", .boolean(page.hasMore)),
            ])
        }
        return Self.response(object.value)
    }
}

/// Writes changes of the feed as the client reads them.
private struct ClientChanges {
    private let events: ClientEvents
    private let places: ClientPlaces
    private let fields: ClientFields

    init(
        in snapshot: borrowing Snapshot,
        of user: String,
        reportedFrom source: String
    ) throws {
        events = try ClientEvents(in: snapshot, of: user, reportedFrom: source)
        places = try ClientPlaces(in: snapshot)
        fields = ClientFields(try snapshot.fieldDecisions())
    }

    /// Returns the client's changes for a change of a row.
    func changes(_ item: FeedItem, in snapshot: borrowing Snapshot) throws -> [ClientObject] {
        let at = try Self.time(of: item, in: snapshot)
        let name = item.subject.name
        switch item.subject.kind {
        case .trip: return [try trip(name, item, at, in: snapshot)]
        case .place:
            let id = ClientID.id(of: name)
            let geofence = places.geofence(id)
            let isNew = geofence.map { $0.createdAt == $0.updatedAt } ?? false
            return [
                change(item, "geofence", id, geofence?.object(of: events.user), isNew, at)
            ]
        case .routine:
            let id = events.types.id(ofRoutine: name)
            // The type may have another name now.
            let type = events.types.type(id)
            let isNew = type.map { $0.createdAt == $0.updatedAt } ?? false
            return [change(item, "event_type", id, type?.object(of: events.user), isNew, at)]
        case .field:
            guard let field = fields.field(name) else { return [] }
            return field.definitions.map { definition in
                let object = field.object(definition, of: events.user)
                return change(
                    item,
                    "property_definition",
                    definition.id,
                    definition.isDeleted ? nil : object,
                    field.definitions.count == 1,
                    at
                )
            }
        case .vehicle, .visit: return []
        }
    }

    private func trip(
        _ name: String,
        _ item: FeedItem,
        _ at: Timestamp,
        in snapshot: borrowing Snapshot
    ) throws -> ClientObject {
        let trip = try TripID(name).flatMap { try snapshot.tripRow($0) }
        guard let trip else { return change(item, "event", name, nil, false, at) }
        let changed = try events.row(trip, in: snapshot)
        // A trip that was reported anew has another id.
        let row = try events.row(changed.id, in: snapshot) ?? changed
        let object = row.isShown ? events.object(row) : nil
        return change(item, "event", row.id, object, row.isNew, at)
    }

    private func change(
        _ item: FeedItem,
        _ kind: String,
        _ id: String,
        _ object: ClientObject?,
        _ isNew: Bool,
        _ at: Timestamp
    ) -> ClientObject {
        let operation = object == nil ? "delete" : isNew ? "create" : "update"
        return ClientObject([
            ("id", .number(literal: "\(item.number)")), ("entity_type", .text(kind)),
            ("operation", .text(operation)), ("entity_id", .text(id)), ("data", object?.value),
            ("deleted_at", object == nil ? .text(at.wholeSeconds) : nil),
            ("created_at", .text(at.wholeSeconds)),
        ])
    }

    /// Returns the time of storing of the last entry that a change follows from.
    private static func time(
        of item: FeedItem,
        in snapshot: borrowing Snapshot
    ) throws -> Timestamp {
        let size = min(item.size, snapshot.head.size)
        return try snapshot.recordedAt(entry: max(size, 1) - 1) ?? Timestamp(milliseconds: 0)
    }
}

extension Problem {
    /// The changes after the number that a client gives are not known.
    fileprivate static let numberGone = Problem(
        kind: "cursor-gone",
        status: .gone,
        title: "The changes since then are not known any more",
        detail: "Read them from 0, and drop what does not come."
    )
}
