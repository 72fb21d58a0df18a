import Geodesy
import Projections
import TripEvents

extension MileageLine {
    /// Appends the line as one JSON object without a line's end; distances are in metres with three
    /// decimals.
    public func appendJSON(to bytes: inout [UInt8]) {
        var json = RowJSON()
        json.add("kind", text: "trip")
        json.add("date", text: date.description)
        json.add("started_at", time: startedAt)
        json.add("ended_at", time: endedAt)
        json.add("from", text: origin?.text)
        json.add("to", text: destination?.text)
        json.add("purpose", text: purpose)
        json.add("client", text: client)
        json.add("class", text: tripClass.rawValue)
        json.add("vehicle", text: vehicle)
        Self.add("odometer_start_m", odometerStart, to: &json)
        Self.add("odometer_end_m", odometerEnd, to: &json)
        json.add("distance_m", thousandths: distance.millimeters)
        Self.add("measured_distance_m", measuredDistance, to: &json)
        json.add("gaps", integer: gaps)
        json.add("gap_distance_m", thousandths: gapDistance.millimeters)
        json.add("flags", texts: flags)
        if let daysUntilDetails {
            json.add("days_until_details", integer: daysUntilDetails)
        } else {
            json.addNull("days_until_details")
        }
        json.add("trip", text: trip.description)
        json.append(to: &bytes)
    }

    private static func add(_ name: String, _ distance: Distance?, to json: inout RowJSON) {
        guard let distance else {
            json.addNull(name)
            return
        }
        json.add(name, thousandths: distance.millimeters)
    }
}
