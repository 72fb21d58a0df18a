/// A place on the ground, in metres from the middle of the simulated world.
struct Place: Hashable, Sendable {
    var north: Double
    var east: Double

    func distance(to other: Place) -> Double {
        let north = other.north - north
        let east = other.east - east
        return (north * north + east * east).squareRoot()
    }

    /// Returns the place that lies a share of the way to another.
    func toward(_ other: Place, share: Double) -> Place {
        Place(
            north: north + share * (other.north - north),
            east: east + share * (other.east - east)
        )
    }

    /// Returns a place in any direction, at a distance in `meters`.
    func somewhere(within meters: ClosedRange<Double>, random: inout SplitMix64) -> Place {
        // A direction without sines: a point of the square that lies in the ring of the circle.
        while true {
            let north = random.number(in: -1...1)
            let east = random.number(in: -1...1)
            let length = (north * north + east * east).squareRoot()
            if length > 0.1, length <= 1 {
                let distance = random.number(in: meters) / length
                return Place(
                    north: self.north + distance * north,
                    east: self.east + distance * east
                )
            }
        }
    }
}

/// A bent line from one place to another, with what one meets on it.
struct Way: Sendable {
    /// A corner of the line, and the piece that leads on from it.
    struct Corner: Sendable {
        var place: Place

        /// How fast one goes on the piece after this corner, in metres per second.
        var limit: Double

        /// How long one stands here.
        var standingSeconds = 0

        /// Whether the piece after it lies under a roof, without satellites.
        var isCovered = false
    }

    var corners: [Corner]

    /// Creates a line that bends as `vehicle`'s ways do.
    init(from start: Place, to end: Place, as vehicle: Vehicle, random: inout SplitMix64) {
        var places = [start, end]
        var isFine = false
        // Midpoints are moved aside, at each step by a share of the piece.
        while !isFine {
            isFine = true
            var bent: [Place] = []
            bent.reserveCapacity(places.count * 2)
            for (from, to) in zip(places, places.dropFirst()) {
                bent.append(from)
                guard from.distance(to: to) > vehicle.pieceMeters else { continue }
                isFine = false
                let isInStreets =
                    from.distance(to: start) < Self.streetMeters
                    || to.distance(to: end) < Self.streetMeters
                let aside = Self.aside(
                    of: from.distance(to: to),
                    isInStreets ? vehicle.junctionPermille : 0,
                    bend: vehicle.bend,
                    random: &random
                )
                var middle = from.toward(to, share: 0.5)
                middle.north -= aside * (to.east - from.east)
                middle.east += aside * (to.north - from.north)
                bent.append(middle)
            }
            bent.append(end)
            places = bent
        }
        corners = places.map { Corner(place: $0, limit: 0) }
    }

    /// How far from both ends of a way there are streets, which meet at right angles, in metres.
    private static let streetMeters = 2_500.0

    /// The lengths that a piece of street round a corner may have, in metres.
    private static let blockMeters = 250.0...1_000.0

    /// Returns how far the middle of a piece lies aside of it, as a share of the piece.
    private static func aside(
        of meters: Double,
        _ junctionPermille: Int,
        bend: Double,
        random: inout SplitMix64
    ) -> Double {
        guard blockMeters.contains(meters), random.happens(permille: junctionPermille) else {
            return random.number(in: -bend...bend)
        }
        // Half the piece aside is a right angle.
        let aside = random.number(in: 0.35...0.5)
        return random.happens(permille: 500) ? aside : -aside
    }

    /// Metres from the start to each corner.
    var milestones: [Double] {
        var sum = 0.0
        var milestones = [0.0]
        for (from, to) in zip(corners, corners.dropFirst()) {
            sum += from.place.distance(to: to.place)
            milestones.append(sum)
        }
        return milestones
    }

    /// Changes the corners that lie between some metres, from the start, of the way.
    mutating func change(_ meters: ClosedRange<Double>, _ body: (inout Corner) -> Void) {
        for (index, milestone) in milestones.enumerated() where meters.contains(milestone) {
            body(&corners[index])
        }
    }

    /// Lets people stand at inner corners that are about `spacing` metres apart.
    mutating func stand(
        every spacing: ClosedRange<Double>,
        permille: Int,
        seconds: [Int],
        random: inout SplitMix64
    ) {
        var next = random.number(in: spacing)
        for (index, milestone) in milestones.enumerated().dropLast() where milestone >= next {
            next = milestone + random.number(in: spacing)
            if random.happens(permille: permille) {
                corners[index].standingSeconds = random.element(of: seconds)
            }
        }
    }
}
