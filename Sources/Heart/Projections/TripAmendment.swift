import Geodesy
public import TripEvents
import TripTracking

/// One line of a trip's history: a field, what it was, what it became, who said so and when.
public struct TripAmendment: Hashable, Sendable {
    /// The trip that changed: this one, the merged one that shows its figures, a part of it that
    /// the decision describes, or a missing one whose decisions are attached to this one.
    public let trip: TripID

    /// What was decided.
    public let kind: EventKind

    /// The identity digest of the event that says so.
    public let decision: IdentityDigest

    /// What changed.
    public let change: FieldChange

    /// The reason, in the words of the person who decided.
    public let why: String?

    /// Who decided; `nil` if the event names no person.
    public let actor: String?

    /// The source that reported the decision.
    public let source: String

    /// When it was decided, by the source's clock.
    public let occurredAt: EventTime

    /// When the ledger stored it.
    public let recordedAt: Timestamp

    /// Whole days of 24 hours from the trip's end until the ledger stored the decision; 0 before
    /// the end, `nil` while the trip is active.
    public let daysAfterTrip: Int64?

    /// Why the decision has no effect, or had none when it was taken back; `nil` if it has one.
    public internal(set) var withoutEffect: DecisionObstacle?

    /// Creates the line for one change of a decision about a trip.
    init(
        _ change: FieldChange,
        by decision: Decision,
        kind: EventKind,
        trip: TripID,
        endedAt: Timestamp?,
        withoutEffect: DecisionObstacle? = nil
    ) {
        self.trip = trip
        self.kind = kind
        self.decision = decision.order.identity
        self.change = change
        why = decision.why
        actor = decision.event.actor
        source = decision.event.source
        occurredAt = EventTime(decision.event.occurredAt, utcOffset: decision.event.utcOffset)
        recordedAt = decision.recordedAt
        daysAfterTrip = endedAt.map {
            max(0, decision.recordedAt.milliseconds(since: $0)) / Timestamp.millisecondsPerDay
        }
        self.withoutEffect = withoutEffect
    }
}

/// What a decision changed about one field of a trip.
public struct FieldChange: Hashable, Sendable {
    /// The field's name in JSON; custom fields are `fields.` and their key.
    public let field: String

    /// What it was; `nil` for nothing.
    public let old: CustomValue?

    /// What it is now; `nil` for nothing.
    public let new: CustomValue?

    /// Creates a change.
    public init(field: String, old: CustomValue?, new: CustomValue?) {
        self.field = field
        self.old = old
        self.new = new
    }

    /// Creates a change, or returns `nil` if there is none.
    init?(ifOther field: String, old: CustomValue?, new: CustomValue?) {
        guard old != new else { return nil }
        self.init(field: field, old: old, new: new)
    }
}

extension TripDetails {
    /// Returns the fields that every trip has and that differ in `new`.
    func plainChanges(to new: TripDetails) -> [FieldChange] {
        [
            ("title", title, new.title), ("purpose", purpose, new.purpose),
            ("notes", notes, new.notes), ("category", category, new.category),
            ("client", client, new.client), ("vehicle", vehicle, new.vehicle),
            ("class", tripClass?.rawValue, new.tripClass?.rawValue),
            ("mode", mode?.rawValue, new.mode?.rawValue),
            ("driver", driver, new.driver),
        ]
        .compactMap { name, old, new in
            FieldChange(
                ifOther: name,
                old: old.map(CustomValue.text),
                new: new.map(CustomValue.text)
            )
        }
    }
}
