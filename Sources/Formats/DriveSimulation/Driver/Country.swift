/// From metres to degrees for those who go far: from the Netherlands to the south of France.
///
/// A degree of latitude is taken as long as in Rotterdam, which is 0.2 % too much at most; a degree
/// of longitude by its length in WGS-84 at each latitude (J. P. Snyder, "Map Projections: A Working
/// Manual", 1987, formula 4-21), as a polynomial, because not every machine rounds a cosine alike.
enum Country {
    private static let metersPerLatitude = 111_266.0
    private static let stepsPerDegree = 10_000_000.0
    private static let latitude = Double(GridPoint.home.latitudeSteps) / stepsPerDegree
    private static let longitude = Double(GridPoint.home.longitudeSteps) / stepsPerDegree

    /// Returns the metres of a degree of longitude so many degrees north of Rotterdam.
    private static func metersPerLongitude(_ degrees: Double) -> Double {
        68_789 - degrees * (1_528.8 + degrees * (10.58 - degrees * 0.0777))
    }

    /// Returns the position of a place in degrees.
    static func point(of place: Place) -> GridPoint {
        let north = place.north / metersPerLatitude
        let east = place.east / metersPerLongitude(north)
        return GridPoint(
            latitudeSteps: Int(((latitude + north) * stepsPerDegree).rounded()),
            longitudeSteps: Int(((longitude + east) * stepsPerDegree).rounded())
        )
    }

    /// Returns the place at a position in degrees.
    static func place(_ latitude: Double, _ longitude: Double) -> Place {
        let north = latitude - self.latitude
        return Place(
            north: north * metersPerLatitude,
            east: (longitude - self.longitude) * metersPerLongitude(north)
        )
    }
}

/// The places where simulated drivers go: the middles of towns.
extension Country {
    /// Towns around Rotterdam, where people live and work.
    static let near = [
        place(51.917, 4.399), place(51.912, 4.342), place(51.923, 4.250), place(52.011, 4.357),
        place(51.857, 4.535), place(51.930, 4.578), place(52.058, 4.494), place(52.012, 4.711),
        place(51.803, 4.673), place(51.845, 4.329), place(51.922, 4.479), place(52.075, 4.330),
    ]

    /// Towns within an hour or so, where people have clients and family.
    static let far = [
        place(52.160, 4.490), place(52.090, 5.110), place(51.587, 4.776), place(51.833, 4.974),
        place(52.129, 4.658), place(52.086, 4.883), place(51.530, 4.459), place(52.310, 4.940),
        place(51.560, 5.080), place(52.303, 4.690), place(51.690, 5.300), place(52.156, 5.387),
    ]

    /// Houses for two weeks in summer: the stops on the way, and the house itself at the end.
    ///
    /// All lie south of Rotterdam, so that metres stay metres: east and west of it they shear.
    static let summers = [
        [place(50.450, 4.800), place(48.900, 4.600), place(47.030, 4.840)],
        [place(50.200, 4.800), place(48.300, 4.900), place(46.500, 4.900), place(44.730, 5.020)],
        [place(50.300, 4.200), place(48.400, 3.800), place(46.130, 3.430)],
    ]

    /// Houses for some days in spring and autumn.
    static let shortBreaks = [
        [place(51.200, 4.850), place(50.350, 5.460)],
        [place(50.865, 5.832)],
        [place(52.240, 5.830)],
        [place(51.550, 3.600)],
    ]
}
