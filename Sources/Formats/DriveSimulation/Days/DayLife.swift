/// A person's day, lived from leg to leg: it begins and ends at home.
///
/// The shares of people are made up; the lengths of legs are those of the labelled streams, where
/// ways on foot took 1 to 14 minutes, bus rides 5 to 41, car trips 8 to 31, bicycle rides 18 to 22
/// and train rides 4 to 55 (from the tenth to the ninetieth of a hundred).
struct DayLife {
    private(set) var legs: [DayLeg] = []
    private var second: Int
    private let home: Place
    private var here: Place
    private var car: Place
    private var random: SplitMix64

    /// Lives a day; seconds count from midnight.
    static func legs(random: inout SplitMix64) -> [DayLeg] {
        let seed = random.next()
        var life = DayLife(random: SplitMix64(seed: seed))
        life.live()
        return life.legs
    }

    private init(random: SplitMix64) {
        var random = random
        second = random.integer(in: 5 * 3_600...9 * 3_600)
        home = Place(north: 0, east: 0).somewhere(within: 0...25_000, random: &random)
        here = home
        car = home.somewhere(within: 5...250, random: &random)
        self.random = random
    }

    private mutating func live() {
        stay(minutes: 15...150)
        switch random.integer(in: 0...99) {
        case 0..<30: commuteByCar()
        case 30..<42: callOnCustomers()
        case 42..<60: commuteByTransit()
        case 60..<72: cycle()
        case 72..<82: parkAndRide()
        case 82..<88: crossTheWater()
        case 88..<95: shopAndWalk()
        default: stayAtHome()
        }
        if here != home { goHome() }
        stay(minutes: 40...240)
    }

    private mutating func goHome() {
        if here.distance(to: home) < 1_500 { go(to: home, as: .feet) } else { drive(to: home) }
    }
}

/// Days.
extension DayLife {
    private mutating func commuteByCar() {
        let work = away(4_000...35_000)
        drive(to: work, isByDayCare: random.happens(permille: 200))
        stay(minutes: 90...240)
        if random.happens(permille: 400) { lunch() }
        stay(minutes: 60...240)
        if random.happens(permille: 350) {
            drive(to: here.somewhere(within: 1_000...9_000, random: &random))
            stay(minutes: 12...60)
        }
        drive(to: home, isByDayCare: random.happens(permille: 150))
    }

    private mutating func callOnCustomers() {
        for _ in 0..<random.integer(in: 3...7) {
            drive(to: away(2_000...25_000))
            stay(minutes: random.happens(permille: 600) ? 11...50 : 50...110)
        }
    }

    private mutating func commuteByTransit() {
        let work = away(5_000...45_000)
        ride(to: work)
        stay(minutes: 180...500)
        if random.happens(permille: 400) { lunch() }
        ride(to: home)
        if random.happens(permille: 250) {
            stay(minutes: 15...60)
            drive(to: away(2_000...9_000))
            stay(minutes: 20...90)
        }
    }

    private mutating func cycle() {
        let vehicle: Vehicle = random.happens(permille: 350) ? .electricBicycle : .bicycle
        let there = away(2_000...8_000)
        go(to: there, as: vehicle)
        stay(minutes: 30...480)
        if random.happens(permille: 400) {
            go(to: there.somewhere(within: 800...3_000, random: &random), as: vehicle)
            stay(minutes: 15...60)
        }
        go(to: home, as: vehicle)
        if random.happens(permille: 400) {
            stay(minutes: 20...90)
            drive(to: away(2_000...15_000))
            stay(minutes: 20...90)
        }
    }

    private mutating func parkAndRide() {
        let station = away(2_000...9_000)
        drive(to: station)
        let stop = here
        ride(to: away(15_000...55_000), isWithBus: false)
        stay(minutes: 120...420)
        ride(to: stop, isWithBus: false)
        drive(to: home)
    }

    /// A car ferry: people would argue whether it parts one trip or joins two.
    private mutating func crossTheWater() {
        let there = away(8_000...25_000)
        let quay = home.toward(there, share: random.number(in: 0.35...0.55))
        let pier = quay.toward(there, share: 0.12)
        goToCar()
        let first = legs.count
        go(to: quay, as: .countryCar)
        stay(minutes: 4...14)
        go(to: pier, as: .ferry)
        go(to: there, as: .countryCar)
        for index in first..<legs.count {
            legs[index].looseness = "a ferry between"
        }
        car = here
        stay(minutes: 40...240)
    }

    private mutating func shopAndWalk() {
        drive(to: away(1_500...9_000))
        stay(minutes: 15...60)
        drive(to: home)
        stay(minutes: 20...150)
        stroll()
    }

    private mutating func stayAtHome() {
        stay(minutes: 120...400)
        stroll()
    }

    private mutating func lunch() {
        let desk = here
        go(to: here.somewhere(within: 150...700, random: &random), as: .feet)
        stay(minutes: 10...40)
        go(to: desk, as: .feet)
    }

    private mutating func stroll() {
        let start = here
        go(to: here.somewhere(within: 300...1_500, random: &random), as: .feet)
        go(to: start, as: .feet)
    }
}

/// Legs.
extension DayLife {
    /// Returns a place away from home.
    private mutating func away(_ meters: ClosedRange<Double>) -> Place {
        home.somewhere(within: meters, random: &random)
    }

    private mutating func stay(minutes: ClosedRange<Int>) {
        stay(seconds: minutes.lowerBound * 60...minutes.upperBound * 60)
    }

    private mutating func stay(seconds: ClosedRange<Int>) {
        let end = second + random.integer(in: seconds)
        let points = [TrackPoint(place: here, speed: 0)]
        legs.append(
            DayLeg(activity: .parked, startSecond: second, endSecond: end, points: points)
        )
        second = end
    }

    private mutating func go(to place: Place, as vehicle: Vehicle) {
        guard here.distance(to: place) > 3 else { return }
        go(along: vehicle.way(from: here, to: place, random: &random), as: vehicle)
    }

    private mutating func go(along way: Way, as vehicle: Vehicle) {
        let points = Traveller.track(along: way, as: vehicle, random: &random)
        let end = second + points.count - 1
        legs.append(
            DayLeg(activity: vehicle.activity, startSecond: second, endSecond: end, points: points)
        )
        second = end
        here = points[points.count - 1].place
    }

    /// Walks to the car and sits in it for a while.
    private mutating func goToCar() {
        go(to: car, as: .feet)
        stay(seconds: 5...120)
    }

    /// Takes the car to a parking space near a place and walks on from there.
    private mutating func drive(to place: Place, isByDayCare: Bool = false) {
        goToCar()
        let isAtDoor = random.happens(permille: 300)
        let space = place.somewhere(within: isAtDoor ? 4...15 : 20...350, random: &random)
        let vehicle: Vehicle = here.distance(to: space) > 4_000 ? .countryCar : .townCar
        var way = vehicle.way(from: here, to: space, random: &random)
        if isByDayCare { interrupt(&way, seconds: 60...230) }
        if random.happens(permille: 50) { interrupt(&way, seconds: 150...330) }
        if random.happens(permille: 150) { jam(&way) }
        go(along: way, as: vehicle)
        car = here
        stay(seconds: 5...120)
        go(to: place, as: .feet)
    }

    /// Lets the driver stop on the way, at a day care or for petrol, and drive on.
    private mutating func interrupt(_ way: inout Way, seconds: ClosedRange<Int>) {
        guard way.corners.count > 4 else { return }
        let index = random.integer(in: 2...way.corners.count - 3)
        way.corners[index].standingSeconds = random.integer(in: seconds)
    }

    /// Lets the driver creep for some hundred metres, and stand more than once.
    private mutating func jam(_ way: inout Way) {
        let length = way.milestones.last ?? 0
        guard length > 3_000 else { return }
        let meters = random.number(in: 300...1_800)
        let start = random.number(in: 500...length - meters - 500)
        let pace = random.number(in: 1.2...4)
        let standings = [20, 40, 70, 120, 200]
        for (index, milestone) in way.milestones.enumerated()
        where milestone >= start && milestone <= start + meters {
            way.corners[index].limit = min(way.corners[index].limit, pace)
            if random.happens(permille: 400) {
                way.corners[index].standingSeconds = random.element(of: standings)
            }
        }
    }

    /// Takes a bus or tram, a train if it is far, and walks between and at both ends.
    private mutating func ride(to place: Place, isWithBus: Bool = true) {
        let isFar = here.distance(to: place) > 9_000
        let lastStop = place.somewhere(within: 80...700, random: &random)
        if isWithBus || !isFar {
            let vehicle = random.element(of: [Vehicle.bus, .cornerBus, .expressBus, .tram])
            let reach: ClosedRange<Double> = vehicle == .expressBus ? 6_000...14_000 : 1_500...5_000
            let stop =
                isFar ? here.somewhere(within: reach, random: &random) : lastStop
            wait(within: 60...600)
            go(to: stop, as: vehicle)
        }
        if isFar {
            wait(within: 40...350)
            go(to: lastStop, as: random.element(of: [.train, .train, .subway]))
        }
        go(to: place, as: .feet)
    }

    /// Walks to a stop and waits there.
    private mutating func wait(within meters: ClosedRange<Double>) {
        go(to: here.somewhere(within: meters, random: &random), as: .feet)
        stay(seconds: 30...700)
    }
}
