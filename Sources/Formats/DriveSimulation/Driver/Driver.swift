import TripEvents

/// A place that a driver goes to again and again.
enum DriverPlace: Hashable, Sendable {
    case home
    case office
    case client(Int)
    case supermarket
    case school
    case sports
    case family
    case friends
    case town

    /// A stop on the way to a holiday house.
    case rest(Break, Int)

    /// A holiday house.
    case house(Break)

    /// A market, a beach or a walk near a holiday house.
    case outing(Break, Int)

    /// The holidays of a year.
    enum Break: String, CaseIterable, Sendable {
        case spring
        case summer
        case autumn
    }
}

extension DriverPlace {
    /// What it is called.
    var name: String {
        switch self {
        case .home: "home"
        case .office: "office"
        case .client(let number): "client-\(number + 1)"
        case .supermarket: "supermarket"
        case .school: "school"
        case .sports: "sports"
        case .family: "family"
        case .friends: "friends"
        case .town: "town"
        case .rest(let holiday, let number): "\(holiday.rawValue)-rest-\(number + 1)"
        case .house(let holiday): "\(holiday.rawValue)-house"
        case .outing(let holiday, let number): "\(holiday.rawValue)-outing-\(number + 1)"
        }
    }
}

/// A simulated driver: where this person goes, and what a week is like.
///
/// A driver follows from a name alone. The shares are made up; together they give about a thousand
/// trips and 15,000 to 25,000 km a year, which is what people do who drive to clients.
struct Driver: Sendable {
    /// The number of outings near a holiday house.
    static let outings = 3

    /// The seed of all that chance decides about this driver.
    let seed: UInt64

    /// Where the car stands at each place, in the order in which places are listed.
    private(set) var places: [(name: DriverPlace, place: Place)] = []

    /// The places where the car stands under a roof.
    private(set) var garages: Set<DriverPlace> = []

    let clientCount: Int
    let hasChildren: Bool
    let workdays: Set<Weekday>
    let schoolDays: Set<Weekday>
    let sportsEvenings: Set<Weekday>

    /// When work begins, in minutes after midnight, and how long it takes.
    let workMinute: Int
    let workMinutes: Int

    /// How many of a thousand working days are spent at home.
    let homeOfficePermille: Int

    /// How many of a thousand days at the office begin or end at a client's.
    let clientPermille: Int

    private let spots: [DriverPlace: Place]

    /// Finds the driver with a name.
    init(named name: String) {
        seed = SplitMix64.seed(of: name)
        var random = SplitMix64(seed: SplitMix64.seed(seed, 0))
        clientCount = random.integer(in: 3...6)
        hasChildren = random.happens(permille: 600)
        let free: [Weekday?] = [nil, nil, nil, .wednesday, .friday]
        let dayOff = random.element(of: free)
        workdays = Set(Weekday.allCases.filter { !$0.isWeekend && $0 != dayOff })
        let school: [Set<Weekday>] = [
            [.monday, .thursday], [.tuesday, .friday], [.monday, .tuesday, .wednesday],
        ]
        schoolDays = hasChildren ? random.element(of: school) : []
        sportsEvenings = random.element(of: [[.tuesday], [.monday, .thursday], [.wednesday]])
        workMinute = random.integer(in: 8 * 60...9 * 60)
        workMinutes = random.integer(in: 7 * 60 + 45...9 * 60)
        homeOfficePermille = random.integer(in: 80...250)
        clientPermille = random.integer(in: 250...450)
        let settled = Settlement(
            clientCount: clientCount,
            hasChildren: hasChildren,
            random: &random
        )
        places = settled.places
        garages = settled.garages
        spots = Dictionary(uniqueKeysWithValues: settled.places.map { ($0.name, $0.place) })
    }

    /// Where the car stands at a place.
    func spot(at place: DriverPlace) -> Place {
        guard let spot = spots[place] else {
            preconditionFailure("\(place.name) is no place of this driver")
        }
        return spot
    }

    /// How many stops there are on the way to a holiday house.
    func restCount(_ holiday: DriverPlace.Break) -> Int {
        (0...).first { spots[.rest(holiday, $0)] == nil } ?? 0
    }
}

/// Chooses where a driver's places are.
private struct Settlement {
    private(set) var places: [(name: DriverPlace, place: Place)] = []
    private(set) var garages: Set<DriverPlace> = []

    init(clientCount: Int, hasChildren: Bool, random: inout SplitMix64) {
        var near = Country.near
        var far = Country.far
        func take(_ towns: inout [Place], _ random: inout SplitMix64) -> Place {
            towns.remove(at: random.integer(in: 0...towns.count - 1))
                .somewhere(within: 200...1_500, random: &random)
        }
        let home = take(&near, &random)
        func around(_ meters: ClosedRange<Double>, _ random: inout SplitMix64) -> Place {
            home.somewhere(within: meters, random: &random)
        }
        places = [(.home, home), (.office, take(&near, &random))]
        for number in 0..<clientCount {
            let isNear = random.happens(permille: 400)
            let town = isNear ? take(&near, &random) : take(&far, &random)
            places.append((.client(number), town))
        }
        places.append((.supermarket, around(1_200...2_500, &random)))
        if hasChildren { places.append((.school, around(1_500...3_000, &random))) }
        places += [
            (.sports, around(2_500...6_000, &random)),
            (.family, take(&far, &random)),
            (.friends, take(&near, &random)),
            (.town, take(&near, &random)),
        ]
        var breaks = Country.shortBreaks
        let spring = breaks.remove(at: random.integer(in: 0...breaks.count - 1))
        settle(.spring, spring, random: &random)
        settle(.summer, random.element(of: Country.summers), random: &random)
        settle(.autumn, random.element(of: breaks), random: &random)
        for place in [DriverPlace.office, .town, .client(0)] where random.happens(permille: 300) {
            garages.insert(place)
        }
    }

    private mutating func settle(
        _ holiday: DriverPlace.Break,
        _ way: [Place],
        random: inout SplitMix64
    ) {
        for (number, stop) in way.dropLast().enumerated() {
            places.append(
                (.rest(holiday, number), stop.somewhere(within: 100...2_000, random: &random))
            )
        }
        let house = way[way.count - 1].somewhere(within: 300...4_000, random: &random)
        places.append((.house(holiday), house))
        for number in 0..<Driver.outings {
            let outing = house.somewhere(within: 2_000...25_000, random: &random)
            places.append((.outing(holiday, number), outing))
        }
    }
}

extension SplitMix64 {
    /// Returns a seed that follows from a text.
    ///
    /// Source: G. Fowler, L. C. Noll, K.-P. Vo, "The FNV Non-Cryptographic Hash Algorithm", 1a.
    static func seed(of text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    /// Returns the seed of something that follows from several numbers.
    ///
    /// Seeds of neighbours must not be neighbours: their sequences would overlap.
    static func seed(_ numbers: UInt64...) -> UInt64 {
        numbers.reduce(0) { seed, number in
            var mixer = SplitMix64(seed: seed ^ (number &* 0xD1B5_4A32_D192_ED03))
            return mixer.next()
        }
    }
}
