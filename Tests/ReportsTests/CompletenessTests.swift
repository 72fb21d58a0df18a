import DriveSimulation
import Geodesy
import Papers
import Projections
import ProjectorTestSupport
import Tables
import TestSupport
import Testing
import TripEvents
import TripTracking

@testable import Reports

@Suite struct CompletenessTests {
    private static func trips(_ random: inout SplitMix64) -> [BookedTrip] {
        (UInt64(1)...60)
            .map { number in
                let at = 1_735_689_600_000 + Int64(number) * 7_200_000 * Int64(number % 5 + 1)
                var trip = SampleTrip.active(high: number, startedAt: at)
                trip.endedAt = EventTime(Timestamp(milliseconds: at + 600_000))
                trip.status = .completed
                if Bool.random(using: &random) {
                    trip.end = Coordinate(latitude: 52, longitude: 4)
                }
                var booked = BookedTrip(trip)
                booked.details.tripClass = TripClass.allCases.randomElement(using: &random)
                if Bool.random(using: &random) { booked.details.purpose = "roof" }
                if Bool.random(using: &random) { booked.details.vehicle = "van" }
                if Bool.random(using: &random) { booked.destination = "Delft" }
                if Bool.random(using: &random) {
                    let days = Int64.random(in: 0...20, using: &random)
                    let entered = Timestamp(milliseconds: at + 600_000 + days * 86_400_000)
                    booked.detailsRecorded = Trip.Recorded(firstAt: entered, lastAt: entered)
                }
                return booked
            }
            .sorted { $0.trip.startedAt.timestamp < $1.trip.startedAt.timestamp }
    }

    @Test(arguments: Seeds.fresh(40))
    func `each check names the trips that lack it, and no other`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let trips = Self.trips(&random)
        let period = LocalPeriod(localDay: LocalDay(zone: .utc))
        var log = MileageLog(in: period)
        var completeness = Completeness()
        for trip in trips {
            let added = log.add(trip)
            let line = try #require(added)
            completeness.note(line.date)
            completeness.add(line)
        }
        func ids(_ check: CompletenessCheck) -> [TripID] { completeness[check].map(\.trip) }
        func ids(_ isConcerned: (BookedTrip) -> Bool) -> [TripID] {
            trips.filter(isConcerned).map(\.id)
        }
        #expect(ids(.unclassified) == ids { $0.tripClass == .unclassified }, "seed \(seed)")
        #expect(ids(.noVehicle) == ids { $0.details.vehicle == nil }, "seed \(seed)")
        #expect(ids(.noEntry) == ids { $0.detailsRecorded == nil }, "seed \(seed)")
        #expect(
            ids(.lateEntry)
                == ids { booked in
                    guard let end = booked.trip.endedAt?.timestamp,
                        let first = booked.detailsRecorded?.firstAt
                    else { return false }
                    return first.milliseconds(since: end) >= 8 * 86_400_000
                },
            "seed \(seed)"
        )
        #expect(
            ids(.latePurpose)
                == ids(.lateEntry)
                .filter { late in
                    trips.contains { $0.id == late && $0.details.purpose != nil }
                },
            "seed \(seed)"
        )
        #expect(
            ids(.noEnd) == ids { $0.destination == nil && $0.trip.end == nil },
            "seed \(seed)"
        )
        #expect(
            ids(.endPositionOnly) == ids { $0.destination == nil && $0.trip.end != nil },
            "seed \(seed)"
        )
        let details = completeness.details
        #expect(
            details.withinDay + details.withinWeek + details.later + details.never
                == completeness.trips
        )
        #expect(details.never == Int64(ids(.noEntry).count), "seed \(seed)")
        #expect(details.later == Int64(ids(.lateEntry).count), "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(40))
    func `days with trips and days without make up the time between`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let days = Set((0..<30).map { _ in Int.random(in: 20_000...20_090, using: &random) })
        var completeness = Completeness()
        for day in days { completeness.note(CivilDate(daysSince1970: day)) }
        let first = try #require(days.min())
        let last = try #require(days.max())
        for from in [nil, first - 5] {
            let period = LocalPeriod(
                from: from.map { CivilDate(daysSince1970: $0) },
                localDay: LocalDay(zone: .utc)
            )
            let empty = completeness.emptyDays(in: period)
            let sum = empty.reduce(0) { $0 + $1.count }
            #expect(sum + days.count == last - (from ?? first) + 1, "seed \(seed)")
            for stretch in empty {
                let inside = stretch.from.daysSince1970...stretch.to.daysSince1970
                #expect(days.isDisjoint(with: inside), "seed \(seed)")
            }
        }
    }

    @Test(arguments: LogJurisdiction.allCases)
    func `a checklist says of each thing what is known`(
        jurisdiction: LogJurisdiction
    ) throws {
        var random = SplitMix64(seed: 7)
        let period = LocalPeriod(localDay: LocalDay(zone: .utc))
        var log = MileageLog(in: period)
        var full = Completeness()
        for trip in Self.trips(&random) {
            let line = log.add(trip)
            full.add(try #require(line))
        }
        let checked = CheckedRequirement.all(of: jurisdiction, full, in: period, VehicleBook())
        #expect(Set(checked.map(\.requirement.name)).count == checked.count)
        #expect(checked.contains { $0.state == .missing })
        for item in checked where item.state == .met {
            #expect(item.concerns.isEmpty && item.vehicles.isEmpty, "\(item.requirement.name)")
        }
        let none = CheckedRequirement.all(
            of: jurisdiction,
            Completeness(),
            in: period,
            VehicleBook()
        )
        #expect(none.allSatisfy { $0.concerns.isEmpty && $0.vehicles.isEmpty })
        // Without trips, only what the ledger is made for is met.
        for item in none where item.requirement.name != "changes_visible" {
            #expect(item.state == .cannotTell, "\(item.requirement.name)")
        }
    }

    @Test(
        arguments: [
            ([1], nil, 1, .missing), ([1, 6], nil, 6, .missing), ([1, 83], nil, 83, .missing),
            ([1, 16, 31, 46, 61, 76, 84], nil, 84, .met),
            ([2, 17, 32, 47, 62, 77], 84, 83, .missing), ([2, 17, 32, 47, 62, 77], 85, 84, .met),
            // A reading after the period is of another log.
            ([2, 30], 400, 29, .missing), ([], 85, nil, .cannotTell),
            // Fifteen days without a trip may be a break, and two trips are no log of weeks.
            ([1, 84], nil, 84, .cannotTell), ([1, 335], nil, 335, .cannotTell),
            ([1, 17, 31, 46, 61, 76, 84], nil, 84, .cannotTell), ([2, 30], 85, 84, .cannotTell),
            // One part without a break is enough.
            ([1, 100, 115, 130, 145, 160, 175], 183, 183, .met),
        ] as [([Int], Int?, Int?, LogRequirement.State)]
    )
    func `twelve weeks are covered by trips and readings without a break, not by days asked for`(
        tripDays: [Int],
        readingDay: Int?,
        covered: Int?,
        state: LogRequirement.State
    ) throws {
        func instant(_ day: Int) -> Int64 { 1_735_689_600_000 + Int64(day - 1) * 86_400_000 }
        let book = VehicleBook(
            try readingDay.map { day -> [Decision] in
                let reading = OdometerRead(
                    vehicle: "van",
                    value: try #require(ExactDecimal(significand: 1_000, decimals: 0)),
                    unit: .kilometers
                )
                let event = TripEvent(
                    source: "manual",
                    occurredAt: Timestamp(milliseconds: instant(day)),
                    body: .odometerRead(reading)
                )
                return [
                    try #require(
                        Decision(
                            event,
                            identity: IdentityDigest(words: [1, 0, 0, 0]),
                            recordedAt: event.occurredAt
                        )
                    )
                ]
            } ?? []
        )
        let period = LocalPeriod(
            from: CivilDate("2025-01-01"),
            to: CivilDate("2025-12-31"),
            localDay: LocalDay(zone: .utc)
        )
        var log = MileageLog(in: period)
        var completeness = Completeness()
        for (index, day) in tripDays.enumerated() {
            var trip = SampleTrip.active(high: UInt64(index) + 1, startedAt: instant(day))
            trip.endedAt = EventTime(Timestamp(milliseconds: instant(day) + 600_000))
            trip.status = .completed
            var booked = BookedTrip(trip)
            booked.details.vehicle = "van"
            let line = log.add(booked)
            completeness.add(try #require(line))
        }
        let weeks = try #require(
            CheckedRequirement.all(of: .au, completeness, in: period, book)
                .first { $0.requirement.name == "weeks" }
        )
        #expect(weeks.state == state)
        #expect(weeks.coveredDays == covered)
        #expect(weeks.vehicles == (state == .met || covered == nil ? [] : ["van"]))
        #expect((weeks.remark == nil) == (covered == nil))
    }

    @Test(arguments: [(days: Int64(0), state: LogRequirement.State.met), (7, .met), (8, .missing)])
    func `a purpose that came with all other details is as late as they are`(
        days: Int64,
        state: LogRequirement.State
    ) throws {
        let period = LocalPeriod(localDay: LocalDay(zone: .utc))
        var trip = SampleTrip.active(high: 1, startedAt: 1_735_689_600_000)
        trip.endedAt = EventTime(Timestamp(milliseconds: 1_735_690_200_000))
        trip.status = .completed
        var booked = BookedTrip(trip)
        booked.details.tripClass = .business
        booked.details.purpose = "roof"
        let entered = Timestamp(milliseconds: 1_735_690_200_000 + days * 86_400_000)
        booked.detailsRecorded = Trip.Recorded(firstAt: entered, lastAt: entered)
        func purpose(of booked: BookedTrip) throws -> LogRequirement.State? {
            var log = MileageLog(in: period)
            var completeness = Completeness()
            let line = log.add(booked)
            completeness.add(try #require(line))
            let checked = CheckedRequirement.all(of: .de, completeness, in: period, VehicleBook())
            return checked.first { $0.requirement.name == "timely_purpose" }?.state
        }
        #expect(try purpose(of: booked) == state)
        // It cannot be told whether a purpose that is not known yet will come in time.
        booked.details.purpose = nil
        #expect(try purpose(of: booked) == .cannotTell)
    }

    @Test(arguments: [Document.Language.nl, .de, .fr])
    func `a command that helps has the words of the language for what is to be put in`(
        language: Document.Language
    ) throws {
        let english = ["TRIP", "TEXT", "NAME", "VEHICLE", "NUMBER", "DAY"]
        let same = language == .de ? ["TEXT", "NAME"] : []
        var helps: Set<String> = []
        for jurisdiction in LogJurisdiction.allCases {
            let period = LocalPeriod(localDay: LocalDay(zone: .utc))
            let all = CheckedRequirement.all(
                of: jurisdiction,
                Completeness(),
                in: period,
                VehicleBook()
            )
            for item in all {
                let text = item.helpPhrase.map { Words(language).text($0) }
                #expect((text == nil) == (item.help == nil))
                if let text { helps.insert(text) }
            }
        }
        let words = helps.flatMap { $0.split(separator: " ").map(String.init) }
        #expect(helps.count > 8 && Set(words).intersection(english).isSubset(of: same))
        let purpose = [
            Document.Language.nl: "ledger edit RIT --purpose TEKST",
            .de: "ledger edit FAHRT --purpose TEXT", .fr: "ledger edit TRAJET --purpose TEXTE",
        ]
        #expect(helps.contains(try #require(purpose[language])))
    }

    @Test func `France asks for the fiscal power of cars and motorcycles`() throws {
        let kinds: [(String, VehicleKind, UInt32?)] = [
            ("clio", .car, 5), ("moto", .motorcycle, nil), ("bike", .bicycle, nil),
            ("solex", .moped, nil),
        ]
        let book = VehicleBook(
            try kinds.enumerated()
                .map { index, known in
                    var vehicle = VehicleRegistered(vehicle: known.0)
                    vehicle.kind = known.1
                    vehicle.fiscalPower = known.2
                    let event = TripEvent(
                        source: "manual",
                        occurredAt: Timestamp(milliseconds: 0),
                        body: .vehicleRegistered(vehicle)
                    )
                    let identity = IdentityDigest(words: [UInt64(index), 0, 0, 0])
                    return try #require(
                        Decision(event, identity: identity, recordedAt: event.occurredAt)
                    )
                }
        )
        var log = Completeness()
        var random = SplitMix64(seed: 3)
        let period = LocalPeriod(localDay: LocalDay(zone: .utc))
        var lines = MileageLog(in: period)
        let names = ["clio", "moto", "bike", "solex", "rented"]
        for (trip, name) in zip(Self.trips(&random), names) {
            var trip = trip
            trip.details.vehicle = name
            let line = lines.add(trip)
            log.add(try #require(line))
        }
        let checked = CheckedRequirement.all(of: .fr, log, in: period, book)
        let power = try #require(checked.first { $0.requirement.name == "fiscal_power" })
        #expect(power.state == .missing)
        #expect(power.vehicles == ["moto", "rented"])
    }

    private static func business(from origin: String?, to destination: String?) -> BookedTrip {
        var trip = SampleTrip.active(high: 1, startedAt: 1_735_718_400_000)
        trip.endedAt = EventTime(Timestamp(milliseconds: 1_735_722_000_000))
        trip.status = .completed
        trip.distance = Distance(millimeters: 20_000_000)
        var booked = BookedTrip(trip)
        booked.details.tripClass = .business
        booked.details.vehicle = "van"
        booked.origin = origin
        booked.destination = destination
        return booked
    }

    private static func states(
        _ jurisdiction: LogJurisdiction,
        _ booked: BookedTrip,
        _ vehicles: VehicleBook = VehicleBook()
    ) throws -> [String: LogRequirement.State] {
        let period = LocalPeriod(
            from: CivilDate("2025-01-01"),
            to: CivilDate("2025-01-31"),
            localDay: LocalDay(zone: .utc)
        )
        var log = MileageLog(in: period, vehicles: vehicles) { note in note(booked) }
        var completeness = Completeness()
        let line = log.add(booked)
        completeness.add(try #require(line))
        for rest in log.odometerRests { completeness.add(rest) }
        return CheckedRequirement.all(of: jurisdiction, completeness, in: period, vehicles)
            .reduce(into: [:]) { $0[$1.requirement.name] = $1.state }
    }

    @Test(
        arguments: [
            ("Dam 1, Amsterdam", .met), ("SW1A 1AA", .met), ("10 Downing St", .met),
            ("Q7 24, Mannheim", .met), ("12 rue X, Eu", .met), ("Hauptstr. 5 Ulm", .met),
            ("Home", .cannotTell), ("y", .cannotTell), ("A2 12", .cannotTell), (nil, .missing),
            ("Baustelle 3", .cannotTell),
        ] as [(String?, LogRequirement.State)]
    )
    func `an address is asked for where the Dutch and the British ask for one`(
        words: String?,
        state: LogRequirement.State
    ) throws {
        for jurisdiction in [LogJurisdiction.nl, .gb] {
            let states = try Self.states(jurisdiction, Self.business(from: words, to: words))
            #expect(states["start"] == state && states["end"] == state, "\(jurisdiction)")
        }
        let american = try Self.states(.us, Self.business(from: words, to: words))
        #expect(american["end"] == (words == nil ? .missing : .met))
    }

    @Test(arguments: LogJurisdiction.allCases)
    func `only the Dutch ask where private trips went, and the Germans not of ways to work`(
        jurisdiction: LogJurisdiction
    ) throws {
        for tripClass in TripClass.allCases {
            var booked = Self.business(from: nil, to: nil)
            booked.details.tripClass = tripClass
            let states = try Self.states(jurisdiction, booked)
            let isLeftOut =
                jurisdiction != .nl && tripClass == .personal
                || jurisdiction == .de && tripClass == .commute
            let expected: LogRequirement.State = isLeftOut ? .met : .missing
            for name in ["start", "end"] {
                #expect(states[name] ?? expected == expected, "\(tripClass) \(name)")
            }
        }
    }

    @Test(
        arguments: [
            ("Home", "Home", nil, nil, .missing), ("Home", "home", nil, nil, .missing),
            ("Home", "Office", nil, nil, .met), (nil, "Home", nil, nil, .cannotTell),
            ("Home", "Garage", "Dam 1, Delft", "Dam 1, Delft", .missing),
            ("Shop", "Shop", "Dam 1, Delft", "Dam 2, Delft", .met),
        ] as [(String?, String?, String?, String?, LogRequirement.State)]
    )
    func `a trip that ended where it began is not there and back as two trips`(
        origin: String?,
        destination: String?,
        originAddress: String?,
        destinationAddress: String?,
        state: LogRequirement.State
    ) throws {
        var booked = Self.business(from: origin, to: destination)
        (booked.originAddress, booked.destinationAddress) = (originAddress, destinationAddress)
        #expect(try Self.states(.nl, booked)["there_and_back"] == state)
    }

    @Test(
        arguments: [(52.0005, .missing), (52.05, .met)] as [(Double, LogRequirement.State)]
    )
    func `a measured trip ended where it began if its ends are some houses apart`(
        latitude: Double,
        state: LogRequirement.State
    ) throws {
        var trip = SampleTrip.active(high: 1, startedAt: 1_735_718_400_000)
        trip.endedAt = EventTime(Timestamp(milliseconds: 1_735_722_000_000))
        trip.status = .completed
        trip.start = Coordinate(latitude: 52, longitude: 4)
        trip.end = Coordinate(latitude: latitude, longitude: 4)
        #expect(try Self.states(.nl, BookedTrip(trip))["there_and_back"] == state)
    }

    @Test(
        arguments: [
            ([], .cannotTell), ([(1, 1_000)], .cannotTell), ([(1, 1_000), (31, 1_020)], .met),
            ([(1, 1_000), (31, 1_021)], .met), ([(1, 1_000), (31, 1_060)], .missing),
            ([(1, 1_000), (20, 1_020)], .cannotTell), ([(1, 1_000), (20, 1_060)], .missing),
        ] as [([(day: Int64, kilometers: Int64)], LogRequirement.State)]
    )
    func `every trip is there where an odometer says so, and never without one`(
        readings: [(day: Int64, kilometers: Int64)],
        state: LogRequirement.State
    ) throws {
        let book = VehicleBook(
            try readings.enumerated()
                .map { index, reading in
                    let body = EventBody.odometerRead(
                        OdometerRead(
                            vehicle: "van",
                            value: try #require(ExactDecimal(reading.kilometers)),
                            unit: .kilometers
                        )
                    )
                    let at = 1_735_689_600_000 + (reading.day - 1) * 86_400_000 + 3_600_000
                    let event = TripEvent(
                        source: "manual",
                        occurredAt: Timestamp(milliseconds: at),
                        body: body
                    )
                    let identity = IdentityDigest(words: [UInt64(index), 0, 0, 0])
                    return try #require(
                        Decision(event, identity: identity, recordedAt: event.occurredAt)
                    )
                }
        )
        let states = try Self.states(.nl, Self.business(from: "Home", to: "Office"), book)
        #expect(states["every_trip"] == state)
    }
}
