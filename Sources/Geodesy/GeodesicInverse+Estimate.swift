import Glibc

extension GeodesicInverse {
    /// What can be said about a geodesic before iterating.
    enum Estimate {
        /// The points are so close that this is their distance.
        case meters(Double)

        /// The geodesic starts about in this direction.
        case azimuth(UnitAngle)
    }

    /// Guesses the azimuth at the first point: on a sphere, or, for points nearly opposite each
    /// other, from the astroid that the geodesics of a point's far side envelop (section 5).
    func estimate() -> Estimate {
        let rise = UnitAngle(
            sine: end.sine * start.cosine - end.cosine * start.sine,
            cosine: end.cosine * start.cosine + end.sine * start.sine
        )
        let isShort =
            rise.cosine >= 0 && rise.sine < 0.5
            && end.cosine * (.pi - supplementRadians) < 0.5
        let meanRadius = meanLatitudeRatio
        let sphere =
            isShort
            ? UnitAngle(
                radians: (.pi - supplementRadians) / (Ellipsoid.axisRatio * meanRadius)
            )
            : longitude
        let heading = sphericalAzimuth(longitude: sphere)
        let arcSine = hypot(heading.sine, heading.cosine)
        let arcCosine = start.sine * end.sine + start.cosine * end.cosine * sphere.cosine
        if isShort, arcSine < Self.shortArc {
            return .meters(
                Ellipsoid.polarRadiusMeters * meanRadius * atan2(arcSine, arcCosine)
            )
        }
        let isFarFromOpposite =
            arcCosine >= 0
            || arcSine >= 6 * Ellipsoid.thirdFlattening * .pi * start.cosine * start.cosine
        let direction = isFarFromOpposite ? heading : oppositeAzimuth()
        guard direction.sine > 0 else {
            return .azimuth(UnitAngle(sine: 1, cosine: 0))
        }
        return .azimuth(UnitAngle(along: direction.cosine, across: direction.sine))
    }

    /// √(1 + e′² sin² β) at the mean latitude: what turns radians of arc into polar radii
    /// (equation 48).
    private var meanLatitudeRatio: Double {
        let sine = (start.sine + end.sine) * (start.sine + end.sine)
        let cosine = (start.cosine + end.cosine) * (start.cosine + end.cosine)
        return (1 + Ellipsoid.secondEccentricitySquared * sine / (sine + cosine)).squareRoot()
    }

    /// The azimuth on a sphere, times the sine of the arc (equation 49).
    private func sphericalAzimuth(longitude: UnitAngle) -> UnitAngle {
        let shared = end.cosine * start.sine * longitude.sine * longitude.sine
        let cosine =
            longitude.cosine >= 0
            ? end.sine * start.cosine - end.cosine * start.sine
                + shared / (1 + longitude.cosine)
            : end.sine * start.cosine + end.cosine * start.sine
                - shared / (1 - longitude.cosine)
        return UnitAngle(sine: end.cosine * longitude.sine, cosine: cosine)
    }

    /// The azimuth for points nearly opposite each other (equations 53 to 57).
    private func oppositeAzimuth() -> UnitAngle {
        let expansion = GeodesicIntegral.expansion(equatorialAzimuthCosine: -start.sine)
        let longitudeUnit =
            Ellipsoid.flattening * start.cosine * .pi
            * GeodesicIntegral.longitudeScale(expansion: expansion)
        let latitudeUnit = longitudeUnit * start.cosine
        let east = -supplementRadians / longitudeUnit
        let north = (end.sine * start.cosine + end.cosine * start.sine) / latitudeUnit
        // On the segment between the cusps, to rounding, the astroid's equation has no root.
        if north > -Self.onSegmentNorth, east > -1 - Self.onSegmentEast {
            let sine = min(1, -east)
            return UnitAngle(sine: sine, cosine: -(1 - sine * sine).squareRoot())
        }
        let root = Astroid.root(east: east, north: north)
        let supplement = -longitudeUnit * east * root / (1 + root)
        return sphericalAzimuth(
            longitude: UnitAngle(sine: sin(supplement), cosine: -cos(supplement))
        )
    }

    /// Arcs in radians below which the sphere of equation 48 is exact to rounding.
    private static let shortArc = 3.6e-8

    private static let onSegmentNorth = 4.4e-14
    private static let onSegmentEast = 1.5e-5
}
