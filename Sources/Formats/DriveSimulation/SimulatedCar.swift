/// A car that follows a made-up road around Rotterdam, second by second.
///
/// The road is a chain of stretches, each with a speed limit and a direction that the car turns
/// into; some end at a red light. All numbers are whole, so every machine drives the same road.
struct SimulatedCar: Sendable {
    private static let limitsMillimetersPerSecond = [8_300, 13_900, 13_900, 22_200, 27_800]
    private static let accelerationMillimetersPerSecond = 1_500
    private static let brakingMillimetersPerSecond = 2_000
    private static let corneringMillimetersPerSecond = 8_000
    private static let farMillimeters = 15_000_000

    private var northMillimeters = 0
    private var eastMillimeters = 0
    private(set) var speedMillimetersPerSecond = 0
    private(set) var heading: Heading

    private var limitMillimetersPerSecond = 0
    private var stretchHeading: Heading
    private var stretchSeconds = 0
    private var endsAtLight = false
    private var redSeconds = 0

    /// Creates a car that stands at home.
    init(random: inout SplitMix64) {
        heading = Heading(hundredths: random.integer(in: 0...Heading.fullTurn - 1))
        stretchHeading = heading
    }

    /// Where it is.
    var point: GridPoint {
        GridPoint.home.moved(northMillimeters: northMillimeters, eastMillimeters: eastMillimeters)
    }

    /// Drives for one second and comes to rest in time for an arrival in `secondsToArrival`.
    mutating func drive(secondsToArrival: Int, random: inout SplitMix64) {
        if redSeconds > 0 {
            redSeconds -= 1
            return
        }
        if stretchSeconds == 0 {
            enterStretch(random: &random)
        }
        stretchSeconds -= 1
        steer()
        move(toward: wantedSpeed(secondsToArrival: secondsToArrival))
        if stretchSeconds == 0, endsAtLight, speedMillimetersPerSecond == 0 {
            redSeconds = random.integer(in: 5...60)
        }
    }

    private mutating func enterStretch(random: inout SplitMix64) {
        stretchSeconds = random.integer(in: 20...120)
        endsAtLight = random.integer(in: 0...2) == 0
        let limits = Self.limitsMillimetersPerSecond
        limitMillimetersPerSecond = limits[random.integer(in: 0...limits.count - 1)]
        let bend = random.integer(in: -9_000...9_000)
        stretchHeading = Heading(hundredths: (headingBack ?? heading).hundredths + bend)
    }

    /// The direction towards home once the car is far from it.
    private var headingBack: Heading? {
        let north = abs(northMillimeters)
        let east = abs(eastMillimeters)
        guard max(north, east) > Self.farMillimeters else { return nil }
        if north > east {
            return northMillimeters > 0 ? .south : .north
        }
        return eastMillimeters > 0 ? .west : .east
    }

    private mutating func steer() {
        guard speedMillimetersPerSecond > 0 else { return }
        let isSlow = speedMillimetersPerSecond <= Self.corneringMillimetersPerSecond
        let mostHundredths = isSlow ? 1_500 : 150
        let turn = heading.turn(to: stretchHeading)
        heading = Heading(
            hundredths: heading.hundredths + min(mostHundredths, max(-mostHundredths, turn))
        )
    }

    private func wantedSpeed(secondsToArrival: Int) -> Int {
        let secondsToStop = speedMillimetersPerSecond / Self.brakingMillimetersPerSecond + 2
        if secondsToArrival <= secondsToStop { return 0 }
        if endsAtLight, stretchSeconds <= secondsToStop { return 0 }
        let isCornering = abs(heading.turn(to: stretchHeading)) > 2_000
        return isCornering
            ? min(limitMillimetersPerSecond, Self.corneringMillimetersPerSecond)
            : limitMillimetersPerSecond
    }

    private mutating func move(toward wantedMillimetersPerSecond: Int) {
        let before = speedMillimetersPerSecond
        speedMillimetersPerSecond =
            wantedMillimetersPerSecond > before
            ? min(wantedMillimetersPerSecond, before + Self.accelerationMillimetersPerSecond)
            : max(wantedMillimetersPerSecond, before - Self.brakingMillimetersPerSecond)
        let millimeters = (before + speedMillimetersPerSecond) / 2
        northMillimeters += heading.north(of: millimeters)
        eastMillimeters += heading.east(of: millimeters)
    }
}

/// A direction of travel in hundredths of a degree from true north, 0 … 35,999.
struct Heading: Hashable, Sendable {
    static let fullTurn = 36_000
    static let halfTurn = 18_000

    static let north = Heading(hundredths: 0)
    static let east = Heading(hundredths: 9_000)
    static let south = Heading(hundredths: 18_000)
    static let west = Heading(hundredths: 27_000)

    let hundredths: Int

    /// Creates a heading from any number of hundredths of a degree.
    init(hundredths: Int) {
        let rest = hundredths % Self.fullTurn
        self.hundredths = rest < 0 ? rest + Self.fullTurn : rest
    }

    /// Returns the hundredths of a degree to turn right to reach `other`, −18,000 … 17,999.
    func turn(to other: Heading) -> Int {
        Heading(hundredths: other.hundredths - hundredths + Self.halfTurn).hundredths
            - Self.halfTurn
    }

    /// Returns the part of `length` that leads north.
    func north(of length: Int) -> Int {
        Heading(hundredths: hundredths + Self.halfTurn / 2).east(of: length)
    }

    /// Returns the part of `length` that leads east.
    ///
    /// The sine is Bhaskara I's, 4x(180 − x) ÷ (40,500 − x(180 − x)) for x degrees, at most 0.0017
    /// off: whole numbers give the same road on every machine.
    /// Source: Bhaskara I, "Mahabhaskariya", about 629, chapter 7.
    func east(of length: Int) -> Int {
        let isWest = hundredths > Self.halfTurn
        let angle = isWest ? hundredths - Self.halfTurn : hundredths
        let product = angle * (Self.halfTurn - angle)
        let part = length * 4 * product / (405_000_000 - product)
        return isWest ? -part : part
    }
}

/// A position in whole steps of 1e-7 degree, which is about a centimetre.
struct GridPoint: Hashable, Sendable {
    var latitudeSteps: Int
    var longitudeSteps: Int

    /// Returns the position so many millimetres to the north and to the east.
    ///
    /// A degree is taken as long as at 51.93° N in WGS-84 (111,266 m and 68,785 m): everything here
    /// happens around Rotterdam.
    func moved(northMillimeters: Int, eastMillimeters: Int) -> GridPoint {
        GridPoint(
            latitudeSteps: latitudeSteps + northMillimeters * 10_000 / 111_266,
            longitudeSteps: longitudeSteps + eastMillimeters * 10_000 / 68_785
        )
    }
}

extension GridPoint {
    /// Where the driver lives, in the west of Rotterdam.
    static let home = GridPoint(latitudeSteps: 519_270_000, longitudeSteps: 43_620_000)

    /// The day care on the way to the office.
    static let dayCare = GridPoint(latitudeSteps: 519_350_000, longitudeSteps: 44_200_000)

    /// Where the driver works.
    static let office = GridPoint(latitudeSteps: 519_420_000, longitudeSteps: 44_850_000)

    /// Where the recorder reports itself between home and office, both included.
    static let commute = [
        home,
        GridPoint(latitudeSteps: 519_300_000, longitudeSteps: 43_900_000),
        dayCare,
        GridPoint(latitudeSteps: 519_380_000, longitudeSteps: 44_500_000),
        office,
    ]
}
