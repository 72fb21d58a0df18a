/// A trip without GPS, entered by hand or imported from another program: never measured.
public struct TripReported: Hashable, Sendable {
    /// When it started.
    public var startedAt: EventTime

    /// When it ended.
    public var endedAt: EventTime

    /// Where it started.
    public var origin: String?

    /// Where it ended.
    public var destination: String?

    /// The address where it started.
    public var originAddress: String?

    /// The address where it ended.
    public var destinationAddress: String?

    /// Where it started: geodetic latitude in degrees, with a longitude.
    public var latitude: ExactDecimal?

    /// Longitude of its start in degrees, with a latitude.
    public var longitude: ExactDecimal?

    /// Where it ended: geodetic latitude in degrees, with a longitude.
    public var toLatitude: ExactDecimal?

    /// Longitude of its end in degrees, with a latitude.
    public var toLongitude: ExactDecimal?

    /// Its distance in metres, not negative.
    public var distanceMeters: ExactDecimal

    /// The program or file it was imported from.
    public var importedFrom: String?

    /// Its details.
    public var details: TripDetails

    /// Creates the content of the event; positions and addresses of its ends are set
    /// afterwards.
    public init(
        startedAt: EventTime,
        endedAt: EventTime,
        origin: String? = nil,
        destination: String? = nil,
        distanceMeters: ExactDecimal,
        importedFrom: String? = nil,
        details: TripDetails = TripDetails()
    ) {
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.origin = origin
        self.destination = destination
        self.distanceMeters = distanceMeters
        self.importedFrom = importedFrom
        self.details = details
    }
}

extension TripReported: EventPayload {
    static var blank: TripReported {
        TripReported(startedAt: .blank, endedAt: .blank, distanceMeters: .blank)
    }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.startedAt, &startedAt)
        try visitor.required(.endedAt, &endedAt)
        try visitor.optional(.from, &origin)
        try visitor.optional(.to, &destination)
        try visitor.optional(.fromAddress, &originAddress)
        try visitor.optional(.toAddress, &destinationAddress)
        try visitor.optional(.latitude, &latitude)
        try visitor.optional(.longitude, &longitude)
        try visitor.optional(.toLatitude, &toLatitude)
        try visitor.optional(.toLongitude, &toLongitude)
        try visitor.required(.distance, &distanceMeters)
        try visitor.optional(.importedFrom, &importedFrom)
        try details.visit(&visitor)
    }

    func check() throws(Rejection) {
        guard endedAt.timestamp >= startedAt.timestamp else {
            throw Rejection(
                .invalidValue,
                field: FieldName.endedAt.jsonName,
                sentence: "The trip ends before it starts."
            )
        }
        let pairs: [(FieldName, Bool, FieldName, Bool)] = [
            (.latitude, latitude != nil, .longitude, longitude != nil),
            (.toLatitude, toLatitude != nil, .toLongitude, toLongitude != nil),
        ]
        for (one, hasOne, other, hasOther) in pairs where hasOne != hasOther {
            throw .missingField((hasOne ? other : one).jsonName)
        }
    }
}
