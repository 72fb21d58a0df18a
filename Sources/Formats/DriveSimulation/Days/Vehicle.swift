/// How people get on: how their ways bend, how fast they are and where they stop.
///
/// The figures come from the labelled streams of MobilityNet (San Francisco Bay, 2019–2020),
/// Go!Track (Aracaju, 2014–2015) and Smart Survey Implementation (Utrecht, 2024), as means over
/// five seconds where a fix came every second.
enum Vehicle: Sendable {
    case feet
    case bicycle
    case electricBicycle
    case townCar
    case countryCar
    case bus
    case cornerBus
    case expressBus
    case tram
    case train
    case subway
    case ferry

    /// The activity of its traveller.
    var activity: SimulatedActivity {
        switch self {
        case .feet: .walking
        case .bicycle, .electricBicycle: .bicycle
        case .townCar, .countryCar: .car
        case .bus, .cornerBus, .expressBus: .bus
        case .tram, .train, .subway: .train
        case .ferry: .boat
        }
    }

    /// The longest straight piece, in metres.
    var pieceMeters: Double {
        switch self {
        case .feet: 40
        case .bicycle, .electricBicycle: 90
        case .townCar, .bus, .cornerBus, .tram: 130
        case .countryCar, .expressBus: 220
        case .train, .subway, .ferry: 450
        }
    }

    /// How far the middle of a piece lies aside of it at most, as a share of the piece.
    var bend: Double {
        switch self {
        case .feet: 0.22
        case .bicycle, .electricBicycle, .townCar, .bus, .cornerBus: 0.18
        case .countryCar, .expressBus, .tram: 0.12
        case .train, .subway: 0.05
        case .ferry: 0.03
        }
    }

    /// How many of a thousand blocks lead round a corner: the labelled cars turned by 40° or more
    /// about once a minute of slow driving, the buses once in three; some lines go round every
    /// corner.
    var junctionPermille: Int {
        switch self {
        case .feet, .bicycle, .electricBicycle, .townCar, .countryCar, .cornerBus: 600
        case .bus, .expressBus: 300
        case .tram, .train, .subway, .ferry: 0
        }
    }

    /// Metres per second gained in a second; 1 % of five-second means of cars exceed 1.3, of trains
    /// and buses fewer.
    var acceleration: Double {
        switch self {
        case .feet: 0.7
        case .bicycle, .electricBicycle: 0.5
        case .townCar, .countryCar: 1.5
        case .bus, .cornerBus, .expressBus, .tram: 1.0
        case .train, .subway: 0.8
        case .ferry: 0.1
        }
    }

    /// Metres per second lost in a second before a stop.
    var braking: Double {
        switch self {
        case .feet: 0.8
        case .bicycle, .electricBicycle: 0.8
        case .townCar, .countryCar: 1.7
        case .bus, .cornerBus, .expressBus, .tram: 1.1
        case .train, .subway: 0.8
        case .ferry: 0.1
        }
    }

    /// The acceleration to the side that people bear in a bend, in metres per second squared.
    var lateralAcceleration: Double {
        switch self {
        case .feet: 3
        case .bicycle, .electricBicycle: 2
        case .townCar, .countryCar: 2.2
        case .bus, .cornerBus, .expressBus, .tram: 1.3
        case .train, .subway, .ferry: 1.2
        }
    }

    /// Returns a way with its speeds and stops.
    func way(from start: Place, to end: Place, random: inout SplitMix64) -> Way {
        var way = Way(from: start, to: end, as: self, random: &random)
        let length = way.milestones.last ?? 0
        setSpeeds(of: &way, length: length, random: &random)
        setStops(of: &way, random: &random)
        cover(&way, length: length, random: &random)
        return way
    }

    /// Medians of the labelled ways: on foot 1.4 m/s, by bicycle 4.1, electric 5 to 7; cars 5 to 14
    /// in town and 25 to 29 on motorways; buses 10, 18 on motorways; trains 31 to 38.
    private func setSpeeds(of way: inout Way, length: Double, random: inout SplitMix64) {
        let steady: ClosedRange<Double>? =
            switch self {
            case .feet: 1.05...1.7
            case .bicycle: 3.3...5.2
            case .electricBicycle: 5...7.2
            case .tram: 9...15
            case .train: 24...39
            case .subway: 17...31
            case .ferry: 2.5...6
            case .townCar, .countryCar, .bus, .cornerBus, .expressBus: nil
            }
        if let steady {
            let speed = random.number(in: steady)
            way.change(0...length) { $0.limit = speed }
            if self == .electricBicycle { descend(&way, length: length, random: &random) }
            return
        }
        setRoadSpeeds(of: &way, length: length, random: &random)
    }

    /// Lets a bicycle with a motor go downhill at 33 km/h for up to a minute and a half.
    private func descend(_ way: inout Way, length: Double, random: inout SplitMix64) {
        guard length > 1_500, random.happens(permille: 400) else { return }
        let meters = random.number(in: 300...830)
        let start = random.number(in: 0...length - meters)
        way.change(start...start + meters) { $0.limit = 33 / 3.6 }
    }

    /// The first and last kilometres go through town; what is between, over land or a motorway.
    private func setRoadSpeeds(of way: inout Way, length: Double, random: inout SplitMix64) {
        let haste = random.number(in: 0.9...1.12)
        var limit = 0.0
        var left = 0.0
        let town: [Double] = [6, 8.3, 8.3, 11, 13.9, 13.9]
        let land: [Double] =
            switch self {
            case .countryCar where length > 9_000: [19, 22.2, 25, 27.8, 27.8, 31, 34]
            case .countryCar: [16.7, 19, 22.2]
            case .expressBus: [16.7, 19, 22.2, 22.2]
            default: town
            }
        let edge = random.number(in: 900...2_500)
        for (index, milestone) in way.milestones.enumerated() {
            let isTown = milestone < edge || milestone > length - edge
            if milestone >= left || (isTown && limit > 14) || (!isTown && limit < 14) {
                left = milestone + random.number(in: 400...3_000)
                limit = random.element(of: isTown ? town : land) * haste
            }
            way.corners[index].limit = limit
        }
    }

    /// Cars stood at 1 light in 8 km for 6, 13 or 43 s (tenth, median, ninetieth of a hundred)
    /// where most was motorway; trains at 1 stop in 3 km for 7, 18 or 37 s; bicycles at 1 in 2 km.
    func setStops(of way: inout Way, random: inout SplitMix64) {
        let lights = [5, 6, 8, 11, 13, 16, 22, 30, 43, 55]
        switch self {
        case .feet:
            way.stand(every: 120...500, permille: 400, seconds: lights, random: &random)
        case .bicycle, .electricBicycle:
            let pauses = lights + [70, 90]
            way.stand(every: 500...2_000, permille: 600, seconds: pauses, random: &random)
        case .townCar:
            way.stand(every: 250...700, permille: 450, seconds: lights, random: &random)
        case .countryCar:
            way.stand(every: 500...3_500, permille: 400, seconds: lights, random: &random)
        case .bus, .cornerBus:
            let dwells = [6, 8, 11, 14, 18, 22, 30, 45]
            way.stand(every: 260...600, permille: 700, seconds: dwells, random: &random)
        case .expressBus:
            let dwells = [14, 18, 25, 35, 60]
            way.stand(every: 1_500...7_000, permille: 800, seconds: dwells, random: &random)
        case .tram:
            let dwells = [10, 14, 18, 22, 30]
            way.stand(every: 400...900, permille: 900, seconds: dwells, random: &random)
        case .train, .subway:
            let dwells = [18, 25, 31, 37, 45, 67]
            way.stand(every: 1_800...8_000, permille: 950, seconds: dwells, random: &random)
        case .ferry: break
        }
    }

    /// Trains run through tunnels, subways mostly below ground, cars through a tunnel now and then.
    private func cover(_ way: inout Way, length: Double, random: inout SplitMix64) {
        let share: ClosedRange<Double>
        switch self {
        case .subway: share = 0.5...0.95
        case .train where random.happens(permille: 250): share = 0.03...0.15
        case .countryCar where random.happens(permille: 120): share = 0.02...0.12
        // Now and then a receiver sees hardly more than both ends of a drive.
        case .townCar where random.happens(permille: 60): share = 0.2...0.45
        default: return
        }
        let meters = length * random.number(in: share)
        let start = random.number(in: 0...length - meters)
        way.change(start...start + meters) { $0.isCovered = true }
    }
}
