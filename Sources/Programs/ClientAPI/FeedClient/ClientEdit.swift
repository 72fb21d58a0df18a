import JSONText
import TripEvents
import TripLedger

/// A change that the feed client makes to an event: the differences from the event as it was shown.
///
/// The client sends the whole event again, including members that it does not know. So only
/// differences are decided, and a repeated request decides nothing.
struct ClientEdit {
    /// The event as it was, and as it is to be.
    private let old: ClientReport
    private let new: ClientReport

    private let row: ClientEvents.Row

    /// Whether the client says how far the trip went.
    private let saysDistance: Bool

    /// Members that every event has: a null leaves them as they are.
    private static let always = [
        "event_type_id", "timestamp", "is_all_day", "source_type", "properties",
    ]

    /// Members that the client may change.
    private static let changeable =
        ClientEvents.added + ["timestamp", "end_date", "notes", "original_title"]

    /// Compares the requested event with the present one.
    ///
    /// - Throws: `ClientComplaint` if the requested event is invalid.
    init(
        _ request: ClientObject,
        of row: ClientEvents.Row,
        in events: ClientEvents
    ) throws(ClientComplaint) {
        var shown = events.object(row)
        shown["id"] = nil
        var wanted = shown
        var said = request
        for name in Self.always where request.said(name) == nil { said[name] = nil }
        wanted.merge(said, Self.changeable)
        // A type whose name was taken over means the type that has the name now.
        if let type = wanted["event_type_id"]?.text {
            wanted["event_type_id"] = .text(events.types.presentID(of: type))
        }
        old = try ClientReport(shown, events.catalogue, keeping: .all)
        let kept = ClientProperties.Kept(
            ofSource: ClientEvents.added(row.decisions)["source_type"]?.text,
            else: ClientObject(old.added["properties"]) ?? ClientObject()
        )
        new = try ClientReport(wanted, events.catalogue, keeping: kept)
        self.row = row
        saysDistance = ClientObject(said["properties"])?[ClientProperties.distance] != nil
    }

    /// Returns what is to be stored; nothing if nothing differs.
    ///
    /// - Throws: `ClientComplaint` if the client may not change it.
    func events(
        _ types: ClientTypes,
        by author: ClientAuthor
    ) throws(ClientComplaint) -> [TripEvent] {
        let times = { (report: TripReported) in
            [report.startedAt.timestamp, report.endedAt.timestamp]
        }
        guard times(old.report) == times(new.report) else {
            return try reportedAnew(types, by: author)
        }
        var events: [TripEvent] = []
        let (edit, added) = difference()
        if edit != TripEdit() || !added.members.isEmpty {
            let (trip, start) = (row.booked.id, row.booked.trip.startedAt)
            let edited = DetailsEdited(edit, of: trip, from: start)
            var event = author.event(.detailsEdited(edited))
            event.supplement.extra = try added.extra()
            events.append(event)
        }
        if old.typeID != new.typeID, let routine = types.routine(ofType: new.typeID) {
            let applied = RoutineApplied(
                trip: row.booked.id,
                tripStartedAt: row.booked.trip.startedAt,
                routine: routine
            )
            events.append(author.event(.routineApplied(applied), after: Int64(events.count)))
        }
        let meters = new.report.distanceMeters
        if saysDistance, meters != old.report.distanceMeters {
            let adjusted = DistanceAdjusted(
                trip: row.booked.id,
                tripStartedAt: row.booked.trip.startedAt,
                distanceMeters: meters,
                why: Self.why
            )
            events.append(author.event(.distanceAdjusted(adjusted), after: Int64(events.count)))
        }
        return events
    }

    private static let why = "Changed in an app"

    /// Voids the report, and makes another one: the times of a trip are part of its report.
    private func reportedAnew(
        _ types: ClientTypes,
        by author: ClientAuthor
    ) throws(ClientComplaint) -> [TripEvent] {
        let field =
            old.report.startedAt.timestamp == new.report.startedAt.timestamp
            ? "end_date" : "timestamp"
        guard row.report != nil else {
            throw ClientComplaint(field, "it was measured, and stays as it is")
        }
        guard let report = row.report?.event,
            report.source.hasSameBytes(as: author.reportSource),
            let id = report.id.flatMap({ ClientEvents.ReportID($0) })
        else {
            throw ClientComplaint(
                field,
                "the trip was entered elsewhere; void it, and make another"
            )
        }
        let void = author.event(.tripVoided(row.voided(because: Self.why)))
        let later = ClientAuthor(author.access, now: author.now.advanced(byMilliseconds: 1))
        return [void] + (try new.events(as: id.next.text, types, by: later))
    }

    /// Returns the differences in members of trips, and in added members.
    private func difference() -> (TripEdit, ClientObject) {
        func change<Value: Hashable & Sendable>(
            _ path: (TripDetails) -> Value?
        ) -> DetailChange<Value> {
            let (before, after) = (path(old.report.details), path(new.report.details))
            if before == after { return .unchanged }
            return after.map(DetailChange.set) ?? .cleared
        }
        var edit = TripEdit()
        edit.title = change { $0.title }
        edit.purpose = change { $0.purpose }
        edit.notes = change { $0.notes }
        edit.category = change { $0.category }
        edit.client = change { $0.client }
        edit.vehicle = change { $0.vehicle }
        edit.tripClass = change { $0.tripClass }
        var fields = CustomFields()
        let (before, after) = (old.report.details.fields, new.report.details.fields)
        for field in after?.all ?? [] where before?[field.key] != field.value {
            fields[field.key] = field.value
        }
        for field in before?.all ?? [] where after?[field.key] == nil {
            fields[field.key] = .null
        }
        edit.fields = fields.all.isEmpty ? nil : fields
        var added = ClientObject()
        for name in ClientEvents.added {
            let (before, after) = (old.added[name], new.added[name])
            guard !Self.isSame(before, after) else { continue }
            added[name] = after ?? Self.taken(name)
        }
        return (edit, added)
    }

    /// The value that, added to an event, makes a member count as never set.
    private static func taken(_ name: String) -> JSONValue {
        name == "event_type_id" ? .text(ClientTypes.idOfTrips) : .null
    }

    private static func isSame(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
        ClientObject([("it", left)]).bytes == ClientObject([("it", right)]).bytes
    }
}

extension ClientEvents.Row {
    /// Returns the decision that voids the trip.
    func voided(because why: String) -> TripVoided {
        TripVoided(trip: booked.id, tripStartedAt: booked.trip.startedAt, why: why)
    }
}
