import ActiveTripProjection
package import Geodesy
import Projections
package import Tables
package import TripEvents
package import TripLedger
package import TripTracking

/// The activity of a source, in a driver's words.
package struct SourceActivity: Sendable {
    /// The source.
    package let source: LedgerStatus.Source
    /// The unit of distances for people.
    package let unit: DistanceUnit

    /// Joins a source and the unit of distances for people.
    package init(_ source: LedgerStatus.Source, unit: DistanceUnit) {
        self.source = source
        self.unit = unit
    }

    /// The state of its tracker at the requested moment.
    package var live: LiveStatus { source.live }

    /// Whether a trip is in progress or waits for its purpose, or whether no trip will ever start.
    package var isWorthALook: Bool {
        live.phase != .idle || source.needsStartsByMovement || source.clockStep != nil
    }

    /// Whether it reported only events that apply from the beginning of time, such as the rules of
    /// a source before it has trips: nothing happened at that time.
    private var isFromTheBeginning: Bool {
        source.latestAt.milliseconds(since: Snapshot.beginning) < Timestamp.millisecondsPerDay
    }

    /// Returns what it is doing, in one sentence without a full stop.
    package func message(by clock: LocalDay?) -> String {
        let timeOfDay = { LocalTime.clock($0, seenAt: source.instant, by: clock) }
        let began = live.trip.map { timeOfDay($0.startedAt) } ?? "-"
        let rest = LocalTime.span(milliseconds: live.restMilliseconds ?? 0)
        let silence = LocalTime.span(milliseconds: live.lastFixAgeMilliseconds ?? 0)
        switch live.phase {
        case .idle:
            return source.needsStartsByMovement ? Self.reason(source) : "No trip is going on"
        case .arming:
            return live.asksStillRecording
                ? "Still recording? There is no position since \(began)"
                : "Started \(began); waiting for a position"
        case .tracking:
            return live.asksStillRecording
                ? "Still recording? Nothing has moved for \(rest)" : "Driving since \(began)"
        case .signalLost:
            return live.asksStillRecording
                ? "Still recording? Nothing has moved for \(rest), and the signal is lost"
                : "Signal lost for \(silence); driving since \(began)"
        case .recovering:
            let offset = live.trip?.startedAt.utcOffset
            let back = live.since.map { timeOfDay(EventTime($0, utcOffset: offset)) } ?? "-"
            return "Recovering: the recorder fell silent and was back at \(back); "
                + "the trip since \(began) is still open"
        case .details:
            let ended = source.awaited?.trip.endedAt.map { timeOfDay($0) } ?? "-"
            let isForgotten = source.awaited?.trip.flags.contains(.autoStopped) ?? false
            return "Trip ended \(ended)\(isForgotten ? " by itself" : ""); say what it was for"
        }
    }

    /// The reason why the reports of a source give no trip, without a full stop.
    package static func reason(_ source: LedgerStatus.Source) -> String {
        "\(source.fixesInNoTrip) fixes but no trip: "
            + "by its rules only GO or the motion sensor starts one"
    }

    /// Returns the average while moving, with gaps in neither the distance nor the time.
    package func speed(of trip: Trip) -> AverageSpeed? {
        AverageSpeed(trip.distance, inMilliseconds: trip.movingMilliseconds)
    }

    /// Returns how long a trip has gone on.
    package func elapsedMilliseconds(of trip: Trip) -> Int64 {
        max(0, source.instant.milliseconds(since: trip.startedAt.timestamp))
    }
}

extension SourceActivity {
    /// The most sources that a ledger has.
    private static let mostSources = 1_000_000

    /// Returns the activities of all sources of a ledger as the list in an object of
    /// `status.v1.schema.json`, under the same name.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package static func json(
        in snapshot: borrowing Snapshot,
        asOf instant: Timestamp
    ) throws(LedgerError) -> [UInt8] {
        let status = try snapshot.status(asOf: instant, of: .foremost(mostSources))
        let clock = snapshot.clock
        var json = RowJSON()
        let sources = status.sources.map { source in
            var bytes: [UInt8] = []
            let activity = SourceActivity(source, unit: status.units)
            columns.appendJSON(activity, to: &bytes, by: clock)
            return bytes
        }
        json.add("sources", objects: sources)
        return json.object
    }
}

extension SourceActivity: Tabular {
    /// The activity of a source: a member of the list in `status.v1.schema.json`.
    package static let columns = Columns<SourceActivity> {
        Column.text("source", "SOURCE") { $0.source.name }
        Column.text("group") { $0.source.group }.optional
        Column.integer("events", "EVENTS") { $0.source.events }
        Column.integer("fixes_in_no_trip", "FIXES IN NO TRIP") { $0.source.fixesInNoTrip }
        Column.instant("latest_at", "LATEST") { $0.source.latestAt }
            .shown(onlyWhere: { !$0.isFromTheBeginning })
        clock
        Column.name("phase", "PHASE") { $0.live.phase.rawValue }
            .shown(as: { .name($0.phaseText) })
        Column.instant("since") { $0.live.since }
        Column.telling("message") { $0.message(by: $1) }
        Column.text("suggested_action") { SuggestedCommand($0.source).text }
        Column.trip("trip", "TRIP") { $0.live.trip?.id }
        said
        Column.time("started_at") { $0.live.trip?.startedAt }.optional
        Column.place("start") { $0.live.trip?.start }.map(\.optional)
        Column.distance("distance_m", "DISTANCE") { $0.live.trip?.distance }.optional
        Column.integer("minutes") { activity in
            activity.live.trip.map { activity.elapsedMilliseconds(of: $0) / 60_000 }
        }
        .optional
        Column.thousandths("average_speed_kmh") { activity in
            activity.live.trip.flatMap { activity.speed(of: $0)?.metersPerHour }
        }
        .optional(onlyWhere: { $0.live.trip != nil })
        Column.boolean("signal_lost") { $0.live.trip == nil ? nil : $0.live.isSignalLost }.optional
        Column.boolean("asks_still_recording") { activity in
            activity.live.trip == nil ? nil : activity.live.asksStillRecording
        }
        .optional
        Column.duration("last_fix_age_s") { $0.live.lastFixAgeMilliseconds }.optional
        Column.place("last_position") { $0.source.lastPosition?.coordinate }.map(\.optional)
        Column.instant("last_position_at") { $0.source.lastPosition?.at }.optional
        Column.trip("ended_trip") { $0.live.phase == .details ? $0.live.awaitedTrip : nil }.optional
    }

    /// The last time that the clock went back.
    private static let clock = Columns<SourceActivity> {
        Column.instant("clock_went_back_from") { $0.source.clockStep?.from }.optional
        Column.instant("clock_went_back_to") { $0.source.clockStep?.to }.optional
        Column.text("clock_command") { ClockNotice($0.source)?.command }.optional
    }

    /// The details of the trip in progress.
    private static let said = Columns<SourceActivity> {
        Column.text("vehicle") { $0.details?.vehicle ?? $0.live.trip?.vehicle }.optional
        Column.text("title") { $0.details?.title }.optional
        Column.text("purpose") { $0.details?.purpose }.optional
        Column.text("client") { $0.details?.client }.optional
        Column.name("class") { $0.details?.tripClass?.rawValue }.optional
        Column.text("routine") { $0.live.trip == nil ? nil : $0.source.said?.routine }.optional
    }

    private var details: TripDetails? { live.trip == nil ? nil : source.said?.details }

    private var phaseText: String {
        live.phase.rawValue + (live.asksStillRecording ? ", still recording?" : "")
    }
}

/// A next step for the driver: the command, ready to be typed.
package struct SuggestedCommand {
    /// The command.
    package let text: String

    /// Finds the command for what a source is doing.
    package init(_ source: LedgerStatus.Source) {
        let named = " --source \(ShellWord.quoted(source.name))"
        let option = source.name == Self.ownSource ? "" : named
        switch source.live.phase {
        case .idle:
            text =
                source.needsStartsByMovement
                ? "ledger rules preset history\(named)" : "ledger go\(option)"
        case .arming, .tracking, .signalLost: text = "ledger stop\(option)"
        case .recovering: text = "ledger recover resume \(Self.short(source.live.trip?.id))"
        case .details:
            let trip = Self.short(source.awaited?.id ?? source.live.awaitedTrip)
            text = "ledger edit \(trip) --purpose WHAT"
        }
    }

    /// The source of commands that name none.
    private static let ownSource = "manual"

    private static func short(_ trip: TripID?) -> String {
        trip?.short ?? "last"
    }
}

/// An average speed: the distance over the time that it took, in whole numbers.
package struct AverageSpeed {
    /// The speed in metres per hour: a thousandth of a kilometre per hour.
    package let metersPerHour: Int64

    /// Creates the average over some milliseconds, or returns `nil` if there were none.
    package init?(_ distance: Distance, inMilliseconds milliseconds: Int64) {
        guard milliseconds > 0 else { return nil }
        let product = distance.millimeters.multipliedReportingOverflow(by: 3_600)
        guard !product.overflow else { return nil }
        metersPerHour = product.partialValue / milliseconds
    }

    /// The speed in the ledger's unit, rounded to nearest, such as `104 km/h`.
    package func text(in unit: DistanceUnit) -> String {
        switch unit {
        case .kilometers: "\((metersPerHour + 500) / 1_000) km/h"
        case .miles: "\((metersPerHour * 1_000 + 804_672) / 1_609_344) mph"
        }
    }
}
