/// Where a simulated person is at one second.
struct TrackPoint: Sendable {
    var place: Place

    /// Metres per second.
    var speed: Double

    /// Whether there are no satellites in view.
    var isCovered = false
}

/// Goes along a way second by second, as fast as limits, bends and stops allow.
struct Traveller {
    private let way: Way
    private let vehicle: Vehicle
    private let lengths: [Double]
    private let allowed: [Double]

    private var piece = 0
    private var offset = 0.0
    private var speed = 0.0
    private var haste = 1.0

    private init(way: Way, vehicle: Vehicle) {
        self.way = way
        self.vehicle = vehicle
        lengths = zip(way.corners, way.corners.dropFirst()).map { $0.place.distance(to: $1.place) }
        allowed = Self.allowedSpeeds(way: way, vehicle: vehicle, lengths: lengths)
    }

    /// Returns where one is at each second of a way, the start included.
    static func track(
        along way: Way,
        as vehicle: Vehicle,
        random: inout SplitMix64
    ) -> [TrackPoint] {
        var traveller = Traveller(way: way, vehicle: vehicle)
        var points = [traveller.point]
        while traveller.piece < traveller.lengths.count {
            let standing = traveller.advance(random: &random)
            points.append(traveller.point)
            for _ in 0..<standing { points.append(traveller.point) }
        }
        return points
    }

    /// Returns how fast one may be at each corner to keep to bends, limits and stops ahead.
    private static func allowedSpeeds(
        way: Way,
        vehicle: Vehicle,
        lengths: [Double]
    ) -> [Double] {
        var allowed = way.corners.map { $0.standingSeconds > 0 ? 0 : $0.limit }
        guard lengths.count > 0 else { return allowed }
        allowed[allowed.count - 1] = 0
        for index in allowed.indices.dropFirst().dropLast() {
            let bend = Self.bendSpeed(way: way, vehicle: vehicle, lengths: lengths, at: index)
            allowed[index] = min(allowed[index], way.corners[index - 1].limit, bend)
        }
        for index in lengths.indices.reversed() {
            let ahead = allowed[index + 1]
            let most = (ahead * ahead + 2 * vehicle.braking * lengths[index]).squareRoot()
            allowed[index] = min(allowed[index], most)
        }
        return allowed
    }

    /// The speed at which the acceleration to the side of a bend is bearable.
    private static func bendSpeed(
        way: Way,
        vehicle: Vehicle,
        lengths: [Double],
        at index: Int
    ) -> Double {
        let (before, here, after) = (
            way.corners[index - 1].place, way.corners[index].place, way.corners[index + 1].place
        )
        let product = max(lengths[index - 1] * lengths[index], 0.01)
        let cosine =
            ((here.north - before.north) * (after.north - here.north)
                + (here.east - before.east) * (after.east - here.east)) / product
        let halfSine = max(0, (1 - cosine) / 2).squareRoot()
        let radius = min(lengths[index - 1], lengths[index]) / max(2 * halfSine, 0.001)
        return max(1, (vehicle.lateralAcceleration * radius).squareRoot())
    }

    private var point: TrackPoint {
        guard piece < lengths.count else {
            return TrackPoint(place: way.corners[way.corners.count - 1].place, speed: 0)
        }
        let (from, to) = (way.corners[piece], way.corners[piece + 1])
        return TrackPoint(
            place: from.place.toward(to.place, share: offset / max(lengths[piece], 0.01)),
            speed: speed,
            isCovered: from.isCovered
        )
    }

    /// Goes on for a second; returns for how many more one then stands.
    private mutating func advance(random: inout SplitMix64) -> Int {
        // People do not keep a speed exactly: it wanders by some hundredths.
        haste += 0.02 * random.deviation() - 0.1 * (haste - 1)
        let before = speed
        let ahead = allowed[piece + 1]
        let room = max(0, lengths[piece] - offset)
        let wanted = min(
            way.corners[piece].limit * haste,
            (ahead * ahead + 2 * vehicle.braking * room).squareRoot()
        )
        speed = max(0.4, min(wanted, before + vehicle.acceleration))
        offset += (before + speed) / 2
        while piece < lengths.count, offset >= lengths[piece] - 0.3 {
            offset = max(0, offset - lengths[piece])
            piece += 1
            guard piece < lengths.count else { break }
            let standing = way.corners[piece].standingSeconds
            if standing > 0 {
                offset = 0
                speed = 0
                return standing
            }
        }
        return 0
    }
}
