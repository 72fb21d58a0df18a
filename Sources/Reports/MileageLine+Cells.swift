import TripEvents

extension MileageLine {
    /// The titles of the columns, in the order of the cells.
    public static let titles = [
        "date", "started_at", "ended_at", "from", "to", "purpose", "client", "class", "vehicle",
        "odometer_start", "odometer_end", "distance", "measured_distance", "gaps", "gap_distance",
        "flags", "days_until_details", "trip",
    ]

    /// The line's cells, one for each title.
    public var cells: [ReportCell] {
        [
            .date(date), .time(startedAt), .time(endedAt), .text(origin), .text(destination),
            .text(purpose), .text(client), .text(tripClass.rawValue), .text(vehicle),
            .distance(odometerStart), .distance(odometerEnd),
            .distance(distance), .distance(measuredDistance), .count(gaps),
            .distance(gapDistance), .text(flags.joined(separator: " ")), .count(daysUntilDetails),
            .text(trip.description),
        ]
    }
}
