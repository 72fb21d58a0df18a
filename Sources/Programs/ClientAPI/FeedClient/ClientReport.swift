import JSONText
import LedgerHTTP
import TripEvents
import TripLedger

/// An event that the feed client makes: a trip that it reports.
struct ClientReport: Sendable {
    /// The id that it is to have; `nil` if the client has given none.
    var id: String?

    /// The type that it is to be of.
    let typeID: String

    /// The report of the trip.
    var report: TripReported

    /// The members that no trip has.
    let added: ClientObject

    /// The members of an event in a request; null counts as absent.
    static let members =
        [
            BodyMember("id", .uuid),
            BodyMember("event_type_id", .text(most: 200), isRequired: true),
            BodyMember("timestamp", .instant, isRequired: true), BodyMember("end_date", .instant),
            BodyMember("is_all_day", .boolean), BodyMember("properties", .object),
            BodyMember("notes", .lines(most: 4_000)),
            BodyMember("location_latitude", .number(-90...90)),
            BodyMember("location_longitude", .number(-180...180)),
        ]
        + [
            "original_title", "source_type", "external_id", "geofence_id", "location_name",
            "healthkit_sample_id", "healthkit_category",
        ]
        .map { BodyMember($0, .text(most: 1_000)) }

    /// Reads an event of the client's.
    ///
    /// - Parameters:
    ///   - request: The event.
    ///   - catalogue: The custom fields.
    ///   - kept: The properties that are kept although the ledger has no place for them.
    /// - Throws: `ClientComplaint`.
    init(
        _ request: ClientObject,
        _ catalogue: FieldCatalogue,
        keeping kept: ClientProperties.Kept
    ) throws(ClientComplaint) {
        id = try request.id()
        typeID = try request.requiredText("event_type_id")
        guard let start = try request.time("timestamp") else {
            throw ClientComplaint("timestamp", "it is missing")
        }
        let end = try request.time("end_date") ?? start
        guard end.timestamp >= start.timestamp else {
            throw ClientComplaint("end_date", "it is before timestamp")
        }
        let properties = try ClientProperties(request["properties"], catalogue, keeping: kept)
        var added = try Self.added(in: request)
        added["event_type_id"] = typeID == ClientTypes.idOfTrips ? nil : .text(typeID)
        if !properties.rest.members.isEmpty { added["properties"] = properties.rest.value }
        var details = properties.details
        details.notes = try request.text("notes", most: 4_000)
        if !properties.fields.all.isEmpty { details.fields = properties.fields }
        let title = try request.text("original_title")
        if let title, title.utf8.count <= Self.mostBytesOfTitle {
            details.title = title
        } else if let title {
            added["original_title"] = .text(title)
        }
        report = TripReported(
            startedAt: start,
            endedAt: end,
            distanceMeters: properties.meters ?? 0,
            details: details
        )
        self.added = added
    }

    /// The member that names the sample of HealthKit that an event was made of.
    static let sample = "healthkit_sample_id"

    /// The most bytes of a title of a trip.
    static let mostBytesOfTitle = 200

    /// Returns the members that trips do not have, without empty ones.
    private static func added(in request: ClientObject) throws(ClientComplaint) -> ClientObject {
        let isAllDay = try request.boolean("is_all_day") ?? false
        let source = try request.text("source_type")
        let latitude = try request.number("location_latitude", in: -90...90)
        let longitude = try request.number("location_longitude", in: -180...180)
        var added = ClientObject([
            ("is_all_day", isAllDay ? .boolean(true) : nil),
            ("source_type", source.flatMap { $0 == "manual" ? nil : .text($0) }),
            ("location_latitude", latitude.map { .number(literal: $0.description) }),
            ("location_longitude", longitude.map { .number(literal: $0.description) }),
        ])
        for name in [
            "external_id", "geofence_id", "location_name", "healthkit_sample_id",
            "healthkit_category",
        ] {
            added[name] = try request.text(name).map { .text($0) }
        }
        return added
    }
}

extension ClientReport {
    /// Returns the events to store: the report, and the routine of its type, if there is one.
    ///
    /// The routine fills in the details of its trips; details that the client gave stay.
    ///
    /// - Parameters:
    ///   - id: The id of the report; `nil` for none.
    ///   - types: The types of events.
    ///   - author: Who says it.
    /// - Returns: One or two events, in the order in which they are stored.
    /// - Throws: `ClientComplaint` if the client has added too much.
    func events(
        as id: String?,
        _ types: ClientTypes,
        by author: ClientAuthor
    ) throws(ClientComplaint) -> [TripEvent] {
        var event = author.event(.tripReported(report), id: id)
        event.supplement.extra = try added.extra()
        guard let id, let routine = types.routine(ofType: typeID) else { return [event] }
        let trip = TripID(openedBy: id, from: author.reportSource)
        let applied = RoutineApplied(
            trip: trip,
            tripStartedAt: report.startedAt,
            routine: routine
        )
        var events = [
            event, author.event(.routineApplied(applied), id: "\(id)/event_type", after: 1),
        ]
        if report.details != TripDetails() {
            let edit = author.edit(report.details, of: trip, from: report.startedAt)
            events.append(author.event(.detailsEdited(edit), id: "\(id)/details", after: 2))
        }
        return events
    }
}

/// The author of what the feed client sends, and the time.
struct ClientAuthor: Sendable {
    /// The holder of a token, or the ledger's owner.
    let access: Access

    /// The present.
    let now: Timestamp

    init(_ access: Access, now: Timestamp) {
        self.access = access
        self.now = now
    }

    /// The source of the trips that are reported.
    var reportSource: String { access.source(toDecide: .tripReported) ?? Ledger.decisionSource }

    /// Returns a decision.
    ///
    /// - Parameters:
    ///   - body: What it says.
    ///   - id: Its id; `nil` for none.
    ///   - milliseconds: How long after the first decision of the same request it comes.
    /// - Returns: The decision, of the source of decisions.
    func event(_ body: EventBody, id: String? = nil, after milliseconds: Int64 = 0) -> TripEvent {
        TripEvent(
            source: Ledger.decisionSource,
            occurredAt: now.advanced(byMilliseconds: milliseconds),
            id: id,
            actor: access.actor,
            body: body
        )
    }

    /// Returns an edit that sets what some details say.
    func edit(_ details: TripDetails, of trip: TripID, from start: EventTime) -> DetailsEdited {
        DetailsEdited(TripEdit(setting: details), of: trip, from: start)
    }
}

extension ClientReport {
    /// Returns the client's members in which it differs from a stored report and the members added
    /// to that.
    func differences(from old: TripReported, _ oldAdded: ClientObject) -> [String] {
        var properties = [report.details, old.details]
        for index in properties.indices {
            (properties[index].notes, properties[index].title) = (nil, nil)
        }
        let pairs = [
            ("timestamp", report.startedAt == old.startedAt),
            ("end_date", report.endedAt == old.endedAt || report.startedAt != old.startedAt),
            ("notes", report.details.notes == old.details.notes),
            ("original_title", report.details.title == old.details.title),
            (
                "properties",
                properties[0] == properties[1] && report.distanceMeters == old.distanceMeters
            ),
        ]
        var differing = pairs.filter { !$0.1 }.map(\.0)
        for name in ClientEvents.added where !differing.contains(name) {
            let values = [added[name], oldAdded[name]].map { ClientObject([("it", $0)]).bytes }
            if values[0] != values[1] { differing.append(name) }
        }
        return differing
    }
}
