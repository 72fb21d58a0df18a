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
