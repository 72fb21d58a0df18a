import Projections
import TripEvents
import TripLedger
import TripTracking

/// What was appended after some entries, for people: what concerns earlier trips first.
struct ShownChanges {
    let changes: LedgerChanges
    private let start: ChangesStart
    private let unit: DistanceUnit

    init(_ changes: LedgerChanges, from start: ChangesStart, unit: DistanceUnit) {
        self.changes = changes
        self.start = start
        self.unit = unit
    }

    /// Writes the facts, then a table for each kind of change that there is.
    func writeText(to output: Output) throws(OutputError) {
        try output.write(FactSheet(facts).text)
        try write("Trips that had ended and are others now", changedTrips, to: output)
        try write("Trips that had started before and were added since", addedTrips, to: output)
        for section in Section.allCases {
            let lines = changes.amendments.map(\.amendment)
                .filter { Section(of: $0.kind) == section }
            guard !lines.isEmpty else { continue }
            try output.write("\n\(section.title):\n")
            try ShownHistory(lines, namingTrips: true).write(to: output, as: .text)
        }
        try write("Entries that were erased", erasures, to: output)
        try write("Rules that were adopted", rules, to: output)
        try write("New sources", sources, to: output)
        try output.write(remarks)
    }

    private var facts: [(label: String, fact: String)] {
        let then =
            "\(Count.text(changes.since.size, "entry", "entries")), root "
            + changes.since.root
        var facts: [(label: String, fact: String)] = []
        switch start {
        case .instant(let instant): facts.append(("Since", LocalTime.text(EventTime(instant))))
        case .head: facts.append(("Since", "a head; the log begins with its entries, unchanged"))
        case .size: break
        }
        facts.append(("Then", then))
        facts.append(
            (
                "Now",
                "\(Count.text(changes.until.size, "entry", "entries")), root \(changes.until.root)"
            )
        )
        facts.append(("Appended", appended))
        return facts
    }

    private var appended: String {
        guard changes.entryCount > 0 else { return "nothing" }
        let types = changes.entryCounts.map { "\($0.count) \($0.type)" }
        return Count.text(changes.entryCount, "entry", "entries")
            + ": \(types.joined(separator: ", "))"
    }

    private func write(
        _ title: String,
        _ table: TextTable,
        to output: Output
    ) throws(OutputError) {
        guard !table.isEmpty else { return }
        try output.write("\n\(title):\n")
        try table.write(to: output)
    }

    private var changedTrips: TextTable {
        var table = TextTable([
            .words("TRIP"), .words("STARTED"), .numbers("DISTANCE THEN"), .numbers("NOW"),
            .numbers("LATE FIXES"), .words("ALSO"),
        ])
        for trip in changes.changedTrips {
            let before = ShownTrip(trip.before, unit: unit)
            table.add([
                before.shortID, before.startedAt, before.distance,
                trip.now.map { ShownTrip($0, unit: unit).distance } ?? "gone",
                String(trip.lateFixes), remarks(on: trip),
            ])
        }
        return table
    }

    /// Says what else is another than before.
    private func remarks(on trip: ChangedTrip) -> String {
        guard let now = trip.now else { return "-" }
        let before = trip.before
        var remarks: [String] = []
        if before.adjusted != now.adjusted, now.adjusted != nil {
            remarks.append(
                "set by hand, measured \(ShownDistance.text(now.trip.distance, in: unit))"
            )
        }
        if before.trip.startedAt != now.trip.startedAt {
            remarks.append("start \(LocalTime.text(now.trip.startedAt))")
        }
        if before.trip.endedAt != now.trip.endedAt {
            remarks.append("end \(now.trip.endedAt.map { LocalTime.text($0) } ?? "open")")
        }
        if before.trip.gaps != now.trip.gaps {
            remarks.append("gaps \(before.trip.gaps.count) → \(now.trip.gaps.count)")
        }
        if before.status != now.status {
            remarks.append("\(before.status.rawValue) → \(now.status.rawValue)")
        }
        if before.tripClass != now.tripClass {
            remarks.append("\(before.tripClass.rawValue) → \(now.tripClass.rawValue)")
        }
        return remarks.isEmpty ? "-" : remarks.joined(separator: ", ")
    }

    private var addedTrips: TextTable {
        var table = TextTable([
            .words("TRIP"), .words("STARTED"), .words("STORED"), .numbers("DISTANCE"),
            .words("STATUS"), .words("SOURCE"),
        ])
        for booked in changes.addedTrips {
            let trip = ShownTrip(booked, unit: unit)
            table.add([
                trip.shortID, trip.startedAt,
                LocalTime.text(EventTime(booked.trip.recorded.firstAt)), trip.distance, trip.status,
                trip.source,
            ])
        }
        return table
    }

    private var erasures: TextTable {
        var table = TextTable([
            .words("POSITIONS"), .words("ERASED"), .words("BY"), .words("WHY"),
        ])
        for stored in changes.erasures {
            guard case .entriesErased(let erased) = stored.event.body else { continue }
            table.add([
                erased.positions.description, Self.time(stored), Self.actor(stored),
                Excerpt.escaped(erased.why),
            ])
        }
        return table
    }

    private var rules: TextTable {
        var table = TextTable([
            .words("IN FORCE FROM"), .words("STORED"), .words("BY"), .words("RULES"),
        ])
        for stored in changes.rules {
            let event = stored.event
            table.add([
                LocalTime.text(EventTime(event.occurredAt, utcOffset: event.utcOffset)),
                Self.time(stored), Self.actor(stored), Excerpt.escaped(event.contentJSON),
            ])
        }
        return table
    }

    private var sources: TextTable {
        var table = TextTable([.words("SOURCE"), .words("STORED")])
        for stored in changes.sources {
            guard case .sourceRegistered(let source) = stored.event.body else { continue }
            table.add([Excerpt.escaped(source.name), Self.time(stored)])
        }
        return table
    }

    private static func time(_ stored: StoredEvent) -> String {
        LocalTime.text(EventTime(stored.recordedAt))
    }

    private static func actor(_ stored: StoredEvent) -> String {
        let source = stored.event.source.isEmpty ? "-" : stored.event.source
        return Excerpt.escaped(stored.event.actor ?? source)
    }

    /// What is only counted.
    private var remarks: String {
        var sentences: [String] = []
        if changes.before != nil, changes.entryCount > 0, !concernsEarlierTrips {
            sentences.append("No trip that had started before is another now.")
        }
        if changes.laterTripCount > 0 {
            let trips = Count.text(changes.laterTripCount, "trip has", "trips have")
            sentences.append("\(trips) started since.")
        }
        if changes.orphanCount > 0 {
            let decisions = Count.text(changes.orphanCount, "decision is", "decisions are")
            sentences.append(
                "\(decisions) about trips that are not there: see `ledger changes --orphans`."
            )
        }
        return sentences.isEmpty ? "" : "\n" + sentences.map { $0 + "\n" }.joined()
    }

    private var concernsEarlierTrips: Bool {
        !changes.changedTrips.isEmpty || !changes.addedTrips.isEmpty
            || !changes.amendments.isEmpty || !changes.erasures.isEmpty
    }
}

extension ShownChanges {
    /// What decisions about earlier trips are listed under.
    private enum Section: CaseIterable {
        case edits
        case distances
        case corrections

        init(of kind: EventKind) {
            switch kind {
            case .distanceAdjusted: self = .distances
            case .tripVoided, .tripRestored, .tripsMerged, .tripSplit, .tripReported:
                self = .corrections
            default: self = .edits
            }
        }

        var title: String {
            switch self {
            case .edits: "Edits of earlier trips"
            case .distances: "Distances of earlier trips that were set by hand"
            case .corrections:
                "Earlier trips that were voided, restored, merged, split or reported by hand"
            }
        }
    }
}
