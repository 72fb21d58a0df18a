import ActiveTripProjection
import Geodesy
import LedgerRows
import Projections
import Tables
import TripEvents
import TripLedger
import TripTracking

extension SourceActivity {
    /// Returns what is shown for people, labelled.
    func labelled(by clock: LocalDay?) -> [(label: String, fact: String)] {
        var facts = [("Now", message(by: clock)), ("Source", Excerpt.escaped(source.name))]
        if let trip = live.trip {
            facts += self.facts(of: trip, by: clock)
        } else if let awaited = source.awaited {
            let figures = TripText(awaited, unit: unit, clock: clock).shortFigures
            facts.append(("Trip", "\(awaited.id.short): \(figures)"))
        }
        let choices = live.phase == .recovering ? " (or save, or abandon)" : ""
        facts.append(("Next", SuggestedCommand(source).text + choices))
        if let notice = ClockNotice(source) {
            facts.append(("Clock", notice.what))
            facts.append(("If wrong", "\(notice.command) (--by 0 if it was right)"))
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
        facts.append(("Started", LocalTime.text(trip.startedAt.told(by: clock)) + place))
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
