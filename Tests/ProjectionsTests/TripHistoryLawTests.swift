import Projections
import ProjectorTestSupport
import TestSupport
import Testing
import TripEvents
import TripTracking

/// The properties of a history that an auditor relies on.
@Suite struct TripHistoryLawTests {
    /// Only a split, an exclusion, or what undoes one has measured distances go that were told: the
    /// book has those that are measured with the splits and exclusions of now.
    @Test(arguments: Seeds.fresh(30))
    func `what is decided later only adds lines`(seed: UInt64) throws {
        let script = BookScript(seed: seed)
        var book = TripBook()
        var histories: [TripID: [Line]] = [:]
        let settings = script.direct.filter(Self.isSetting)
        for step in settings + script.direct.filter({ !Self.isSetting($0) }) {
            switch step {
            case .trip(let step): _ = try book.evolve(step)
            case .decision(let decision):
                _ = try book.decide(decision)
                for trip in script.trips {
                    let history = try book.history(of: trip).map(Line.init)
                    let known = histories[trip] ?? []
                    let isKept =
                        Self.bearsOnDistances(decision)
                        ? history.filter { !$0.isDistance }
                            .starts(with: known.filter { !$0.isDistance })
                        : history.starts(with: known)
                    #expect(isKept, "seed \(seed), \(trip)")
                    histories[trip] = history
                }
            }
        }
        #expect(histories.values.contains { !$0.isEmpty })
    }

    @Test(arguments: Seeds.fresh(30))
    func `each line begins where the last one about its field ended, and the last is how it is`(
        seed: UInt64
    ) throws {
        let script = BookScript(seed: seed)
        var book = TripBook()
        var booked: [TripID: BookedTrip] = [:]
        var vehicles: [TripID: String] = [:]
        for step in script.direct {
            if case .trip(.ended(let trip)) = step { vehicles[trip.id] = trip.vehicle }
            let changes =
                switch step {
                case .trip(let step): try book.evolve(step)
                case .decision(let decision): try book.decide(decision)
                }
            for case .trip(let change) in changes {
                if let old = change.old { booked[old.id] = nil }
                if let new = change.new { booked[new.id] = new }
            }
        }
        for (id, trip) in booked {
            var said: [String: CustomValue?] = ["vehicle": vehicles[id].map { .text($0) }]
            // An edit that waits for its custom field changes nothing.
            let history = try book.history(of: id)
                .filter { $0.withoutEffect?.name != "unknown_field" }
            for change in history.map(\.change) where Self.isDetail(change.field) {
                #expect(change.old == said[change.field] ?? nil, "seed \(seed), \(change)")
                said[change.field] = .some(change.new)
            }
            for (field, value) in Self.details(of: trip) {
                #expect(value == said[field] ?? nil, "seed \(seed), \(id), \(field)")
            }
        }
    }

    /// A line without what only holds for now: whether its decision has an effect.
    private struct Line: Equatable {
        private let trip: TripID
        private let decision: IdentityDigest
        private let change: FieldChange
        private let daysAfterTrip: Int64?

        /// Whether it is about a distance.
        var isDistance: Bool { change.field == "distance_m" }

        init(_ line: TripAmendment) {
            trip = line.trip
            decision = line.decision
            change = line.change
            daysAfterTrip = line.daysAfterTrip
        }
    }

    /// Whether a decision may change which splits and exclusions stand.
    private static func bearsOnDistances(_ decision: Decision) -> Bool {
        switch decision.event.body {
        case .tripSplit, .stretchExcluded, .tripRestored: true
        default: false
        }
    }

    /// Whether a step is about no trip: what odometers showed is measured, as fixes are, routines
    /// may apply by themselves, for as long as places and they say so, and an edit waits for its
    /// custom field.
    private static func isSetting(_ step: BookScript.Step) -> Bool {
        guard case .decision(let decision) = step, let kind = decision.event.body.kind else {
            return false
        }
        let settings: Set<EventKind> = [
            .odometerRead, .routineSaved, .routineRemoved, .placeSaved, .placeRemoved,
            .fieldDefined,
        ]
        return settings.contains(kind)
    }

    /// Whether a field is one that people fill in; figures of a part are those of the whole.
    private static func isDetail(_ field: String) -> Bool {
        !["status", "distance_m", "merged", "split_at", "excluded"].contains(field)
    }

    private static func details(of trip: BookedTrip) -> [(String, CustomValue?)] {
        let details = trip.details
        let texts = [
            ("title", details.title), ("purpose", details.purpose), ("client", details.client),
            ("vehicle", details.vehicle), ("class", details.tripClass?.rawValue),
            ("routine", trip.routine), ("from", trip.origin), ("to", trip.destination),
        ]
        return texts.map { ($0, $1.map(CustomValue.text)) }
            + ["gate", "seat"].map { ("fields." + $0, details.fields?[$0]) }
    }
}
