import Platform
import Projections
import Tables
import TripEvents

/// The advice on trips that were made in one car, with the command that takes one of them out.
enum OverlapAdvice {
    /// How many trips are named below a list.
    private static let mostTrips = 5

    /// Returns the advice below a list of trips; empty if none overlap.
    static func text(on overlaps: [TripOverlap]) -> String {
        var named: Set<TripID> = []
        let told = overlaps.filter { named.insert($0.worse.trip).inserted }
        guard !told.isEmpty else { return "" }
        var lines = told.prefix(mostTrips).map { "  \($0.worse.trip.short) \(advice($0))" }
        if told.count > mostTrips { lines.append("  and \(told.count - mostTrips) more") }
        return "\nOverlapping trips are one drive that is there twice:\n"
            + lines.joined(separator: "\n") + "\n"
    }

    /// Returns the sentence about one trip.
    static func fact(_ overlap: TripOverlap) -> String {
        let source = Excerpt.escaped(overlap.other.source)
        return "\(overlap.other.trip.short) by \(source), of the same drive; "
            + "\(overlap.worse.trip.short) \(advice(overlap))"
    }

    /// Returns the sentence about an appended drive that another source has recorded, too.
    static func sentence(_ overlap: TripOverlap) -> String {
        let (one, other) = (overlap.ends, overlap.other)
        return "Trip \(one.trip.short) by \(Excerpt.escaped(one.source)) is the same drive as "
            + "\(other.trip.short) by \(Excerpt.escaped(other.source)): "
            + "\(overlap.worse.trip.short) \(advice(overlap))."
    }

    /// Returns what to do about trips that wait because their drive is in the book twice.
    static var answers: String {
        let void = ProgramName.shown("`ledger void TRIP --why TEXT`")
        let edit = ProgramName.shown("`ledger edit TRIP --vehicle NAME`")
        return "A trip with a REASON is in the book twice, and counts once: \(void) removes one of "
            + "the two; if both were made, \(edit) names their two cars."
    }

    private static func advice(_ overlap: TripOverlap) -> String {
        let void = ProgramName.shown("`ledger void \(overlap.worse.trip.short) --why TEXT`")
        return overlap.isLeftOut || overlap.isOtherLeftOut
            ? "is left out, because another trip of its drive is better evidenced "
                + "(\(void) settles it)"
            : "counts as well as the other one; \(void) takes it out"
    }
}
