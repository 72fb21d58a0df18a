public import Geodesy
public import TripEvents

/// The vehicles that people registered, and what their odometers showed.
///
/// The last registration of a name holds. Odometers of unregistered vehicles are kept as well, and
/// readings that go backwards too: they are facts.
public struct VehicleBook: Hashable, Sendable {
    /// The vehicles in order of their names' bytes.
    public let vehicles: [RegisteredVehicle]

    /// The readings of each vehicle in event order, by the bytes of its name.
    private let readings: [[UInt8]: [OdometerReading]]

    /// Creates the book of some decisions in any order, of which those about vehicles and odometers
    /// count; none make an empty book.
    public init(_ decisions: [Decision] = []) {
        var vehicles: [[UInt8]: RegisteredVehicle] = [:]
        var readings: [[UInt8]: [OdometerReading]] = [:]
        for decision in decisions.sorted() {
            let event = decision.event
            switch event.body {
            case .vehicleRegistered(let registration):
                vehicles[Array(registration.vehicle.utf8)] = RegisteredVehicle(
                    registration: registration,
                    registeredAt: EventTime(event.occurredAt, utcOffset: event.utcOffset)
                )
            case .odometerRead(let reading):
                readings[Array(reading.vehicle.utf8), default: []]
                    .append(OdometerReading(reading, by: decision))
            default: break
            }
        }
        self.vehicles = vehicles.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
        self.readings = readings
    }

    /// The names of all vehicles that were registered or whose odometers were read, in order of
    /// their bytes.
    public var names: [String] {
        Set(readings.keys).union(vehicles.map { Array($0.name.utf8) })
            .sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether any odometer was read.
    public var hasReadings: Bool { !readings.isEmpty }

    /// Returns the vehicle with a name, or `nil` if it is not registered.
    public func vehicle(named name: String) -> RegisteredVehicle? {
        vehicles.first { $0.name.utf8.elementsEqual(name.utf8) }
    }

    /// Returns what a vehicle's odometer showed, in event order.
    public func readings(of vehicle: String) -> [OdometerReading] {
        readings[Array(vehicle.utf8), default: []]
    }
}

/// A vehicle as it was registered last.
public struct RegisteredVehicle: Hashable, Sendable {
    /// The content of the event that registered it.
    public let registration: VehicleRegistered

    /// When it was registered.
    public let registeredAt: EventTime

    /// The name that other events call it by.
    public var name: String { registration.vehicle }
}

/// What an odometer showed once.
public struct OdometerReading: Hashable, Sendable {
    /// What was reported.
    public let reading: OdometerRead

    /// When it was read.
    public let readAt: EventTime

    /// Who read it; `nil` if the event names no person.
    public let actor: String?

    /// What it showed, in whole millimetres.
    public let distance: Distance

    /// Creates a reading from what was reported.
    init(_ reading: OdometerRead, by decision: Decision) {
        self.reading = reading
        readAt = EventTime(decision.event.occurredAt, utcOffset: decision.event.utcOffset)
        actor = decision.event.actor
        distance = Distance(nearestTo: reading.value, reading.unit)
    }
}
