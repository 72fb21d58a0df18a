import JSONText
import TripEvents
import TripLedger

/// The answer to something that an app sent: `webhook-answer.v1.schema.json`.
struct WebhookAnswer: Sendable {
    /// The state of the trip, or what was done.
    var status: String

    /// The user of the trip, as the app gave it.
    var user: String?

    /// Why nothing was done.
    var reason: String?

    /// The distance of the trip that was ended.
    var distance: Distance?

    /// The answer.
    var members: [JSONValue.Member] {
        [
            JSONValue.Member(name: "status", value: .text(status)),
            user.map { JSONValue.Member(name: "user", value: .text($0)) },
            reason.map { JSONValue.Member(name: "reason", value: .text($0)) },
            distance.map { JSONValue.Member(name: "distance_km", value: $0.kilometers) },
        ]
        .compactMap(\.self)
    }
}

/// The state of a trip after its app has reported its position.
enum WebhookState: String {
    case tripStarted = "trip_started"
    case moving
    case waiting
    case tripResumed = "trip_resumed"
    case tripPaused = "trip_paused"

    /// Compares what the source was doing before with what it is doing now.
    init(before: LiveStatus?, after: LiveStatus?) {
        guard let after, let trip = after.trip, let earlier = before?.trip, trip.id == earlier.id
        else {
            self = .tripStarted
            return
        }
        if after.asksStillRecording {
            self = .tripPaused
        } else if before?.isPaused == true {
            self = .tripResumed
        } else {
            self =
                trip.distance > earlier.distance || after.hasJustMoved ? .moving : .waiting
        }
    }
}

extension LiveStatus {
    /// Whether the trip has begun, or moved away from where it was, within the last minute.
    fileprivate var hasJustMoved: Bool { restMilliseconds.map { $0 < 60_000 } ?? true }

    /// Whether the tracker asked the driver if the trip is still going on, or would have asked.
    fileprivate var isPaused: Bool {
        asksStillRecording || phase == .signalLost || phase == .recovering
    }
}

/// The progress of a trip: `webhook-status.v1.schema.json`.
struct WebhookFigures: Sendable {
    /// The place and time of a fix.
    private struct Place {
        var fix: FixRecorded
        var at: Timestamp
    }

    private let trip: Trip
    private let movedAt: Timestamp
    private let first: Place
    private let last: Place
    private let count: Int

    /// Reads the trip in progress of a source; `nil` if there is none.
    init?(of source: LedgerStatus.Source, in snapshot: borrowing Snapshot) throws {
        guard let trip = source.live.trip else { return nil }
        var places: (first: Place, last: Place)?
        var count = 0
        try snapshot.readFixes(of: [trip.id], tellingOrigins: false) { fix in
            let place = Place(fix: fix.fix, at: fix.stored.happenedAt)
            places = (places?.first ?? place, place)
            count += 1
        }
        guard let places else { return nil }
        self.trip = trip
        self.count = count
        (first, last) = places
        movedAt = source.instant.advanced(byMilliseconds: -(source.live.restMilliseconds ?? 0))
    }

    /// Returns the answer: the distance of the trip stands for an odometer that was at 0 when it
    /// began.
    static func members(_ figures: WebhookFigures?) -> [JSONValue.Member] {
        guard let figures else {
            return [JSONValue.Member(name: "active", value: .boolean(false))]
        }
        return [
            JSONValue.Member(name: "active", value: .boolean(true)),
            JSONValue.Member(
                name: "start_time",
                value: .text(figures.trip.startedAt.timestamp.wholeSeconds)
            ),
            JSONValue.Member(name: "start_odo", value: Distance.zero.kilometers),
            JSONValue.Member(name: "last_odo", value: figures.trip.distance.kilometers),
            JSONValue.Member(name: "last_odo_change", value: .text(figures.movedAt.wholeSeconds)),
            JSONValue.Member(name: "gps_count", value: .number(literal: "\(figures.count)")),
            JSONValue.Member(name: "first_gps", value: member(figures.first)),
            JSONValue.Member(name: "last_gps", value: member(figures.last)),
        ]
    }

    private static func member(_ place: Place) -> JSONValue {
        .object([
            JSONValue.Member(
                name: "lat",
                value: .number(literal: place.fix.latitude.description)
            ),
            JSONValue.Member(
                name: "lng",
                value: .number(literal: place.fix.longitude.description)
            ),
            JSONValue.Member(name: "timestamp", value: .text(place.at.wholeSeconds)),
        ])
    }
}

extension Distance {
    /// The distance in kilometres to the metre, as a number with a point in it.
    var kilometers: JSONValue {
        let meters = (millimeters + 500) / 1_000
        var text = FixedPoint.text(meters, decimals: 3)
        while text.hasSuffix("0"), !text.hasSuffix(".0") { text.removeLast() }
        return .number(literal: text)
    }
}

extension Timestamp {
    /// The instant in UTC without a fraction of a second, which some apps cannot read:
    /// `2026-03-14T09:15:00Z`.
    var wholeSeconds: String { "\(RFC3339.text(self).prefix(19))Z" }
}
