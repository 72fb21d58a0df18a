import DriveSimulation
import Geodesy
import LedgerTestSupport
import Tables
import TestSupport
import Testing
import TripEvents
import TripLedger

@testable import Reports

/// What is left of the Dutch 500 km of private use, which are of a person and a calendar year.
@Suite struct PrivateLimitTests {
    private struct Drive {
        let vehicle: String?
        let day: String
        let kilometers: Int64
        let tripClass: TripClass
    }

    private static func book(_ drives: [Drive]) throws -> TemporaryLedger {
        let book = try TemporaryLedger()
        let events = try drives.enumerated()
            .map { number, drive in
                let day = try #require(CivilDate(drive.day))
                let midnight = Int64(day.daysSince1970) * Timestamp.millisecondsPerDay
                let startedAt = Timestamp(milliseconds: midnight + 28_800_000)
                var report = TripReported(
                    startedAt: EventTime(startedAt),
                    endedAt: EventTime(startedAt.advanced(byMilliseconds: 14_400_000)),
                    distanceMeters: try #require(
                        ExactDecimal(significand: drive.kilometers * 1_000, decimals: 0)
                    )
                )
                report.details.vehicle = drive.vehicle
                report.details.tripClass = drive.tripClass
                report.details.driver = "Eva"
                return TripEvent(
                    source: "paper",
                    occurredAt: startedAt,
                    id: "trip \(number)",
                    body: .tripReported(report)
                )
            }
        try book.append(events)
        return book
    }

    private static func read(
        _ book: TemporaryLedger,
        from first: String,
        to last: String,
        vehicle: String? = nil,
        driver: String? = nil
    ) throws -> (rows: [SummaryReport.Row], text: String) {
        let period = LocalPeriod(
            from: CivilDate(first),
            to: CivilDate(last),
            localDay: LocalDay(zone: .utc)
        )
        return try book.ledger.read { snapshot in
            let frame = try ReportFrame(snapshot, in: period, vehicle: vehicle, driver: driver)
            let report = try SummaryReport(snapshot, frame, for: .nl, TextStyle())
            var bytes: [UInt8] = []
            report.page(TextStyle()).writeText { $0(&bytes) }
            return (rows: report.lines, text: String(decoding: bytes, as: UTF8.self))
        }
    }

    private static func distance(_ label: FormLine.Label, in row: SummaryReport.Row) -> Distance? {
        switch row.lines.first(where: { $0.label == label })?.value {
        case .distance(let figures)?: figures.distance
        case .odometer(let distance)?: distance
        default: nil
        }
    }

    private static func kilometers(_ kilometers: Int64) -> Distance {
        Distance(millimeters: kilometers * 1_000_000)
    }

    @Test(arguments: Seeds.fresh(20))
    func `what is said to be left is what the whole year leaves`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let classes: [TripClass] = [.business, .commute, .personal, .medical]
        let drives = (0..<Int.random(in: 1...8, using: &random))
            .map { number -> Drive in
                Drive(
                    vehicle: ["A", "B", nil].randomElement(using: &random) ?? nil,
                    day: "202\(4 + number % 2)-0\(1 + number)-15",
                    kilometers: Int64.random(in: 1...300, using: &random),
                    tripClass: classes.randomElement(using: &random) ?? .personal
                )
            }
            .sorted { $0.day < $1.day }
        let book = try Self.book(drives)
        let periods = [
            ("2024-01-01", "2025-12-31"), ("2024-03-01", "2025-12-31"),
            ("2024-01-01", "2025-06-30"), ("2025-01-01", "2025-12-31"),
        ]
        for (first, last) in periods {
            for vehicle in [nil, "A"] {
                let (rows, text) = try Self.read(book, from: first, to: last, vehicle: vehicle)
                for row in rows {
                    let ofYear = drives.filter { drive in
                        drive.day.hasPrefix(row.year)
                            && FormLines.privateClasses.contains(drive.tripClass)
                    }
                    let isWhole = first <= "\(row.year)-01-01" && last >= "\(row.year)-12-31"
                    let isAlone = ofYear.allSatisfy { $0.vehicle == row.group.vehicle }
                    let left = 500 - ofYear.reduce(0) { $0 + $1.kilometers }
                    let expected = isWhole && isAlone ? Self.kilometers(left) : nil
                    let said = Self.distance(.leftOfLimit, in: row)
                    #expect(said == expected, "seed \(seed), \(first) to \(last): \(text)")
                }
                let says = rows.allSatisfy { Self.distance(.leftOfLimit, in: $0) != nil }
                #expect(text.contains("the limit is per person") != says, "seed \(seed): \(text)")
            }
        }
    }

    @Test func `two cars, and a month, have private trips and nothing that is left`() throws {
        let others = [
            Drive(vehicle: "A", day: "2025-01-10", kilometers: 300, tripClass: .personal),
            Drive(vehicle: "A", day: "2025-10-10", kilometers: 10, tripClass: .personal),
        ]
        let drive = Drive(vehicle: "B", day: "2025-08-10", kilometers: 300, tripClass: .personal)
        let book = try Self.book(others + [drive])
        let asked: [(first: String, last: String, vehicle: String?, kilometers: [Int64])] = [
            ("2025-01-01", "2025-12-31", nil, [310, 300]), ("2025-10-01", "2025-10-31", nil, [10]),
            ("2025-01-01", "2025-12-31", "A", [310]),
        ]
        for (first, last, vehicle, kilometers) in asked {
            let (rows, text) = try Self.read(book, from: first, to: last, vehicle: vehicle)
            let trips = rows.map { Self.distance(.privateTrips, in: $0) }
            #expect(trips == kilometers.map { Self.kilometers($0) })
            for row in rows {
                #expect(Self.distance(.leftOfLimit, in: row) == nil, "\(text)")
                #expect(Self.distance(.leftByOdometer, in: row) == nil, "\(text)")
            }
            #expect(text.contains("`ledger report claim --jurisdiction nl --year 2025`"), "\(text)")
        }
        // One car alone; nothing says whose the rest of its odometer is.
        let alone = try Self.book(others)
        let year = try Self.read(alone, from: "2025-01-01", to: "2025-12-31")
        #expect(year.rows.map { Self.distance(.leftOfLimit, in: $0) } == [Self.kilometers(190)])
        #expect(!year.text.contains("ledger report claim"), "\(year.text)")
        let eva = try Self.read(alone, from: "2025-01-01", to: "2025-12-31", driver: "Eva")
        #expect(eva.rows.map { Self.distance(.privateTrips, in: $0) } == [Self.kilometers(310)])
        #expect(eva.rows.map { Self.distance(.leftOfLimit, in: $0) } == [nil])
    }
}
