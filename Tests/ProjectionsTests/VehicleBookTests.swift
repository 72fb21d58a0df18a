import DriveSimulation
import Geodesy
import Projections
import TestSupport
import Testing
import TripEvents

@Suite struct VehicleBookTests {
    private static func read(
        _ vehicle: String,
        _ value: String,
        _ unit: DistanceUnit = .kilometers
    ) throws -> EventBody {
        .odometerRead(
            OdometerRead(
                vehicle: vehicle,
                value: try #require(ExactDecimal(literal: value)),
                unit: unit
            )
        )
    }

    @Test func `readings are in order of time, also of vehicles that nobody registered`() throws {
        var book = Book()
        try book.decide(try Self.read("van", "120"), at: 20)
        try book.decide(try Self.read("van", "100.5"), at: 10)
        try book.decide(try Self.read("car", "7"), at: 5)
        try book.decide(
            .vehicleRegistered(VehicleRegistered(vehicle: "van", plate: "A-1")),
            at: 30
        )
        try book.decide(
            .vehicleRegistered(VehicleRegistered(vehicle: "van", make: "Volvo")),
            at: 40
        )
        let vehicles = try book.vehicles
        #expect(vehicles.names == ["car", "van"])
        #expect(vehicles.vehicle(named: "van")?.registration.make == "Volvo")
        #expect(vehicles.vehicle(named: "van")?.registration.plate == nil)
        #expect(vehicles.vehicle(named: "car") == nil)
        #expect(
            vehicles.readings(of: "van").map(\.distance.millimeters)
                == [100_500_000, 120_000_000]
        )
        #expect(vehicles.readings(of: "bike").isEmpty)
    }

    @Test(arguments: Seeds.fresh(40))
    func `the last correction of a time stands, in any order of arrival`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var last: [Int64: (at: Int64, value: Int64)] = [:]
        var events: [(body: EventBody, minute: Int64)] = []
        for minute in Int64(0)..<10 {
            let value = Int64.random(in: 0...99, using: &random)
            events.append((try Self.read("van", "\(value)"), minute))
            last[minute] = (minute, value)
        }
        for at in Int64(20)..<40 {
            let corrected = Int64.random(in: 0..<10, using: &random)
            let value = Int64.random(in: 0...99, using: &random)
            let reading = OdometerRead(
                vehicle: "van",
                value: ExactDecimal(integerLiteral: value),
                unit: .kilometers,
                corrects: EventTime(Book.at(corrected))
            )
            events.append((.odometerRead(reading), at))
            last[corrected] = (at, value)
        }
        var book = Book()
        for event in events.shuffled(using: &random) {
            try book.decide(event.body, at: event.minute)
        }
        let readings = try book.vehicles.readings(of: "van")
        let expected = last.sorted { $0.key < $1.key }
        #expect(
            readings.map(\.readAt.timestamp) == expected.map { Book.at($0.key) },
            "seed \(seed)"
        )
        #expect(
            readings.map(\.distance.millimeters) == expected.map { $0.value.value * 1_000_000 },
            "seed \(seed)"
        )
        #expect(readings.map { $0.correctedAt != nil } == expected.map { $0.value.at >= 20 })
    }

    // The international mile has 1,609.344 m exactly.
    @Test(
        arguments: [
            ("0", .kilometers, 0), ("123456.7", .kilometers, 123_456_700_000),
            ("0.0000004", .kilometers, 0), ("0.0000006", .kilometers, 1),
            ("1", .miles, 1_609_344), ("62137.1", .miles, 99_999_969_062),
            ("1e300", .kilometers, 10_000_000_000_000), ("1e300", .miles, 10_000_000_000_000),
        ] as [(String, DistanceUnit, Int64)]
    )
    func `an odometer counts kilometres or miles`(
        value: String,
        unit: DistanceUnit,
        millimeters: Int64
    ) throws {
        var book = Book()
        try book.decide(try Self.read("van", value, unit), at: 0)
        let reading = try #require(try book.vehicles.readings(of: "van").first)
        #expect(reading.distance.millimeters == millimeters)
    }
}
