extension LatitudeCell {
    /// Metres between two points whose mean latitude lies in this cell, in one of three regimes.
    @inlinable @inline(__always)
    func geodesicMeters(from start: Coordinate, to end: Coordinate) -> Double {
        let middle = (start.latitude + end.latitude) / 2
        let offset = middle - centerDegrees
        let plane = PlaneVector(
            northMeters: (end.latitude - start.latitude) * (north.value + north.slope * offset),
            eastMeters: Self.longitudeDifference(from: start, to: end)
                * (east.value + (east.slope + east.curvature * offset) * offset)
        )
        // Above 85° a degree of longitude is so short that the series in it become poor.
        guard abs(start.latitude) < 85, abs(end.latitude) < 85 else {
            return GeodesicInverse(from: start, to: end).meters
        }
        if plane.squareMeters < 1e6 {
            return plane.squareMeters.squareRoot()
        }
        if plane.squareMeters < 1e8 {
            return midLatitudeMeters(plane, from: start, to: end)
        }
        return GeodesicInverse(from: start, to: end).meters
    }

    /// Degrees of longitude from one point to the other the shorter way round, −180 … 180.
    @inlinable
    static func longitudeDifference(from start: Coordinate, to end: Coordinate) -> Double {
        let difference = end.longitude - start.longitude
        if difference > 180 { return difference - 360 }
        if difference < -180 { return difference + 360 }
        return difference
    }

    /// Corrects a flat distance by Gauss's mid-latitude formulas to the third order.
    ///
    /// Source: Rapp, "Geometric geodesy, part II", 1993, section 1.6 (Gauss mid-latitude method),
    /// with t² cos² φ written as sin² φ and η² as e′² cos² φ.
    @usableFromInline @inline(never)
    func midLatitudeMeters(
        _ plane: PlaneVector,
        from start: Coordinate,
        to end: Coordinate
    ) -> Double {
        let middle = (start.latitude + end.latitude) / 2
        let sineOfMiddle = sine.value + sine.slope * (middle - centerDegrees)
        let sineSquared = sineOfMiddle * sineOfMiddle
        let cosineSquared = 1 - sineSquared
        let etaSquared = Ellipsoid.secondEccentricitySquared * cosineSquared
        let etaTangentSquared = Ellipsoid.secondEccentricitySquared * sineSquared
        let fourthPower = (1 + etaSquared) * (1 + etaSquared)

        let latitude = (end.latitude - start.latitude) * Ellipsoid.radiansPerDegree
        let longitude =
            Self.longitudeDifference(from: start, to: end) * Ellipsoid.radiansPerDegree
        let latitudeSquared = latitude * latitude / fourthPower
        let longitudeSquared = longitude * longitude

        let eastCorrection =
            latitudeSquared * (1 + etaSquared - 9 * etaTangentSquared) / 24
            - longitudeSquared * sineSquared / 24
        let northCorrection =
            latitudeSquared * (etaSquared - etaTangentSquared) / 8
            - longitudeSquared * (cosineSquared * (2 + 2 * etaSquared) + 3 * sineSquared) / 24
        return PlaneVector(
            northMeters: plane.northMeters * (1 + northCorrection),
            eastMeters: plane.eastMeters * (1 + eastCorrection)
        )
        .squareMeters.squareRoot()
    }
}
