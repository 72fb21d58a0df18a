public import Geodesy
public import TripEvents
import TripTracking

/// The vehicles that people registered, and what their odometers showed.
///
/// The last registration of a name holds. Odometers of unregistered vehicles are kept as well, and
/// readings that go backwards too: they are facts. A reading that corrects those of an instant
/// stands in their place.
///
/// A statement of a group's source about a vehicle concerns that group alone: vehicles of two
/// groups that have one name are two. Statements of the owner's sources concern all; where a group
/// has registered a vehicle of the same name, its registration counts for it.
public struct VehicleBook: Hashable, Sendable {
    /// The facts about vehicles that the owner, or one group, knows.
    private struct Layer: Hashable, Sendable {
        /// The vehicles by the bytes of their names.
        var registered: [[UInt8]: RegisteredVehicle] = [:]

        /// The readings of each vehicle in order of time, and of what they showed at one instant,
        /// by the bytes of its name.
        var readings: [[UInt8]: [OdometerReading]] = [:]

        /// The names of vehicles about which sources of the group itself said something.
        var ownNames: Set<[UInt8]> = []
    }

    /// The vehicles in order of their names' bytes, then of the groups'.
    public let vehicles: [RegisteredVehicle]

    /// What is known to the owner.
    private let owners: Layer

    /// What is known to groups that said something about vehicles, by the bytes of their names.
    private let groups: [[UInt8]: Layer]

    /// Creates the book from decisions in any order; only those about vehicles and odometers count,
    /// and without any the book is empty.
    public init(_ decisions: [Decision] = []) {
        let inOrder = decisions.sorted()
        owners = Self.layer(inOrder, of: nil)
        let names = Set(inOrder.compactMap { $0.group.map { Array($0.utf8) } })
        groups = Dictionary(
            uniqueKeysWithValues: names.map { name in
                (name, Self.layer(inOrder, of: String(decoding: name, as: UTF8.self)))
            }
        )
        let own = groups.values.flatMap { $0.registered.values.filter { $0.group != nil } }
        vehicles = (Array(owners.registered.values) + own)
            .sorted { left, right in
                let keys = [left, right].map { Array($0.name.utf8) + [0] + ($0.group ?? "").utf8 }
                return keys[0].lexicographicallyPrecedes(keys[1])
            }
    }

    /// Returns what decisions, in event order, say to a group, or to the owner.
    private static func layer(_ decisions: [Decision], of group: String?) -> Layer {
        var layer = Layer()
        for decision in decisions where decision.concerns(group) {
            let event = decision.event
            switch event.body {
            case .vehicleRegistered(let registration):
                let name = Array(registration.vehicle.utf8)
                if decision.group != nil { layer.ownNames.insert(name) }
                // The group's own stays, whatever the owner says later.
                guard decision.group != nil || layer.registered[name]?.group == nil else {
                    continue
                }
                layer.registered[name] = RegisteredVehicle(
                    registration: registration,
                    group: decision.group,
                    registeredAt: EventTime(event.occurredAt, utcOffset: event.utcOffset)
                )
            case .odometerRead(let reading):
                let name = Array(reading.vehicle.utf8)
                if decision.group != nil { layer.ownNames.insert(name) }
                Self.add(
                    OdometerReading(reading, by: decision),
                    to: &layer.readings[name, default: []]
                )
            default: break
            }
        }
        return layer
    }

    /// Creates the book of what is known to one group alone.
    private init(_ layer: Layer) {
        owners = layer
        groups = [:]
        vehicles = layer.registered.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map(\.value)
    }

    /// Returns the vehicles as a report about a group, or about the owner, sees them; without a
    /// selection, those of which only one group said something as that group knows them, and the
    /// others as the owner does.
    ///
    /// Without a selection no name MUST have several holders: see ``holder(of:for:)``.
    public func book(of selection: GroupSelection?) -> VehicleBook {
        if let selection { return VehicleBook(layer(of: selection.group)) }
        guard !groups.isEmpty else { return self }
        var layer = owners
        for other in groups.values {
            for name in other.ownNames
            where groups.values.count(where: { $0.ownNames.contains(name) }) == 1 {
                layer.registered[name] = other.registered[name]
                layer.readings[name] = other.readings[name]
            }
        }
        return VehicleBook(layer)
    }

    private func layer(of group: String?) -> Layer {
        group.flatMap { groups[Array($0.utf8)] } ?? owners
    }

    /// Adds the next reading in event order.
    private static func add(_ reading: OdometerReading, to readings: inout [OdometerReading]) {
        let readAt = reading.readAt.timestamp
        if reading.correctedAt != nil { readings.removeAll { $0.readAt.timestamp == readAt } }
        var index = readings.endIndex
        while index > 0,
            (readings[index - 1].readAt.timestamp, readings[index - 1].distance)
                > (readAt, reading.distance)
        { index -= 1 }
        readings.insert(reading, at: index)
    }

    /// The names of all vehicles that were registered or whose odometers were read, in order of
    /// their bytes.
    public var names: [String] {
        groups.values
            .reduce(into: Set(owners.readings.keys).union(owners.registered.keys)) { names, layer in
                names.formUnion(layer.ownNames)
            }
            .sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether any odometer was read.
    public var hasReadings: Bool {
        !owners.readings.isEmpty || groups.values.contains { !$0.readings.isEmpty }
    }

    /// Returns the groups whose sources said something of a vehicle of a name, in order of their
    /// bytes: each has a vehicle of its own.
    public func groups(having vehicle: String) -> [String] {
        groups.filter { $0.value.ownNames.contains(Array(vehicle.utf8)) }.keys
            .sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns whose sources said something of a vehicle of a name: `nil` for the owner's, then
    /// the groups.
    public func holders(of vehicle: String) -> [String?] {
        let name = Array(vehicle.utf8)
        let isOwners = owners.registered[name] != nil || owners.readings[name] != nil
        return (isOwners ? [nil] : []) + groups(having: vehicle)
    }

    /// Returns whose vehicle a group means by a name: its own, unless it said nothing of one and
    /// the owner has registered one, which all groups have; `nil` for the owner's.
    public func holder(of vehicle: String, for group: String?) -> String? {
        guard let group else { return nil }
        let name = Array(vehicle.utf8)
        let isOwn = groups[Array(group.utf8)]?.ownNames.contains(name) ?? false
        return isOwn || owners.registered[name] == nil ? group : nil
    }

    /// Returns the vehicle with a name as it is for a group, or `nil` if it is not registered;
    /// without a group, for the owner.
    public func vehicle(named name: String, for group: String? = nil) -> RegisteredVehicle? {
        layer(of: group).registered[Array(name.utf8)]
    }

    /// Returns what a vehicle's odometer showed in order of time, as a group knows it; without a
    /// group, as the owner does.
    public func readings(of vehicle: String, for group: String? = nil) -> [OdometerReading] {
        layer(of: group).readings[Array(vehicle.utf8), default: []]
    }
}

/// A vehicle as it was registered last.
public struct RegisteredVehicle: Hashable, Sendable {
    /// The content of the event that registered it.
    public let registration: VehicleRegistered

    /// The group that it belongs to; `nil` for one of the owner's, which all groups have.
    public let group: String?

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

    /// When it replaced an earlier reading of that time; `nil` if it did not.
    public let correctedAt: EventTime?

    /// Who read it; `nil` if the event names no person.
    public let actor: String?

    /// What it showed, in whole millimetres.
    public let distance: Distance

    /// Creates a reading from what was reported.
    init(_ reading: OdometerRead, by decision: Decision) {
        self.reading = reading
        let happened = EventTime(decision.event.occurredAt, utcOffset: decision.event.utcOffset)
        readAt = reading.corrects ?? happened
        correctedAt = reading.corrects == nil ? nil : happened
        actor = decision.event.actor
        distance = Distance(nearestTo: reading.value, reading.unit)
    }
}

/// The odometer readings at both ends of a trip whose way no recorder knows.
public struct OdometerSpan: Hashable, Sendable {
    /// What it showed at the start.
    public let start: Distance

    /// What it showed at the end: no less.
    public let end: Distance

    /// How far the vehicle was driven in between.
    public var distance: Distance { end - start }

    /// Creates a span; `nil` unless each end has one reading, entered by anyone, and the second
    /// shows no less than the first.
    init?(from start: [OdometerReading], to end: [OdometerReading]) {
        guard let first = start.first?.distance, let last = end.first?.distance, first <= last,
            start.allSatisfy({ $0.distance == first }), end.allSatisfy({ $0.distance == last })
        else { return nil }
        (self.start, self.end) = (first, last)
    }
}

/// A reading of an odometer, compared with the one before it and with the trips in between.
///
/// A trip lies between two readings if it starts at the first one or after it and before the second
/// one. Only trips that count are summed, with the distance that counts.
public struct OdometerComparison: Hashable, Sendable {
    /// What the odometer showed.
    public let reading: OdometerReading

    /// The difference from the reading before; negative if it went backwards, `nil` for the first
    /// reading.
    public let difference: Distance?

    /// The sum over the trips since the reading before; `nil` for the first reading.
    public let driven: Distance?

    /// The part of the rest that is spread over the trips: see ``DerivedOdometer``; `nil` for the
    /// first reading, and where the odometer went backwards.
    public let spread: Distance?

    /// What remains of the rest, which is recorded on no trip; `nil` for the first reading, and
    /// where the odometer went backwards.
    public let unrecorded: Distance?

    /// The longest time since the reading before without a trip of the vehicle, if some distance is
    /// recorded on no trip.
    public let idle: DerivedOdometer.Idle?

    /// Whether the odometer showed less than before.
    public var isBackwards: Bool { difference.map { $0 < .zero } ?? false }

    /// The distance that the odometer shows and the trips do not explain.
    ///
    /// It is negative if they claim more.
    public var rest: Distance? {
        guard let difference, let driven else { return nil }
        return difference - driven
    }

    /// The part of the difference that the trips explain, in thousandths; `nil` where the odometer
    /// did not go forwards.
    public var explainedThousandths: Int64? {
        guard let difference, let driven, difference > .zero else { return nil }
        return Int64((driven.meters / difference.meters * 1_000).rounded())
    }

    /// Compares the readings of a vehicle.
    ///
    /// - Parameters:
    ///   - readings: what its odometer showed, in order of time.
    ///   - vehicle: its name.
    ///   - trips: the trips of all vehicles, in any order.
    /// - Returns: one for each reading.
    public static func list(
        _ readings: [OdometerReading],
        of vehicle: String,
        with trips: [BookedTrip]
    ) -> [OdometerComparison] {
        let counted = trips.filter { booked in
            booked.counts && booked.details.vehicle?.hasSameBytes(as: vehicle) == true
        }
        let derived = DerivedOdometer(readings, ways: counted.compactMap(DerivedOdometer.Way.init))
        var own =
            counted
            .map { (startedAt: $0.trip.startedAt.timestamp, distance: $0.claimedDistance) }
            .sorted { $0.startedAt < $1.startedAt }[...]
        var comparisons: [OdometerComparison] = []
        var last: OdometerReading?
        for (index, reading) in readings.enumerated() {
            let interval = index == 0 ? nil : derived.intervals[index - 1]
            var driven = Distance.zero
            while let trip = own.first, trip.startedAt < reading.readAt.timestamp {
                driven += trip.distance
                own.removeFirst()
            }
            comparisons.append(
                OdometerComparison(
                    reading: reading,
                    difference: last.map { reading.distance - $0.distance },
                    driven: last == nil ? nil : driven,
                    spread: interval?.spread,
                    unrecorded: interval?.unrecorded,
                    idle: interval?.idle
                )
            )
            last = reading
        }
        return comparisons
    }
}

/// The drivers of trips: the one that the trip or a press names, else the one registered for its
/// vehicle, else the one that the settings name for its source.
public struct DriverBook: Hashable, Sendable {
    private let vehicles: VehicleBook
    private let settings: SettingsBook?

    /// Creates the book; without arguments it knows only what trips say.
    public init(vehicles: VehicleBook = VehicleBook(), settings: SettingsBook? = nil) {
        self.vehicles = vehicles
        self.settings = settings?.namesDrivers == true ? settings : nil
    }

    /// Returns who drove a trip; `nil` if nothing says it.
    public func driver(of booked: BookedTrip) -> String? {
        if let said = booked.details.driver { return said }
        let trip = booked.trip
        let registered = booked.details.vehicle
            .flatMap { vehicles.vehicle(named: $0, for: trip.group)?.registration.driver }
        return registered
            ?? settings?.driver(ofSource: trip.source, at: trip.startedAt.timestamp)
    }
}

/// How near the trips of a vehicle come to a place where something was paid.
///
/// It looks at the places of the vehicle's trips in a window around the time, at the last one
/// before it and at the first one after it. A receipt gives the minute, a person only a rough time:
/// so the window reaches half an hour to either side, or over the whole day if only that is known.
/// The vehicle's whereabouts are known if a place lies in the window, if one lies on each side of
/// it, or if one lies within half a day on one side: so data that a recorder sends late raises no
/// doubt.
public struct VehicleWhereabouts: Hashable, Sendable {
    /// The distance from which a vehicle counts as elsewhere: it allows for the error of a fix, the
    /// gaps of a sketch and the size of a large site.
    public static let far = Distance(millimeters: 2_000_000)

    private static let reachMilliseconds: Int64 = 30 * 60_000
    private static let trustMilliseconds: Int64 = 12 * 3_600_000

    /// The nearest place of the vehicle, and when it was there.
    public struct Nearest: Hashable, Sendable {
        /// How far away it was.
        public let distance: Distance

        /// When.
        public let at: Timestamp

        /// The trip that says so.
        public let trip: TripID
    }

    /// The instants at which it may have been paid.
    public let window: ClosedRange<Timestamp>

    private let position: Coordinate
    private let vehicle: String?
    private let expense: RecordedExpense
    /// A place of the vehicle, before its distance is measured: for most places only the time
    /// matters.
    private struct Sighting: Hashable {
        let place: Coordinate
        let at: Timestamp
        let trip: TripID
    }

    private var inside: Nearest?
    private var before: Sighting?
    private var after: Sighting?

    /// Begins without trips.
    ///
    /// - Parameters:
    ///   - expense: what was paid.
    ///   - position: where.
    ///   - localDay: what a day is.
    public init(_ expense: RecordedExpense, at position: Coordinate, localDay: LocalDay) {
        self.position = position
        self.expense = expense
        vehicle = expense.expense.vehicle
        if let day = expense.expense.day {
            let midnight = Int64(day.daysSince1970) * Timestamp.millisecondsPerDay
            let offset = localDay.zone.utcOffset(at: Timestamp(milliseconds: midnight))
            let start = Timestamp(milliseconds: midnight - Int64(offset?.minutes ?? 0) * 60_000)
            window = start...start.advanced(byMilliseconds: Timestamp.millisecondsPerDay)
        } else {
            let at = expense.paidAt.timestamp
            let first = at.advanced(byMilliseconds: -Self.reachMilliseconds)
            window = first...at.advanced(byMilliseconds: Self.reachMilliseconds)
        }
    }

    /// Takes a trip, in any order; trips of other vehicles, and discarded ones, change nothing.
    public mutating func take(_ ends: TripEnds) {
        guard ends.counts, expense.concerns(ends.group),
            vehicle.map({ ends.isOf(vehicle: $0) }) ?? true
        else { return }
        note(ends.start, at: ends.startedAt.timestamp, of: ends.trip)
        note(ends.end, at: ends.endedAt, of: ends.trip)
        let start = ends.startedAt.timestamp
        guard window.overlaps(start...max(start, ends.endedAt)) else { return }
        // A sketch that cannot be read says nothing; the ends are known.
        for point in (try? ends.way.points()) ?? [] {
            note(point.coordinate, at: point.at, of: ends.trip)
        }
    }

    private mutating func note(_ place: Coordinate?, at instant: Timestamp, of trip: TripID) {
        guard let place else { return }
        let here = Sighting(place: place, at: instant, trip: trip)
        if window.contains(instant) {
            let new = nearest(here)
            if inside.map({ new.distance < $0.distance }) ?? true { inside = new }
        } else if instant < window.lowerBound {
            if before.map({ $0.at <= instant }) ?? true { before = here }
        } else if after.map({ instant < $0.at }) ?? true {
            after = here
        }
    }

    private func nearest(_ sighting: Sighting) -> Nearest {
        let distance = sighting.place.distance(to: position)
        return Nearest(distance: distance, at: sighting.at, trip: sighting.trip)
    }

    /// Whether trips tell where the vehicle was.
    public var isKnown: Bool {
        guard inside == nil else { return true }
        if before != nil, after != nil { return true }
        let lag = before.map { window.lowerBound.milliseconds(since: $0.at) }
        let lead = after.map { $0.at.milliseconds(since: window.upperBound) }
        return [lag, lead].compactMap(\.self).contains { $0 <= Self.trustMilliseconds }
    }

    /// The nearest place of the vehicle; `nil` if trips do not tell where it was.
    public var nearest: Nearest? {
        guard isKnown else { return nil }
        return ([before, after].compactMap { $0.map(nearest) } + [inside].compactMap(\.self))
            .min { $0.distance < $1.distance }
    }

    /// The nearest place, if the vehicle was elsewhere.
    public var elsewhere: Nearest? {
        nearest.flatMap { $0.distance > Self.far ? $0 : nil }
    }
}
