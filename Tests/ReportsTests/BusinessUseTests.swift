import DriveSimulation
import Geodesy
import Projections
import ProjectorTestSupport
import Reports
import TestSupport
import Testing
import TripEvents
import TripTracking

/// The share of business over a year, and over parts of it.
@Suite struct BusinessUseTests {
    /// A trip of a van.
    private struct Drive {
        var day: CivilDate
        var meters: Int64
        var tripClass: TripClass
    }

    private static func day(_ text: String) -> CivilDate {
        guard let day = CivilDate(text) else { preconditionFailure("\(text) is no day") }
        return day
    }

    private static func drive(
        _ day: String,
        kilometers: Int64,
        _ tripClass: TripClass = .business
    ) -> Drive {
        Drive(day: self.day(day), meters: kilometers * 1_000, tripClass: tripClass)
    }

    private static func use(
        of drives: [Drive],
        in jurisdiction: LogJurisdiction
    ) throws -> BusinessUse {
        var log = MileageLog(in: LocalPeriod(localDay: LocalDay(zone: .utc)))
        var use = BusinessUse(for: jurisdiction)
        for (number, drive) in drives.enumerated() {
            let start = Int64(drive.day.daysSince1970) * 86_400_000 + 3_600_000
            var trip = SampleTrip.active(high: UInt64(number + 1), startedAt: start)
            trip.endedAt = EventTime(Timestamp(milliseconds: start + 600_000))
            trip.status = .completed
            trip.distance = Distance(millimeters: drive.meters * 1_000)
            var booked = BookedTrip(trip)
            booked.details.vehicle = "van"
            booked.details.tripClass = drive.tripClass
            let line = log.add(booked)
            use.add(try #require(line))
        }
        return use
    }

    private static let year = day("2025-01-01")...day("2025-12-31")

    @Test(arguments: LogJurisdiction.allCases, Seeds.fresh(4))
    func `parts of a year add up to it, and shares are of their own distances`(
        jurisdiction: LogJurisdiction,
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let drives = (0..<120)
            .map { _ in
                Drive(
                    day: CivilDate(
                        daysSince1970: Self.year.lowerBound.daysSince1970
                            + Int(random.next() % 365)
                    ),
                    meters: Int64(random.next() % 90_000),
                    tripClass: TripClass.allCases[
                        Int(random.next() % UInt64(TripClass.allCases.count))
                    ]
                )
            }
            .sorted { $0.day < $1.day }
        let use = try Self.use(of: drives, in: jurisdiction)
        let samples = use.samples(of: "van", for: jurisdiction, in: Self.year)
        let whole = try #require(samples.first?.use)
        let classes: [TripClass] = jurisdiction == .nl ? [.business, .commute] : [.business]
        let business = drives.filter { classes.contains($0.tripClass) }.map(\.meters)
        #expect(whole.business.millimeters == business.reduce(0, +) * 1_000, "seed \(seed)")
        let all = drives.map(\.meters).reduce(0, +) * 1_000
        #expect(whole.total.millimeters == all, "seed \(seed)")
        let quarters = samples.filter { $0.part == .quarter }.compactMap(\.use)
        #expect(quarters.count == ([.us, .ca].contains(jurisdiction) ? 4 : 0))
        if !quarters.isEmpty {
            let sum = quarters.reduce(Distance.zero) { $0 + $1.total }
            #expect(sum == whole.total, "seed \(seed)")
        }
        for sample in samples {
            guard let use = sample.use, let share = sample.thousandths else { continue }
            let exact = use.business.meters / use.total.meters * 1_000
            #expect(abs(Double(share) - exact) <= 0.500_001, "seed \(seed), \(sample.part)")
        }
    }

    @Test func `the first seven days of each month are a sample in the United States`() throws {
        let use = try Self.use(
            of: [
                Self.drive("2025-03-07", kilometers: 10), Self.drive("2025-03-08", kilometers: 20),
                Self.drive("2025-04-01", kilometers: 30, .personal),
            ],
            in: .us
        )
        let sample = use.samples(of: "van", for: .us, in: Self.year)
            .first { $0.part == .firstWeeks }
        #expect(sample?.thousandths == 250)
    }

    @Test func `twelve weeks in Australia begin with the first trip of the year`() throws {
        let use = try Self.use(
            of: [
                Self.drive("2025-06-30", kilometers: 500), Self.drive("2025-08-04", kilometers: 60),
                Self.drive("2025-10-26", kilometers: 40, .personal),
                Self.drive("2025-10-27", kilometers: 900, .personal),
            ],
            in: .au
        )
        let samples = use.samples(
            of: "van",
            for: .au,
            in: Self.day("2025-07-01")...Self.day("2026-06-30")
        )
        #expect(samples.map(\.part) == [.year, .twelveWeeks])
        #expect(samples.last?.days == Self.day("2025-08-04")...Self.day("2025-10-26"))
        #expect(samples.map(\.thousandths) == [60, 600])
    }

    @Test func `a quarter projects the base year`() throws {
        let base = Self.day("2023-01-01")...Self.day("2023-12-31")
        let use = try Self.use(
            of: [
                // The base year: 60 % in all, 80 % in its first quarter.
                Self.drive("2023-01-10", kilometers: 80),
                Self.drive("2023-02-10", kilometers: 20, .personal),
                Self.drive("2023-06-10", kilometers: 40),
                Self.drive("2023-07-10", kilometers: 60, .personal),
                // The same quarter of the year: 60 %.
                Self.drive("2025-01-10", kilometers: 60),
                Self.drive("2025-02-10", kilometers: 40, .personal),
            ],
            in: .ca
        )
        let samples = use.samples(of: "van", for: .ca, in: Self.year, baseYear: base)
        #expect(samples.first { $0.part == .baseYear }?.thousandths == 600)
        let projected = samples.filter { $0.part == .projected }.map(\.thousandths)
        // 60 % × 60 % ÷ 80 %; the other quarters of the year have no trips.
        #expect(projected == [450, nil, nil, nil])
    }

    @Test func `a share of no distance cannot be told`() throws {
        let use = try Self.use(of: [Self.drive("2025-01-10", kilometers: 0)], in: .de)
        let samples = use.samples(of: "van", for: .de, in: Self.year)
        #expect(samples.map(\.thousandths) == [nil])
    }
}
