import Geodesy
import Projections
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

extension ShownChanges {
    /// For programs (`changes.v1.schema.json`).
    var json: RowJSON {
        var json = RowJSON()
        json.add("since") { Self.add(changes.since, to: &$0) }
        json.add("until") { Self.add(changes.until, to: &$0) }
        json.add("before", time: changes.before.map { EventTime($0) })
        json.add("entries", integer: Int64(changes.entryCount))
        json.add("types", objects: changes.entryCounts.map(Self.count))
        json.add("changed_trips", objects: changes.changedTrips.map(Self.changed))
        json.add("added_trips", objects: changes.addedTrips.map(Self.figures))
        json.add("later_trips", integer: Int64(changes.laterTripCount))
        json.add("decisions", written: changes.amendments.map { Self.line($0.amendment) })
        json.add("orphans", integer: Int64(changes.orphanCount))
        json.add("erasures", written: changes.erasures.map(\.json))
        json.add("rules", written: changes.rules.map(\.json))
        json.add("sources", written: changes.sources.map(\.json))
        return json
    }

    private static func add(_ head: LedgerHead, to json: inout RowJSON) {
        json.add("size", integer: Int64(head.size))
        json.add("root", text: head.root)
    }

    private static func count(_ type: String, _ count: UInt64) -> RowJSON {
        var json = RowJSON()
        json.add("type", text: type)
        json.add("count", integer: Int64(count))
        return json
    }

    private static func changed(_ trip: ChangedTrip) -> RowJSON {
        var json = RowJSON()
        json.add("trip", text: trip.before.id.description)
        json.add("late_fixes", integer: Int64(trip.lateFixes))
        json.add("before") { add(trip.before, to: &$0) }
        if let now = trip.now {
            json.add("now") { add(now, to: &$0) }
        } else {
            json.addNull("now")
        }
        return json
    }

    private static func figures(_ booked: BookedTrip) -> RowJSON {
        var json = RowJSON()
        json.add("trip", text: booked.id.description)
        add(booked, to: &json)
        return json
    }

    private static func add(_ booked: BookedTrip, to json: inout RowJSON) {
        json.add("source", text: booked.trip.source)
        json.add("started_at", time: booked.trip.startedAt)
        json.add("ended_at", time: booked.trip.endedAt)
        json.add("distance_m", thousandths: booked.claimedDistance.millimeters)
        json.add("measured_m", thousandths: booked.trip.distance.millimeters)
        json.add("gaps", integer: booked.trip.gaps.count)
        json.add("status", text: booked.status.rawValue)
        json.add("class", text: booked.tripClass.rawValue)
        json.add("merged_into", text: booked.mergedInto?.description)
        json.add("recorded_at", time: EventTime(booked.trip.recorded.firstAt))
    }

    private static func line(_ amendment: TripAmendment) -> [UInt8] {
        var line: [UInt8] = []
        amendment.appendJSON(to: &line)
        return line
    }
}
