import Geodesy
import Projections
import TripEvents
import TripLedger
import TripTracking

/// What is told about a trip.
struct ShownNotification {
    private let notification: TripNotification
    private let unit: DistanceUnit

    init(_ notification: TripNotification, unit: DistanceUnit) {
        self.notification = notification
        self.unit = unit
    }

    /// Where to begin to be told it again.
    var position: UInt64 { notification.position }

    private var trip: Trip { notification.trip.trip }

    /// The sentence, without a full stop.
    var message: String {
        let id = trip.id.short
        let time = LocalTime.clock(notification.at, seenAt: notification.foundAt)
        switch notification.kind {
        case .tripStarted: return "Trip \(id) started \(time)"
        case .tripEnded:
            if let reason = trip.abandonReason {
                return "Trip \(id) came to nothing (\(reason.rawValue))"
            }
            let figures = ShownTrip(notification.trip, unit: unit).shortFigures
            return "Trip \(id) ended \(time): \(figures)"
        case .tripResumed: return "Trip \(id) goes on: it has not ended after all"
        case .tripWithdrawn: return "Trip \(id) is withdrawn: late data changed what started it"
        case .signalLost: return "Trip \(id): signal lost since \(time)"
        case .stillRecording:
            return "Trip \(id): still recording? Nothing has moved since \(time)"
        case .recovering:
            return "Trip \(id): the recorder was back \(time) and the trip is still open; "
                + "decide with ledger recover"
        }
    }

    /// For programs (`notification.v1.schema.json`).
    var json: RowJSON {
        var json = RowJSON()
        json.add("notification", text: notification.kind.rawValue)
        json.add("at", time: notification.at)
        json.add("found_at", time: EventTime(notification.foundAt))
        json.add("message", text: message)
        json.add("position", integer: Int64(notification.position))
        json.add("source", text: trip.source)
        json.add("trip", text: trip.id.description)
        json.add("status", text: notification.trip.status.rawValue)
        json.add("started_by", text: trip.startedBy.rawValue)
        json.add("ended_by", text: trip.endedBy?.rawValue)
        json.add("started_at", time: trip.startedAt)
        json.add("ended_at", time: trip.endedAt)
        json.add("distance_m", thousandths: notification.trip.claimedDistance.millimeters)
        let details = notification.trip.details
        for (name, text) in [
            ("vehicle", details.vehicle), ("title", details.title), ("purpose", details.purpose),
            ("client", details.client), ("class", details.tripClass?.rawValue),
            ("routine", notification.trip.routine),
        ] where text != nil {
            json.add(name, text: text)
        }
        return json
    }
}
