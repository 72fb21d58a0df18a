/// The ways that a driver knows between places: the same each time, there and back.
///
/// They are remembered, as many as there are pairs of places.
struct DriverRoads {
    private struct Pair: Hashable {
        let from: DriverPlace
        let to: DriverPlace
    }

    private struct Road {
        var way: Way
        let meters: Double
        let vehicle: Vehicle
    }

    private static let townMeters = 4_000.0
    private static let garageMeters = 90.0

    private let driver: Driver
    private var roads: [Pair: Road] = [:]

    init(of driver: Driver) {
        self.driver = driver
    }

    /// Returns how long the way from one place to another is, in metres.
    mutating func meters(from start: DriverPlace, to end: DriverPlace) -> Double {
        road(from: start, to: end).meters
    }

    /// Returns a vehicle and the way from one place to another with the traffic of a day.
    mutating func drive(
        from start: DriverPlace,
        to end: DriverPlace,
        random: inout SplitMix64
    ) -> (vehicle: Vehicle, way: Way) {
        let road = road(from: start, to: end)
        let meters = road.meters
        var way = road.way
        road.vehicle.setStops(of: &way, random: &random)
        // Beyond the towns there are no lights, only now and then a jam.
        let land = Self.townMeters...max(Self.townMeters, meters - Self.townMeters)
        way.change(land) { $0.standingSeconds = 0 }
        if meters > 15_000, random.happens(permille: 120) {
            let jam = random.number(in: 600...2_500)
            let first = random.number(in: 5_000...meters - 5_000 - jam)
            let pace = random.number(in: 2...7)
            way.change(first...first + jam) { $0.limit = min($0.limit, pace) }
        }
        if driver.garages.contains(start) {
            way.change(0...Self.garageMeters) { $0.isCovered = true }
        }
        if driver.garages.contains(end) {
            way.change(meters - Self.garageMeters...meters) { $0.isCovered = true }
        }
        return (road.vehicle, way)
    }

    private mutating func road(from start: DriverPlace, to end: DriverPlace) -> Road {
        if let known = roads[Pair(from: start, to: end)] { return known }
        // The way back is the way there, turned round.
        let isBack = end.name.utf8.lexicographicallyPrecedes(start.name.utf8)
        let (first, last) = isBack ? (end, start) : (start, end)
        let seed = SplitMix64.seed(of: "\(first.name) \(last.name)")
        var random = SplitMix64(seed: SplitMix64.seed(driver.seed, 1, seed))
        let (from, to) = (driver.spot(at: first), driver.spot(at: last))
        let vehicle: Vehicle = from.distance(to: to) > 5_000 ? .countryCar : .townCar
        var way = vehicle.way(from: from, to: to, random: &random)
        way.widenCurves()
        way.change(0...Double.infinity) {
            $0.standingSeconds = 0
            $0.isCovered = false
        }
        if let length = way.milestones.last, length > 10_000, random.happens(permille: 200) {
            let tunnel = random.number(in: 700...2_200)
            // A long tunnel on the shortest of these roads begins at the earliest place.
            let entry = random.number(in: 4_000...max(4_000, length - 4_000 - tunnel))
            way.change(entry...entry + tunnel) { $0.isCovered = true }
        }
        let meters = way.milestones.last ?? 0
        if isBack { way.reverse() }
        let road = Road(way: way, meters: meters, vehicle: vehicle)
        roads[Pair(from: start, to: end)] = road
        return road
    }
}

extension Way {
    /// How far from both ends roads have the corners of streets, in metres.
    private static let cornerMeters = 500.0

    /// Draws the corners between the ends to the middle of their neighbours.
    ///
    /// Roads over land are built in wide curves: fixes 10 s apart, which are 250 m apart there, are
    /// to lose a share of the way as small as on real drives, 0.3 to 3.7 %.
    fileprivate mutating func widenCurves() {
        for _ in 0..<3 {
            let milestones = milestones
            let length = milestones.last ?? 0
            let before = corners
            for index in corners.indices.dropFirst().dropLast()
            where milestones[index] > Self.cornerMeters
                && milestones[index] < length - Self.cornerMeters
            {
                let middle = before[index - 1].place.toward(before[index + 1].place, share: 0.5)
                corners[index].place = before[index].place.toward(middle, share: 0.5)
            }
        }
    }

    /// Turns the way round; what was met after a corner is met before it.
    fileprivate mutating func reverse() {
        var back = corners
        back.reverse()
        for index in back.indices.dropLast() {
            let piece = corners[corners.count - 2 - index]
            back[index].limit = piece.limit
            back[index].isCovered = piece.isCovered
        }
        back[back.count - 1].isCovered = false
        corners = back
    }
}
