import Geodesy
import Projections
package import Tables
package import TripEvents
package import TripLedger
import TripTracking

/// A notification in words.
package struct NotificationMessage: Tabular, Sendable {
    private let notification: LedgerNotification
    private let unit: DistanceUnit
    private let clock: LocalDay?

    /// Joins a notification, the unit of distances, and the clock that tells times.
    package init(_ notification: LedgerNotification, unit: DistanceUnit, clock: LocalDay?) {
        self.notification = notification
        self.unit = unit
        self.clock = clock
    }

    /// The position from which a watch gives it again.
    package var position: UInt64 { notification.position }

    /// The sentence, without a full stop.
    package var message: String {
        let time = LocalTime.clock(notification.at, seenAt: notification.foundAt, by: clock)
        switch notification.subject {
        case .trip(let booked): return message(about: booked, time)
        case .visit(let visit):
            let verb = notification.kind == .placeEntered ? "is at" : "has left"
            let place = Excerpt.escaped(visit.visit.place.title)
            return "\(Excerpt.escaped(visit.source)) \(verb) \(place) since \(time)"
        case .reminder(let reminder): return message(about: reminder, time)
        }
    }

    /// For programs: `notification.v1.schema.json`.
    package static let columns = Columns<NotificationMessage> {
        Column.name("notification") { $0.notification.kind.rawValue }
        Column.time("at") { $0.notification.at }
        Column.instant("found_at") { $0.notification.foundAt }
        Column.text("message") { $0.message }
        Column.integer("position") { $0.notification.position }
        Column.text("cursor") { $0.notification.cursor?.description }.optional
        Column.text("source") { $0.notification.source }
        tripColumns.of { $0.trip }
            .map { $0.isOptional ? $0 : $0.optional(onlyWhere: { $0.trip != nil }) }
        visitColumns.of { $0.visit }
            .map { $0.isOptional ? $0 : $0.optional(onlyWhere: { $0.visit != nil }) }
        Column.text("about") { $0.reminder?.about }.optional
        Column.text("command") { $0.reminder?.command }.optional
    }

    private static let tripColumns = Columns<BookedTrip> {
        Column.trip("trip") { $0.id }
        Column.name("status") { $0.status.rawValue }
        Column.name("started_by") { $0.trip.startedBy.rawValue }
        Column.name("ended_by") { $0.trip.endedBy?.rawValue }
        Column.time("started_at") { $0.trip.startedAt }
        Column.time("ended_at") { $0.trip.endedAt }
        Column.distance("distance_m") { $0.claimedDistance }
        Column.text("vehicle") { $0.details.vehicle }.optional
        Column.text("title") { $0.details.title }.optional
        Column.text("purpose") { $0.details.purpose }.optional
        Column.text("client") { $0.details.client }.optional
        Column.name("class") { $0.details.tripClass?.rawValue }.optional
        Column.text("routine") { $0.routine }.optional
    }

    private static let visitColumns = Columns<Visit> {
        Column.text("place") { $0.place.name }
        Column.text("label") { $0.place.saving.label }.optional
        Column.time("entered_at") { $0.enteredAt }
        Column.time("left_at") { $0.leftAt }
    }

    /// The notification as a JSON object.
    package var json: [UInt8] {
        var json: [UInt8] = []
        Self.columns.appendJSON(self, to: &json, by: clock)
        return json
    }

    private var trip: BookedTrip? {
        if case .trip(let booked) = notification.subject { booked } else { nil }
    }

    private var visit: Visit? {
        if case .visit(let visit) = notification.subject { visit.visit } else { nil }
    }

    private var reminder: LedgerNotification.Reminder? {
        if case .reminder(let reminder) = notification.subject { reminder } else { nil }
    }

    private func message(
        about reminder: LedgerNotification.Reminder,
        _ time: String
    ) -> String {
        let about = reminder.about.map { Excerpt.escaped($0) } ?? "the ledger"
        switch notification.kind {
        case .sourceSilent: return "\(about) has said nothing since \(time), and usually drives"
        case .odometerOnly:
            let distance = DistanceText.text(reminder.distance ?? .zero, in: unit)
            return "The odometer of \(about) saw \(distance) until \(time) that no trip explains"
        case .readingDue: return "The odometer of \(about) is to be read again since \(time)"
        case .ratesEnd:
            let day = reminder.lastDay.map { "\($0)" } ?? time
            return "The last day of the rates \(about) is \(day), and no others go on"
        case .backupDue: return "A backup of the ledger is due since \(time)"
        case .witnessDue: return "A witness is to cosign the ledger's head since \(time)"
        case .tripWithdrawn, .tripStarted, .tripEnded, .tripResumed, .signalLost, .stillRecording,
            .recovering, .placeEntered, .placeLeft, .purposeWaiting:
            return "Something is to be done about \(about)"
        }
    }

    private func message(about booked: BookedTrip, _ time: String) -> String {
        let id = booked.id.short
        switch notification.kind {
        case .tripStarted: return "Trip \(id) started \(time)"
        case .tripEnded:
            if let reason = booked.abandonReason {
                return "Trip \(id) ended and does not count (\(reason.rawValue))"
            }
            let distance = DistanceText.text(booked.claimedDistance, in: unit)
            let span = LocalTime.span(milliseconds: booked.durationMilliseconds ?? 0)
            return "Trip \(id) ended \(time): \(distance) in \(span)"
        case .tripResumed: return "Trip \(id) goes on: it has not ended after all"
        case .tripWithdrawn:
            return "Trip \(id) is withdrawn: late data changed what started it"
        case .signalLost: return "Trip \(id): signal lost since \(time)"
        case .stillRecording:
            return "Trip \(id): still recording? Nothing has moved since \(time)"
        case .recovering:
            return "Trip \(id): the recorder was back \(time) and the trip is still open; "
                + "decide with ledger recover"
        case .purposeWaiting:
            let missing = booked.missingDetail == .purpose ? "purpose" : "class"
            return "Trip \(id), which ended \(time), waits for its \(missing)"
        case .placeEntered, .placeLeft, .sourceSilent, .odometerOnly, .readingDue, .ratesEnd,
            .backupDue, .witnessDue:
            return "Trip \(id)"
        }
    }
}
