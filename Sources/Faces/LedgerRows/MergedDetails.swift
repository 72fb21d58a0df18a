package import Projections
import Tables
package import TripEvents
import TripTracking

/// The effect of a merge on the class and the purpose of the trips that became one, for people.
///
/// A merged trip has the details of the one that started first, and a routine may fit it that fits
/// none of its parts. So the distance of a part can move to another class.
package struct MergedDetails {
    private let parts: [BookedTrip]
    private let whole: BookedTrip
    private let unit: DistanceUnit

    /// Compares trips before a merge with the merged trip.
    ///
    /// - Parameters:
    ///   - parts: The trips before they were merged.
    ///   - whole: The trip that shows them now.
    ///   - unit: The unit of distances.
    package init(_ parts: [BookedTrip], into whole: BookedTrip, _ unit: DistanceUnit) {
        self.parts = parts.sorted {
            ($0.trip.startedAt.timestamp, $0.id) < ($1.trip.startedAt.timestamp, $1.id)
        }
        self.whole = whole
        self.unit = unit
    }

    /// A sentence for the class and one for the purpose, each where a part had another one; empty
    /// if nothing changed.
    package var text: String {
        [
            sentence("class", "--class CLASS") { $0.tripClass.rawValue },
            sentence("purpose", "--purpose TEXT") { $0.details.purpose },
        ]
        .compactMap { $0.map { $0 + "\n" } }.joined()
    }

    private func sentence(
        _ name: String,
        _ option: String,
        _ detail: (BookedTrip) -> String?
    ) -> String? {
        let now = detail(whole)
        let others = parts.filter { detail($0) != now }
        guard !others.isEmpty else { return nil }
        let before = others.map { part in
            "\(DistanceText.text(part.claimedDistance, in: unit)) of \(part.id.short) had "
                + (detail(part).map { "the \(name) \(Excerpt.escaped($0))" } ?? "no \(name)")
        }
        let all = DistanceText.text(whole.claimedDistance, in: unit)
        let after = now.map { "the \(name) \(Excerpt.escaped($0))" } ?? "no \(name)"
        return "\(before.joined(separator: ", ")); now all \(all) have \(after). "
            + "`ledger edit \(whole.id.short) \(option)` says another one."
    }
}
