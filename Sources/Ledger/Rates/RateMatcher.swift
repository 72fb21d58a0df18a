import TripEvents

/// Finds the rows that hold for a trip among those of a jurisdiction.
struct RateMatcher {
    /// The rows; lines refer to them by index.
    let stretches: [RateStretch]

    private let vehicles: [NameKey: ClaimVehicle]

    /// The rows for trips of one class with one vehicle, by purpose; looked up once.
    private var candidates: [Key: [RatePurpose: [Int]]] = [:]

    private struct Key: Hashable {
        var tripClass: TripClass
        var vehicle: NameKey?
    }

    /// Creates a matcher.
    init(_ stretches: [RateStretch], vehicles: [NameKey: ClaimVehicle]) {
        self.stretches = stretches
        self.vehicles = vehicles
    }

    /// Returns the row for a trip on its day, or `nil` if there is none.
    mutating func row(of purpose: RatePurpose, for trip: ClaimTrip) -> Int? {
        let day = trip.day.daysSince1970
        return rows(of: purpose, for: trip).last { stretches[$0].days.contains(day) }
    }

    /// Returns the row by whose factor the money for a trip is multiplied, if its vehicle is
    /// electric.
    mutating func multiplier(for trip: ClaimTrip) -> Int? {
        guard vehicle(of: trip).isElectric else { return nil }
        return row(of: .multiplier, for: trip)
    }

    /// Returns why no row is for a trip.
    mutating func reason(for trip: ClaimTrip) -> UnclaimedReason {
        if trip.tripClass == .unclassified { return .unclassified }
        let ofClass = stretches.filter {
            $0.row.purpose == .distance && $0.row.classes.contains(trip.tripClass)
        }
        guard !ofClass.isEmpty else { return .noRate }
        guard rows(of: .distance, for: trip).isEmpty else { return .noRateForDay }
        let vehicle = vehicle(of: trip)
        let ofKind = ofClass.filter { $0.row.isFor(kind: vehicle.kind ?? .car) }
        let needsPower = ofKind.contains { $0.row.fiscalPower != nil }
        if needsPower, vehicle.fiscalPower == nil { return .noFiscalPower }
        let ofFuel = ofKind.filter { $0.row.isFor(fuel: vehicle.fuel ?? .other) }
        let needsEngine = ofFuel.contains { $0.row.engine != nil }
        let lacksFuel = vehicle.fuel == nil && ofKind.contains { !$0.row.fuels.isEmpty }
        return lacksFuel || needsEngine && vehicle.engine == nil ? .noFuel : .noRateForVehicle
    }

    /// Returns whether a yearly limit applies to the ways with a vehicle, or by another means.
    func isLimited(_ most: YearlyMost, vehicle: NameKey?, by mode: TravelMode?) -> Bool {
        let kind: VehicleKind =
            switch mode {
            case .bicycle: .bicycle
            case .bus, .rail, .foot: .other
            case .car, .unsure, nil: vehicle.flatMap { vehicles[$0] }?.kind ?? .car
            }
        return !most.exempt.contains(kind)
    }

    /// Returns the row that pays for energy on a day, or `nil` if there is none.
    func energyRow(on day: CivilDate) -> Int? {
        stretches.lastIndex { stretch in
            stretch.row.purpose == .energy && stretch.days.contains(day.daysSince1970)
        }
    }

    /// Returns the driver for whom a vehicle is registered; `nil` if none is.
    func driver(of vehicle: String?) -> String? {
        vehicle.flatMap { vehicles[NameKey($0)] }?.driver
    }

    private func vehicle(of trip: ClaimTrip) -> ClaimVehicle {
        trip.vehicle.flatMap { vehicles[NameKey($0)] } ?? ClaimVehicle()
    }

    private mutating func rows(of purpose: RatePurpose, for trip: ClaimTrip) -> [Int] {
        let key = Key(tripClass: trip.tripClass, vehicle: trip.vehicle.map { NameKey($0) })
        if let known = candidates[key] { return known[purpose] ?? [] }
        let vehicle = vehicle(of: trip)
        var found: [RatePurpose: [Int]] = [:]
        for (index, stretch) in stretches.enumerated()
        where stretch.row.isFor(trip.tripClass, vehicle) {
            found[stretch.row.purpose, default: []].append(index)
        }
        candidates[key] = found
        return found[purpose] ?? []
    }
}

extension RateRow {
    /// Whether the row is for trips of a class with a vehicle.
    fileprivate func isFor(_ tripClass: TripClass, _ vehicle: ClaimVehicle) -> Bool {
        guard classes.isEmpty || classes.contains(tripClass), isFor(kind: vehicle.kind ?? .car)
        else { return false }
        guard fuels.isEmpty || vehicle.fuel.map(isFor(fuel:)) ?? false,
            engine.map({ range in vehicle.engine.map(range.contains) ?? false }) ?? true
        else { return false }
        guard let fiscalPower else { return true }
        return vehicle.fiscalPower.map(fiscalPower.contains) ?? false
    }

    /// Whether the row is for vehicles that burn something.
    fileprivate func isFor(fuel: Fuel) -> Bool { fuels.isEmpty || fuels.contains(fuel) }

    /// Whether the row is for a kind of vehicle.
    fileprivate func isFor(kind: VehicleKind) -> Bool {
        vehicles.isEmpty || vehicles.contains(kind)
    }
}
