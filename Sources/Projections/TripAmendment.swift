public import TripEvents

/// One line of a trip's history: a field, what it was, what it became, who said so and when.
public struct TripAmendment: Hashable, Sendable {
    /// The trip that the decision names: a part of a merged one, or one that has gone and whose
    /// decisions were taken over.
    public let trip: TripID

    /// What was decided.
    public let kind: EventKind

    /// The identity digest of the event that says so.
    public let decision: IdentityDigest

    /// What changed.
    public let change: FieldChange

    /// Why, in the words of the person who decided.
    public let why: String?

    /// Who decided; `nil` if nobody was named.
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

    /// Creates the line for one change of a decision about a trip.
    init(
        _ change: FieldChange,
        by decision: Decision,
        kind: EventKind,
        trip: TripID,
        endedAt: Timestamp?
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
            max(0, decision.recordedAt.milliseconds(since: $0)) / 86_400_000
        }
    }
}
