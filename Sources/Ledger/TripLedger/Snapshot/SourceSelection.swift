import TripEvents
import TripTracking

/// The sources of a ledger that a status shows.
public enum SourceSelection: Hashable, Sendable {
    /// The one with a name.
    case named(String)

    /// At most this many: those with a trip first, then those whose trip waits for its purpose,
    /// then those that reported last.
    case foremost(Int)

    /// All that have a trip in progress.
    case withTrip

    /// As many sources as a person would read.
    public static let readable = SourceSelection.foremost(1_000)
}

/// The sources that a status shows, of which there may be a million.
struct SelectedSources {
    private let selection: SourceSelection
    private let sight: Sight
    private var taken: [StatusBasis.Source] = []

    /// How many sources are left out.
    private(set) var otherCount = 0

    init(_ selection: SourceSelection, seenBy sight: Sight) {
        self.selection = selection
        self.sight = sight
    }

    /// Those that were selected, in order of their names' bytes.
    var sources: [StatusBasis.Source] {
        var selected = taken
        if case .foremost(let limit) = selection, taken.count > limit {
            selected = Array(Self.inOrderOfRank(taken).prefix(limit))
        }
        return selected.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Returns whether a source may be one of them, and counts it if it is not; one that is not
    /// seen is not counted either.
    mutating func mayTake(_ tracker: Tracker, named name: String) -> Bool {
        guard sight.sees(name, of: tracker.group) else { return false }
        let mayTake =
            switch selection {
            case .named(let wanted): name.hasSameBytes(as: wanted)
            case .foremost: true
            case .withTrip: tracker.isOpen
            }
        guard !mayTake else { return true }
        otherCount += 1
        return false
    }

    /// Takes a source, unless there are enough before it.
    mutating func take(_ source: StatusBasis.Source) {
        taken.append(source)
        guard case .foremost(let limit) = selection else { return }
        if taken.count > limit { otherCount += 1 }
        guard taken.count == 2 * limit else { return }
        taken = Array(Self.inOrderOfRank(taken).prefix(limit))
    }

    private static func inOrderOfRank(
        _ sources: [StatusBasis.Source]
    ) -> [StatusBasis.Source] {
        sources.sorted { left, right in
            left.rank == right.rank
                ? left.name.utf8.lexicographicallyPrecedes(right.name.utf8) : left.rank < right.rank
        }
    }
}
