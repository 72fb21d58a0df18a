import Projections
import RowFormats
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
    func writeText(to output: Output) throws {
        try output.write(FactSheet(facts).text)
        try write(
            "Trips that had ended and are others now",
            changes.changedTrips,
            ChangedTrip.columns,
            to: output
        )
        try write(
            "Trips that had started before and were added since",
            changes.addedTrips.map { LedgerChanges.AddedTrip(booked: $0) },
            LedgerChanges.AddedTrip.columns,
            to: output
        )
        for section in Section.allCases {
            let lines = changes.amendments.map(\.amendment)
                .filter { Section(of: $0.kind) == section }
            try write(section.title, lines, TripAmendment.columns, to: output)
        }
        try write(
            "Entries that were erased",
            changes.erasures,
            StoredEvent.erasureColumns,
            to: output
        )
        try write(
            "Rules that were adopted",
            changes.rules,
            StoredEvent.adoptionColumns,
            to: output
        )
        try write("New sources", changes.sources, StoredEvent.sourceColumns, to: output)
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

    /// Writes a table with a title above it, if there are rows.
    private func write<Row>(
        _ title: String,
        _ rows: [Row],
        _ columns: Columns<Row>,
        to output: Output
    ) throws {
        guard !rows.isEmpty else { return }
        try output.write("\n\(title):\n")
        try output.write(rows, columns, as: .text, unit: unit)
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
