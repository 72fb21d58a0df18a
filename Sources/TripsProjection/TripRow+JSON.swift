import Geodesy
import Projections
import TripEvents
import TripTracking

extension TripRow {
    /// Appends the row as one JSON object without a line's end, as `ledger trips` shows it.
    ///
    /// Distances have three decimals, which is all there is to them; what depends on the order of
    /// arrival is in `recorded` alone.
    public func appendJSON(to bytes: inout [UInt8]) {
        var json = RowJSON()
        json.add("id", text: trip.id.description)
        json.add("source", text: trip.source)
        if let vehicle = trip.vehicle {
            json.add("vehicle", text: vehicle)
        }
        json.add("status", text: trip.status.rawValue)
        if let reason = trip.abandonReason {
            json.add("abandoned", text: reason.rawValue)
        }
        json.add("started_by", text: trip.startedBy.rawValue)
        json.add("ended_by", text: trip.endedBy?.rawValue)
        json.add("started_at", time: trip.startedAt)
        json.add("ended_at", time: trip.endedAt)
        add("start", trip.start, to: &json)
        add("end", trip.end, to: &json)
        json.add("distance_m", thousandths: trip.distance.millimeters)
        if let sampling = trip.samplingMilliseconds {
            json.add("sampling_interval_s", thousandths: sampling)
        } else {
            json.addNull("sampling_interval_s")
        }
        let speed = min(trip.maximumSpeedMetersPerSecond, Self.highestShownSpeed)
        json.add("max_speed_mps", thousandths: Int64((speed * 1_000).rounded()))
        json.add("moving_s", thousandths: trip.movingMilliseconds)
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
        json.add("flags", texts: trip.flags.names)
        json.add("rules", text: trip.rules.rawValue)
        json.add("recorded") { recorded in
            recorded.add("first_at", time: EventTime(trip.recorded.firstAt))
            recorded.add("last_at", time: EventTime(trip.recorded.lastAt))
        }
        bytes.append(contentsOf: json.object)
    }

    /// The speed of light, in metres per second: rules that believe more are shown this.
    private static let highestShownSpeed = 299_792_458.0

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
