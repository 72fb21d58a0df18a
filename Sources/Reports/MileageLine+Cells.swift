public import TripEvents

extension MileageLine {
    /// Returns the titles of the columns, in the order of the cells, with distances in a unit.
    public static func titles(in unit: DistanceUnit) -> [String] {
        let unit = unit.rawValue
        return [
            "date", "started_at", "ended_at", "from", "to", "purpose", "client", "class",
            "vehicle", "odometer_start_\(unit)", "odometer_end_\(unit)", "distance_\(unit)",
            "measured_distance_\(unit)", "gaps", "gap_distance_\(unit)", "flags",
            "days_until_details", "trip",
        ]
    }

    /// The line's cells, one for each title.
    public var cells: [ReportCell] {
        [
            .date(date), .time(startedAt), .time(endedAt), .place(origin), .place(destination),
            .text(purpose), .text(client), .text(tripClass.rawValue), .text(vehicle),
            .distance(odometerStart), .distance(odometerEnd),
            .distance(distance), .distance(measuredDistance), .count(gaps),
            .distance(gapDistance), .text(flags.joined(separator: " ")), .count(daysUntilDetails),
            .text(trip.description),
        ]
    }
}
