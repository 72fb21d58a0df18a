import Geodesy
public import TripEvents
import TripTracking

/// One line of a trip's history: a field, what it was, what it became, who said so and when.
public struct TripAmendment: Hashable, Sendable {
    /// The trip that the decision names: this one, a part of a merged one, or a missing one whose
    /// decisions are attached to this one.
    public let trip: TripID

    /// What was decided.
    public let kind: EventKind

    /// The identity digest of the event that says so.
    public let decision: IdentityDigest

    /// What changed.
    public let change: FieldChange

    /// Why, in the words of the person who decided.
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
            max(0, decision.recordedAt.milliseconds(since: $0)) / Timestamp.millisecondsPerDay
        }
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

// Each line compares the trips as they were booked just before a decision with how they were booked
// just after it: what is decided later changes no earlier line.
extension BookedCluster {
    /// A decision, what it found and what it left.
    private struct Step {
        let filed: Filed
        let before: [TripID: BookedTrip]
        let after: [TripID: BookedTrip]

        /// Whether the decision is about the trip whose history is told.
        let isOwn: Bool

        var decision: Decision { filed.decision }
    }

    /// Returns every change that people made to a trip, in event order.
    func history(of id: TripID) -> [TripAmendment] {
        let own = Set((entries[id]?.decisions ?? []).map(\.order))
        var ties: [Decision] = []
        var before = asOf(nil).bookedTrips
        var lines: [TripAmendment] = []
        for filed in decisions(about: Array(entries.keys)) {
            let decision = filed.decision
            let step = Step(
                filed: filed,
                before: before,
                after: asOf(decision.order).bookedTrips,
                isOwn: own.contains(decision.order)
            )
            before = step.after
            guard let trip = step.after[id], let kind = decision.event.body.kind else { continue }
            let changes =
                Self.figures(of: id, step)
                + Self.details(of: id, step)
                + Self.ties(&ties, step)
            lines += changes.map {
                TripAmendment(
                    $0,
                    by: decision,
                    kind: kind,
                    trip: Self.namedTrip(decision, in: id),
                    endedAt: trip.trip.endedAt?.timestamp
                )
            }
        }
        return lines
    }

    /// Returns the cluster as if nothing had been decided after a place in event order.
    private func asOf(_ order: EventOrder?) -> BookedCluster {
        BookedCluster(entries.values.map { $0.asOf(order) }, routines: routines)
    }

    /// Returns the trip that a decision names, seen from one trip: of a decision that was attached
    /// by time, the trip that has gone.
    private static func namedTrip(_ decision: Decision, in id: TripID) -> TripID {
        let named = decision.namedTrips
        return named.contains(id) ? id : decision.madeTrip == id ? id : named.first ?? id
    }

    /// Returns what became of the trip's status and distance; there is always a line for what the
    /// decision says.
    private static func figures(of id: TripID, _ step: Step) -> [FieldChange] {
        let kind = step.decision.event.body.kind
        let setsStatus = step.isOwn && (kind == .tripVoided || kind == .tripRestored)
        let setsDistance = step.isOwn && (kind == .distanceAdjusted || kind == .tripReported)
        // A part is voided and adjusted with the trip that shows it.
        let concernsWhole = step.isOwn && (kind == .tripVoided || kind == .distanceAdjusted)
        let whole = concernsWhole ? step.before[id]?.mergedInto ?? id : id
        guard let new = step.after[whole] else { return [] }
        let old = step.before[whole]
        let status = FieldChange(
            field: "status",
            old: old.map { .text($0.status.rawValue) },
            new: .text(new.status.rawValue)
        )
        let distance = FieldChange(
            field: "distance_m",
            old: old.flatMap { value($0.claimedDistance) },
            new: value(new.claimedDistance)
        )
        let isStatusShown = setsStatus || old != nil && status.old != status.new
        let isDistanceShown = setsDistance || distance.old != distance.new
        return (isStatusShown ? [status] : []) + (isDistanceShown ? [distance] : [])
    }

    private static func details(of id: TripID, _ step: Step) -> [FieldChange] {
        guard let new = step.after[id] else { return [] }
        let old = step.before[id]
        let routine = FieldChange(
            ifOther: "routine",
            old: old?.routine.map(CustomValue.text),
            new: new.routine.map(CustomValue.text)
        )
        return (routine.map { [$0] } ?? [])
            + (old?.details ?? TripDetails()).changes(to: new.details)
    }

    /// Notes the merges and splits that tie the trip to others, and undoes what restoring one of
    /// the trips undoes.
    private static func ties(_ ties: inout [Decision], _ step: Step) -> [FieldChange] {
        switch step.decision.event.body {
        case .tripsMerged where step.isOwn, .tripSplit where step.isOwn:
            ties.append(step.decision)
            return [tie(step.decision, isUndone: false)].compactMap(\.self)
        case .tripRestored:
            let isUndone = { (tie: Decision) in tie.namedTrips.contains(step.filed.trip) }
            let undone = ties.filter(isUndone).compactMap { tie($0, isUndone: true) }
            ties.removeAll(where: isUndone)
            return undone
        default:
            return []
        }
    }

    private static func tie(_ decision: Decision, isUndone: Bool) -> FieldChange? {
        let field: String
        let value: CustomValue
        switch decision.event.body {
        case .tripsMerged(let merge):
            field = "merged"
            value = .text(merge.trips.map(\.description).joined(separator: " "))
        case .tripSplit(let split):
            field = "split_at"
            let time = split.splitAt
            value = .text(RFC3339.text(time.timestamp, utcOffset: time.utcOffset))
        default: return nil
        }
        return FieldChange(field: field, old: isUndone ? value : nil, new: isUndone ? nil : value)
    }

    private static func value(_ distance: Distance) -> CustomValue? {
        ExactDecimal(significand: distance.millimeters, decimals: 3).map(CustomValue.number)
    }
}

extension TripDetails {
    /// Returns the fields that are others in `new`, those that every trip has first.
    func changes(to new: TripDetails) -> [FieldChange] {
        let texts = [
            ("title", title, new.title), ("purpose", purpose, new.purpose),
            ("notes", notes, new.notes), ("category", category, new.category),
            ("client", client, new.client), ("vehicle", vehicle, new.vehicle),
            ("class", tripClass?.rawValue, new.tripClass?.rawValue),
        ]
        let own = texts.compactMap { name, old, new in
            FieldChange(
                ifOther: name,
                old: old.map(CustomValue.text),
                new: new.map(CustomValue.text)
            )
        }
        let (oldFields, newFields) = (fields ?? CustomFields(), new.fields ?? CustomFields())
        var all = oldFields
        for field in newFields.all { all[field.key] = field.value }
        return own
            + all.all.compactMap { field in
                FieldChange(
                    ifOther: "fields." + field.key,
                    old: oldFields[field.key],
                    new: newFields[field.key]
                )
            }
    }
}
