import Geodesy
public import Projections
import TripEvents
import TripTracking

extension TripRow {
    /// Appends the row as one JSON object without a line's end, as `ledger trips` shows it.
    ///
    /// Distances have three decimals, which is all there is to them; what depends on the order of
    /// arrival is in `recorded` alone.
    ///
    /// - Parameters:
    ///   - bytes: receives the object.
    ///   - places: what its ends are called; rows do not hold names.
    public func appendJSON(to bytes: inout [UInt8], places: PlaceBook = PlaceBook()) {
        var json = RowJSON()
        json.add("id", text: trip.id.description)
        json.add("source", text: trip.source)
        if let vehicle = booked.details.vehicle {
            json.add("vehicle", text: vehicle)
        }
        json.add("status", text: booked.status.rawValue)
        if let reason = trip.abandonReason {
            json.add("abandoned", text: reason.rawValue)
        }
        json.add("started_by", text: trip.startedBy.rawValue)
        json.add("ended_by", text: trip.endedBy?.rawValue)
        json.add("started_at", time: trip.startedAt)
        json.add("ended_at", time: trip.endedAt)
        add("start", trip.start, to: &json)
        add("end", trip.end, to: &json)
        json.add("start_place", text: places.start(of: booked)?.name)
        json.add("end_place", text: places.end(of: booked)?.name)
        addPlaceNames(to: &json)
        json.add("distance_m", thousandths: trip.distance.millimeters)
        if let sampling = trip.samplingMilliseconds {
            json.add("sampling_interval_s", thousandths: sampling)
        } else {
            json.addNull("sampling_interval_s")
        }
        let speed = min(trip.maximumSpeedMetersPerSecond, Self.highestShownSpeed)
        json.add("max_speed_mps", thousandths: Int64((speed * 1_000).rounded()))
        json.add("moving_s", thousandths: trip.movingMilliseconds)
        if let adjusted = booked.adjusted {
            json.add("adjusted_distance_m", thousandths: adjusted.millimeters)
        }
        json.add("measured", boolean: booked.isMeasured)
        json.add("gaps") { gaps in
            gaps.add("count", integer: trip.gaps.count)
            gaps.add("seconds", thousandths: trip.gaps.milliseconds)
            gaps.add("meters", thousandths: trip.gaps.distance.millimeters)
        }
        json.add("fixes") { fixes in
            for verdict in Verdict.allCases {
                fixes.add(verdict.rawValue, integer: trip.fixes[verdict])
            }
        }
        json.add("flags", texts: booked.flagNames)
        addDetails(to: &json)
        json.add("rules", text: trip.startedBy == .report ? nil : trip.rules.rawValue)
        json.add("recorded") { recorded in
            recorded.add("first_at", time: EventTime(trip.recorded.firstAt))
            recorded.add("last_at", time: EventTime(trip.recorded.lastAt))
            if let details = booked.detailsRecorded {
                recorded.add("details_first_at", time: EventTime(details.firstAt))
                recorded.add("details_last_at", time: EventTime(details.lastAt))
            }
        }
        json.append(to: &bytes)
    }

    /// The speed of light, in metres per second: rules that believe more are shown this.
    private static let highestShownSpeed = 299_792_458.0

    /// Adds what a reported trip says of its places and where it comes from.
    private func addPlaceNames(to json: inout RowJSON) {
        let texts = [
            ("from", booked.origin), ("to", booked.destination),
            ("imported_from", booked.importedFrom),
        ]
        for (name, text) in texts where text != nil {
            json.add(name, text: text)
        }
    }

    private func addDetails(to json: inout RowJSON) {
        if let lead = booked.mergedInto {
            json.add("merged_into", text: lead.description)
        }
        if !booked.parts.isEmpty {
            json.add("parts", texts: booked.parts.map(\.description))
        }
        json.add("class", text: booked.tripClass.rawValue)
        let details = booked.details
        let texts = [
            ("title", details.title), ("purpose", details.purpose), ("notes", details.notes),
            ("category", details.category), ("client", details.client),
            ("routine", booked.routine),
        ]
        for (name, text) in texts where text != nil {
            json.add(name, text: text)
        }
        if let fields = details.fields {
            json.add("fields", fields: fields)
        }
    }

    private func add(_ name: String, _ coordinate: Coordinate?, to json: inout RowJSON) {
        guard let coordinate else {
            json.addNull(name)
            return
        }
        json.add(name) { position in
            position.add("lat", double: coordinate.latitude)
            position.add("lon", double: coordinate.longitude)
        }
    }
}

extension TripAmendment {
    /// Appends the change as one JSON object without a line's end, as `ledger history` shows it.
    public func appendJSON(to bytes: inout [UInt8]) {
        var json = RowJSON()
        json.add("trip", text: trip.description)
        json.add("type", text: kind.name)
        json.add("field", text: change.field)
        json.add("old", value: change.old)
        json.add("new", value: change.new)
        if let why {
            json.add("why", text: why)
        }
        json.add("actor", text: actor)
        json.add("source", text: source)
        json.add("occurred_at", time: occurredAt)
        json.add("recorded_at", time: EventTime(recordedAt))
        if let daysAfterTrip {
            json.add("days_after_trip", integer: daysAfterTrip)
        } else {
            json.addNull("days_after_trip")
        }
        json.append(to: &bytes)
    }
}
