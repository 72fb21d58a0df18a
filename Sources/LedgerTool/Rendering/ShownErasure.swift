import Projections
import RowFormats
import TripEvents
import TripLedger

/// What an erasure did, or would do.
struct ShownErasure {
    /// What goes.
    let plan: ErasurePlan

    /// The positions of the events that say so; `nil` if nothing was erased.
    var events: [UInt64]?

    /// Whether the files were written anew.
    var isSwept = false

    /// What else is in the ledger's directory that may hold what was erased.
    var unswept: [String] = []

    /// Whether nothing was to be erased, only files to be written anew.
    private let isSweep: Bool

    init(_ plan: ErasurePlan, isSweep: Bool) {
        self.plan = plan
        self.isSweep = isSweep
    }

    /// For people.
    var text: String {
        var text = ""
        if plan.count > 0 {
            let entries = Count.text(plan.count, "entry", "entries")
            let positions = plan.positions.ranges.map(Self.text).joined(separator: ",")
            text += "\(events == nil ? "Would erase" : "Erased") \(entries): \(positions).\n"
            for trip in plan.lostTrips.sorted() {
                text += "Trip \(Self.short(trip)) \(events == nil ? "would go" : "is gone").\n"
            }
            for trip in plan.shortenedTrips.sorted() {
                text +=
                    "Trip \(Self.short(trip)) "
                    + (events == nil ? "would lose" : "has lost") + " events.\n"
            }
            if let event = events?.first { text += "The event at position \(event) says so.\n" }
        } else if isSweep {
            text +=
                isSwept ? "" : "Nothing that was erased is left in the log's file and the views.\n"
        } else {
            text += "There is nothing to erase: what these entries said is gone.\n"
        }
        if isSwept { text += "The log's file and the views were written anew.\n" }
        if !unswept.isEmpty {
            let names = Excerpt.escaped(unswept.joined(separator: ", "))
            text += "What was erased may still be in \(names), which you can delete.\n"
        }
        return text
    }

    /// For programs (`erasure.v1.schema.json`).
    var json: RowJSON {
        var json = RowJSON()
        json.add("erased", boolean: events != nil)
        json.add("entries", integer: Int64(plan.count))
        json.add("positions", texts: plan.positions.ranges.map(Self.text))
        json.add("events", texts: (events ?? []).map { String($0) })
        json.add("lost_trips", texts: plan.lostTrips.sorted().map(\.description))
        json.add("shortened_trips", texts: plan.shortenedTrips.sorted().map(\.description))
        json.add("swept", boolean: isSwept)
        json.add("unswept", texts: unswept)
        return json
    }

    private static func text(_ range: Range<UInt64>) -> String {
        let last = range.upperBound - 1
        return range.lowerBound == last ? "\(last)" : "\(range.lowerBound)-\(last)"
    }

    private static func short(_ trip: TripID) -> String {
        String(trip.description.prefix(12))
    }
}
