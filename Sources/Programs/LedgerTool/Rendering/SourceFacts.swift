import ActiveTripProjection
import Geodesy
import LedgerRows
import Projections
import Tables
import TripEvents
import TripLedger
import TripTracking

extension SourceActivity {
    /// Returns the facts for people, with labels.
    func labelled(by clock: LocalDay?) -> [(label: String, fact: String)] {
        var facts = [("Now", message(by: clock)), ("Source", Excerpt.escaped(source.name))]
        if let trip = live.trip {
            facts += self.facts(of: trip, by: clock)
        } else if let awaited = source.awaited {
            let figures = TripText(awaited, unit: unit, clock: clock).shortFigures
            facts.append(("Trip", "\(awaited.id.short): \(figures)"))
        }
        let choices = live.phase == .recovering ? " (or save, or abandon)" : ""
        facts.append(("Next", SuggestedCommand(source).shown + choices))
        if let notice = ClockNotice(source) {
            facts.append(("Clock", notice.what(by: clock)))
            let command = ProgramName.shown(command: notice.command)
            facts.append(("If wrong", "\(command) (--by 0 if it was right)"))
        }
        return facts
    }

    private func facts(of trip: Trip, by clock: LocalDay?) -> [(label: String, fact: String)] {
        let isVoided = source.said?.status == .voided
        var facts = [
            ("Trip", trip.id.short + (isVoided ? ", voided" : ""))
        ]
        let details = source.said?.details
        for (label, text) in [
            ("Vehicle", details?.vehicle ?? trip.vehicle), ("Title", details?.title),
            ("Purpose", details?.purpose), ("Client", details?.client),
            ("Class", details?.tripClass?.rawValue), ("Routine", source.said?.routine),
        ] {
            if let text { facts.append((label, Excerpt.escaped(text))) }
        }
        let place = trip.start.map { " at \($0.latitude), \($0.longitude)" } ?? ""
        facts.append(("Started", LocalTime.text(trip.startedAt, by: clock) + place))
        let elapsed = LocalTime.span(milliseconds: elapsedMilliseconds(of: trip))
        let speed = speed(of: trip).map { "; \($0.text(in: unit)) on average while moving" } ?? ""
        facts.append(
            ("Distance", "\(DistanceText.text(trip.distance, in: unit)) in \(elapsed)\(speed)")
        )
        if let age = live.lastFixAgeMilliseconds {
            facts.append(("Last fix", "\(LocalTime.span(milliseconds: age)) ago"))
        }
        return facts
    }
}

extension SuggestedCommand {
    /// The command with the ledger that the command line names.
    var shown: String { ProgramName.shown(command: text) }

    /// Returns the next step while no trip of some sources is in progress or waits.
    static func shown(amongIdle sources: [SourceActivity]) -> String {
        guard sources.count == 1 else { return ProgramName.shown(command: "ledger go") }
        return SuggestedCommand(sources[0].source).shown
    }
}

extension ClockNotice {
    /// Returns a clause about the clock's step, without a full stop: "went back by 1 h at …".
    ///
    /// - Parameter clock: The clock in which the time is shown, with its zone; `nil` for UTC.
    /// - Returns: The clause.
    func what(by clock: LocalDay?) -> String {
        let back = Self.span(step.from.milliseconds(since: step.to))
        let fixes = Count.text(UInt64(clamping: step.fixes), "fix", "fixes")
        let time = LocalTime.text(EventTime(step.from), by: clock)
        return "went back by \(back) at \(time), while recording went on; "
            + "\(fixes) since may count too early"
    }

    /// Returns a span of time as people say it, to the second: from two days on in days.
    static func span(_ milliseconds: Int64) -> String {
        let days = milliseconds / Timestamp.millisecondsPerDay
        if days > 1 {
            let rest = milliseconds % Timestamp.millisecondsPerDay
            return Count.text(UInt64(days), "day", "days") + (rest < 1_000 ? "" : " \(span(rest))")
        }
        let seconds = milliseconds / 1_000 % 60
        let text = LocalTime.span(milliseconds: milliseconds)
        guard seconds != 0, milliseconds >= 60_000 else { return text }
        return "\(text) \(seconds) s"
    }
}
