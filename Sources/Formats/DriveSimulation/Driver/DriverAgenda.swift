import TripEvents

/// A drive that a driver plans: where to, and when to leave at the earliest.
struct PlannedDrive: Sendable {
    let destination: DriverPlace

    /// Seconds after midnight by the clock.
    let leavingSecond: Int

    /// How long the car stands before it, in seconds.
    let stayingSeconds: Int
}

/// Where the car stands at the beginning of a day, and what its driver plans.
struct DriverPlan: Sendable {
    let start: DriverPlace
    let drives: [PlannedDrive]
}

/// Plans a driver's day, which follows from the driver, the seed and the date alone.
struct DriverAgenda: Sendable {
    private static let lunch = 13 * 60

    private let driver: Driver
    private let date: CivilDate
    private var random: SplitMix64
    private var drives: [PlannedDrive] = []

    /// How long the driver stays before the next drive at least, in seconds.
    private var pendingStay = 0

    /// Returns the plan for a day.
    static func plan(
        of driver: Driver,
        on date: CivilDate,
        seed: UInt64
    ) -> DriverPlan {
        let daySeed = SplitMix64.seed(driver.seed, seed, 2, UInt64(date.daysSince1970))
        var agenda = DriverAgenda(driver: driver, date: date, random: SplitMix64(seed: daySeed))
        guard let stay = HolidayStay.stay(of: driver, on: date, seed: seed) else {
            agenda.spendDayAtHome(isSick: Self.isSick(driver, on: date, seed: seed))
            return DriverPlan(start: .home, drives: agenda.drives)
        }
        agenda.spendHoliday(stay)
        return DriverPlan(
            start: date == stay.first ? .home : .house(stay.holiday),
            drives: agenda.drives
        )
    }

    private init(driver: Driver, date: CivilDate, random: SplitMix64) {
        self.driver = driver
        self.date = date
        self.random = random
    }

    /// Whether a driver is ill: in one week of twenty, for one to three days.
    private static func isSick(_ driver: Driver, on date: CivilDate, seed: UInt64) -> Bool {
        let weekSeed = SplitMix64.seed(driver.seed, seed, 3, UInt64(date.weekNumber))
        var random = SplitMix64(seed: weekSeed)
        guard random.happens(permille: 50) else { return false }
        let first = random.integer(in: 0...4)
        return (first...first + random.integer(in: 0...2)).contains(date.weekday.daysAfterMonday)
    }
}

/// Days.
extension DriverAgenda {
    private mutating func spendDayAtHome(isSick: Bool) {
        let weekday = date.weekday
        if isSick {
            if random.happens(permille: 150) { shop(at: 10 * 60...16 * 60) }
        } else if DutchCalendar.isPublicHoliday(date) {
            if random.happens(permille: 550) { visit(.family, at: 11 * 60...14 * 60) }
        } else if driver.workdays.contains(weekday) {
            work()
        } else if weekday == .sunday {
            spendSunday()
        } else {
            spendFreeDay()
        }
    }

    private mutating func work() {
        let start = driver.workMinute + random.integer(in: -12...12)
        let isSchoolDay = driver.schoolDays.contains(date.weekday)
        if random.happens(permille: driver.homeOfficePermille) {
            if isSchoolDay {
                drive(to: .school, at: 8 * 60 + 10...8 * 60 + 20)
                drive(to: .home, after: 4...9)
            }
            if random.happens(permille: 150) { shop(at: Self.lunch - 60...Self.lunch) }
        } else {
            if isSchoolDay { drive(to: .school, at: 8 * 60 + 10...8 * 60 + 20) }
            let isOut = random.happens(permille: 130)
            let end = start + driver.workMinutes + random.integer(in: -25...35)
            let isLong = isOut ? callOnClients(from: start - 20) : goToOffice(at: start, until: end)
            let isShopping = random.happens(permille: 180)
            if isShopping {
                drive(to: .supermarket, at: end...end + 10)
                drive(to: .home, after: 12...30)
            } else {
                drive(to: .home, at: end...end + 10)
            }
            // Plans do not know how long ways take: long days end at home before midnight.
            if isLong || isShopping { return }
        }
        spendEvening()
    }

    /// A day at the office, with a client before or after it now and then; returns whether after.
    private mutating func goToOffice(at start: Int, until end: Int) -> Bool {
        let leave = start - 30
        if random.happens(permille: driver.clientPermille / 2) {
            drive(to: client(), at: leave - 15...leave + 5, after: 4...9)
            drive(to: .office, after: 45...110)
        } else {
            drive(to: .office, at: leave - 5...leave + 5, after: 4...9)
        }
        guard random.happens(permille: driver.clientPermille / 2) else { return false }
        drive(to: client(), at: end - 240...end - 180)
        if random.happens(permille: 400) {
            drive(to: .office, after: 40...80)
        } else {
            stay(75...130)
        }
        return true
    }

    /// A day without the office; returns that it is long.
    private mutating func callOnClients(from start: Int) -> Bool {
        let first = random.integer(in: 0...driver.clientCount - 1)
        for number in 0..<random.integer(in: 2...3) {
            let place = DriverPlace.client((first + number) % driver.clientCount)
            if number == 0 {
                drive(to: place, at: start - 10...start + 10, after: 4...9)
            } else {
                drive(to: place, after: 50...120)
            }
        }
        stay(50...120)
        return true
    }

    private mutating func spendEvening() {
        if driver.sportsEvenings.contains(date.weekday), random.happens(permille: 850) {
            drive(to: .sports, at: 19 * 60...19 * 60 + 30, after: 25...40)
            drive(to: .home, after: 70...110)
        } else if random.happens(permille: 80) {
            shop(at: 19 * 60...20 * 60)
        } else if random.happens(permille: 45) {
            visit(.town, at: 18 * 60 + 30...19 * 60 + 30, for: 60...110)
        }
    }

    private mutating func spendFreeDay() {
        if random.happens(permille: 750) { shop(at: 9 * 60...11 * 60 + 30) }
        if driver.hasChildren, date.weekday == .saturday, random.happens(permille: 450) {
            drive(to: .sports, at: 12 * 60...13 * 60, after: 25...60)
            drive(to: .home, after: 70...120)
        }
        if random.happens(permille: 300) {
            visit(.town, at: 14 * 60...15 * 60)
        } else if random.happens(permille: 200) {
            visit(.friends, at: 16 * 60...18 * 60)
        }
    }

    private mutating func spendSunday() {
        if random.happens(permille: 350) {
            visit(.family, at: 11 * 60...14 * 60)
        } else if random.happens(permille: 200) {
            visit(.friends, at: 13 * 60...16 * 60)
        } else if random.happens(permille: 200) {
            visit(.town, at: 12 * 60...15 * 60)
        }
    }

    private mutating func spendHoliday(_ stay: HolidayStay) {
        let holiday = stay.holiday
        if date == stay.first || date == stay.last {
            let isBack = date == stay.last
            var way = (0..<driver.restCount(holiday)).map { DriverPlace.rest(holiday, $0) }
            if isBack { way.reverse() }
            way.append(isBack ? .home : .house(holiday))
            for (number, place) in way.enumerated() {
                if number == 0 {
                    drive(to: place, at: 6 * 60 + 45...8 * 60)
                } else {
                    drive(to: place, after: 20...40)
                }
            }
            return
        }
        guard random.happens(permille: 550) else { return }
        let outing = random.integer(in: 0...Driver.outings - 1)
        drive(to: .outing(holiday, outing), at: 10 * 60...14 * 60)
        drive(to: .house(holiday), after: 60...240)
    }
}

/// Drives.
extension DriverAgenda {
    private mutating func client() -> DriverPlace {
        .client(random.integer(in: 0...driver.clientCount - 1))
    }

    /// Stays so many minutes before the next drive.
    private mutating func stay(_ minutes: ClosedRange<Int>) {
        pendingStay = random.integer(in: minutes.lowerBound * 60...minutes.upperBound * 60)
    }

    private mutating func shop(at minutes: ClosedRange<Int>) {
        drive(to: .supermarket, at: minutes, after: 15...30)
        drive(to: .home, after: 12...40)
    }

    private mutating func visit(
        _ place: DriverPlace,
        at minutes: ClosedRange<Int>,
        for stay: ClosedRange<Int> = 80...210
    ) {
        drive(to: place, at: minutes, after: 30...60)
        drive(to: .home, after: stay)
    }

    /// Plans a drive at some minute of the day, after a stay of so many minutes at least.
    private mutating func drive(
        to place: DriverPlace,
        at minutes: ClosedRange<Int> = 0...0,
        after stay: ClosedRange<Int> = 1...3
    ) {
        let leaving = random.integer(in: minutes.lowerBound * 60...minutes.upperBound * 60)
        let staying = random.integer(in: stay.lowerBound * 60...stay.upperBound * 60)
        drives.append(
            PlannedDrive(
                destination: place,
                leavingSecond: leaving,
                stayingSeconds: max(staying, pendingStay)
            )
        )
        pendingStay = 0
    }
}

/// A stay at a holiday house: three a year, from the day of the way there to that of the way back.
struct HolidayStay: Sendable {
    let holiday: DriverPlace.Break
    let first: CivilDate
    let last: CivilDate

    /// Returns the stay in which a day lies.
    static func stay(of driver: Driver, on date: CivilDate, seed: UInt64) -> HolidayStay? {
        let yearSeed = SplitMix64.seed(driver.seed, seed, 4, UInt64(date.year))
        var random = SplitMix64(seed: yearSeed)
        let stays = [
            stay(.spring, from: (date.year, 4, 28), weeks: 0...1, nights: 4...7, random: &random),
            stay(.summer, from: (date.year, 7, 5), weeks: 0...5, nights: 13...15, random: &random),
            stay(.autumn, from: (date.year, 10, 11), weeks: 0...1, nights: 3...7, random: &random),
        ]
        return stays.first { ($0.first...$0.last).contains(date) }
    }

    /// Chooses a stay that begins on a Saturday, so many weeks after a day.
    private static func stay(
        _ holiday: DriverPlace.Break,
        from day: (year: Int, month: Int, day: Int),
        weeks: ClosedRange<Int>,
        nights: ClosedRange<Int>,
        random: inout SplitMix64
    ) -> HolidayStay {
        guard let earliest = CivilDate(year: day.year, month: day.month, day: day.day) else {
            preconditionFailure("holidays begin on days that there are")
        }
        let toSaturday = (12 - earliest.weekday.daysAfterMonday) % 7
        let first = earliest.daysSince1970 + toSaturday + 7 * random.integer(in: weeks)
        return HolidayStay(
            holiday: holiday,
            first: CivilDate(daysSince1970: first),
            last: CivilDate(daysSince1970: first + random.integer(in: nights))
        )
    }
}
