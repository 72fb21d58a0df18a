/// Something was paid for beside the distance: a toll, parking, fuel, charging.
///
/// The event's time is when it was paid. An event that replaces another, or takes it back, has the
/// time of the correction; the payment keeps the time of the first event.
public struct ExpenseRecorded: Hashable, Sendable {
    /// What was paid for.
    public var kind: ExpenseKind

    /// How much, not negative, in `currency`.
    public var amount: ExactDecimal

    /// Three capital letters (ISO 4217).
    public var currency: String

    /// The vehicle.
    public var vehicle: String?

    /// The trip on which it was paid, or for which.
    public var trip: TripID?

    /// When the trip started.
    public var tripStartedAt: EventTime?

    /// The local day on which it was paid, if the time of the event does not say it.
    public var day: CivilDate?

    /// The name of the saved place where it was paid.
    public var place: String?

    /// Where it was paid: geodetic latitude in degrees, with a longitude.
    public var latitude: ExactDecimal?

    /// Longitude in degrees, with a latitude.
    public var longitude: ExactDecimal?

    /// Who was paid, as the receipt says it.
    public var merchant: String?

    /// Anything else worth keeping.
    public var notes: String?

    /// How much of it was bought, not negative, in `quantityUnit`.
    public var quantity: ExactDecimal?

    /// The unit of `quantity`.
    public var quantityUnit: QuantityUnit?

    /// SHA-256 of the file that shows the receipt.
    public var receiptHash: String?

    /// The expense that this one replaces.
    public var corrects: ExpenseID?

    /// Whether it takes back the expense that it corrects.
    public var isVoid: Bool?

    /// Creates the content of the event; what is not said is set afterwards.
    public init(kind: ExpenseKind, amount: ExactDecimal, currency: String) {
        self.kind = kind
        self.amount = amount
        self.currency = currency
    }
}

extension ExpenseRecorded: EventPayload {
    static var blank: ExpenseRecorded {
        ExpenseRecorded(kind: .blank, amount: .blank, currency: .blank)
    }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.expenseKind, &kind)
        try visitor.required(.amount, &amount)
        try visitor.required(.currency, &currency)
        try visitor.optional(.vehicle, &vehicle)
        try visitor.optional(.trip, &trip)
        try visitor.optional(.tripStartedAt, &tripStartedAt)
        try visitor.optional(.day, &day)
        try visitor.optional(.place, &place)
        try visitor.optional(.latitude, &latitude)
        try visitor.optional(.longitude, &longitude)
        try visitor.optional(.merchant, &merchant)
        try visitor.optional(.notes, &notes)
        try visitor.optional(.quantity, &quantity)
        try visitor.optional(.quantityUnit, &quantityUnit)
        try visitor.optional(.receiptHash, &receiptHash)
        try visitor.optional(.correctsExpense, &corrects)
        try visitor.optional(.isVoid, &isVoid)
    }

    func check() throws(Rejection) {
        let pairs: [(FieldName, Bool, FieldName, Bool)] = [
            (.latitude, latitude != nil, .longitude, longitude != nil),
            (.quantity, quantity != nil, .quantityUnit, quantityUnit != nil),
        ]
        for (one, hasOne, other, hasOther) in pairs where hasOne != hasOther {
            throw .missingField((hasOne ? other : one).jsonName)
        }
        guard isVoid == nil || corrects != nil else {
            throw .missingField(FieldName.correctsExpense.jsonName)
        }
    }
}

/// What was paid for.
public enum ExpenseKind: String, CaseIterable, Sendable {
    case toll
    case parking
    case fuel
    case charging
    case other

    /// Whether the vehicle itself must have been where it was paid.
    public var needsVehicleThere: Bool {
        switch self {
        case .fuel, .charging, .parking: true
        // Tolls are paid at home too.
        case .toll, .other: false
        }
    }
}

/// A unit in which what was bought is counted.
public enum QuantityUnit: String, CaseIterable, Sendable {
    case liters = "l"
    case usGallons = "gal_us"
    case imperialGallons = "gal_uk"
    case kilowattHours = "kWh"
    case kilograms = "kg"
}

/// The name of an expense: the first half of the identity digest of the event that recorded it
/// first, as a trip's id is the first half of the digest of the event that opened the trip.
public struct ExpenseID: Hashable, Comparable, Sendable, CustomStringConvertible {
    private let digits: TripID

    /// Creates the id of the expense that the event with this digest recorded.
    public init(recordedBy identity: IdentityDigest) {
        digits = TripID(openedBy: identity)
    }

    /// Creates an id from 32 hexadecimal digits, or returns `nil` if `text` is something else.
    public init?(_ text: String) {
        guard let digits = TripID(text) else { return nil }
        self.digits = digits
    }

    /// The id as 32 lower-case hexadecimal digits.
    public var description: String { digits.description }

    /// Returns whether one id comes before another, as text.
    public static func < (left: ExpenseID, right: ExpenseID) -> Bool {
        left.digits < right.digits
    }
}

extension ExpenseID: FieldConvertible {
    static var blank: ExpenseID { ExpenseID(recordedBy: IdentityDigest(words: [0, 0, 0, 0])) }

    init?(_ value: FieldValue) {
        guard case .text(let text) = value else { return nil }
        self.init(text)
    }

    var fieldValue: FieldValue { .text(description) }
}

extension ExpenseKind: FieldConvertible {}
extension QuantityUnit: FieldConvertible {}
