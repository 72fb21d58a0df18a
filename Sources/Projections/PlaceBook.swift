public import Geodesy
public import TripEvents
import TripTracking

/// All places that people saved, and what a position was called at any time.
///
/// Of each name, a place holds from its saving until the next saving or removal of that name. The
/// first one holds for all time before, too: people name their places after the first drives. After
/// a removal the name holds for earlier times only. Places that were imported take nothing from
/// those that people saved: neither a name, nor a position within their radius. The rows of trips
/// do not hold names: they are joined when read, so that naming a place changes no row.
public struct PlaceBook: Hashable, Sendable {
    /// Every place as it was saved each time, in order of the names' bytes, then of time.
    public let versions: [SavedPlace]

    /// One for each version.
    let outlines: [PlaceOutline]

    /// Creates the book of some decisions in any order, of which those about places count; none
    /// make an empty book.
    public init(_ decisions: [Decision] = []) {
        var byName: [[UInt8]: [SavedPlace]] = [:]
        let ownNames = Self.namesSavedByPeople(decisions)
        for decision in decisions.sorted() {
            switch decision.event.body {
            case .placeSaved(let saving)
            where saving.importedFrom == nil || !ownNames.contains(Array(saving.place.utf8)):
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
    /// Of several, those that people saved come first; of these the one with the nearest middle; of
    /// these the one whose name comes first, byte by byte.
    public func place(at position: Coordinate, on instant: Timestamp) -> SavedPlace? {
        var best: (index: Int, isImported: Bool, distance: Distance)?
        for outline in outlines
        where outline.box.contains(position) && outline.holds(at: instant) {
            let distance = outline.center.distance(to: position)
            guard distance <= outline.radius else { continue }
            // Of two at the same distance the first one stays: they are in order of names.
            let isBetter =
                best.map { best in
                    best.isImported == outline.isImported
                        ? distance < best.distance : best.isImported
                } ?? true
            if isBetter { best = (outline.index, outline.isImported, distance) }
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

    /// Returns the names that people gave to places, as bytes.
    private static func namesSavedByPeople(_ decisions: [Decision]) -> Set<[UInt8]> {
        Set(
            decisions.compactMap { decision in
                guard case .placeSaved(let saving) = decision.event.body,
                    saving.importedFrom == nil
                else { return nil }
                return Array(saving.place.utf8)
            }
        )
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

/// What a position is compared with: the circle and times of one version of a place.
struct PlaceOutline: Hashable, Sendable {
    /// The latest instant there is.
    static let never = Timestamp(milliseconds: .max)

    /// Where the version stands in the book.
    let index: Int

    /// Which name it has: names are numbered in order of their bytes.
    let name: Int

    /// Whether it was imported.
    let isImported: Bool

    /// The middle.
    let center: Coordinate

    /// How far it reaches.
    let radius: Distance

    /// A box around the place: the distance is measured only to positions in it.
    let box: CoordinateBox

    /// The first instant at which it is the place.
    let holdsFrom: Timestamp

    /// The first instant at which it is the place no more.
    let holdsUntil: Timestamp

    /// Creates the outline of a version.
    init(_ place: SavedPlace, index: Int, name: Int) {
        self.index = index
        self.name = name
        isImported = place.saving.importedFrom != nil
        center = place.center
        radius = place.radius
        box = CoordinateBox(around: place.center, reaching: place.radius)
        holdsFrom = place.holdsFrom
        holdsUntil = place.holdsUntil ?? Self.never
    }

    /// Returns whether it is the place at an instant.
    func holds(at instant: Timestamp) -> Bool {
        holdsFrom <= instant && instant < holdsUntil
    }
}

/// A place as it was saved once, and the time for which that holds.
public struct SavedPlace: Hashable, Sendable {
    /// The content of the event that saved it.
    public let saving: PlaceSaved

    /// When it was saved.
    public let savedAt: EventTime

    /// The middle.
    public let center: Coordinate

    /// How far it reaches.
    public let radius: Distance

    /// The first instant at which it is the place.
    public let holdsFrom: Timestamp

    /// The first instant at which it is the place no more; `nil` if it still is.
    public internal(set) var holdsUntil: Timestamp?

    /// Creates a place from the event that saved it, or returns `nil` if its position is out of
    /// range.
    init?(_ saving: PlaceSaved, savedAt: EventTime, holdsFrom: Timestamp) {
        let center = Coordinate(
            latitude: saving.latitude.doubleValue,
            longitude: saving.longitude.doubleValue
        )
        guard let center else { return nil }
        self.saving = saving
        self.savedAt = savedAt
        self.center = center
        self.holdsFrom = holdsFrom
        radius = Distance(nearestTo: saving.radiusMeters)
    }

    /// The name that other events call it by.
    public var name: String { saving.place }

    /// What people see: the label, else the name.
    public var title: String { saving.label ?? saving.place }
}
