import LedgerTestSupport
import Projections
import Reports
import Tables
import Testing
import TripEvents
import TripLedger

/// The mileage log of a ledger in every format.
@Suite struct MileageSheetTests {
    private static let trips = 1_100

    private static func time(_ minutes: Int) -> EventTime {
        EventTime(
            Timestamp(milliseconds: 1_735_700_400_000 + Int64(minutes) * 60_000),
            utcOffset: UTCOffset(minutes: 60)
        )
    }

    private static func decimal(_ number: Int) throws -> ExactDecimal {
        try #require(ExactDecimal(significand: Int64(number), decimals: 0))
    }

    /// A trip; over many numbers, every column is filled now and then.
    private static func trip(_ number: Int) throws -> TripEvent {
        let start = time(number * 150)
        var report = TripReported(
            startedAt: start,
            endedAt: time(number * 150 + number % 200),
            distanceMeters: try decimal(number * 37)
        )
        if number % 3 == 0 { report.origin = "=Home, \"\(number)\"" }
        if number % 4 == 0 { report.destination = "Bürö \(number)" }
        report.details.tripClass = TripClass.allCases[number % TripClass.allCases.count]
        report.details.vehicle = number % 2 == 0 ? "van" : nil
        if number % 5 == 0 {
            report.details.purpose = String(repeating: "ü", count: 1 + number % 90)
        }
        report.details.client = number % 7 == 0 ? "ACME, \"Ltd\"" : nil
        return TripEvent(
            source: "paper",
            occurredAt: start.timestamp,
            id: "trip \(number)",
            body: .tripReported(report)
        )
    }

    private static func odometer(_ number: Int) throws -> TripEvent {
        TripEvent(
            source: "paper",
            occurredAt: time(number * 150).timestamp,
            id: "odometer \(number)",
            body: .odometerRead(
                OdometerRead(vehicle: "van", value: try decimal(number), unit: .kilometers)
            )
        )
    }

    private static func book() throws -> TemporaryLedger {
        let book = try TemporaryLedger()
        try book.append(try (0..<trips).map(trip))
        try book.append(try stride(from: 0, to: trips, by: 40).map(odometer))
        try book.append([
            TripEvent(
                source: "car",
                occurredAt: time(trips * 150).timestamp,
                body: .goPressed(GoPressed())
            )
        ])
        return book
    }

    private func written(
        _ sheet: MileageSheet,
        _ snapshot: borrowing Snapshot,
        isAlone: Bool
    ) throws -> (text: String, unfinished: UnfinishedTrips) {
        var bytes: [UInt8] = []
        let unfinished = try sheet.write(snapshot, isAlone: isAlone) { append in append(&bytes) }
        return (String(decoding: bytes, as: UTF8.self), unfinished)
    }

    @Test func `two threads write what one writes`() throws {
        let book = try Self.book()
        let day = LocalDay(zone: .utc)
        let all = LocalPeriod(localDay: day)
        let later = LocalPeriod(from: CivilDate(year: 2025, month: 1, day: 10), localDay: day)
        let cases: [(period: LocalPeriod, vehicle: String?, tripClass: TripClass?)] = [
            (all, nil, nil), (later, "van", nil), (all, nil, .business), (later, "none", nil),
        ]
        try book.ledger.read { snapshot in
            for (period, vehicle, tripClass) in cases {
                for format in [RowFormat.text, .json, .csv] {
                    for showsTrips in vehicle == nil ? [true] : [true, false] {
                        let sheet = MileageSheet(
                            in: period,
                            vehicle: vehicle,
                            tripClass: tripClass,
                            style: TextStyle(unit: vehicle == nil ? .kilometers : .miles),
                            format: format,
                            showsTrips: showsTrips
                        )
                        let alone = try written(sheet, snapshot, isAlone: true)
                        let together = try written(sheet, snapshot, isAlone: false)
                        #expect(alone == together)
                    }
                }
            }
        }
    }

    @Test func `every trip has a line, and one that goes on is named`() throws {
        let book = try Self.book()
        let period = LocalPeriod(localDay: LocalDay(zone: .utc))
        try book.ledger.read { snapshot in
            let sheet = MileageSheet(in: period, style: TextStyle(), format: .csv)
            let answer = try written(sheet, snapshot, isAlone: false)
            #expect(answer.unfinished.count == 1)
            #expect(answer.unfinished.first.map(\.source) == ["car"])
            #expect(!answer.text.utf8.contains(UInt8(ascii: "\r")))
            #expect(answer.text.utf8.count { $0 == UInt8(ascii: "\n") } == Self.trips + 1)
            #expect(answer.text.contains(",van,"))
        }
    }
}
