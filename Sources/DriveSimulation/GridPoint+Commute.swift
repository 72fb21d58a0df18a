extension GridPoint {
    /// Where the driver lives, in the west of Rotterdam.
    static let home = GridPoint(latitudeSteps: 519_270_000, longitudeSteps: 43_620_000)

    /// The day care on the way to the office.
    static let dayCare = GridPoint(latitudeSteps: 519_350_000, longitudeSteps: 44_200_000)

    /// Where the driver works.
    static let office = GridPoint(latitudeSteps: 519_420_000, longitudeSteps: 44_850_000)

    /// Where the recorder reports itself between home and office, both included.
    static let commute = [
        home,
        GridPoint(latitudeSteps: 519_300_000, longitudeSteps: 43_900_000),
        dayCare,
        GridPoint(latitudeSteps: 519_380_000, longitudeSteps: 44_500_000),
        office,
    ]
}
