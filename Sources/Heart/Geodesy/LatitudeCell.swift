/// The lengths of a degree within a band of latitude 0.01° high.
///
/// Everything in it follows from its index, and the two points alone determine the cell that
/// measures them, so a distance never depends on which cells were used before.
@usableFromInline
struct LatitudeCell: Sendable {
    /// The number of the cell, from 0 at the south pole.
    @usableFromInline let index: Int

    /// The latitude of its centre in degrees.
    @usableFromInline let centerDegrees: Double

    /// Metres per degree of latitude: at the centre, then its change per degree from there.
    @usableFromInline let north: (value: Double, slope: Double)

    /// Metres per degree of longitude: at the centre, then the next two terms of its Taylor series.
    @usableFromInline let east: (value: Double, slope: Double, curvature: Double)

    /// The sine of the latitude: at the centre, then its change per degree from there.
    let sine: (value: Double, slope: Double)

    /// Creates the cell with a number.
    ///
    /// With M and N the radii of curvature in the meridian and the prime vertical and
    /// W² = 1 − e² sin² φ, the derivatives are M′ = 3 e² M sin φ cos φ ÷ W² and
    /// (N cos φ)′ = −M sin φ (Rapp, "Geometric geodesy, part I", 1991, section 3.5). At the edge of
    /// the cell the first term left out is below 1e-10 of the value, up to 85°.
    @usableFromInline @inline(never)
    init(index: Int) {
        let degree = Ellipsoid.radiansPerDegree
        let center = (Double(index) + 0.5) / 100 - 90
        let angle = ReproducibleAngle(latitudeDegrees: center)
        let square = 1 - Ellipsoid.eccentricitySquared * angle.sine * angle.sine
        let normal = Ellipsoid.equatorialRadiusMeters / square.squareRoot()
        let meridian = normal * (1 - Ellipsoid.eccentricitySquared) / square
        let meridianSlope =
            3 * Ellipsoid.eccentricitySquared * meridian * angle.sine * angle.cosine / square
        self.index = index
        centerDegrees = center
        north = (value: meridian * degree, slope: meridianSlope * degree * degree)
        east = (
            value: normal * angle.cosine * degree,
            slope: -meridian * angle.sine * degree * degree,
            curvature: -(meridian * angle.cosine + meridianSlope * angle.sine) / 2
                * degree * degree * degree
        )
        sine = (value: angle.sine, slope: angle.cosine * degree)
    }

    /// Returns the number of the cell that measures points whose mean latitude is `middleDegrees`.
    @inlinable
    static func index(middleDegrees: Double) -> Int {
        Int((middleDegrees + 90) * 100)
    }
}

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

/// A step on the plane that touches the ellipsoid between two points.
@usableFromInline
struct PlaneVector: Sendable {
    @usableFromInline let northMeters: Double
    @usableFromInline let eastMeters: Double

    @inlinable
    init(northMeters: Double, eastMeters: Double) {
        self.northMeters = northMeters
        self.eastMeters = eastMeters
    }

    /// The square of its length, in m².
    @inlinable
    var squareMeters: Double {
        northMeters * northMeters + eastMeters * eastMeters
    }
}

/// The sine and cosine of a latitude, with the same bits on every machine.
///
/// Mathematical libraries differ in the last bit. Only addition, multiplication and division are
/// used here, which IEEE 754 rounds in one way.
/// Source: Abramowitz and Stegun, "Handbook of mathematical functions", 4.3.65 and 4.3.66.
struct ReproducibleAngle {
    let sine: Double
    let cosine: Double

    /// Creates the angle of `degrees`, −135 … 135: a little more than latitudes need.
    init(latitudeDegrees degrees: Double) {
        let size = abs(degrees)
        // Up to 45° the first omitted terms of the series are well under the last bit.
        if size <= 45 {
            let angle = size * Ellipsoid.radiansPerDegree
            sine = degrees < 0 ? -Self.sine(angle) : Self.sine(angle)
            cosine = Self.cosine(angle)
        } else {
            let complement = (90 - size) * Ellipsoid.radiansPerDegree
            sine = degrees < 0 ? -Self.cosine(complement) : Self.cosine(complement)
            cosine = Self.sine(complement)
        }
    }

    /// x − x³/3! + x⁵/5! … x¹⁷/17!, written so that each term is made from the next.
    private static func sine(_ radians: Double) -> Double {
        let square = radians * radians
        var factor = 1.0
        for order in stride(from: 16, through: 2, by: -2) {
            factor = 1 - square / Double(order * (order + 1)) * factor
        }
        return radians * factor
    }

    /// 1 − x²/2! + x⁴/4! … x¹⁶/16!, written so that each term is made from the next.
    private static func cosine(_ radians: Double) -> Double {
        let square = radians * radians
        var sum = 1.0
        for order in stride(from: 15, through: 1, by: -2) {
            sum = 1 - square / Double(order * (order + 1)) * sum
        }
        return sum
    }
}

/// Measures one distance after the other, fast while the points stay at nearly the same latitude.
///
/// It remembers the lengths of a degree in the last 0.01° of latitude. That changes how long a call
/// takes and nothing else: the result has the same bits as `Coordinate.distance(to:)`, whatever was
/// measured before.
///
///     var metric = LocalMetric()
///     let driven =
///         metric.distance(from: home, to: corner) + metric.distance(from: corner, to: work)
///
/// All metrics are equal, so that a state that contains one is compared by its other members.
public struct LocalMetric: Hashable, Sendable {
    @usableFromInline var cell: LatitudeCell

    /// Creates a metric that has measured nothing yet.
    public init() {
        cell = LatitudeCell(index: 0)
    }

    /// Returns the length of the shortest line on the ellipsoid between two points, in whole
    /// millimetres, rounded to nearest.
    @inlinable @inline(__always)
    public mutating func distance(from start: Coordinate, to end: Coordinate) -> Distance {
        Distance(roundingMeters: geodesicMeters(from: start, to: end))
    }

    /// Returns the length in metres of the shortest line on the ellipsoid between two points.
    @inlinable @inline(__always)
    public mutating func geodesicMeters(from start: Coordinate, to end: Coordinate) -> Double {
        let index = LatitudeCell.index(middleDegrees: (start.latitude + end.latitude) / 2)
        if index != cell.index {
            cell = LatitudeCell(index: index)
        }
        return cell.geodesicMeters(from: start, to: end)
    }

    /// Returns `true`: what a metric remembers changes no result.
    public static func == (left: LocalMetric, right: LocalMetric) -> Bool {
        true
    }

    /// Feeds nothing to the hasher.
    public func hash(into hasher: inout Hasher) {}
}
