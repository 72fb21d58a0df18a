/// What a trip, or a routine, says about itself.
public struct TripDetails: Hashable, Sendable {
    /// A short name of the trip.
    public var title: String?

    /// What the trip was for.
    public var purpose: String?

    /// Anything else worth keeping.
    public var notes: String?

    /// The category in the driver's own words.
    public var category: String?

    /// Whom the trip was for.
    public var client: String?

    /// The vehicle.
    public var vehicle: String?

    /// The class in the eyes of the tax office.
    public var tripClass: TripClass?

    /// Custom fields.
    public var fields: CustomFields?

    // Inlined, for rows of trips would copy all of it once more.
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
        fields: CustomFields? = nil
    ) {
        self.title = title
        self.purpose = purpose
        self.notes = notes
        self.category = category
        self.client = client
        self.vehicle = vehicle
        self.tripClass = tripClass
        self.fields = fields
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
        try visitor.optional(.fields, &fields)
    }
}

/// What a trip is in the eyes of the tax office.
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
