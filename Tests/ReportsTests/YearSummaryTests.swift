import DriveSimulation
import Geodesy
import Projections
import ProjectorTestSupport
import Reports
import TestSupport
import Testing
import TripEvents
import TripTracking

@Suite struct YearSummaryTests {
    private static func trips(_ random: inout SplitMix64) -> [BookedTrip] {
        (UInt64(1)...80)
            .map { number in
                // Two years, with borders of all tax years in them.
                let start: Int64 = 1_704_067_200_000
                let at = start + Int64.random(in: 0..<63_072_000_000, using: &random)
                var trip = SampleTrip.active(high: number, startedAt: at)
                trip.endedAt = EventTime(Timestamp(milliseconds: at + 600_000))
                trip.status = .completed
                trip.distance = Distance(
                    millimeters: Int64.random(in: 0...90_000_000, using: &random)
                )
                var booked = BookedTrip(trip)
                booked.details.vehicle = ["van", "car", nil].randomElement(using: &random) ?? nil
                booked.details.tripClass = TripClass.allCases.randomElement(using: &random)
                return booked
            }
            .sorted { $0.trip.startedAt.timestamp < $1.trip.startedAt.timestamp }
    }

    @Test(arguments: Seeds.fresh(40))
    func `years, months and the mileage log add up to the same`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let trips = Self.trips(&random)
        let jurisdictions = [nil] + LogJurisdiction.allCases.map { Optional($0) }
        for jurisdiction in jurisdictions {
            var log = MileageLog(in: LocalPeriod(localDay: LocalDay(zone: .utc)))
            var summary = YearSummary(for: jurisdiction) { ($0.millimeters + 5_000) / 10_000 }
            for trip in trips {
                let line = log.add(trip)
                summary.add(try #require(line))
            }
            for groups in [summary.years, summary.months] {
                for tripClass in TripClass.allCases {
                    let distance = groups.reduce(Distance.zero) { $0 + $1[tripClass].distance }
                    let count = groups.reduce(0) { $0 + $1[tripClass].trips }
                    let sum = log.sums.first { $0.tripClass == tripClass }
                    #expect(distance == sum?.distance ?? .zero, "seed \(seed), \(tripClass)")
                    #expect(count == sum?.trips ?? 0, "seed \(seed), \(tripClass)")
                }
                let printed = groups.reduce(0) { $0 + $1.figures().printed }
                let expected = trips.reduce(0) {
                    $0 + ($1.claimedDistance.millimeters + 5_000) / 10_000
                }
                #expect(printed == expected, "seed \(seed)")
            }
        }
    }

    @Test(
        arguments: [
            (.us, "2025-12-31", 2025, "2025"), (.gb, "2025-04-05", 2024, "2024/25"),
            (.gb, "2025-04-06", 2025, "2025/26"), (.au, "2025-06-30", 2024, "2024/25"),
            (.au, "1999-07-01", 1999, "1999/00"), (.nl, "2026-01-01", 2026, "2026"),
        ] as [(LogJurisdiction, String, Int, String)]
    )
    func `a day is in the tax year that its country says`(
        jurisdiction: LogJurisdiction,
        day: String,
        year: Int,
        name: String
    ) throws {
        #expect(jurisdiction.taxYear(of: try #require(CivilDate(day))) == year)
        #expect(jurisdiction.name(ofTaxYear: year) == name)
    }

    @Test(arguments: LogJurisdiction.allCases)
    func `a tax year has the days that are in it, and no others`(
        jurisdiction: LogJurisdiction
    ) throws {
        for year in [1999, 2024, 2025] {
            let days = try #require(jurisdiction.days(ofTaxYear: year))
            let (first, last) = (days.lowerBound.daysSince1970, days.upperBound.daysSince1970)
            let years = [first - 1, first, last, last + 1]
                .map { jurisdiction.taxYear(of: CivilDate(daysSince1970: $0)) }
            #expect(years == [year - 1, year, year, year + 1])
            #expect((365...366).contains(last - first + 1))
        }
    }

    @Test(arguments: LogJurisdiction.allCases, Seeds.fresh(5))
    func `the lines of forms hold the distances of the classes`(
        jurisdiction: LogJurisdiction,
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        var log = MileageLog(in: LocalPeriod(localDay: LocalDay(zone: .utc)))
        var summary = YearSummary(for: jurisdiction) { $0.millimeters }
        for trip in Self.trips(&random) {
            let line = log.add(trip)
            summary.add(try #require(line))
        }
        for group in summary.years {
            let lines = FormLines(group, vehicle: nil, readings: [], localDay: LocalDay(zone: .utc))
                .lines(for: jurisdiction, months: [])
            func distance(_ label: FormLine.Label) -> Distance? {
                let values = lines.filter { $0.label == label }.map(\.value)
                guard case .distance(let figures)? = values.first else { return nil }
                return figures.distance
            }
            #expect(distance(.total) ?? group.figures().distance == group.figures().distance)
            switch jurisdiction {
            case .us:
                let parts = [FormLine.Label.business, .commuting, .other]
                    .compactMap { distance($0) }
                #expect(parts.reduce(.zero, +) == group.figures().distance, "seed \(seed)")
            case .nl:
                // Only what is over the limit says so.
                let left = try #require(lines.first { $0.label == .leftOfLimit })
                guard case .odometer(let rest) = left.value else {
                    Issue.record("seed \(seed): \(left)")
                    return
                }
                #expect(left.note == (rest < .zero ? .lessThanNothing : nil))
                #expect(
                    distance(.privateTrips)
                        == group.figures(of: [.personal, .medical, .charity, .moving]).distance
                )
            case .gb, .ca, .de, .au, .fr:
                #expect(distance(.business) == group[.business].distance, "seed \(seed)")
            }
        }
    }
}
