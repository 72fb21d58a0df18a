/// A conclusion that another program drew from what a device recorded: where it stayed, or how it
/// got from one place to another.
///
/// It is evidence for people, and no measurement: no trip and no distance ever follows from it.
public struct InferenceReported: Hashable, Sendable {
    /// Who inferred it, such as `Google`.
    public var inferredBy: String

    /// What was inferred.
    public var inference: InferenceKind

    /// When that began, as the other program says.
    public var startedAt: EventTime

    /// When it ended, as the other program says.
    public var endedAt: EventTime

    /// What the device's carrier did, in that program's words, such as `IN_PASSENGER_VEHICLE`.
    public var activity: String?

    /// The means of transport, if it follows from that word.
    public var mode: TravelMode?

    /// The name that the program gives the place.
    public var place: String?

    /// The name of the place in the program's files.
    public var placeID: String?

    /// Latitude of the place, or of the start, in degrees, north positive.
    public var latitude: ExactDecimal?

    /// Longitude of the place, or of the start, in degrees, east positive.
    public var longitude: ExactDecimal?

    /// Latitude of the end in degrees, north positive.
    public var toLatitude: ExactDecimal?

    /// Longitude of the end in degrees, east positive.
    public var toLongitude: ExactDecimal?

    /// The distance that the program claims, in metres, not negative.
    public var claimedMeters: ExactDecimal?

    /// The probability that the program states, 0 … 1.
    public var probability: ExactDecimal?

    /// How sure the program is, where it gives no number.
    public var confidence: MotionConfidence?

    /// The address of the start, as the program looked it up.
    public var originAddress: String?

    /// The address of the end, as the program looked it up.
    public var destinationAddress: String?

    /// Creates the content of the event.
    public init(
        inferredBy: String,
        inference: InferenceKind,
        startedAt: EventTime,
        endedAt: EventTime
    ) {
        self.inferredBy = inferredBy
        self.inference = inference
        self.startedAt = startedAt
        self.endedAt = endedAt
    }
}

extension InferenceReported: EventPayload {
    static var blank: InferenceReported {
        InferenceReported(
            inferredBy: .blank,
            inference: .blank,
            startedAt: .blank,
            endedAt: .blank
        )
    }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.inferredBy, &inferredBy)
        try visitor.required(.inference, &inference)
        try visitor.required(.startedAt, &startedAt)
        try visitor.required(.endedAt, &endedAt)
        try visitor.optional(.activity, &activity)
        try visitor.optional(.mode, &mode)
        try visitor.optional(.place, &place)
        try visitor.optional(.placeID, &placeID)
        try visitor.optional(.latitude, &latitude)
        try visitor.optional(.longitude, &longitude)
        try visitor.optional(.toLatitude, &toLatitude)
        try visitor.optional(.toLongitude, &toLongitude)
        try visitor.optional(.distance, &claimedMeters)
        try visitor.optional(.probability, &probability)
        try visitor.optional(.confidence, &confidence)
        try visitor.optional(.fromAddress, &originAddress)
        try visitor.optional(.toAddress, &destinationAddress)
    }

    func check() throws(Rejection) {
        guard endedAt.timestamp >= startedAt.timestamp else {
            throw Rejection(
                .invalidValue,
                field: FieldName.endedAt.jsonName,
                sentence: "What was inferred ends before it starts."
            )
        }
    }
}

/// The kind of an inference; the raw value is its name in JSON.
public enum InferenceKind: String, CaseIterable, Sendable {
    /// A stay at a place.
    case visit

    /// A way from one place to another.
    case activity
}
