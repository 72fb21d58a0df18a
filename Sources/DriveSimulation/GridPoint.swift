/// A position in whole steps of 1e-7 degree, which is about a centimetre.
struct GridPoint: Hashable, Sendable {
    var latitudeSteps: Int
    var longitudeSteps: Int

    /// Returns the position so many millimetres to the north and to the east.
    ///
    /// A degree is taken as long as at 51.93° N in WGS-84 (111,266 m and 68,785 m): everything here
    /// happens around Rotterdam.
    func moved(northMillimeters: Int, eastMillimeters: Int) -> GridPoint {
        GridPoint(
            latitudeSteps: latitudeSteps + northMillimeters * 10_000 / 111_266,
            longitudeSteps: longitudeSteps + eastMillimeters * 10_000 / 68_785
        )
    }
}

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
