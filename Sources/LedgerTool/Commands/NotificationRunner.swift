import Geodesy
import Platform
import Projections
import RowFormats
import TripEvents
import TripLedger
import TripTracking

/// Hands notifications to a command of the shell, one after the other: each is a JSON object on
/// the standard input of a process of its own.
struct NotificationRunner {
    /// A process at work.
    private struct Running {
        let process: ShellProcess
        let what: String
        let startedAt: Timestamp
        var isKilled = false
    }

    private let command: String
    private let timeoutMilliseconds: Int64
    private var waiting: [NotificationMessage] = []
    private var running: Running?

    /// Whether the command failed for a notification.
    private(set) var hasFailed = false

    init(_ command: String, timeoutSeconds: Int64) {
        self.command = command
        timeoutMilliseconds = timeoutSeconds * 1_000
    }

    /// Whether nothing runs and nothing waits.
    var isIdle: Bool { running == nil && waiting.isEmpty }

    /// Takes a notification; it waits until the command has ended for those before it.
    mutating func add(_ notification: NotificationMessage) {
        waiting.append(notification)
    }

    /// Drops the notifications that no process was started for yet, and returns them.
    mutating func dropWaiting() -> [NotificationMessage] {
        defer { waiting = [] }
        return waiting
    }

    /// Looks after the process that runs, and starts the next one when it has ended.
    mutating func advance(now: Timestamp) {
        if let running, let ending = running.process.ending() {
            if !running.isKilled { report(ending, of: running.what) }
            self.running = nil
        }
        if let running, !running.isKilled,
            now.milliseconds(since: running.startedAt) >= timeoutMilliseconds
        {
            complain("took too long and was killed", of: running.what)
            kill()
        }
        while running == nil, !waiting.isEmpty {
            let next = waiting.removeFirst()
            let line = next.json.object + [UInt8(ascii: "\n")]
            do {
                let process = try ShellProcess(command, input: line)
                running = Running(process: process, what: next.message, startedAt: now)
            } catch {
                complain("could not be started: \(error)", of: next.message)
            }
        }
    }

    /// Kills the process that runs.
    mutating func kill() {
        running?.process.kill()
        running?.isKilled = true
    }

    private mutating func report(_ ending: ShellProcess.Ending, of what: String) {
        switch ending {
        case .exit(0), .unknown: break
        case .exit(let code): complain("exited with \(code)", of: what)
        case .signal(let number): complain("was ended by signal \(number)", of: what)
        }
    }

    private mutating func complain(_ how: String, of what: String) {
        hasFailed = true
        Diagnostic.say("ledger: warning: the command \(how), for: \(what)\n")
    }
}

/// What is told about a trip.
struct NotificationMessage {
    private let notification: LedgerNotification
    private let unit: DistanceUnit

    init(_ notification: LedgerNotification, unit: DistanceUnit) {
        self.notification = notification
        self.unit = unit
    }

    /// Where to begin to be told it again.
    var position: UInt64 { notification.position }

    /// The sentence, without a full stop.
    var message: String {
        let time = LocalTime.clock(notification.at, seenAt: notification.foundAt)
        switch notification.subject {
        case .trip(let booked): return message(about: booked, time)
        case .visit(let visit):
            let verb = notification.kind == .placeEntered ? "is at" : "has left"
            let place = Excerpt.escaped(visit.visit.place.title)
            return "\(Excerpt.escaped(visit.source)) \(verb) \(place) since \(time)"
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
        json.add("source", text: notification.source)
        switch notification.subject {
        case .trip(let booked): Self.add(booked, to: &json)
        case .visit(let visit): Self.add(visit.visit, to: &json)
        }
        return json
    }

    private func message(about booked: BookedTrip, _ time: String) -> String {
        let id = booked.id.short
        switch notification.kind {
        case .tripStarted: return "Trip \(id) started \(time)"
        case .tripEnded:
            if let reason = booked.trip.abandonReason {
                return "Trip \(id) came to nothing (\(reason.rawValue))"
            }
            return "Trip \(id) ended \(time): \(TripText(booked, unit: unit).shortFigures)"
        case .tripResumed: return "Trip \(id) goes on: it has not ended after all"
        case .tripWithdrawn:
            return "Trip \(id) is withdrawn: late data changed what started it"
        case .signalLost: return "Trip \(id): signal lost since \(time)"
        case .stillRecording:
            return "Trip \(id): still recording? Nothing has moved since \(time)"
        case .recovering:
            return "Trip \(id): the recorder was back \(time) and the trip is still open; "
                + "decide with ledger recover"
        case .placeEntered, .placeLeft: return "Trip \(id)"
        }
    }

    private static func add(_ booked: BookedTrip, to json: inout RowJSON) {
        let trip = booked.trip
        json.add("trip", text: trip.id.description)
        json.add("status", text: booked.status.rawValue)
        json.add("started_by", text: trip.startedBy.rawValue)
        json.add("ended_by", text: trip.endedBy?.rawValue)
        json.add("started_at", time: trip.startedAt)
        json.add("ended_at", time: trip.endedAt)
        json.add("distance_m", thousandths: booked.claimedDistance.millimeters)
        let details = booked.details
        for (name, text) in [
            ("vehicle", details.vehicle), ("title", details.title), ("purpose", details.purpose),
            ("client", details.client), ("class", details.tripClass?.rawValue),
            ("routine", booked.routine),
        ] where text != nil {
            json.add(name, text: text)
        }
    }

    private static func add(_ visit: Visit, to json: inout RowJSON) {
        json.add("place", text: visit.place.name)
        if let label = visit.place.saving.label { json.add("label", text: label) }
        json.add("entered_at", time: visit.enteredAt)
        json.add("left_at", time: visit.leftAt)
    }
}
