import JSONText
import TripEvents
import TripLedger

/// The events, as the feed client sees them: the trips of the ledger that count or are in progress.
///
/// The client's members that trips do not have are stored with the events that hold the rest, and
/// given back.
struct ClientEvents: Sendable {
    /// The members that are added to events.
    static let added = [
        "event_type_id", "is_all_day", "source_type", "external_id", "original_title",
        "geofence_id", "location_latitude", "location_longitude", "location_name",
        "healthkit_sample_id", "healthkit_category", "properties",
    ]

    /// The name of the ledger's owner.
    let user: String

    /// The types of events.
    let types: ClientTypes

    /// The custom fields.
    let catalogue: FieldCatalogue

    private let places: PlaceBook

    /// The source of the trips that the client reports, which it knows by UUIDs.
    private let reportSource: String

    /// Reads what events need of a ledger.
    init(
        in snapshot: borrowing Snapshot,
        of user: String,
        reportedFrom source: String
    ) throws {
        self.user = user
        reportSource = source
        types = try ClientTypes(
            snapshot.routineDecisions(),
            begunAt: try snapshot.recordedAt(entry: 0) ?? Timestamp(milliseconds: 0)
        )
        catalogue = try snapshot.fields()
        places = try snapshot.places()
    }

    /// A trip with what was decided about it.
    struct Row: Sendable {
        /// The trip.
        let booked: BookedTrip

        /// The decisions.
        let decisions: [Decision]

        /// The source of the trips that the client reports.
        fileprivate let reportSource: String

        /// When the first of the client's reports of it was stored; `nil` if this one is the first.
        fileprivate var firstReportedAt: Timestamp?

        /// The decision that reports it, if one does.
        var report: Decision? {
            decisions.first { $0.madeTrip == booked.id && $0.event.body.kind == .tripReported }
        }

        /// Whether the client sees it.
        var isShown: Bool { booked.counts || booked.status == .active }

        /// Whether nothing was decided about it since it was made.
        var isNew: Bool { decisions.count == (report == nil ? 0 : 1) }

        /// The id under which the client reports it, if it does.
        fileprivate var reportID: ReportID? {
            guard let report, report.event.source.hasSameBytes(as: reportSource) else { return nil }
            return report.event.id.flatMap { ReportID($0) }
        }

        /// Its id: the UUID that the client has given it, or the trip's.
        var id: String { reportID?.uuid ?? booked.id.description }
    }

    /// Returns a trip with what was decided about it.
    func row(_ trip: TripRow, in snapshot: borrowing Snapshot) throws -> Row {
        var row = Row(
            booked: trip.booked,
            decisions: try snapshot.decisions(about: trip.trip.id),
            reportSource: reportSource
        )
        if let reported = row.reportID, reported.generation > 1, let first = ReportID(reported.uuid)
        {
            let trip = try snapshot.tripRow(first.trip(from: reportSource))
            row.firstReportedAt = trip?.trip.recorded.firstAt
        }
        return row
    }

    /// Returns the trip of an id of the client, whether it is shown or not; `nil` if there is none.
    ///
    /// If the client has changed the times of a trip, the last report counts.
    func row(_ id: String, in snapshot: borrowing Snapshot) throws -> Row? {
        if let trip = TripID(id) {
            return try snapshot.tripRow(trip).map { try row($0, in: snapshot) }
        }
        guard var reported = ReportID(id), reported.generation == 1 else { return nil }
        var last: TripRow?
        while let trip = try snapshot.tripRow(reported.trip(from: reportSource)) {
            last = trip
            reported = reported.next
        }
        return try last.map { try row($0, in: snapshot) }
    }
}

extension ClientEvents {
    /// The id of an event that reports a trip for the client: the UUID of the client's event, and
    /// a number from the second report on.
    ///
    /// The time of a trip is part of its report. So if the client changes that, the report is
    /// voided and there is another one.
    struct ReportID: Hashable {
        /// The client's name for its event.
        let uuid: String

        /// The number of the report, from 1.
        private(set) var generation = 1

        /// Reads an id, or returns `nil` if it does not have this form.
        init?(_ text: String) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard 1...2 ~= parts.count, ClientID.isUUID(String(parts[0])) else { return nil }
            uuid = String(parts[0])
            if parts.count == 2 {
                guard let number = Int(parts[1]), number > 1 else { return nil }
                generation = number
            }
        }

        /// The id of the event.
        var text: String { generation == 1 ? uuid : "\(uuid)/\(generation)" }

        /// The id of the report that comes after it.
        var next: ReportID {
            var next = self
            next.generation += 1
            return next
        }

        /// Returns the trip that is reported by a source.
        func trip(from source: String) -> TripID { TripID(openedBy: text, from: source) }
    }
}

// MARK: - What the client reads

extension ClientEvents {
    /// Returns an event as the client reads it.
    func object(_ row: Row) -> ClientObject {
        let booked = row.booked
        let added = Self.added(row.decisions)
        let isReport = row.report != nil
        let trip = booked.trip
        let source = isReport ? booked.importedFrom.map { _ in "imported" } ?? "manual" : "geofence"
        let start = isReport ? nil : trip.start
        let name = booked.origin ?? places.start(of: booked)?.title
        var object = ClientObject([
            ("id", .text(row.id)), ("user_id", .text(user)),
            ("event_type_id", .text(typeID(of: row))),
            ("timestamp", .text(trip.startedAt.timestamp.wholeSeconds)),
            ("is_all_day", added["is_all_day"] ?? .boolean(false)),
            ("source_type", added["source_type"] ?? .text(source)),
        ])
        let rest = ClientObject(added["properties"])
        object["properties"] = ClientProperties.object(of: booked, rest, catalogue).value
        object["created_at"] = .text(Self.createdAt(row).wholeSeconds)
        object["updated_at"] = .text(Self.updatedAt(row).wholeSeconds)
        object["end_date"] = Self.end(of: trip, isReport: isReport).map { .text($0) }
        let place = start.map { ["\($0.latitude)", "\($0.longitude)"] }
        for (name, index) in [("location_latitude", 0), ("location_longitude", 1)] {
            object[name] = added[name] ?? place.map { .number(literal: $0[index]) }
        }
        object["location_name"] = added["location_name"] ?? name.map { .text($0) }
        object["notes"] = booked.details.notes.map { .text($0) }
        object["original_title"] =
            booked.details.title.map { .text($0) } ?? added["original_title"]
        for name in [
            "external_id", "geofence_id", "healthkit_sample_id", "healthkit_category",
        ] {
            object[name] = added[name]
        }
        return object
    }

    /// Returns what was added to the decisions about a trip, the later over the earlier.
    static func added(_ decisions: [Decision]) -> ClientObject {
        var added = ClientObject()
        for decision in decisions { added.merge(ClientObject(addedTo: decision.event), Self.added) }
        return added
    }

    /// Returns the id of the type of a trip: as last set by the client or by a routine.
    func typeID(of row: Row) -> String { types.presentID(of: saidTypeID(of: row)) }

    private func saidTypeID(of row: Row) -> String {
        var id: String?
        for decision in row.decisions {
            switch decision.event.body {
            case .routineApplied(let applied): id = types.id(ofRoutine: applied.routine)
            case .goPressed(let press):
                id = press.routine.map { types.id(ofRoutine: $0) } ?? id
            default: id = ClientObject(addedTo: decision.event)["event_type_id"]?.text ?? id
            }
        }
        return id ?? row.booked.routine.map { types.id(ofRoutine: $0) } ?? ClientTypes.idOfTrips
    }

    /// Returns when a trip ended; `nil` if it is in progress, or if its report gives only an
    /// instant.
    private static func end(of trip: Trip, isReport: Bool) -> String? {
        guard let end = trip.endedAt?.timestamp else { return nil }
        return isReport && end == trip.startedAt.timestamp ? nil : end.wholeSeconds
    }

    private static func createdAt(_ row: Row) -> Timestamp {
        row.firstReportedAt ?? row.report?.recordedAt ?? row.booked.trip.recorded.firstAt
    }

    private static func updatedAt(_ row: Row) -> Timestamp {
        let times = row.decisions.map(\.recordedAt) + [row.booked.trip.recorded.lastAt]
        return times.reduce(createdAt(row), max)
    }
}
