public import Geodesy
import Projections
import TripEvents
import TripTracking

/// The private part of the distance by which a vehicle's odometer exceeds its trips in a year: it
/// counts beside the trips against a limit of private use, such as the Dutch 500 km.
public struct PrivateRest: Hashable, Sendable {
    /// The part of the spread distance that falls on private trips; negative if trips claim more
    /// than the odometer shows.
    public internal(set) var spread = Distance.zero

    /// The distance that no trip recorded, which is private unless the driver proves otherwise.
    public internal(set) var unrecorded = Distance.zero

    /// Both together.
    public var total: Distance { spread + unrecorded }

    /// Creates that of a vehicle whose trips explain its odometer.
    public init() {}
}

/// The private use of all vehicles on some days, by calendar year: the private part of their
/// odometers' rests, and whether one vehicle has all private use of a year.
struct PrivateRests {
    private struct Key: Hashable {
        /// `nil` for the trips that name none.
        let vehicle: [UInt8]?

        let year: Int
    }

    private let period: LocalPeriod
    private var odometers: MileageOdometers
    private var privateTrips: [(booked: BookedTrip, year: Int)] = []
    private var rests: [Key: PrivateRest] = [:]

    /// The vehicles and years with a private distance, on trips or outside of them.
    private var used: Set<Key> = []

    /// Begins without trips.
    init(_ vehicles: VehicleBook, in period: LocalPeriod) {
        self.period = period
        odometers = MileageOdometers(vehicles, localDay: period.localDay)
    }

    /// Adds a trip of the ledger, on any day; trips MUST come in order of their starts.
    mutating func add(_ booked: BookedTrip) {
        if odometers.needsNotes { odometers.note(booked) }
        guard booked.counts, FormLines.privateClasses.contains(booked.tripClass),
            period.contains(booked.trip.startedAt)
        else { return }
        let year = period.localDay.day(of: booked.trip.startedAt).year
        if booked.claimedDistance > .zero {
            let vehicle = booked.details.vehicle.map { Array($0.utf8) }
            used.insert(Key(vehicle: vehicle, year: year))
        }
        if odometers.needsNotes { privateTrips.append((booked, year)) }
    }

    /// Computes the rests, once every trip was added.
    mutating func finish() {
        guard odometers.needsNotes else { return }
        odometers.derive()
        for (booked, year) in privateTrips {
            guard let vehicle = booked.details.vehicle else { continue }
            let key = Key(vehicle: Array(vehicle.utf8), year: year)
            rests[key, default: PrivateRest()].spread += odometers.calibration(of: booked)
        }
        for rest in odometers.rests where period.contains(rest.startedAt) {
            let year = period.localDay.day(of: rest.startedAt).year
            let key = Key(vehicle: Array(rest.vehicle.utf8), year: year)
            rests[key, default: PrivateRest()].unrecorded += rest.distance
            used.insert(key)
        }
    }

    /// Returns the rest of a vehicle in a year of the calendar.
    func rest(of vehicle: String?, in year: Int) -> PrivateRest {
        guard let vehicle else { return PrivateRest() }
        return rests[Key(vehicle: Array(vehicle.utf8), year: year)] ?? PrivateRest()
    }

    /// Returns whether a vehicle has all private use of a year of the calendar: the days hold that
    /// whole year, and no other vehicle has any.
    func isAll(of vehicle: String?, in year: Int) -> Bool {
        guard let days = LogJurisdiction.nl.days(ofTaxYear: year),
            period.containsDay(days.lowerBound), period.containsDay(days.upperBound)
        else { return false }
        let key = Key(vehicle: vehicle.map { Array($0.utf8) }, year: year)
        return used.allSatisfy { $0 == key || $0.year != year }
    }
}
