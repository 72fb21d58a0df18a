public import Geodesy
public import Projections
import Tables
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

    /// The trips that overlap others: those that are left out have no line, and the others a flag.
    public var overlaps = TripOverlaps()

    /// Who drove trips that do not say it.
    public var drivers = DriverBook()

    /// The only driver that counts; `nil` for all.
    public var driver: String?

    /// Whether places, times, purposes and clients of private trips are left out.
    public var hidesPrivate = false

    private let places: PlaceBook
    private var odometers: MileageOdometers

    /// One for each class, in the order of `TripClass`.
    private var classSums = TripClass.allCases.map { MileageSum($0) }

    /// Creates the log of a period, without trips and without odometers.
    ///
    /// - Parameters:
    ///   - period: the days that count.
    ///   - vehicle: the only vehicle that counts; `nil` for all trips.
    ///   - tripClass: the only class that counts; `nil` for all.
    ///   - places: the names of the ends of trips.
    public init(
        in period: LocalPeriod,
        vehicle: String? = nil,
        tripClass: TripClass? = nil,
        places: PlaceBook = PlaceBook()
    ) {
        self.period = period
        self.vehicle = vehicle
        self.tripClass = tripClass
        self.places = places
        odometers = MileageOdometers(VehicleBook(), localDay: period.localDay)
    }

    /// Creates the log of a period, without trips, which knows odometers.
    ///
    /// - Parameters:
    ///   - period: the days that count.
    ///   - vehicle: the only vehicle that counts; `nil` for all trips.
    ///   - tripClass: the only class that counts; `nil` for all.
    ///   - places: the names of the ends of trips.
    ///   - vehicles: the odometers.
    ///   - noteAll: hands over every trip of the ledger in order of its start, because it may lie
    ///     between a reading of an odometer and another trip; called only if odometers were read.
    /// - Throws: what `noteAll` throws.
    public init(
        in period: LocalPeriod,
        vehicle: String? = nil,
        tripClass: TripClass? = nil,
        places: PlaceBook = PlaceBook(),
        vehicles: VehicleBook,
        notingAll noteAll: (_ note: (BookedTrip) -> Void) throws -> Void
    ) rethrows {
        self.init(in: period, vehicle: vehicle, tripClass: tripClass, places: places)
        var odometers = MileageOdometers(vehicles, localDay: period.localDay)
        if odometers.needsNotes {
            try noteAll { odometers.note($0) }
            odometers.derive()
        }
        self.odometers = odometers
    }

    /// The sums of the classes that have trips, in the order of `TripClass`; unclassified trips
    /// always have one.
    public var sums: [MileageSum] {
        classSums.filter { $0.trips > 0 || $0.tripClass == .unclassified }
    }

    /// The distances on odometers that no trip recorded, in the days of the log and in order of
    /// time; empty in the log of one class or driver, because nothing tells whose they are.
    var odometerRests: [OdometerRest] {
        guard tripClass == nil, driver == nil else { return [] }
        return odometers.rests.filter { rest in
            period.contains(rest.startedAt)
                && vehicle.map { rest.isOf($0) } ?? true
        }
    }

    /// The readings of odometers in the days of the log that contradict each other or trips.
    var odometerDoubts: [MileageOdometers.Doubt] {
        odometers.doubts.filter { doubt in
            let isAfter = period.to.map { period.localDay.day(of: doubt.from) > $0 } ?? false
            let isBefore = period.from.map { period.localDay.day(of: doubt.to) < $0 } ?? false
            return !isAfter && !isBefore
                && vehicle.map { $0.hasSameBytes(as: doubt.vehicle) } ?? true
        }
    }

    /// Adds a trip, and returns its line; `nil` if it does not count, or not in this log.
    public mutating func add(_ booked: BookedTrip) -> MileageLine? {
        guard let line = line(of: booked) else { return nil }
        add(line)
        return line
    }

    /// Returns the line of a trip without adding it; `nil` if it does not count, or not in this
    /// log.
    public func line(of booked: BookedTrip) -> MileageLine? {
        let booked = overlaps.filled(booked)
        guard booked.counts, !overlaps.leaveOut(booked.id),
            period.contains(booked.trip.startedAt),
            tripClass == nil || booked.tripClass == tripClass,
            vehicle.map({ booked.isOf(vehicle: $0) }) ?? true, isOfDriver(booked)
        else { return nil }
        return countedLine(of: booked)
    }

    /// Returns whether a trip is of the only driver that counts.
    func isOfDriver(_ booked: BookedTrip) -> Bool {
        driver.map { drivers.driver(of: booked)?.hasSameBytes(as: $0) ?? false } ?? true
    }

    /// Adds a trip by its line, which MUST come from ``line(of:)``.
    public mutating func add(_ line: borrowing MileageLine) {
        total.add(line)
        classSums[Self.index(of: line.tripClass)].add(line)
    }

    /// Adds a way that nothing recorded, if the trip after it counts in this log.
    public mutating func add(_ way: UnrecordedWay) {
        guard concerns(way.later) else { return }
        total.add(way)
        classSums[Self.index(of: way.later.tripClass)].add(way)
    }

    /// Whether unrecorded ways and overlaps of a trip belong in this log; nothing assigns them to
    /// drivers.
    private func concerns(_ ends: TripEnds) -> Bool {
        driver == nil && period.contains(ends.startedAt)
            && (tripClass == nil || ends.tripClass == tripClass)
            && (vehicle.map { ends.isOf(vehicle: $0) } ?? true)
    }

    /// Counts a trip that overlaps others, if it belongs in this log; its line is added separately.
    public mutating func add(_ overlap: TripOverlap) {
        guard concerns(overlap.ends) else { return }
        total.add(overlap)
        classSums[Self.index(of: overlap.ends.tripClass)].add(overlap)
    }

    /// Adds the trips of another log of the same kind, which MUST have other trips.
    public mutating func add(_ other: MileageLog) {
        total.add(other.total)
        for index in classSums.indices { classSums[index].add(other.classSums[index]) }
    }

    /// Returns where the sum of a class stands; the names of classes are slow to compare.
    package static func index(of tripClass: TripClass) -> Int {
        switch tripClass {
        case .business: 0
        case .commute: 1
        case .personal: 2
        case .medical: 3
        case .charity: 4
        case .moving: 5
        case .mixed: 6
        case .unclassified: 7
        }
    }

    private func countedLine(of booked: BookedTrip) -> MileageLine {
        let startedAt = period.localDay.local(booked.trip.startedAt)
        let isHidden = hidesPrivate && HiddenTrips.isPrivate(booked)
        let originAddress = places.startAddress(of: booked)
        let destinationAddress = places.endAddress(of: booked)
        let odometerStart = odometers.start(of: booked)
        let odometerEnd = odometers.end(of: booked)
        return MileageLine(
            trip: booked.id,
            date: period.localDay.day(of: startedAt),
            startedAt: isHidden ? nil : startedAt,
            endedAt: isHidden ? nil : booked.trip.endedAt.map { period.localDay.local($0) },
            origin: isHidden ? nil : Self.named(.start(of: booked, places), at: originAddress),
            destination: isHidden
                ? nil : Self.named(.end(of: booked, places), at: destinationAddress),
            originAddress: isHidden ? nil : originAddress,
            destinationAddress: isHidden ? nil : destinationAddress,
            driver: isHidden ? nil : drivers.driver(of: booked),
            purpose: isHidden ? nil : booked.details.purpose ?? booked.details.title,
            client: isHidden ? nil : booked.details.client,
            tripClass: booked.tripClass,
            vehicle: booked.details.vehicle,
            odometerStart: odometerStart,
            odometerEnd: odometerEnd,
            carriedFrom: odometers.carriedFrom(booked, [odometerStart, odometerEnd]),
            odometerBefore: odometers.unlogged(before: booked),
            distance: booked.claimedDistance,
            measuredDistance: booked.adjusted == nil ? nil : booked.trip.distance,
            excludedDistance: booked.trip.excluded,
            gaps: booked.trip.gaps.count,
            gapDistance: booked.trip.gaps.distance,
            flags: flags(of: booked),
            daysUntilDetails: booked.detailsRecorded.map { Self.days(until: $0.firstAt, booked) },
            daysUntilLastDetails: booked.detailsRecorded
                .map { Self.days(until: $0.lastAt, booked) },
            daysUntilRecorded: Self.days(until: booked.trip.recorded.lastAt, booked)
        )
    }

    /// Returns the place where a trip started or ended without an address in place of a name: it
    /// has a column of its own.
    private static func named(_ place: MileagePlace?, at address: String?) -> MileagePlace? {
        guard case .words(let words)? = place, let address, words.hasSameBytes(as: address) else {
            return place
        }
        return nil
    }

    /// Returns how many days after a trip something was stored; 0 before its end.
    private static func days(until recordedAt: Timestamp, _ booked: BookedTrip) -> Int64 {
        let end = (booked.trip.endedAt ?? booked.trip.startedAt).timestamp
        return max(0, recordedAt.milliseconds(since: end)) / Timestamp.millisecondsPerDay
    }

    private func flags(of booked: BookedTrip) -> [String] {
        var more: [String] = []
        if !booked.isMeasured, !booked.flags.contains(.odometer) { more.append("reported") }
        if overlaps[booked.id] != nil { more.append("overlapping") }
        if let recorded = booked.detailsRecorded {
            let late = LogJurisdiction.daysForEntries
            if Self.days(until: recorded.firstAt, booked) > late {
                more.append("late_entry")
            } else if booked.flags.contains(.edited),
                Self.days(until: recorded.lastAt, booked) > late
            {
                more.append("late_change")
            }
        }
        return more.isEmpty ? booked.flagNames : (booked.flagNames + more).sorted()
    }
}

/// The sum over the trips of one class in a mileage log.
public struct MileageSum: Hashable, Sendable {
    /// The class; `nil` for all of them together.
    public let tripClass: TripClass?

    /// The number of trips.
    public private(set) var trips: Int64 = 0

    /// The distance as claimed.
    public private(set) var distance: Distance = .zero

    /// The distance of stretches that people excluded.
    public private(set) var excludedDistance: Distance = .zero

    /// How often recorders missed a part of the way.
    public private(set) var gaps: Int64 = 0

    /// The straight lines across what was not measured, beside the distance.
    public private(set) var gapDistance: Distance = .zero

    /// The known distance on odometers before its trips that no trip recorded, beside the distance.
    public private(set) var odometerBetween: Distance = .zero

    /// Its trips whose odometer was not read at both ends, but follows from readings and trips.
    public private(set) var odometersDerived: Int64 = 0

    /// The ways before its trips that nothing recorded, beside the distance and the gaps.
    public private(set) var unrecorded = UnrecordedTotal()

    /// Its trips that overlap others.
    public private(set) var overlapping = OverlapTotal()

    /// How soon details of its trips were entered.
    public private(set) var details = Contemporaneity()

    /// How soon the last events of its trips were stored.
    public private(set) var recorded = Contemporaneity()

    /// Creates the sum over no lines.
    init(_ tripClass: TripClass?) {
        self.tripClass = tripClass
    }

    /// Adds a line.
    mutating func add(_ line: borrowing MileageLine) {
        trips += 1
        distance += line.distance
        excludedDistance += line.excludedDistance
        gaps += line.gaps
        gapDistance += line.gapDistance
        odometerBetween += line.odometerBefore ?? .zero
        odometersDerived += line.hasDerivedOdometer ? 1 : 0
        details.add(days: line.daysUntilDetails)
        recorded.add(days: line.daysUntilRecorded)
    }

    /// Adds a way that nothing recorded.
    mutating func add(_ way: UnrecordedWay) {
        unrecorded.add(way)
    }

    /// Counts a trip that overlaps others.
    mutating func add(_ overlap: TripOverlap) {
        overlapping.add(overlap)
    }

    /// Adds the sum over other lines.
    mutating func add(_ other: MileageSum) {
        unrecorded += other.unrecorded
        odometerBetween += other.odometerBetween
        odometersDerived += other.odometersDerived
        details += other.details
        recorded += other.recorded
        overlapping += other.overlapping
        trips += other.trips
        distance += other.distance
        excludedDistance += other.excludedDistance
        gaps += other.gaps
        gapDistance += other.gapDistance
    }
}
