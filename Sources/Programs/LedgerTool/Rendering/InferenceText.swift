import LedgerRows
import Projections
import Tables
import TripEvents
import TripTracking

/// Inferences of other programs about the time of a trip, in words for people.
struct InferenceText {
    /// The most that are shown beside a trip.
    private static let mostShown = 5

    private let inferences: [ReportedInference]
    private let trip: Trip
    private let unit: DistanceUnit
    private let clock: LocalDay?

    init(
        _ inferences: [ReportedInference],
        beside trip: Trip,
        in unit: DistanceUnit,
        by clock: LocalDay?
    ) {
        self.inferences = inferences
        self.trip = trip
        self.unit = unit
        self.clock = clock
    }

    /// The facts, each with its label; how many more there are, and the command that lists them.
    var labelled: [(label: String, fact: String)] {
        var facts = inferences.prefix(Self.mostShown).map { ("Inferred", text($0)) }
        let rest = inferences.count - facts.count
        if rest > 0 {
            facts.append(("Inferred", "\(rest) more: see `ledger inferences \(trip.id.short)`"))
        }
        return facts
    }

    private func text(_ inferred: ReportedInference) -> String {
        let inference = inferred.inference
        let times = "\(text(inference.startedAt))–\(text(inference.endedAt))"
        let who = Excerpt.escaped(inference.inferredBy)
        var text = "\(who): \(Excerpt.escaped(inferred.words)) \(times)"
        if let distance = inferred.claimedDistance {
            text += ", claims \(DistanceText.text(distance, in: unit))"
        }
        if !inferred.source.hasSameBytes(as: trip.source) {
            text += " (source \(Excerpt.escaped(inferred.source)))"
        }
        return text
    }

    /// Returns the time of day by the clock of the trip's start, with its date if that is another.
    private func text(_ time: EventTime) -> String {
        let local = EventTime(time.timestamp, utcOffset: trip.startedAt.utcOffset)
        return LocalTime.clock(local, seenAt: trip.startedAt.timestamp, by: clock)
    }
}
