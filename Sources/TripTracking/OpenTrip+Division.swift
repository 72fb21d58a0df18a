import Geodesy
import TripEvents

// A split divides the fixes of a trip by their times, and changes nothing else: what the rules make
// of each fix, and when and why the drive ends, is as if nobody had split it. So both parts
// together are the whole.
//
// It waits until the trip moves on at the split or after it. Before that the trip may turn out to
// have ended before the split, by parking or by silence, and then the split changes nothing.
extension OpenTrip {
    /// Whether a split waits for the trip to move on.
    var isDividing: Bool { division.isPending }

    /// Divides the trip as soon as it moves on at a split or after it.
    mutating func expect(_ split: StandingSplit) {
        let second = Trip(
            id: split.made,
            source: trip.source,
            rules: trip.rules,
            startedBy: .split,
            startedAt: EventTime(split.at),
            recorded: Trip.Recorded(firstAt: split.recordedAt, lastAt: split.recordedAt)
        )
        division = .pending(
            PendingDivision(
                split: split,
                first: TripPart(trip, intervals: intervals, latest: latest),
                second: TripPart(second)
            )
        )
    }

    /// Takes note, in the part that a fix belongs to, of when the ledger learnt of it.
    mutating func includeInPart(_ stamp: EventStamp) {
        guard var pending = division.pending else { return }
        if pending.isSecond(stamp.occurredAt) {
            pending.second.include(stamp)
        } else {
            pending.first.include(stamp)
        }
        division = .pending(pending)
    }

    /// Takes note in the second part that the recorder had died.
    mutating func recoverPart() {
        guard var pending = division.pending else { return }
        pending.second.recover()
        division = .pending(pending)
    }

    /// Counts a fix, whose verdict is final, to the part that it belongs to, and divides the trip
    /// before the first fix that moves on.
    @inline(never)
    mutating func divide(before decided: PendingFix, _ judgement: Judgement, isMoving: Bool) {
        guard var pending = division.pending else { return }
        guard pending.isSecond(decided.fix.occurredAt) else {
            pending.first.add(decided, judgement)
            division = .pending(pending)
            return
        }
        if isMoving, let place = pending.first.latest {
            divide(pending, at: place)
        } else if judgement.verdict.isKept, pending.first.latest == nil {
            // The trip has no position before the split, so there is no first part.
            division = .none
        } else {
            pending.second.add(decided, judgement)
            division = .pending(pending)
        }
    }

    /// Makes the second part the trip in progress.
    private mutating func divide(_ pending: PendingDivision, at place: Waypoint) {
        var first = pending.first.measured
        first.start = trip.start
        first.flags.formUnion(trip.flags.intersection(.approximateStart))
        first.recorded.include(pending.split.recordedAt)
        division = .done(Rest(trip: first, place: place))
        earlierParts.append(trip.id)
        let vehicle = trip.vehicle
        trip = pending.second.trip
        trip.vehicle = vehicle
        trip.start = place.coordinate
        intervals = pending.second.intervals
        // These counted the way of the whole.
        movement.safeUntil = .zero
        parking.safeUntil = .zero
    }

    /// Says when the second part started, now that its first part has been looked at.
    mutating func dateSecondPart(_ startedAt: EventTime) {
        trip.startedAt = startedAt
        if case .resting(var rest) = pace {
            rest.trip.startedAt = startedAt
            pace = .resting(rest)
        }
    }

    /// Returns the first part, and forgets it, if the trip has just been divided.
    mutating func takeFirstPart() -> Rest? {
        guard case .done(let first) = division else { return nil }
        division = .none
        return first
    }
}
