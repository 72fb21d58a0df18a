import Geodesy
import Rates
import TripEvents

/// Shared parts of the tests of claims: rates of the program, and trips in words.
enum Claimed {
    /// Returns the rates of a jurisdiction as they come with the program.
    static func rates(
        _ jurisdiction: String,
        scheme: String? = nil,
        region: String? = nil,
        knownOn: CivilDate? = nil
    ) throws -> [RateStretch] {
        RateBook(try RateTable.builtIn(), knownOn: knownOn)
            .stretches(in: jurisdiction, scheme: scheme, region: region)
    }

    /// Returns a day; the text MUST be one.
    static func day(_ text: String) -> CivilDate {
        guard let day = CivilDate(text) else { preconditionFailure("\(text) is no day") }
        return day
    }

    /// Returns what trips come to.
    static func result(
        of trips: [ClaimTrip],
        by rates: [RateStretch],
        from first: String,
        to last: String,
        vehicle: String? = nil,
        driver: String? = nil,
        vehicles: [NameKey: ClaimVehicle] = [:]
    ) -> ClaimResult {
        var claim = Claim(
            by: rates,
            on: day(first)...day(last),
            vehicle: vehicle,
            driver: driver,
            vehicles: vehicles
        )
        for trip in trips { claim.add(trip) }
        return claim.finish()
    }

    /// Returns a trip.
    static func trip(
        _ day: String,
        miles: Int64 = 0,
        kilometers: Int64 = 0,
        millimeters: Int64 = 0,
        _ tripClass: TripClass = .business,
        vehicle: String? = nil,
        driver: String? = nil,
        passengers: Int64 = 0,
        alone: LoneWay = .open
    ) -> ClaimTrip {
        var trip = ClaimTrip(
            day: self.day(day),
            distance: Distance(
                millimeters: miles * 1_609_344 + kilometers * 1_000_000 + millimeters
            ),
            tripClass: tripClass,
            vehicle: vehicle,
            passengers: passengers,
            alone: alone
        )
        trip.driver = driver
        return trip
    }
}

extension ClaimResult {
    /// The money of each line, in hundredths.
    var amounts: [Int64?] { lines.map { $0.amount?.hundredths } }

    /// The sum of all lines, in hundredths.
    var total: Int64 { totals.reduce(0) { $0 + $1.amount.hundredths } }
}
