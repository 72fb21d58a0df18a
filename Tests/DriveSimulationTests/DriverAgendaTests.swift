import Geodesy
import TestSupport
import Testing
import TripEvents

@testable import DriveSimulation

@Suite struct DriverAgendaTests {
    private static let days = 16_436..<16_436 + 3 * 365

    @Test(arguments: Seeds.fresh(8))
    func `each day begins where the day before ended`(seed: UInt64) {
        let driver = Driver(named: "driver \(seed)")
        var here: DriverPlace?
        for day in Self.days {
            let date = CivilDate(daysSince1970: day)
            let plan = DriverAgenda.plan(of: driver, on: date, seed: seed)
            #expect(here == nil || plan.start == here, "seed \(seed), \(date)")
            here = plan.drives.last?.destination ?? plan.start
            let places = [plan.start] + plan.drives.map(\.destination)
            #expect(zip(places, places.dropFirst()).allSatisfy { $0 != $1 }, "\(seed), \(date)")
        }
    }

    @Test(arguments: Seeds.fresh(8))
    func `people work on working days, and not on holidays`(seed: UInt64) {
        let driver = Driver(named: "driver \(seed)")
        var workdays = 0
        for day in Self.days {
            let date = CivilDate(daysSince1970: day)
            let plan = DriverAgenda.plan(of: driver, on: date, seed: seed)
            let isAtWork = plan.drives.contains { drive in
                if case .client = drive.destination { return true }
                return drive.destination == .office
            }
            guard isAtWork else { continue }
            workdays += 1
            #expect(driver.workdays.contains(date.weekday), "seed \(seed), \(date)")
            #expect(!DutchCalendar.isPublicHoliday(date), "seed \(seed), \(date)")
            #expect(HolidayStay.stay(of: driver, on: date, seed: seed) == nil)
        }
        #expect((3 * 110...3 * 235).contains(workdays), "seed \(seed): \(workdays)")
    }

    @Test(arguments: Seeds.fresh(8))
    func `long days end before midnight`(seed: UInt64) throws {
        // The ways at the pace of the slowest traffic; where that is too slow, as it was driven.
        let driver = Driver(named: "driver \(seed)")
        var roads = DriverRoads(of: driver)
        for day in Self.days {
            let date = CivilDate(daysSince1970: day)
            let plan = DriverAgenda.plan(of: driver, on: date, seed: seed)
            var here = plan.start
            var second = 0
            for drive in plan.drives {
                let meters = roads.meters(from: here, to: drive.destination)
                second = max(second + drive.stayingSeconds, drive.leavingSecond)
                second += Int(meters / (meters > 15_000 ? 15 : 5)) + 300
                here = drive.destination
            }
            guard second >= 86_000 else { continue }
            let driven = DriveSimulator.driver(
                named: "driver \(seed)",
                seed: seed,
                startingOn: date,
                count: 1
            )
            let parts = driven.flatMap(\.streams).flatMap(\.parts)
            let lastDrive = try #require(parts.last { $0.activity == .car })
            let standing = try #require(parts.last)
            let rest = standing.end.milliseconds(since: lastDrive.end)
            #expect(rest > 400_000, "seed \(seed), \(date)")
        }
    }

    @Test(arguments: Seeds.fresh(8))
    func `ways are as long on the globe as on the map, there and back`(seed: UInt64) throws {
        let driver = Driver(named: "driver \(seed)")
        var roads = DriverRoads(of: driver)
        var random = SplitMix64(seed: seed)
        var metric = LocalMetric()
        let first = DriverPlace.rest(.summer, 0)
        let pairs: [(DriverPlace, DriverPlace)] = [
            (.home, .office), (.office, .client(0)), (.home, .family), (.home, first),
            (first, .rest(.summer, 1)), (.home, .house(.autumn)),
        ]
        for (from, to) in pairs where driver.places.contains(where: { $0.name == to }) {
            let meters = roads.meters(from: from, to: to)
            let way = roads.drive(from: from, to: to, random: &random).way
            let corners = try way.corners.map { try Country.point(of: $0.place).coordinate }
            let length = zip(corners, corners.dropFirst())
                .reduce(0.0) { $0 + metric.geodesicMeters(from: $1.0, to: $1.1) }
            #expect(abs(length / meters - 1) < 0.02, "seed \(seed), \(from) to \(to)")
            #expect(roads.meters(from: to, to: from) == meters)
            let straight = metric.geodesicMeters(from: corners[0], to: corners[corners.count - 1])
            #expect(length < 2 * straight, "seed \(seed), \(from) to \(to)")
            let back = roads.drive(from: to, to: from, random: &random).way
            #expect(back.corners.map(\.place) == way.corners.map(\.place).reversed())
        }
    }

    @Test(arguments: [
        ("2019-04-21", true), ("2024-03-31", true), ("2025-04-20", true), ("2025-04-21", true),
        ("2038-04-25", true), ("2025-05-29", true), ("2025-06-09", true), ("2025-04-26", true),
        ("2025-04-27", false), ("2026-04-27", true), ("2025-05-05", true), ("2026-05-05", false),
        ("2025-12-25", true), ("2025-12-27", false), ("2025-01-01", true), ("2025-10-14", false),
    ])
    func `public holidays are those of the Netherlands`(day: String, isHoliday: Bool) throws {
        #expect(DutchCalendar.isPublicHoliday(try #require(CivilDate(day))) == isHoliday)
    }
}

extension GridPoint {
    /// The position as others compute with it.
    fileprivate var coordinate: Coordinate {
        get throws {
            try #require(
                Coordinate(
                    latitude: Double(latitudeSteps) / 10_000_000,
                    longitude: Double(longitudeSteps) / 10_000_000
                )
            )
        }
    }
}
