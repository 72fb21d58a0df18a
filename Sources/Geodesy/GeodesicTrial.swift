import Glibc

/// A geodesic that starts with a guessed azimuth and ends where it meets the second point's
/// latitude.
///
/// Source: Karney, "Algorithms for geodesics", J. Geodesy 87 (2013), section 4 and equation 46.
struct GeodesicTrial {
    /// The geodesic between the two latitudes.
    let arc: GeodesicArc

    /// How much farther east than the second point it ends.
    let excessRadians: Double

    /// The change of the excess with the azimuth.
    let slope: Double

    /// Shoots a geodesic from reduced latitude `start` to reduced latitude `end`.
    init(
        azimuth: UnitAngle,
        from start: UnitAngle,
        to end: UnitAngle,
        longitude: UnitAngle
    ) {
        // Due east on the equator would have no node to count from.
        let cosine = start.sine == 0 && azimuth.cosine == 0 ? -1e-150 : azimuth.cosine
        let nodeSine = azimuth.sine * start.cosine
        let nodeCosine = hypot(cosine, azimuth.sine * start.sine)
        let endCosine = Self.northwardShare(of: cosine, from: start, to: end)

        let startArc = UnitAngle(along: cosine * start.cosine, across: start.sine)
        let endArc = UnitAngle(along: endCosine, across: end.sine)
        let turn = startArc.turn(to: endArc)
        arc = GeodesicArc(
            equatorialAzimuthCosine: nodeCosine,
            start: startArc,
            end: endArc,
            length: UnitAngle(sine: max(0, turn.sine), cosine: turn.cosine).radians
        )

        let startSphere = UnitAngle(along: cosine * start.cosine, across: nodeSine * start.sine)
        let endSphere = UnitAngle(along: endCosine, across: nodeSine * end.sine)
        let sphere = startSphere.turn(to: endSphere)
        let onSphere = longitude.turn(
            to: UnitAngle(sine: max(0, sphere.sine), cosine: sphere.cosine)
        )
        excessRadians = onSphere.radians - nodeSine * arc.longitudeLagRadians
        slope =
            endCosine == 0
            ? -2 * Ellipsoid.axisRatio
                * (1 + Ellipsoid.secondEccentricitySquared * start.sine * start.sine).squareRoot()
                / start.sine
            : Ellipsoid.axisRatio * arc.reducedLength / endCosine
    }

    /// cos α₂ cos β₂, which is √(cos² α₁ cos² β₁ + cos² β₂ − cos² β₁) (equation 45), without the
    /// loss of digits when the latitudes are nearly the same.
    private static func northwardShare(
        of cosine: Double,
        from start: UnitAngle,
        to end: UnitAngle
    ) -> Double {
        let difference =
            start.cosine < -start.sine
            ? (end.cosine - start.cosine) * (start.cosine + end.cosine)
            : (start.sine - end.sine) * (start.sine + end.sine)
        let square = cosine * start.cosine * cosine * start.cosine + difference
        return max(0, square).squareRoot()
    }
}
