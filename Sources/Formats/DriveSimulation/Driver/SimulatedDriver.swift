public import TripEvents

/// The days of one driver with one car and one phone, made one after the other.
///
/// Where the driver lives, works and goes follows from the name alone; a day from the name, the
/// seed and its date: two years that are made separately are the same as two that are made
/// together. The calendar and the clocks are those of the Netherlands.
public struct SimulatedDriver: Sequence, Sendable {
    /// The days that may be asked for: on the first the car is new.
    public static let days = firstDay...lastDay

    private static let firstDay = CivilDate(daysSince1970: 16_436)
    private static let lastDay = CivilDate(daysSince1970: 47_481)

    /// The source of what the driver enters: the car, its odometer and places.
    private static let enteringSource = "manual"

    /// The odometer's reading on the first day, in metres.
    private static let firstMeters = 12_000.0

    /// How far the phone's counter goes on from day to day: no day has as many reports.
    private static let mostReports = 100_000

    /// The radius of a saved place, in metres.
    private static let radiusMeters = 150

    /// The driver's name.
    public let name: String

    /// The seed of all that chance decides about the days.
    public let seed: UInt64

    /// The first day.
    public let start: CivilDate

    /// How many days there are.
    public let count: Int

    /// The name of the car.
    public let vehicle: String

    /// The name of the phone.
    public let source: String

    private let driver: Driver

    fileprivate init(
        name: String,
        seed: UInt64,
        start: CivilDate,
        count: Int,
        vehicle: String,
        source: String
    ) {
        self.name = name
        self.seed = seed
        self.start = start
        self.count = count
        self.vehicle = vehicle
        self.source = source
        driver = Driver(named: name)
    }

    /// The event that registers the car: the same for any days, so that a ledger that has it treats
    /// it as a duplicate.
    public var registration: TripEvent {
        let letters = Array("AEIOU")
        var random = SplitMix64(seed: SplitMix64.seed(driver.seed, 5))
        // No plate of a Dutch car has a vowel.
        let pair = String([random.element(of: letters), random.element(of: letters)])
        let number = random.integer(in: 100...999)
        let plate = "\(pair)-\(number)-\(random.element(of: letters))"
        return entry(
            .vehicleRegistered(
                VehicleRegistered(vehicle: vehicle, plate: plate, inServiceSince: Self.firstDay)
            ),
            at: 0,
            of: DriverDate(Self.firstDay)
        )
    }

    /// The events that save the places the driver goes to, the same whatever the days.
    public var places: [TripEvent] {
        driver.places.map { name, place in
            let point = Country.point(of: place)
            let saved = PlaceSaved(
                place: name.name,
                latitude: ExactDecimal(simulated: point.latitudeSteps, decimals: 7),
                longitude: ExactDecimal(simulated: point.longitudeSteps, decimals: 7),
                radiusMeters: ExactDecimal(simulated: Self.radiusMeters, decimals: 0)
            )
            return entry(.placeSaved(saved), at: 0, of: DriverDate(Self.firstDay))
        }
    }

    /// Returns an iterator that starts with the first day.
    public func makeIterator() -> Iterator {
        Iterator(self)
    }

    fileprivate func event(_ reported: PhoneReport, on day: DriverDate) -> TripEvent {
        let days = day.date.daysSince1970 - Self.firstDay.daysSince1970
        let milliseconds = reported.report.milliseconds
        return TripEvent(
            source: source,
            occurredAt: day.midnight.advanced(byMilliseconds: milliseconds),
            utcOffset: day.utcOffset,
            sequence: UInt64(days * Self.mostReports + reported.number),
            body: reported.report.body
        )
    }

    private func entry(_ body: EventBody, at second: Int, of day: DriverDate) -> TripEvent {
        TripEvent(
            source: Self.enteringSource,
            occurredAt: day.midnight.advanced(byMilliseconds: Int64(second) * 1_000),
            utcOffset: day.utcOffset,
            actor: name,
            body: body
        )
    }
}

extension SimulatedDriver {
    /// Lives one day after the other.
    public struct Iterator: IteratorProtocol, Sendable {
        private static let morning = 6 * 3_600 + 30 * 60
        private static let evening = 23 * 3_600 + 50 * 60

        private let days: SimulatedDriver
        private var roads: DriverRoads
        private var number = 0

        /// The odometer's reading before the next day, in metres; `nil` until it is needed.
        private var meters: Double?

        init(_ days: SimulatedDriver) {
            self.days = days
            roads = DriverRoads(of: days.driver)
        }

        /// Returns the next day, or `nil` after the last.
        public mutating func next() -> SimulatedDay? {
            guard number < days.count else { return nil }
            defer { number += 1 }
            let date = CivilDate(daysSince1970: days.start.daysSince1970 + number)
            let day = DriverDate(date)
            let plan = DriverAgenda.plan(of: days.driver, on: date, seed: days.seed)
            let daySeed = SplitMix64.seed(
                days.driver.seed,
                days.seed,
                6,
                UInt64(date.daysSince1970)
            )
            var random = SplitMix64(seed: daySeed)
            let legs = legs(of: plan, on: day, random: &random)
            var events: [TripEvent] = []
            let isYearEnd = date.month == 12 && date.day == 31
            if date.day == 1 || isYearEnd, meters == nil { meters = metersBefore(date) }
            if date.day == 1, let meters {
                events.append(reading(of: meters, on: day, at: Self.morning))
            }
            let vehicle = days.vehicle
            events += DriverPhone.reports(of: legs, vehicle: vehicle, random: &random)
                .map { days.event($0, on: day) }
            if let before = meters {
                let after = before + length(of: plan)
                meters = after
                if isYearEnd { events.append(reading(of: after, on: day, at: Self.evening)) }
            }
            let stream = DayStream(
                source: days.source,
                recorder: .pressedPhone,
                parts: legs.map { $0.part(since: day.midnight) }
            )
            return SimulatedDay(number: number, events: events, streams: [stream])
        }
    }
}

extension SimulatedDriver.Iterator {
    /// Lives through a plan.
    private mutating func legs(
        of plan: DriverPlan,
        on day: DriverDate,
        random: inout SplitMix64
    ) -> [DayLeg] {
        var legs: [DayLeg] = []
        var second = 0
        var here = plan.start
        func stay(until end: Int) {
            precondition(end > second, "a day's drives end before midnight")
            let points = [TrackPoint(place: days.driver.spot(at: here), speed: 0)]
            legs.append(
                DayLeg(activity: .parked, startSecond: second, endSecond: end, points: points)
            )
            second = end
        }
        for drive in plan.drives {
            let leaving = day.second(ofClock: drive.leavingSecond)
            stay(until: max(leaving, second + drive.stayingSeconds))
            let (vehicle, way) = roads.drive(from: here, to: drive.destination, random: &random)
            let points = Traveller.track(along: way, as: vehicle, random: &random)
            let end = second + points.count - 1
            legs.append(
                DayLeg(activity: .car, startSecond: second, endSecond: end, points: points)
            )
            second = end
            here = drive.destination
        }
        stay(until: day.seconds)
        return legs
    }

    private mutating func length(of plan: DriverPlan) -> Double {
        var here = plan.start
        return plan.drives.reduce(0) { sum, drive in
            defer { here = drive.destination }
            return sum + roads.meters(from: here, to: drive.destination)
        }
    }

    /// Reads the odometer.
    private func reading(of meters: Double, on day: DriverDate, at second: Int) -> TripEvent {
        days.entry(
            .odometerRead(
                OdometerRead(
                    vehicle: days.vehicle,
                    value: ExactDecimal(simulated: Int(meters / 1_000), decimals: 0),
                    unit: .kilometers,
                    method: .typed
                )
            ),
            at: day.second(ofClock: second),
            of: day
        )
    }

    /// Returns what the odometer showed before a day: all was driven since the car was new.
    private mutating func metersBefore(_ date: CivilDate) -> Double {
        let first = SimulatedDriver.firstDay.daysSince1970
        return (first..<date.daysSince1970)
            .reduce(SimulatedDriver.firstMeters) { meters, day in
                let date = CivilDate(daysSince1970: day)
                return meters
                    + length(of: DriverAgenda.plan(of: days.driver, on: date, seed: days.seed))
            }
    }
}

extension DriveSimulator {
    /// The name of a driver unless another is given.
    public static let defaultDriver = "simulated"

    /// The first day of a driver unless another is given.
    public static let driverStart = CivilDate(daysSince1970: 20_089)

    /// The longest name of a driver, a car or a phone, in bytes of UTF-8.
    public static let mostNameBytes = 100

    /// Returns whether a driver, a car or a phone may have a name.
    public static func canName(_ name: String) -> Bool {
        let isPlain = name.unicodeScalars.allSatisfy {
            $0.properties.generalCategory != .control
        }
        return isPlain && (1...mostNameBytes).contains(name.utf8.count)
    }

    /// Returns whether a number of days from a first day on all lie in ``SimulatedDriver/days``.
    public static func canDrive(from start: CivilDate, count: Int) -> Bool {
        let left = SimulatedDriver.days.upperBound.daysSince1970 - start.daysSince1970 + 1
        return SimulatedDriver.days.contains(start) && (0...left).contains(count)
    }

    /// Returns the days of one driver, to be made as they are read.
    ///
    /// - Parameters:
    ///   - name: Who drives; the same name lives at the same places.
    ///   - seed: The seed of all that chance decides about the days.
    ///   - start: The first day.
    ///   - count: How many days; all MUST be of ``SimulatedDriver/days``.
    ///   - vehicle: The name of the car; that of the driver and `-car` if it is `nil`.
    ///   - source: The name of the phone; that of the driver and `-phone` if it is `nil`.
    /// - Returns: A sequence that gives the same days whenever it is read.
    public static func driver(
        named name: String = defaultDriver,
        seed: UInt64 = 1,
        startingOn start: CivilDate = driverStart,
        count: Int,
        vehicle: String? = nil,
        source: String? = nil
    ) -> SimulatedDriver {
        precondition(canDrive(from: start, count: count), "a driver's car is new on the first day")
        return SimulatedDriver(
            name: name,
            seed: seed,
            start: start,
            count: count,
            vehicle: vehicle ?? "\(name)-car",
            source: source ?? "\(name)-phone"
        )
    }
}
