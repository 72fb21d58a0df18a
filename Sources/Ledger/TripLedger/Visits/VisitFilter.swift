import EventStore
public import Projections
public import TripEvents
import TripTracking
import VisitsProjection

extension Snapshot {
    /// Returns the visits of places, newest first.
    ///
    /// The rules that are in force for a source decide which fixes are usable, and the whole book
    /// of places decides what is a place.
    ///
    /// - Parameter filter: Which visits.
    /// - Returns: The visits.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func visits(
        _ filter: VisitFilter = VisitFilter()
    ) throws(LedgerError) -> [SourceVisit] {
        var visits: [SourceVisit] = []
        try readVisits(filter) { visit in
            visits.append(visit)
            return true
        }
        return visits
    }

    /// Hands over the visits of places, newest first, until `body` returns `false`.
    ///
    /// - Parameters:
    ///   - filter: Which visits.
    ///   - body: Takes the next visit, and returns whether to go on.
    /// - Throws: `.damaged`, `.inputOutput`, and what `body` throws, as that of a query.
    package func readVisits(
        _ filter: VisitFilter = VisitFilter(),
        _ body: (SourceVisit) throws -> Bool
    ) throws(LedgerError) {
        try asking {
            var reader = VisitReader(try places(), filter, seenBy: store.sight, in: log)
            try reader.read(from: store, body)
        }
    }
}

extension Snapshot {
    /// Returns the visits that changes of the feed are about, as far as they exist and are seen.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func visits(
        about subjects: [FeedSubject]
    ) throws(LedgerError) -> [FeedSubject: SourceVisit] {
        try asking {
            var reader = VisitReader(try places(), VisitFilter(), seenBy: store.sight, in: log)
            var visits: [FeedSubject: SourceVisit] = [:]
            for subject in subjects {
                guard let key = subject.visitKey else { continue }
                visits[subject] = try reader.visit(at: key, in: store)
            }
            return visits
        }
    }
}

/// Reads the rows of the view of visits, newest first.
private struct VisitReader {
    /// The place of a name for a group.
    private struct Subject: Hashable {
        var group: [UInt8]?
        var name: [UInt8]
    }

    private let places: PlaceBook
    private let filter: VisitFilter
    private let sight: Sight
    private var names: SourceNames

    /// The versions of the places that were named so far.
    private var versions: [Subject: [SavedPlace]] = [:]

    init(_ places: PlaceBook, _ filter: VisitFilter, seenBy sight: Sight, in log: ReadableLog) {
        self.places = places
        self.filter = filter
        self.sight = sight
        names = SourceNames(log)
    }

    /// Hands over the visits, until `body` returns `false`.
    mutating func read(from store: ReadableViews, _ body: (SourceVisit) throws -> Bool) throws {
        var left = filter.limit ?? .max
        guard left > 0, !places.isEmpty else { return }
        var keys = ViewKeyRange.all
        if let to = filter.to { keys.upTo = VisitRow.orderKey(from: to) }
        // Visits that began at the same instant, the last of them first.
        var together: [SourceVisit] = []
        func handOver() throws -> Bool {
            for visit in together.reversed().sorted(by: Self.precedes) {
                left -= 1
                guard try body(visit), left > 0 else { return false }
            }
            together.removeAll(keepingCapacity: true)
            return true
        }
        var goesOn = true
        try store.scan(.visitsInOrder, in: keys, isDescending: true) { key, value in
            let number = ViewKey.number(ofVisitInOrder: key)
            let row = try StaleViews.takingDamage { try VisitRow(decoding: value) }
            if let last = together.last,
                last.visit.enteredAt.timestamp != row.enteredAt.timestamp
            {
                goesOn = try handOver()
            }
            if goesOn, let visit = try visit(row, of: number) { together.append(visit) }
            return goesOn
        }
        if goesOn { _ = try handOver() }
    }

    /// Returns the visit whose row has a key; `nil` if there is none that is seen.
    mutating func visit(at key: [UInt8], in store: ReadableViews) throws -> SourceVisit? {
        guard let value = try store.value(.visitsInOrder, key) else { return nil }
        let row = try StaleViews.takingDamage { try VisitRow(decoding: value) }
        return try visit(row, of: ViewKey.number(ofVisitInOrder: key))
    }

    /// Returns the visit of a row, or `nil` if it is not seen or the filter leaves it out.
    private mutating func visit(_ row: VisitRow, of number: UInt32) throws -> SourceVisit? {
        let source = try names.source(of: number, at: 0)
        guard sight.sees(source.name, of: source.group) else { return nil }
        if let name = filter.source, !name.hasSameBytes(as: source.name) { return nil }
        if let group = filter.group, !group.includes(source.group) { return nil }
        guard let place = version(of: row, for: source.group) else {
            // Places that were set for others are not named.
            guard sight.isEverything else { return nil }
            throw StaleViews.unknownPlace
        }
        let visit = row.found(at: place).visit
        guard filter.allows(visit) else { return nil }
        return SourceVisit(source: source.name, group: source.group, visit: visit)
    }

    /// Returns the place of a row as it was when the visit began.
    private mutating func version(of row: VisitRow, for group: String?) -> SavedPlace? {
        let subject = Subject(group: group.map { Array($0.utf8) }, name: Array(row.place.utf8))
        let known =
            versions[subject]
            ?? places.book(of: group).versions.filter { $0.name.hasSameBytes(as: row.place) }
        versions[subject] = known
        let instant = row.enteredAt.timestamp
        return known.first { place in
            place.holdsFrom <= instant && place.holdsUntil.map { instant < $0 } ?? true
        }
    }

    /// Returns whether one of two visits that began at the same instant is listed before the other.
    private static func precedes(_ left: SourceVisit, _ right: SourceVisit) -> Bool {
        let sources = (NameKey(left.source), NameKey(right.source))
        if sources.0 != sources.1 { return sources.0 < sources.1 }
        return left.visit.place.name.utf8.lexicographicallyPrecedes(right.visit.place.name.utf8)
    }
}

/// A choice of visits.
public struct VisitFilter: Hashable, Sendable {
    /// The name of the only place; `nil` for all.
    public var place: String?

    /// The name of the only source; `nil` for all.
    public var source: String?

    /// The only group of sources; `nil` for all.
    public var group: GroupSelection?

    /// Visits that ended before this instant are left out.
    public var from: Timestamp?

    /// Visits that began at this instant or after it are left out.
    public var to: Timestamp?

    /// The most visits, newest first; `nil` for all.
    public var limit: Int?

    /// Creates a filter; without arguments it lets every visit through.
    public init(
        place: String? = nil,
        source: String? = nil,
        group: GroupSelection? = nil,
        from: Timestamp? = nil,
        to: Timestamp? = nil,
        limit: Int? = nil
    ) {
        self.place = place
        self.source = source
        self.group = group
        self.from = from
        self.to = to
        self.limit = limit
    }

    /// Returns whether a visit is listed, without regard to the limit.
    func allows(_ visit: Visit) -> Bool {
        if let place, !place.hasSameBytes(as: visit.place.name) { return false }
        if let to, visit.enteredAt.timestamp >= to { return false }
        if let from, let leftAt = visit.leftAt, leftAt.timestamp < from { return false }
        return true
    }
}

/// A visit, and whose it was.
public struct SourceVisit: Hashable, Sendable {
    /// The source's name.
    public var source: String

    /// The group that the source belongs to; `nil` for one of the ledger's owner.
    public var group: String?

    /// The visit.
    public var visit: Visit
}
