import Geodesy
import Projections
import TripEvents
import TripTracking

/// A book for examples: the day is 2026-03-16, times are minutes of it in UTC, and the minute of a
/// decision identifies it.
struct Book {
    /// The midnight that minutes are counted from: 2026-03-16T00:00Z.
    static let midnight: Int64 = 1_773_619_200_000

    private var book = TripBook()
    private var shown: [TripID: BookedTrip] = [:]
    private var decisions: UInt64 = 0

    /// Every booked trip.
    var trips: [TripID: BookedTrip] { shown }

    /// The routines as they stand.
    private(set) var routines: [String: Routine] = [:]

    static func id(_ number: UInt64) -> TripID { TripID(high: number, low: 0) }

    static func at(_ minute: Int64) -> Timestamp {
        Timestamp(milliseconds: midnight + minute * 60_000)
    }

    /// Returns a measured trip of ten metres for each minute.
    static func trip(_ number: UInt64, _ minutes: ClosedRange<Int64>) -> Trip {
        var trip = Trip(
            id: id(number),
            source: "phone",
            vehicle: "van",
            rules: RulesName(version: .v1),
            startedBy: .press,
            startedAt: EventTime(at(minutes.lowerBound)),
            recorded: Trip.Recorded(firstAt: at(minutes.lowerBound), lastAt: at(minutes.upperBound))
        )
        trip.status = .completed
        trip.endedBy = .press
        trip.endedAt = EventTime(at(minutes.upperBound))
        trip.distance = Distance(millimeters: Int64(minutes.count - 1) * 10_000)
        trip.start = Coordinate(latitude: 52, longitude: 4)
        trip.end = Coordinate(latitude: 52, longitude: 4)
        return trip
    }

    mutating func measure(_ trip: Trip) throws {
        try note(book.evolve(.ended(trip)))
    }

    mutating func withdraw(_ number: UInt64) throws {
        try note(book.evolve(.withdrawn(Self.id(number))))
    }

    /// Decides something at a minute, stored a minute later, and returns the trip that the event
    /// would name.
    @discardableResult
    mutating func decide(
        _ body: EventBody,
        at minute: Int64,
        by actor: String? = "Eva"
    ) throws
        -> TripID
    {
        decisions += 1
        let event = TripEvent(
            source: "manual",
            occurredAt: Self.at(minute),
            actor: actor,
            body: body
        )
        let identity = IdentityDigest(words: [0xD0, decisions, 0, 0])
        let recordedAt = Self.at(minute + 1)
        if let decision = Decision(event, identity: identity, recordedAt: recordedAt) {
            try note(book.decide(decision))
        }
        return TripID(openedBy: identity)
    }

    /// Defines a custom field at the first minute.
    mutating func define(_ key: String) throws {
        let field = FieldDefined(key: key, label: key, valueType: .text)
        try decide(.fieldDefined(field), at: 0)
    }

    /// Returns a booked trip.
    func trip(_ number: UInt64) -> BookedTrip? { shown[Self.id(number)] }

    /// Returns the history of a trip as `field: old → new`.
    func history(_ id: TripID) throws -> [String] {
        try book.history(of: id)
            .map { amendment in
                let change = amendment.change
                return "\(change.field): \(Self.text(change.old)) → \(Self.text(change.new))"
            }
    }

    /// Returns every line of a trip's history.
    func amendments(_ number: UInt64) throws -> [TripAmendment] {
        try book.history(of: Self.id(number))
    }

    /// Returns the splits of a trip that stand.
    func standingSplits(_ number: UInt64) throws -> [Decision] {
        try book.standingSplits(of: Self.id(number))
    }

    /// The decisions without effect: those about trips that are not there come first.
    var withoutEffect: [DecisionWithoutEffect] {
        get throws {
            try book.rows.added
                .filter { row in
                    row.key.first.map { DecisionWithoutEffect.keyPrefixes.contains($0) } ?? false
                }
                .map { try DecisionWithoutEffect(decoding: $0.value) }
        }
    }

    /// The decisions about trips that are not there, in event order.
    var orphans: [DecisionWithoutEffect] {
        get throws { try withoutEffect.filter { $0.obstacle == .isMissing } }
    }

    /// The custom fields.
    var fields: FieldCatalogue {
        get throws { try book.fields() }
    }

    /// The places.
    var places: PlaceBook {
        get throws { PlaceBook(try decisions(on: .places)) }
    }

    /// The vehicles and their odometers.
    var vehicles: VehicleBook {
        get throws { VehicleBook(try decisions(on: .vehicles)) }
    }

    private func decisions(on topic: DecisionTopic) throws -> [Decision] {
        try book.rows.added.filter { $0.key.first == topic.keyPrefix }
            .map { try DecisionTopic.decision(decoding: $0.value) }
    }

    private mutating func note(_ changes: [BookChange]) {
        for change in changes {
            switch change {
            case .trip(let change):
                if let old = change.old { shown[old.id] = nil }
                if let new = change.new { shown[new.id] = new }
            case .routine(let change): routines[change.name] = change.new
            case .visit: preconditionFailure("the book is of trips and routines")
            }
        }
    }

    private static func text(_ value: CustomValue?) -> String {
        switch value {
        case .text(let text)?: text
        case .number(let number)?: number.description
        case .boolean(let boolean)?: String(boolean)
        case .null?, nil: "–"
        }
    }
}
