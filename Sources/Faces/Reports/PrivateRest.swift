public import Geodesy
import Projections
import TripEvents
import TripTracking

/// What a vehicle's odometer went more than its trips claim in a year, as far as that is private:
/// beside the trips, for a limit of private use such as the Dutch 500 km.
public struct PrivateRest: Hashable, Sendable {
    /// The part of what is spread over trips that belongs to private ones; negative where trips
    /// claim more than the odometer went.
    public internal(set) var spread = Distance.zero

    /// What is recorded on no trip, which is private unless the driver shows what it was.
    public internal(set) var unrecorded = Distance.zero

    /// Both together.
    public var total: Distance { spread + unrecorded }

    /// Creates that of a vehicle whose trips explain its odometer.
    public init() {}
}

/// What is private of the rests of all vehicles, by years of the calendar.
struct PrivateRests {
    private struct Key: Hashable {
        let vehicle: [UInt8]
        let year: Int
    }

    private let localDay: LocalDay
    private var odometers: MileageOdometers
    private var privateTrips: [(booked: BookedTrip, year: Int)] = []
    private var rests: [Key: PrivateRest] = [:]

    /// Begins without trips.
    init(_ vehicles: VehicleBook, localDay: LocalDay) {
        self.localDay = localDay
        odometers = MileageOdometers(vehicles, localDay: localDay)
    }

    /// Adds a trip of the ledger; trips MUST come in order of their starts.
    mutating func add(_ booked: BookedTrip) {
        guard odometers.needsNotes else { return }
        odometers.note(booked)
        guard booked.counts, FormLines.privateClasses.contains(booked.tripClass) else { return }
        let day = localDay.day(of: localDay.local(booked.trip.startedAt))
        privateTrips.append((booked, day.year))
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
        for rest in odometers.rests {
            let year = localDay.day(of: localDay.local(rest.startedAt)).year
            let key = Key(vehicle: Array(rest.vehicle.utf8), year: year)
            rests[key, default: PrivateRest()].unrecorded += rest.distance
        }
    }

    /// Returns the rest of a vehicle in a year of the calendar.
    func rest(of vehicle: String?, in year: Int) -> PrivateRest {
        guard let vehicle else { return PrivateRest() }
        return rests[Key(vehicle: Array(vehicle.utf8), year: year)] ?? PrivateRest()
    }
}
