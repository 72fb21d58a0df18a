public import Geodesy
public import TripEvents
import TripTracking

/// All places that people saved, and what a position was called at any time.
///
/// A place holds from its saving until the next saving or removal of its name. The first one holds
/// for all time before, too: people name their places after the first drives. After a removal the
/// name holds for earlier times only. Places that were imported take nothing from those that people
/// saved: neither a name, nor a position within their radius. The rows of trips do not hold names:
/// they are joined when read, so that naming a place changes no row.
///
/// Places that a source of a group saved are for that group alone, those of the owner's sources for
/// all. While a group has a place of a name, the owner's place of that name does not exist for the
/// group.
public struct PlaceBook: Hashable, Sendable {
    /// Every place of the owner as it was saved each time, in order of the names' bytes, then of
    /// time.
    public let versions: [SavedPlace]

    /// One for each version.
    let outlines: [PlaceOutline]

    /// The books of the groups that have places of their own, by the bytes of their names; each
    /// holds the owner's places too.
    private let groups: [[UInt8]: PlaceBook]

    /// Creates the book from decisions in any order; only those about places count, and without any
    /// the book is empty.
    public init(_ decisions: [Decision] = []) {
        let byGroup = Dictionary(grouping: decisions) { Array(($0.group ?? "").utf8) }
        let owners = Self.versions(byGroup[[]] ?? [])
        self.init(
            owners,
            groups: byGroup.filter { !$0.key.isEmpty }
                .mapValues { decisions in
                    PlaceBook(Self.layered(Self.versions(decisions), over: owners), groups: [:])
                }
        )
    }

    /// Creates the book of versions, each name's in order of time.
    private init(_ byName: [[UInt8]: [SavedPlace]], groups: [[UInt8]: PlaceBook]) {
        let inOrder = byName.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
        versions = inOrder.flatMap(\.self)
        let names = inOrder.enumerated()
            .flatMap { name, versions in repeatElement(name, count: versions.count) }
        outlines = zip(versions, names).enumerated()
            .map { index, version in
                PlaceOutline(version.0, index: index, name: version.1)
            }
        self.groups = groups
    }

    /// Returns the place that had a name at an instant for the owner, or `nil` if there was none.
    package func place(named name: String, on instant: Timestamp) -> SavedPlace? {
        outlines.first {
            $0.holds(at: instant) && versions[$0.index].name.hasSameBytes(as: name)
        }
        .map { versions[$0.index] }
    }

    /// Returns the book of a group: its own places and the owner's; `nil` for the owner.
    public func book(of group: String?) -> PlaceBook {
        guard let group, !groups.isEmpty else { return self }
        return groups[Array(group.utf8)] ?? self
    }

    /// Returns the versions of a group, and those of the owner for the time in which the group has
    /// none of their names.
    private static func layered(
        _ own: [[UInt8]: [SavedPlace]],
        over owners: [[UInt8]: [SavedPlace]]
    ) -> [[UInt8]: [SavedPlace]] {
        own.merging(owners) { own, owners in
            let left = own.reduce(owners) { left, version in
                left.flatMap { $0.without(version) }
            }
            return (own + left).sorted { $0.holdsFrom < $1.holdsFrom }
        }
    }

    /// Returns the places of some decisions, by the bytes of their names, each name's versions in
    /// order of time.
    private static func versions(_ decisions: [Decision]) -> [[UInt8]: [SavedPlace]] {
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
        return byName
    }

    /// Whether no place was ever saved.
    public var isEmpty: Bool { versions.isEmpty && groups.isEmpty }

    /// The places that there are after all decisions, those of all groups, in order of the names'
    /// bytes, then of the groups'.
    public var places: [SavedPlace] {
        let all = versions.filter { $0.holdsUntil == nil }
        guard !groups.isEmpty else { return all }
        let own = groups.values.flatMap { book in
            book.versions.filter { $0.group != nil && $0.holdsUntil == nil }
        }
        return (all + own)
            .sorted { left, right in
                let names = [left, right].map { Array($0.name.utf8) + [0] + ($0.group ?? "").utf8 }
                return names[0].lexicographicallyPrecedes(names[1])
            }
    }

    /// Returns the place with a name as it is for a group after all decisions, or `nil` if there is
    /// none; without a group, for the owner.
    public func place(named name: String, for group: String? = nil) -> SavedPlace? {
        book(of: group).versions
            .first {
                $0.holdsUntil == nil && $0.name.hasSameBytes(as: name)
            }
    }

    /// Returns the earliest instant at which, for a group, a position may be in a different place
    /// than by another book, or `nil` if there is none.
    ///
    /// Labels and other details of places do not count.
    package func earliestDifference(from other: PlaceBook, for group: String?) -> Timestamp? {
        let (left, right) = (book(of: group).circles, other.book(of: group).circles)
        return Set(left.keys).union(right.keys)
            .compactMap { PlaceCircle.firstDifference(left[$0] ?? [], right[$0] ?? []) }
            .min()
    }

    /// The circles of each place in order of time, by the bytes of its name.
    private var circles: [[UInt8]: [PlaceCircle]] {
        Dictionary(grouping: outlines) { Array(versions[$0.index].name.utf8) }
            .mapValues { $0.map(PlaceCircle.init) }
    }

    /// Returns the place that a position belonged to at an instant for a group, or `nil` if it
    /// belonged to none.
    public func place(
        at position: Coordinate,
        on instant: Timestamp,
        for group: String?
    ) -> SavedPlace? {
        book(of: group).place(at: position, on: instant)
    }

    /// Returns the place that a position belonged to at an instant for the owner, or `nil` if it
    /// belonged to none.
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
    ///
    /// A trip without positions starts where its own words say.
    public func start(of booked: BookedTrip) -> SavedPlace? {
        let (instant, group) = (booked.trip.startedAt.timestamp, booked.trip.group)
        return end(at: booked.trip.start, saidAs: booked.origin, on: instant, for: group)
    }

    /// Returns the place at which a trip ended, or `nil` if there is none.
    ///
    /// A trip without positions ends where its own words say.
    public func end(of booked: BookedTrip) -> SavedPlace? {
        let instant = (booked.trip.endedAt ?? booked.trip.startedAt).timestamp
        let group = booked.trip.group
        return end(at: booked.trip.end, saidAs: booked.destination, on: instant, for: group)
    }

    /// Returns the address where a trip started: as people said it, else that of the place.
    public func startAddress(of booked: BookedTrip) -> String? {
        booked.originAddress ?? (isEmpty ? nil : start(of: booked)?.saving.address)
    }

    /// Returns the address where a trip ended: as people said it, else that of the place.
    public func endAddress(of booked: BookedTrip) -> String? {
        booked.destinationAddress ?? (isEmpty ? nil : end(of: booked)?.saving.address)
    }

    /// Returns the place of an end of a trip: by its position or, if that is not known, by its
    /// words; `nil` if there is none.
    func end(
        at position: Coordinate?,
        saidAs words: String?,
        on instant: Timestamp,
        for group: String?
    ) -> SavedPlace? {
        guard let position else {
            return words.flatMap { place(saidAs: $0, on: instant, for: group) }
        }
        return place(at: position, on: instant, for: group)
    }

    /// Returns the place that a text stood for at an instant: the text is the place's name or, if
    /// no place has that name, its address, or a latitude and a longitude within it.
    private func place(
        saidAs words: String,
        on instant: Timestamp,
        for group: String?
    ) -> SavedPlace? {
        let numbers = words.split(separator: ",")
            .map { part in
                Double(part.drop { $0 == " " })
            }
        if numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
            let position = Coordinate(latitude: latitude, longitude: longitude)
        {
            return place(at: position, on: instant, for: group)
        }
        let book = book(of: group)
        let holding = book.outlines.lazy.filter { $0.holds(at: instant) }
            .map { book.versions[$0.index] }
        return holding.first { $0.name.hasSameBytes(as: words) }
            ?? holding.first { $0.saving.label?.hasSameBytes(as: words) ?? false }
            ?? holding.first { $0.saving.address?.hasSameBytes(as: words) ?? false }
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
        let group = decision.group
        if let place = SavedPlace(saving, in: group, savedAt: savedAt, holdsFrom: from) {
            versions.append(place)
        }
    }

    private static func end(_ versions: inout [SavedPlace], by decision: Decision) {
        guard let last = versions.indices.last, versions[last].holdsUntil == nil else { return }
        versions[last].holdsUntil = decision.event.occurredAt
    }
}

/// The circle and times of one version of a place, with which a position is compared.
struct PlaceOutline: Hashable, Sendable {
    /// The latest instant there is.
    static let never = Timestamp(milliseconds: .max)

    /// The index of the version in the book.
    let index: Int

    /// The number of its name: names are numbered in order of their bytes.
    let name: Int

    /// Whether it was imported.
    let isImported: Bool

    /// The middle.
    let center: Coordinate

    /// How far it reaches.
    let radius: Distance

    /// A box around the place: the distance is measured only to positions in it.
    let box: CoordinateBox

    /// The first instant at which this version holds.
    let holdsFrom: Timestamp

    /// The first instant at which this version no longer holds.
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

    /// Returns whether this version holds at an instant.
    func holds(at instant: Timestamp) -> Bool {
        holdsFrom <= instant && instant < holdsUntil
    }
}

/// The circle of a place for some time.
private struct PlaceCircle: Hashable {
    var from: Timestamp
    var until: Timestamp
    var center: Coordinate
    var radius: Distance

    init(_ outline: PlaceOutline) {
        from = outline.holdsFrom
        until = outline.holdsUntil
        center = outline.center
        radius = outline.radius
    }

    /// Returns the earliest instant at which two lists of circles, each in order of time, differ.
    static func firstDifference(_ left: [PlaceCircle], _ right: [PlaceCircle]) -> Timestamp? {
        for (left, right) in zip(left, right) where left != right {
            var sameUntil = left
            sameUntil.until = right.until
            return sameUntil == right
                ? min(left.until, right.until) : min(left.from, right.from)
        }
        guard left.count != right.count else { return nil }
        return (left.count > right.count ? left[right.count] : right[left.count]).from
    }
}

/// A place as it was saved once, and the time for which that holds.
public struct SavedPlace: Hashable, Sendable {
    /// The content of the event that saved it.
    public let saving: PlaceSaved

    /// The group that it is for; `nil` for one of the owner's, which all groups have.
    public let group: String?

    /// When it was saved.
    public let savedAt: EventTime

    /// The middle.
    public let center: Coordinate

    /// How far it reaches.
    public let radius: Distance

    /// The first instant at which this version holds.
    public private(set) var holdsFrom: Timestamp

    /// The first instant at which this version no longer holds; `nil` if it still does.
    public internal(set) var holdsUntil: Timestamp?

    /// Creates a place from the event that saved it, or returns `nil` if its position is out of
    /// range.
    init?(_ saving: PlaceSaved, in group: String?, savedAt: EventTime, holdsFrom: Timestamp) {
        let center = Coordinate(
            latitude: saving.latitude.doubleValue,
            longitude: saving.longitude.doubleValue
        )
        guard let center else { return nil }
        self.saving = saving
        self.group = group
        self.savedAt = savedAt
        self.center = center
        self.holdsFrom = holdsFrom
        radius = saving.radius
    }

    /// Returns the place for the time in which another one does not hold: before it, after it, or
    /// both.
    func without(_ other: SavedPlace) -> [SavedPlace] {
        var parts: [SavedPlace] = []
        let until = holdsUntil ?? PlaceOutline.never
        if holdsFrom < min(other.holdsFrom, until) {
            var part = self
            if other.holdsFrom < until { part.holdsUntil = other.holdsFrom }
            parts.append(part)
        }
        if let end = other.holdsUntil, max(holdsFrom, end) < until {
            var part = self
            part.holdsFrom = max(holdsFrom, end)
            parts.append(part)
        }
        return parts
    }

    /// The name that other events call it by.
    public var name: String { saving.place }

    /// The title that people see: the label, else the name.
    public var title: String { saving.label ?? saving.place }
}
