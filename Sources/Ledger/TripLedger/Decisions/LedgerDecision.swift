public import TripEvents

/// Something that a person decides, with trips, routines and places named as people name them.
///
/// ``Ledger/decide(_:by:at:id:for:from:now:)-(LedgerDecision,_,_,_,_,_,_)`` looks the names up,
/// checks the decision and appends the event that says it.
public enum LedgerDecision: Hashable, Sendable {
    /// Says, or changes, what a trip was for.
    case edit(TripReference, TripEdit)

    /// Applies the routine with a name to a trip.
    case applyRoutine(String, to: TripReference)

    /// Sets the distance of a trip, in metres.
    case adjust(TripReference, distanceMeters: ExactDecimal, why: String)

    /// Says that a recorded trip was not a trip.
    case void(TripReference, why: String)

    /// Undoes voids, adjustments, merges, splits and exclusions of a trip.
    case restore(TripReference, why: String? = nil)

    /// Says that two or more trips were one; the order of their names means nothing.
    case merge([TripReference], why: String? = nil)

    /// Says that a trip was two, the second from a time on.
    case split(TripReference, at: TripTime, why: String? = nil)

    /// Says that the metres of a trip from one time to another are no distance.
    case exclude(TripReference, from: TripTime, to: TripTime, why: String)

    /// Decides what becomes of a trip whose recorder died: the trip that is named, else the only
    /// one that is recovering, else the only one that goes on; of one source, if one is named.
    case recover(RecoveryDecision, TripReference? = nil, source: String? = nil)

    /// Enters a trip that no device recorded; its distance is the difference of what the odometer
    /// of its vehicle showed at both ends, if that is given, and is appended with it.
    case reportTrip(TripReported, odometer: OdometerEnds? = nil)

    /// Makes or changes a routine: what is `nil` stays as the trip `from` says it, or else as the
    /// routine said it before.
    case saveRoutine(String, TripDetails, PatternEdit = PatternEdit(), from: TripReference? = nil)

    /// Removes the routine with a name.
    case removeRoutine(String)

    /// Makes or changes a place: what is `nil` stays as it was.
    case savePlace(String, PlaceEdit)

    /// Removes the place with a name.
    case removePlace(String)

    /// Enters a vehicle or changes what is known of it: what is `nil` stays as it was, but for
    /// the members of the event that are cleared.
    case registerVehicle(VehicleRegistered, clearing: Set<String> = [])

    /// Records what an odometer shows, in a unit: by default that of the reading before, else the
    /// ledger's. If it corrects the readings of a time, it stands in their place.
    case readOdometer(
        vehicle: String,
        ExactDecimal,
        unit: DistanceUnit? = nil,
        OdometerMethod?,
        corrects: EventTime? = nil
    )

    /// Records an expense beside the distance. If it corrects another expense, members that are
    /// `nil` stay as they are there. The odometer's reading at that time is appended with it.
    case recordExpense(ExpenseEdit)

    /// Says that an expense was not one; its id begins with these digits.
    case voidExpense(String, why: String)

    /// Defines a custom field or changes its definition: what is `nil` stays as it was.
    case defineField(String, FieldEdit)

    /// Adopts tracking rules; from the beginning on, if no time is given and nothing was reported
    /// yet that they could change.
    case adoptRules(RulesAdopted)

    /// Takes a table of rates into the ledger.
    case loadRates(RatesLoaded)

    /// Says that the clock of a source was wrong.
    case shiftClock(ClockShifted)

    /// Changes settings of the whole ledger; only its owner does.
    ///
    /// A time zone without a time holds from the beginning as long as the ledger has only been set
    /// up.
    case changeSettings(SettingsChanged)
}

/// The changes that an edit makes to a trip; details that it does not mention stay.
public struct TripEdit: Hashable, Sendable {
    /// A short name of the trip.
    public var title = DetailChange<String>.unchanged

    /// What the trip was for.
    public var purpose = DetailChange<String>.unchanged

    /// Anything else worth keeping.
    public var notes = DetailChange<String>.unchanged

    /// The category in the driver's own words.
    public var category = DetailChange<String>.unchanged

    /// The person or firm that the trip was for.
    public var client = DetailChange<String>.unchanged

    /// The vehicle.
    public var vehicle = DetailChange<String>.unchanged

    /// The class in the eyes of the tax office.
    public var tripClass = DetailChange<TripClass>.unchanged

    /// The means of transport; it counts before what the rules derive.
    public var mode = DetailChange<TravelMode>.unchanged

    /// Custom fields; a null clears one.
    public var fields: CustomFields?

    /// Where the trip started, in words.
    public var origin = DetailChange<String>.unchanged

    /// Where the trip ended, in words.
    public var destination = DetailChange<String>.unchanged

    /// Who drove.
    public var driver = DetailChange<String>.unchanged

    /// The address where the trip started.
    public var originAddress = DetailChange<String>.unchanged

    /// The address where the trip ended.
    public var destinationAddress = DetailChange<String>.unchanged

    /// Creates an edit that changes nothing, to be filled.
    public init() {}

    /// Creates an edit that sets what some details say.
    public init(setting details: TripDetails) {
        func change<Value: Hashable & Sendable>(_ value: Value?) -> DetailChange<Value> {
            value.map(DetailChange.set) ?? .unchanged
        }
        title = change(details.title)
        purpose = change(details.purpose)
        notes = change(details.notes)
        category = change(details.category)
        client = change(details.client)
        vehicle = change(details.vehicle)
        tripClass = change(details.tripClass)
        mode = change(details.mode)
        fields = details.fields
        driver = change(details.driver)
    }
}

/// Changes to the pattern of trips to which a routine applies by itself; `nil` leaves a member as
/// it is.
public struct PatternEdit: Hashable, Sendable {
    /// The trips; without an instant, those that start after the decision.
    public var pattern = TripPattern()

    /// Whether the routine applies to no trip by itself any more.
    public var isRemoval = false

    /// Creates an edit that changes nothing, to be filled.
    public init() {}
}

/// Changes to a place: a member that is `nil`, or an unchanged label, stays as it was, and a new
/// place gets a radius of 100 m.
public struct PlaceEdit: Hashable, Sendable {
    /// Geodetic latitude in degrees, −90 … 90, north positive; it comes with a longitude.
    public var latitude: ExactDecimal?

    /// Longitude in degrees, −180 … 180, east positive.
    public var longitude: ExactDecimal?

    /// Radius in metres, not negative.
    public var radiusMeters: ExactDecimal?

    /// The label that people see instead of the name; a place whose label is cleared is shown by
    /// its name.
    public var label = DetailChange<String>.unchanged

    /// The address, which sheets show under the name.
    public var address = DetailChange<String>.unchanged

    /// Whether a stop here never ends a trip.
    public var skips: Bool?

    /// Whether to tell the driver on arrival.
    public var notifiesOnEntry: Bool?

    /// Whether to tell the driver on departure.
    public var notifiesOnExit: Bool?

    /// Creates an edit that changes nothing, to be filled.
    public init() {}
}

/// An expense as a person enters it.
public struct ExpenseEdit: Hashable, Sendable {
    /// The expense itself: the vehicle, the place and all that has no member of its own here.
    public var expense: ExpenseRecorded

    /// The trip on which it was paid, or for which; its vehicle is that of the trip unless another
    /// one is named.
    public var trip: TripReference?

    /// When it was paid; `nil` for now.
    public var paidAt: EventTime?

    /// The reading of the vehicle's odometer at that time.
    public var odometer: ExactDecimal?

    /// The first digits of the id of the expense that it replaces.
    public var corrects: String?

    /// Creates an expense from its content alone.
    public init(_ expense: ExpenseRecorded) {
        self.expense = expense
    }
}

/// Changes to a custom field; `nil` leaves a member as it is, and a new field is a text whose label
/// is its key.
public struct FieldEdit: Hashable, Sendable {
    /// The label that people see.
    public var label: String?

    /// The type of the field's values.
    public var valueType: CustomFieldType?

    /// The options of a field of type `select`, at most 100.
    public var options: [String]?

    /// The field's place among the others, lowest first.
    public var order: UInt32?

    /// Creates an edit that changes nothing, to be filled.
    public init() {}
}

/// A time on a trip, as a person says it: in full, or as the clock of the trip showed it.
public enum TripTime: Hashable, Sendable {
    /// An instant, for any trip.
    case instant(EventTime)

    /// A local date and time of day, such as `2025-03-03T08:45:00`.
    case local(String)

    /// A time of day, such as `08:45:00`: on the day of the trip's start, or on the next if the
    /// trip went on until then.
    case clock(String)

    /// Reads RFC 3339, a local date and time, or a time of day, each with or without seconds, or
    /// returns `nil` if `text` is in neither form.
    public init?(_ text: String) {
        if let time = RFC3339.time(text) {
            self = .instant(time)
            return
        }
        let clock = text.split(separator: "T").last.map(String.init) ?? ""
        let isShort = clock.split(separator: ":", omittingEmptySubsequences: false).count == 2
        let full = isShort ? text + ":00" : text
        if Self.time(full, at: nil) != nil {
            self = .local(full)
        } else if Self.time("1970-01-01T" + full, at: nil) != nil {
            self = .clock(full)
        } else {
            return nil
        }
    }

    /// Whether it needs to be said in full, because the trip's clock was changed on the way.
    func isUnclear(onTripFrom start: EventTime, to end: EventTime?) -> Bool {
        guard let before = start.utcOffset, let after = end?.utcOffset else { return false }
        switch self {
        case .instant: return false
        case .local, .clock: return before != after
        }
    }

    /// Returns the instant that is meant on a trip, in its offset from UTC; `nil` if the calendar
    /// has no such day.
    func time(onTripFrom start: EventTime, to end: EventTime?) -> EventTime? {
        switch self {
        case .instant(let time):
            return EventTime(time.timestamp, utcOffset: time.utcOffset ?? start.utcOffset)
        case .local(let text):
            return Self.time(text, at: start.utcOffset)
        case .clock(let text):
            let full = RFC3339.text(start.timestamp, utcOffset: start.utcOffset)
            let time = Self.time("\(full.prefix(10))T\(text)", at: start.utcOffset)
            return time.map { time in
                let next = time.timestamp.advanced(byMilliseconds: Timestamp.millisecondsPerDay)
                let isNextDay =
                    time.timestamp < start.timestamp && next <= end?.timestamp ?? next
                return EventTime(isNextDay ? next : time.timestamp, utcOffset: start.utcOffset)
            }
        }
    }

    private static func time(_ local: String, at offset: UTCOffset?) -> EventTime? {
        let zone = RFC3339.text(Timestamp(milliseconds: 0), utcOffset: offset).dropFirst(23)
        return RFC3339.time(local + zone)
    }
}
