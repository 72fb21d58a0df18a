import Geodesy
import Projections
import ProjectorTestSupport
import Reports
import Tables
import TestSupport
import Testing
import TotalsProjection
import TripEvents
import TripTracking

@Suite struct MileageLogTests {
    private static let period = period(from: nil, to: nil)

    private static func period(from: CivilDate?, to: CivilDate?) -> LocalPeriod {
        do {
            let zone = try TimeZoneRules(name: "Africa/Lagos", posix: "WAT-1")
            return LocalPeriod(from: from, to: to, localDay: LocalDay(zone: zone))
        } catch {
            preconditionFailure("\(error)")
        }
    }

    private func trip(
        _ number: UInt64,
        _ text: String,
        _ tripClass: TripClass? = nil,
        millimeters: Int64 = 1
    ) throws -> BookedTrip {
        let startedAt = try #require(RFC3339.time(text))
        let endedAt = startedAt.timestamp.advanced(byMilliseconds: 600_000)
        var trip = Trip(
            id: TripID(high: number, low: 0),
            source: "phone",
            rules: RulesName(version: .v1),
            startedBy: .press,
            startedAt: startedAt,
            recorded: Trip.Recorded(firstAt: startedAt.timestamp, lastAt: endedAt)
        )
        trip.status = .completed
        trip.endedAt = EventTime(endedAt, utcOffset: startedAt.utcOffset)
        trip.distance = Distance(millimeters: millimeters)
        trip.gaps = GapTotal(count: 2, milliseconds: 1, distance: Distance(millimeters: 7))
        trip.start = Coordinate(latitude: 51.927, longitude: -0.000_004)
        trip.end = Coordinate(latitude: -4.123_456, longitude: 180)
        var booked = BookedTrip(trip)
        booked.details.tripClass = tripClass
        return booked
    }

    private func json<Row: Tabular>(_ row: Row) -> String {
        var bytes: [UInt8] = []
        Row.columns.appendJSON(row, to: &bytes, by: nil)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the record with the names of the columns and the one of a row.
    private func csv<Row: Tabular>(_ row: Row, in unit: DistanceUnit) -> String {
        var bytes: [UInt8] = []
        let form = CSVForm(unit: unit)
        Row.columns.appendCSVTitles(to: &bytes, form)
        Row.columns.appendCSV(row, to: &bytes, form)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: Seeds.fresh(20))
    func `the sums per class are those of the view of totals`(seed: UInt64) throws {
        var booked = BookedRows(TotalsProjector())
        var trips: [TripID: BookedTrip] = [:]
        var book = TripBook()
        for step in BookScript(seed: seed, trips: 16).direct {
            let changes: [BookChange]
            switch step {
            case .trip(let step):
                try booked.take(step)
                changes = try book.evolve(step)
            case .decision(let decision):
                try booked.take(decision)
                changes = try book.decide(decision)
            }
            for case .trip(let change) in changes {
                if let old = change.old { trips[old.id] = nil }
                if let new = change.new { trips[new.id] = new }
            }
        }
        var table = TotalsTable(by: .tripClass, in: Self.period)
        for row in try booked.decoded() {
            table.add(row)
        }
        var log = MileageLog(in: Self.period)
        for trip in trips.values {
            _ = log.add(trip)
        }
        let sums = log.sums.filter { $0.trips > 0 }
            .sorted {
                ($0.tripClass?.rawValue ?? "") < ($1.tripClass?.rawValue ?? "")
            }
        #expect(sums.map(\.tripClass?.rawValue) == table.lines.map(\.name), "seed \(seed)")
        #expect(sums.map(\.distance) == table.lines.map(\.sums.distance), "seed \(seed)")
        #expect(sums.map(\.trips) == table.lines.map(\.sums.trips), "seed \(seed)")
        #expect(log.total.distance == table.total.distance, "seed \(seed)")
    }

    @Test func `a line says what an auditor asks`() throws {
        var booked = try trip(1, "2026-03-16T22:55:00Z", .business, millimeters: 12_345)
        booked.details.title = "Visit"
        booked.details.client = "ACME"
        booked.details.vehicle = "van"
        booked.adjusted = Distance(millimeters: 20_000)
        booked.flags = [.adjusted, .edited]
        booked.isMeasured = false
        booked.destination = "Office, 2nd floor"
        let end = try #require(booked.trip.endedAt?.timestamp)
        let entered = end.advanced(byMilliseconds: 8 * 86_400_000 - 1)
        booked.detailsRecorded = Trip.Recorded(
            firstAt: entered,
            lastAt: entered.advanced(byMilliseconds: 99 * 86_400_000)
        )
        var log = MileageLog(in: Self.period)
        let added = log.add(booked)
        let line = try #require(added)
        #expect(
            json(line) == """
                {"kind":"trip","date":"2026-03-16","started_at":"2026-03-16T23:55:00.000+01:00",\
                "ended_at":"2026-03-17T00:05:00.000+01:00","from":"51.92700, 0.00000",\
                "from_address":null,"to":"Office, 2nd floor","to_address":null,\
                "purpose":"Visit","client":"ACME","class":"business","vehicle":"van",\
                "driver":null,"odometer_start_m":null,"odometer_end_m":null,\
                "odometer_start_basis":null,"odometer_end_basis":null,\
                "odometer_before_m":null,"distance_m":20.000,"measured_distance_m":12.345,\
                "excluded_distance_m":0.000,"gaps":2,"gap_distance_m":0.007,\
                "flags":["adjusted","edited","late_change","reported"],\
                "days_until_details":7,"trip":"00000000000000010000000000000000",\
                "days_until_last_details":106,"days_until_recorded":0}
                """
        )
        #expect(
            csv(line, in: .miles) == """
                date,started_at,ended_at,from,from_address,to,to_address,purpose,client,class,\
                vehicle,driver,odometer_start_mi,odometer_end_mi,odometer_start_basis,\
                odometer_end_basis,odometer_before_mi,distance_mi,measured_distance_mi,\
                excluded_distance_mi,gaps,gap_distance_mi,flags,\
                days_until_details,trip,days_until_last_details,days_until_recorded
                2026-03-16,2026-03-16T23:55:00.000+01:00,2026-03-17T00:05:00.000+01:00,\
                "51.92700, 0.00000",,"Office, 2nd floor",,Visit,ACME,business,van,,,,,,,0.012427,\
                0.007671,0.000000,2,0.000004,adjusted; edited; late_change; reported,7,\
                00000000000000010000000000000000,106,0

                """
        )
        #expect(
            csv(log.sums[0], in: .miles) == """
                class,trips,distance_mi,excluded_distance_mi,gaps,gap_distance_mi,unrecorded,\
                unrecorded_distance_mi,odometer_between_mi,overlapping,left_out
                business,1,0.012427,0.000000,2,0.000004,0,0.000000,0.000000,0,0

                """
        )
    }

    @Test func `a line of a trip about which nothing is said has no details`() throws {
        var log = MileageLog(in: Self.period)
        let next = log.add(try trip(2, "2026-03-16T12:00:00Z"))
        let plain = try #require(next)
        #expect(json(plain).contains(#""to":"-4.12346, 180.00000""#))
        #expect(plain.daysUntilDetails == nil)
        #expect(plain.measuredDistance == nil)
        #expect(plain.tripClass == .unclassified)
    }

    @Test func `an address without a name stands once, and says where a trip started`() throws {
        var named = try trip(1, "2026-03-16T12:00:00Z", .business)
        (named.origin, named.originAddress) = ("Office", "Dam 1, Delft")
        var unnamed = try trip(2, "2026-03-16T13:00:00Z", .business)
        (unnamed.origin, unnamed.originAddress) = (nil, "Dam 1, Delft")
        var twice = try trip(3, "2026-03-16T14:00:00Z", .business)
        (twice.origin, twice.originAddress) = ("Dam 1, Delft", "Dam 1, Delft")
        var log = MileageLog(in: Self.period)
        var completeness = Completeness()
        for (booked, name) in [(named, "\"Office\""), (unnamed, "null"), (twice, "null")] {
            let added = log.add(booked)
            let line = try #require(added)
            #expect(json(line).contains(#""from":\#(name),"from_address":"Dam 1, Delft""#))
            completeness.add(line)
        }
        #expect(completeness[.noStart].isEmpty && completeness[.noStartAddress].isEmpty)
    }

    @Test func `only trips of the period, the vehicle and the class count`() throws {
        var voided = try trip(5, "2026-03-17T12:00:00Z", .business)
        voided.status = .voided
        var van = try trip(6, "2026-03-18T13:00:00Z", .business, millimeters: 16)
        van.details.vehicle = "van"
        let trips = [
            try trip(1, "2026-03-17T12:00:00Z", .business, millimeters: 1),
            try trip(2, "2026-03-17T12:00:00Z", millimeters: 2), voided,
            try trip(3, "2026-03-18T12:00:00Z", .personal, millimeters: 4), van,
            try trip(4, "2026-03-18T23:30:00Z", .business, millimeters: 8),
        ]
        let period = Self.period(
            from: CivilDate(year: 2026, month: 3, day: 17),
            to: CivilDate(year: 2026, month: 3, day: 18)
        )
        var log = MileageLog(in: period)
        #expect(trips.compactMap { log.add($0)?.trip.high } == [1, 2, 3, 6])
        #expect(log.sums.map(\.tripClass) == [.business, .personal, .unclassified])
        #expect(log.sums.map(\.distance.millimeters) == [17, 4, 2])
        #expect(log.total.trips == 4)
        #expect(log.total.gapDistance == Distance(millimeters: 28))
        var business = MileageLog(in: period, tripClass: .business)
        #expect(trips.compactMap { business.add($0)?.trip.high } == [1, 6])
        var ofVan = MileageLog(in: period, vehicle: "van")
        #expect(trips.compactMap { ofVan.add($0)?.trip.high } == [6])
    }

    @Test func `unclassified trips have a line even if there are none`() throws {
        let log = MileageLog(in: Self.period)
        #expect(
            json(log.sums[0])
                == #"{"kind":"sum","class":"unclassified","trips":0,"distance_m":0.000,"#
                + #""excluded_distance_m":0.000,"gaps":0,"gap_distance_m":0.000,"#
                + #""unrecorded":0,"unrecorded_distance_m":0.000,"odometer_between_m":0.000,"#
                + #""overlapping":0,"left_out":0}"#
        )
    }

    @Test
    func `a trip that is left out has no line and is in no sum, and what it overlaps is flagged`()
        throws
    {
        var search = OverlapSearch()
        var trips: [BookedTrip] = []
        for (number, source) in [(UInt64(1), "phone"), (2, "box")] {
            var booked = try trip(number, "2026-03-16T12:00:00Z")
            booked.trip.source = source
            booked.trip.endedAt = EventTime(
                booked.trip.startedAt.timestamp.advanced(byMilliseconds: 600_000)
            )
            booked.details.vehicle = "van"
            let place = try #require(Coordinate(latitude: 51.9, longitude: 4.4))
            booked.trip.way = WaySketch(
                (0..<20)
                    .map { index in
                        let at = booked.trip.startedAt.timestamp
                            .advanced(byMilliseconds: Int64(index) * 30_000)
                        return WaySketch.Point(at: at, coordinate: place)
                    }
            )
            trips.append(booked)
            try search.take(try #require(TripEnds(booked)))
        }
        let overlaps = search.overlaps()
        var log = MileageLog(in: Self.period)
        log.overlaps = overlaps
        for overlap in overlaps.all { log.add(overlap) }
        let lines = trips.compactMap { log.add($0) }
        #expect(lines.map(\.trip.high) == [1])
        #expect(lines.map(\.flags) == [["overlapping"]])
        #expect(log.total.trips == 1)
        #expect(log.total.overlapping.count == 2 && log.total.overlapping.leftOut == 1)
        var ofCar = MileageLog(in: Self.period, vehicle: "car")
        for overlap in overlaps.all { ofCar.add(overlap) }
        #expect(ofCar.total.overlapping.count == 0)
    }
}
