/// The details of a trip, or those that a routine gives to trips.
public struct TripDetails: Hashable, Sendable {
    /// A short name of the trip.
    public var title: String?

    /// What the trip was for.
    public var purpose: String?

    /// Anything else worth keeping.
    public var notes: String?

    /// The category in the driver's own words.
    public var category: String?

    /// The person or firm that the trip was for.
    public var client: String?

    /// The vehicle.
    public var vehicle: String?

    /// The class in the eyes of the tax office.
    public var tripClass: TripClass?

    /// The means of transport; it counts before what the rules derive.
    public var mode: TravelMode?

    /// Custom fields.
    public var fields: CustomFields?

    /// Who drove.
    public var driver: String?

    // Inlined, because rows of trips would otherwise copy all of it once more.
    /// Creates details; nothing is said of what is left out.
    @inlinable
    public init(
        title: String? = nil,
        purpose: String? = nil,
        notes: String? = nil,
        category: String? = nil,
        client: String? = nil,
        vehicle: String? = nil,
        tripClass: TripClass? = nil,
        mode: TravelMode? = nil,
        fields: CustomFields? = nil,
        driver: String? = nil
    ) {
        self.title = title
        self.purpose = purpose
        self.notes = notes
        self.category = category
        self.client = client
        self.vehicle = vehicle
        self.tripClass = tripClass
        self.mode = mode
        self.fields = fields
        self.driver = driver
    }
}

extension TripDetails {
    /// Shows each field to a visitor (see ``EventPayload``).
    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.optional(.title, &title)
        try visitor.optional(.purpose, &purpose)
        try visitor.optional(.notes, &notes)
        try visitor.optional(.category, &category)
        try visitor.optional(.client, &client)
        try visitor.optional(.vehicle, &vehicle)
        try visitor.optional(.tripClass, &tripClass)
        try visitor.optional(.mode, &mode)
        try visitor.optional(.fields, &fields)
        try visitor.optional(.driver, &driver)
    }
}

/// The class of a trip for the tax office.
public enum TripClass: String, CaseIterable, Sendable {
    case business
    case commute
    case personal
    case medical
    case charity
    case moving
    case mixed
    case unclassified
}

/// A person said, or changed, what a trip was for.
public struct DetailsEdited: Hashable, Sendable {
    /// The trip.
    public var trip: TripID

    /// When the trip started, so that the event finds it again if its id has gone.
    public var tripStartedAt: EventTime?

    /// A short name of the trip, if it changed.
    public var title: DetailChange<String>

    /// What the trip was for, if it changed.
    public var purpose: DetailChange<String>

    /// Anything else worth keeping, if it changed.
    public var notes: DetailChange<String>

    /// The category in the driver's own words, if it changed.
    public var category: DetailChange<String>

    /// The person or firm that the trip was for, if it changed.
    public var client: DetailChange<String>

    /// The vehicle, if it changed.
    public var vehicle: DetailChange<String>

    /// The class in the eyes of the tax office, if it changed.
    public var tripClass: DetailChange<TripClass>

    /// The means of transport, if a person changed it.
    public var mode: DetailChange<TravelMode>

    /// Custom fields; a null clears one.
    public var fields: CustomFields?

    /// Where the trip started, in words, if that changed.
    public var origin: DetailChange<String>

    /// Where the trip ended, in words, if that changed.
    public var destination: DetailChange<String>

    /// Who drove, if that changed.
    public var driver: DetailChange<String>

    /// The address where the trip started, if that changed.
    public var originAddress: DetailChange<String>

    /// The address where the trip ended, if that changed.
    public var destinationAddress: DetailChange<String>

    /// Creates the content of the event.
    public init(
        trip: TripID,
        tripStartedAt: EventTime? = nil,
        title: DetailChange<String> = .unchanged,
        purpose: DetailChange<String> = .unchanged,
        notes: DetailChange<String> = .unchanged,
        category: DetailChange<String> = .unchanged,
        client: DetailChange<String> = .unchanged,
        vehicle: DetailChange<String> = .unchanged,
        tripClass: DetailChange<TripClass> = .unchanged,
        mode: DetailChange<TravelMode> = .unchanged,
        fields: CustomFields? = nil,
        origin: DetailChange<String> = .unchanged,
        destination: DetailChange<String> = .unchanged,
        driver: DetailChange<String> = .unchanged,
        originAddress: DetailChange<String> = .unchanged,
        destinationAddress: DetailChange<String> = .unchanged
    ) {
        self.trip = trip
        self.tripStartedAt = tripStartedAt
        self.title = title
        self.purpose = purpose
        self.notes = notes
        self.category = category
        self.client = client
        self.vehicle = vehicle
        self.tripClass = tripClass
        self.mode = mode
        self.fields = fields
        self.origin = origin
        self.destination = destination
        self.driver = driver
        self.originAddress = originAddress
        self.destinationAddress = destinationAddress
    }
}

extension DetailsEdited: EventPayload {
    static var blank: DetailsEdited { DetailsEdited(trip: .blank) }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.trip, &trip)
        try visitor.optional(.tripStartedAt, &tripStartedAt)
        try visitor.clearable(.title, &title)
        try visitor.clearable(.purpose, &purpose)
        try visitor.clearable(.notes, &notes)
        try visitor.clearable(.category, &category)
        try visitor.clearable(.client, &client)
        try visitor.clearable(.vehicle, &vehicle)
        try visitor.clearable(.tripClass, &tripClass)
        try visitor.clearable(.mode, &mode)
        try visitor.optional(.fields, &fields)
        try visitor.clearable(.from, &origin)
        try visitor.clearable(.to, &destination)
        try visitor.clearable(.driver, &driver)
        try visitor.clearable(.fromAddress, &originAddress)
        try visitor.clearable(.toAddress, &destinationAddress)
    }
}

/// What an edit does to one detail.
public enum DetailChange<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Nothing: the edit does not mention it.
    case unchanged

    /// It is cleared: the edit says null.
    case cleared

    /// It is set.
    case set(Value)
}
