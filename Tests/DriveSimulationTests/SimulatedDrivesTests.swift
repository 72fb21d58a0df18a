import DriveSimulation
import Geodesy
import TestSupport
import Testing
import TripEvents

@Suite struct SimulatedDrivesTests {
    @Test(arguments: Seeds.fresh(4))
    func `the same seed gives the same drives and another seed others`(seed: UInt64) {
        let drives = Array(DriveSimulator.drives(seed: seed, count: 3))
        #expect(drives == Array(DriveSimulator.drives(seed: seed, count: 3)))
        #expect(drives != Array(DriveSimulator.drives(seed: seed &+ 1, count: 3)))
    }

    @Test(arguments: Seeds.fresh(4))
    func `a longer sequence begins with the shorter one`(seed: UInt64) {
        let short = Array(DriveSimulator.drives(seed: seed, count: 2))
        let long = DriveSimulator.drives(seed: seed, count: 5)
        #expect(short == Array(long.prefix(short.count)))
    }

    @Test(arguments: Seeds.fresh(4))
    func `times increase strictly`(seed: UInt64) {
        let times = DriveSimulator.drives(seed: seed, count: 10).map(\.occurredAt)
        #expect(times.first == DriveSimulator.drivesStart)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test(arguments: Seeds.fresh(4))
    func `every drive is GO, a fix every second, and STOP`(seed: UInt64) {
        let events = Array(
            DriveSimulator.drives(seed: seed, count: 4, fixesPerDrive: 100...200)
        )
        let drives = events.split { $0.body.kind == .goPressed }
        #expect(drives.count == 4)
        #expect(events.filter { $0.body.kind == .goPressed }.count == 4)
        for drive in drives {
            #expect(drive.last?.body.kind == .stopPressed)
            let fixes = drive.dropLast()
            #expect((100...200).contains(fixes.count))
            #expect(fixes.allSatisfy { $0.body.kind == .fixRecorded })
            let ticks = zip(drive, drive.dropFirst())
                .map {
                    $1.occurredAt.milliseconds(since: $0.occurredAt)
                }
            #expect(ticks.allSatisfy { $0 == 1_000 })
        }
    }

    @Test(arguments: Seeds.fresh(8))
    func `a car moves as cars do`(seed: UInt64) throws {
        var metric = LocalMetric()
        var previous: (event: TripEvent, fix: Fix)?
        var isMoving = false
        var hasStood = false
        for event in DriveSimulator.drives(seed: seed, count: 10) {
            guard let recorded = event.fixRecorded else {
                previous = nil
                continue
            }
            let fix = try #require(recorded.fix(occurredAt: event.occurredAt))
            let speed = try #require(fix.speedMetersPerSecond)
            #expect(speed < 45)
            if let previous {
                let meters = metric.geodesicMeters(
                    from: previous.fix.coordinate,
                    to: fix.coordinate
                )
                let before = try #require(previous.fix.speedMetersPerSecond)
                #expect(meters < 45)
                #expect(abs(speed - before) < 3)
                // Half a metre of wandering error, and a sine that is 0.2 % off.
                #expect(abs(meters - (speed + before) / 2) < 1.5)
                isMoving = isMoving || speed > 12
                hasStood = hasStood || speed == 0
            }
            previous = (event, fix)
        }
        #expect(isMoving && hasStood)
    }

    @Test(arguments: Seeds.fresh(4))
    func `a drive begins and ends at rest, where the next begins`(seed: UInt64) throws {
        let events = Array(DriveSimulator.drives(seed: seed, count: 6))
        let drives = events.split { $0.body.kind != .fixRecorded }
        #expect(drives.count == 6)
        for (drive, next) in zip(drives, drives.dropFirst()) {
            let end = try #require(drive.last?.fixRecorded)
            let start = try #require(next.first?.fixRecorded)
            #expect(end.speed?.doubleValue == 0)
            let meters = try Self.coordinate(end).geodesicMeters(to: Self.coordinate(start))
            #expect(meters < 3)
        }
    }

    @Test(arguments: Seeds.fresh(2))
    func `a car stays around Rotterdam`(seed: UInt64) throws {
        let home = try #require(Coordinate(latitude: 51.927, longitude: 4.362))
        for event in DriveSimulator.drives(seed: seed, count: 40) {
            guard let fix = event.fixRecorded else { continue }
            #expect(try Self.coordinate(fix).geodesicMeters(to: home) < 40_000)
        }
    }

    @Test(arguments: Seeds.fresh(4))
    func `numbers have the resolution of a narrow fix`(seed: UInt64) throws {
        for event in DriveSimulator.drives(seed: seed, count: 3) {
            guard let fix = event.fixRecorded else { continue }
            #expect(fix.latitude.units(places: 7) != nil)
            #expect(fix.longitude.units(places: 7) != nil)
            let altitude = try #require(fix.altitude?.units(places: 1))
            let accuracy = try #require(fix.accuracy?.units(places: 1))
            let speed = try #require(fix.speed?.units(places: 2))
            let course = try #require(fix.course?.units(places: 2))
            #expect((-8_388_607...8_388_607).contains(altitude))
            #expect((0..<65_534).contains(accuracy))
            #expect((0..<65_534).contains(speed))
            #expect((0..<36_000).contains(course))
        }
    }

    private static func coordinate(_ fix: FixRecorded) throws -> Coordinate {
        try #require(
            Coordinate(
                latitude: fix.latitude.doubleValue,
                longitude: fix.longitude.doubleValue
            )
        )
    }
}
