public import Geodesy
public import TripEvents
import TripTracking

/// All places that people saved, and what a position was called at any time.
///
/// Of each name, a place holds from its saving until the next saving or removal of that name. The
/// first one holds for all time before, too: people name their places after the first drives. After
/// a removal the name holds for earlier times only. The rows of trips do not hold names: they are
/// joined when read, so that naming a place changes no row.
public struct PlaceBook: Hashable, Sendable {
    /// Every place as it was saved each time, in order of the names' bytes, then of time.
    public let versions: [SavedPlace]

    /// One for each version.
    let outlines: [PlaceOutline]

    /// Creates the book of some decisions in any order, of which those about places count; none
    /// make an empty book.
    public init(_ decisions: [Decision] = []) {
        var byName: [[UInt8]: [SavedPlace]] = [:]
        for decision in decisions.sorted() {
            switch decision.event.body {
            case .placeSaved(let saving):
                Self.save(saving, by: decision, in: &byName[Array(saving.place.utf8), default: []])
            case .placeRemoved(let removal):
                Self.end(&byName[Array(removal.place.utf8), default: []], by: decision)
            default: break
            }
        }
        let inOrder = byName.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
        versions = inOrder.flatMap(\.self)
        let names = inOrder.enumerated()
            .flatMap { name, versions in repeatElement(name, count: versions.count) }
        outlines = zip(versions, names).enumerated()
            .map { index, version in
                PlaceOutline(version.0, index: index, name: version.1)
            }
    }

    /// Whether no place was ever saved.
    public var isEmpty: Bool { versions.isEmpty }

    /// The places that there are after all decisions, in order of the names' bytes.
    public var places: [SavedPlace] { versions.filter { $0.holdsUntil == nil } }

    /// Returns the place with a name as it is after all decisions, or `nil` if there is none.
    public func place(named name: String) -> SavedPlace? {
        places.first { $0.name.utf8.elementsEqual(name.utf8) }
    }

    /// Returns the place that a position belonged to at an instant, or `nil` if to none.
    ///
    /// Of several the one with the nearest middle, and of these the one whose name comes first,
    /// byte by byte.
    public func place(at position: Coordinate, on instant: Timestamp) -> SavedPlace? {
        var best: (index: Int, distance: Distance)?
        for outline in outlines
        where outline.box.contains(position) && outline.holds(at: instant) {
            let distance = outline.center.distance(to: position)
            guard distance <= outline.radius else { continue }
            // Of two at the same distance the first one stays: they are in order of names.
            if best.map({ distance < $0.distance }) ?? true { best = (outline.index, distance) }
        }
        return best.map { versions[$0.index] }
    }

    /// Returns the place at which a trip started, or `nil` if there is none.
    public func start(of booked: BookedTrip) -> SavedPlace? {
        booked.trip.start.flatMap { place(at: $0, on: booked.trip.startedAt.timestamp) }
    }

    /// Returns the place at which a trip ended, or `nil` if there is none.
    public func end(of booked: BookedTrip) -> SavedPlace? {
        let endedAt = booked.trip.endedAt ?? booked.trip.startedAt
        return booked.trip.end.flatMap { place(at: $0, on: endedAt.timestamp) }
    }

    private static func save(
        _ saving: PlaceSaved,
        by decision: Decision,
        in versions: inout [SavedPlace]
    ) {
        end(&versions, by: decision)
        let savedAt = EventTime(decision.event.occurredAt, utcOffset: decision.event.utcOffset)
        let beginning = Timestamp(milliseconds: .min)
        let from = versions.isEmpty ? beginning : savedAt.timestamp
        if let place = SavedPlace(saving, savedAt: savedAt, holdsFrom: from) {
            versions.append(place)
        }
    }

    private static func end(_ versions: inout [SavedPlace], by decision: Decision) {
        guard let last = versions.indices.last, versions[last].holdsUntil == nil else { return }
        versions[last].holdsUntil = decision.event.occurredAt
    }
}
