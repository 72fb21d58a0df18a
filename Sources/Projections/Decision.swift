public import TripEvents

/// Something that a person decided about trips, places or vehicles: the event, with its place among
/// all decisions.
///
/// Decisions of all sources stand in one event order: what a person says later wins, whichever
/// program it was said to. GO with a routine is one: it applies the routine to the trip that it
/// opens, or to the one that is going on.
public struct Decision: Hashable, Sendable {
    /// The kinds of events that can be decisions.
    public static let kinds: Set<EventKind> = [
        .goPressed, .detailsEdited, .routineSaved, .routineRemoved, .routineApplied, .tripsMerged,
        .tripSplit, .tripVoided, .tripRestored, .distanceAdjusted, .tripReported, .fieldDefined,
        .placeSaved, .placeRemoved, .vehicleRegistered, .odometerRead,
        .entriesErased,
    ]

    /// The event.
    public let event: TripEvent

    /// Where it stands among all decisions.
    public let order: EventOrder

    /// When the ledger stored it.
    public let recordedAt: Timestamp

    /// Creates a decision, or returns `nil` if the event is none.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - identity: its identity digest.
    ///   - recordedAt: when the ledger stored it.
    public init?(_ event: TripEvent, identity: IdentityDigest, recordedAt: Timestamp) {
        guard let kind = event.body.kind, Self.kinds.contains(kind) else { return nil }
        if case .goPressed(let press) = event.body, press.routine == nil { return nil }
        if case .entriesErased(let erasure) = event.body, erasure.erasedFrom == nil {
            // No trip lost a part.
            return nil
        }
        self.event = event
        self.order = EventOrder(event, identity: identity)
        self.recordedAt = recordedAt
    }
}

extension Decision: Comparable {
    /// Returns whether one decision comes before another in event order.
    public static func < (left: Decision, right: Decision) -> Bool {
        left.order < right.order
    }
}
