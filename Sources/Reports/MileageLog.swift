public import Projections
public import TotalsProjection
public import TripEvents
import TripTracking

/// The mileage log of a period: one line per trip, and the sums per class.
///
/// Lines are handed out as trips are added and not kept, so that a log of any length takes no
/// memory.
public struct MileageLog: Sendable {
    /// The days that count.
    public let period: LocalPeriod

    /// The only vehicle that counts; `nil` for all trips.
    public let vehicle: String?

    /// The only class that counts; `nil` for all.
    public let tripClass: TripClass?

    /// The sum over all trips.
    public private(set) var total = MileageSum(nil)

    private let places: PlaceBook
    private var odometers: MileageOdometers
    private var classSums: [TripClass: MileageSum] = [:]

    /// Creates the log of a period, without trips.
    ///
    /// - Parameters:
    ///   - period: the days that count.
    ///   - vehicle: the only vehicle that counts; `nil` for all trips.
    ///   - tripClass: the only class that counts; `nil` for all.
    ///   - places: what the ends of trips are called.
    ///   - vehicles: the odometers.
    public init(
        in period: LocalPeriod,
        vehicle: String? = nil,
        tripClass: TripClass? = nil,
        places: PlaceBook = PlaceBook(),
        vehicles: VehicleBook = VehicleBook()
    ) {
        self.period = period
        self.vehicle = vehicle
        self.tripClass = tripClass
        self.places = places
        odometers = MileageOdometers(vehicles, localDay: period.localDay)
    }

    /// Whether odometers were read, so that every trip MUST be noted before the first is added.
    public var needsNotes: Bool { odometers.needsNotes }

    /// Notes that there is a trip, which may lie between a reading of an odometer and another trip;
    /// trips MUST come in order of their starts.
    public mutating func note(_ booked: BookedTrip) {
        odometers.note(booked)
    }

    /// The sums of the classes that have trips, in the order of `TripClass`; unclassified trips
    /// always have one.
    public var sums: [MileageSum] {
        TripClass.allCases.compactMap { tripClass in
            classSums[tripClass] ?? (tripClass == .unclassified ? MileageSum(tripClass) : nil)
        }
    }

    /// Adds a trip, and returns its line; `nil` if it does not count, or not in this log.
    public mutating func add(_ booked: BookedTrip) -> MileageLine? {
        guard booked.counts, period.contains(booked.trip.startedAt),
            tripClass == nil || booked.tripClass == tripClass,
            vehicle.map({ booked.isOf(vehicle: $0) }) ?? true
        else { return nil }
        let line = MileageLine(
            booked,
            localDay: period.localDay,
            places: places,
            odometers: odometers
        )
        total.add(line)
        classSums[line.tripClass, default: MileageSum(line.tripClass)].add(line)
        return line
    }
}
