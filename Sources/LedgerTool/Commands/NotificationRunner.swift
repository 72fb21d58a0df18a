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
            let line = next.json + [UInt8(ascii: "\n")]
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

    private mutating func report(_ ending: ProcessEnding, of what: String) {
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
struct NotificationMessage: Tabular {
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

    /// For programs: `notification.v1.schema.json`.
    static let columns = Columns<NotificationMessage> {
        Column.name("notification") { $0.notification.kind.rawValue }
        Column.time("at") { $0.notification.at }
        Column.instant("found_at") { $0.notification.foundAt }
        Column.text("message") { $0.message }
        Column.integer("position") { $0.notification.position }
        Column.text("source") { $0.notification.source }
        tripColumns.of { $0.trip }
            .map { $0.isOptional ? $0 : $0.optional(onlyWhere: { $0.trip != nil }) }
        visitColumns.of { $0.visit }
            .map { $0.isOptional ? $0 : $0.optional(onlyWhere: { $0.visit != nil }) }
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
    var json: [UInt8] {
        var json: [UInt8] = []
        Self.columns.appendJSON(self, to: &json)
        return json
    }

    private var trip: BookedTrip? {
        if case .trip(let booked) = notification.subject { booked } else { nil }
    }

    private var visit: Visit? {
        if case .visit(let visit) = notification.subject { visit.visit } else { nil }
    }

    private func message(about booked: BookedTrip, _ time: String) -> String {
        let id = booked.id.short
        switch notification.kind {
        case .tripStarted: return "Trip \(id) started \(time)"
        case .tripEnded:
            if let reason = booked.abandonReason {
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
}
