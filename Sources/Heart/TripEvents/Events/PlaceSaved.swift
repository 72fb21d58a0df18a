package import Geodesy

/// A place was entered or changed.
public struct PlaceSaved: Hashable, Sendable {
    /// The name that other events call it by.
    public var place: String

    /// Geodetic latitude in degrees, −90 … 90, north positive.
    public var latitude: ExactDecimal

    /// Longitude in degrees, −180 … 180, east positive.
    public var longitude: ExactDecimal

    /// Radius in metres, not negative.
    public var radiusMeters: ExactDecimal

    /// The label that people see.
    public var label: String?

    /// Its address, which sheets show under the name.
    public var address: String?

    /// Whether a stop here never ends a trip.
    public var skips: Bool?

    /// Whether to tell the driver on arrival.
    public var notifiesOnEntry: Bool?

    /// Whether to tell the driver on departure.
    public var notifiesOnExit: Bool?

    /// The program or file it was imported from; `nil` for a place that a person saved here.
    ///
    /// An imported place takes no name, no fix and no trip from a place that a person saved.
    public var importedFrom: String?

    /// Creates the content of the event.
    public init(
        place: String,
        latitude: ExactDecimal,
        longitude: ExactDecimal,
        radiusMeters: ExactDecimal,
        label: String? = nil,
        skips: Bool? = nil,
        notifiesOnEntry: Bool? = nil,
        notifiesOnExit: Bool? = nil,
        importedFrom: String? = nil,
        address: String? = nil
    ) {
        self.place = place
        self.latitude = latitude
        self.longitude = longitude
        self.radiusMeters = radiusMeters
        self.label = label
        self.skips = skips
        self.notifiesOnEntry = notifiesOnEntry
        self.notifiesOnExit = notifiesOnExit
        self.importedFrom = importedFrom
        self.address = address
    }
}

extension PlaceSaved {
    /// Farther than two positions can be apart, in metres: half way round the earth.
    private static let everywhere = 20_100_000.0

    /// The radius in whole millimetres, at most 20,100 km.
    package var radius: Distance {
        let meters = min(radiusMeters.doubleValue, Self.everywhere)
        return Distance(millimeters: Int64((meters * 1_000).rounded()))
    }
}

extension PlaceSaved: EventPayload {
    static var blank: PlaceSaved {
        PlaceSaved(place: .blank, latitude: .blank, longitude: .blank, radiusMeters: .blank)
    }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.place, &place)
        try visitor.required(.latitude, &latitude)
        try visitor.required(.longitude, &longitude)
        try visitor.required(.radius, &radiusMeters)
        try visitor.optional(.label, &label)
        try visitor.optional(.skip, &skips)
        try visitor.optional(.notifyOnEntry, &notifiesOnEntry)
        try visitor.optional(.notifyOnExit, &notifiesOnExit)
        try visitor.optional(.importedFrom, &importedFrom)
        try visitor.optional(.address, &address)
    }
}

/// A place was removed.
public struct PlaceRemoved: Hashable, Sendable {
    /// The name of the place.
    public var place: String

    /// Creates the content of the event.
    public init(place: String) {
        self.place = place
    }
}

extension PlaceRemoved: EventPayload {
    static var blank: PlaceRemoved { PlaceRemoved(place: .blank) }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.place, &place)
    }
}
