import Projections
import TripEvents
import TripTracking

/// The notifications of one look.
struct News {
    private let foundAt: Timestamp
    private let position: UInt64
    private var found: [LedgerNotification] = []

    init(foundAt: Timestamp, position: UInt64) {
        self.foundAt = foundAt
        self.position = position
    }

    /// Tells what has become of a trip.
    mutating func tell(_ change: TripChange) {
        guard let trip = change.new ?? change.old else { return }
        for kind in LedgerNotification.kinds(from: change.old, to: change.new) {
            let at = LedgerNotification.time(of: kind, trip.trip, foundAt: foundAt)
            tell(kind, .trip(trip), at: at)
        }
    }

    /// Tells what calls for attention in a trip, but for what was told before.
    mutating func tell(_ alarm: TripAlarms, but told: Set<LedgerNotification.Kind>) {
        for (kind, since) in alarm.since where !told.contains(kind) {
            tell(kind, .trip(alarm.trip), at: since)
        }
    }

    /// Tells that a place was entered or left, if people want to know it.
    mutating func tell(_ change: VisitChange, of source: String) {
        switch change {
        case .entered(let visit):
            guard visit.place.saving.notifiesOnEntry ?? false else { return }
            let subject = SourceVisit(source: source, visit: visit)
            tell(.placeEntered, .visit(subject), at: visit.enteredAt)
        case .left(let visit):
            guard visit.place.saving.notifiesOnExit ?? false else { return }
            let subject = SourceVisit(source: source, visit: visit)
            tell(.placeLeft, .visit(subject), at: visit.leftAt ?? visit.lastInsideAt)
        }
    }

    /// The notifications: withdrawn trips, and then everything in order of device time.
    var inOrder: [LedgerNotification] {
        let kinds = LedgerNotification.Kind.allCases
        func key(_ found: LedgerNotification) -> (Int, Int64, Int, String, String) {
            (
                found.kind == .tripWithdrawn ? 0 : 1, found.at.timestamp.milliseconds,
                kinds.firstIndex(of: found.kind) ?? 0, found.source, found.name
            )
        }
        return found.sorted { key($0) < key($1) }
    }

    /// Returns these notifications, each with its place among those of the log.
    ///
    /// Notifications that follow from the entries alone can be derived from them again. One that
    /// follows from the time, such as an alarm, is given while it holds, and its place is after
    /// those of the log that were given before it.
    ///
    /// - Parameters:
    ///   - ofLog: The notifications that follow from the entries alone.
    ///   - size: The size of the log after the entries.
    ///   - told: How many of the former were told already.
    /// - Returns: The notifications that were not told, in order.
    func placed(among ofLog: News, upTo size: UInt64, told: UInt64) -> [LedgerNotification] {
        var places: [String: Int] = [:]
        for (index, found) in ofLog.inOrder.enumerated() { places[found.name] = index + 1 }
        var last = Int(clamping: told)
        return inOrder.compactMap { found in
            var found = found
            if let place = places[found.name] {
                guard place > told else { return nil }
                last = max(last, place)
            }
            found.cursor = WatchCursor(from: position, upTo: size, told: last)
            return found
        }
    }

    private mutating func tell(
        _ kind: LedgerNotification.Kind,
        _ subject: LedgerNotification.Subject,
        at time: EventTime
    ) {
        found.append(
            LedgerNotification(
                kind: kind,
                at: time,
                foundAt: foundAt,
                subject: subject,
                position: position
            )
        )
    }
}

/// The alarms about a trip that goes on, which call for the driver's attention.
struct TripAlarms {
    /// The trip.
    let trip: BookedTrip

    /// The alarms, and since when each holds.
    let since: [LedgerNotification.Kind: EventTime]

    /// Finds what calls for attention in what a source is doing, or returns `nil` between trips.
    init?(_ source: LedgerStatus.Source) {
        guard let trip = source.bookedTrip else { return nil }
        self.trip = trip
        let live = source.live
        let offset = trip.trip.startedAt.utcOffset
        var since: [LedgerNotification.Kind: EventTime] = [:]
        if live.isSignalLost, let lostAt = live.since {
            since[.signalLost] = EventTime(lostAt, utcOffset: offset)
        }
        if live.phase == .recovering, let backAt = live.since {
            since[.recovering] = EventTime(backAt, utcOffset: offset)
        }
        if live.asksStillRecording, let rest = live.restMilliseconds {
            let restedAt = source.instant.advanced(byMilliseconds: -rest)
            since[.stillRecording] = EventTime(restedAt, utcOffset: offset)
        }
        self.since = since
    }
}
