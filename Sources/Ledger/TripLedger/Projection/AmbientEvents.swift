import EventStore
import Projections
import RowCoding
import TripEvents
import TripTracking

/// The events that concern all sources, or sources other than their own; it finds those that
/// concern a source between any two of that source's events.
///
/// Each tracker is given such an event just before its own next event in event order. So it means
/// the same whenever it arrives and from whichever source.
struct AmbientEvents {
    /// Puts events in order.
    var order: SourceEvents

    /// The events, in event order.
    var rows: RowTable

    /// Those among them that some sources have not seen yet.
    private(set) var news = AmbientNews()

    /// The rules and places of trackers between trips, at some points of event order.
    private var points = AmbientPoints()

    /// Prepares to ask a log and the views that were made of it.
    init(of log: ReadableLog, over store: ReadableViews?) {
        order = SourceEvents(of: log, over: store)
        rows = RowTable(.ambient, over: store)
    }

    /// Takes an event for all sources; each gets it when its fold is next needed.
    mutating func add(_ event: AmbientEvent) {
        rows.put(event.encoded, key: event.key)
        news.add(event)
        points.note(event)
    }

    /// Notes the events from a position of the log on, which were not given to all trackers because
    /// a run was cut off before that.
    mutating func loadNews(from position: UInt64) throws {
        var missed: [AmbientEvent] = []
        var events = Cursor(from: nil)
        while let event = try events.next(in: rows) {
            if event.mark.position >= position, event.split == nil { missed.append(event) }
        }
        for event in missed.sorted(by: { $0.mark.position < $1.mark.position }) {
            news.add(event)
        }
    }

    /// Takes a split or an exclusion whose effect has changed.
    mutating func change(_ event: AmbientEvent) {
        points.note(event)
        rows.put(event.encoded, key: event.key)
    }

    /// Prepares to read the events for all sources that come after an event in event order, or all
    /// of them.
    mutating func events(after mark: EventMark?) throws -> Cursor {
        guard let mark else { return Cursor(from: nil) }
        let cursor = Cursor(from: ViewKey.ambient(mark))
        // The digest is in the log: it is looked for only where nothing else tells the order.
        guard let first = try cursor.first(in: rows),
            EventMark.precedes(mark, first.mark) == nil
        else { return cursor }
        return Cursor(from: ViewKey.ambient(mark, try order.identity(at: mark.position)) + [0])
    }

    /// Returns the rules of a source after everything that was adopted.
    mutating func rules(of source: UInt32, after fold: SourceFold) throws -> TrackingRules {
        if try knowsWhatAllKnow(fold) {
            return try knowledge(after: fold.last, fold.tracker, before: nil).tracker.rules
        }
        var rules = fold.tracker.rules
        var events = try events(after: fold.last)
        while let event = try events.next(in: rows) {
            guard event.kind == .rulesAdopted,
                event.concerns(source, fold.tracker)
            else { continue }
            let stored = try order.storedEvent(at: event.mark.position)
            if case .rulesAdopted(let adopted) = stored.event.body {
                rules = rules.adopting(adopted, for: fold.tracker.source)
            }
        }
        return rules
    }

    /// Returns the rules that were adopted for any source, in event order.
    mutating func adoptions() throws -> [RulesAdoption] {
        var adoptions: [RulesAdoption] = []
        var events = Cursor(from: nil)
        while let event = try events.next(in: rows) {
            guard event.kind == .rulesAdopted else { continue }
            let stored = try order.storedEvent(at: event.mark.position)
            if case .rulesAdopted(let adopted) = stored.event.body {
                adoptions.append(
                    RulesAdoption(
                        from: event.mark.occurredAt,
                        group: event.group,
                        isByLedger: Ledger.adoptsOfItself(stored.event, adopted),
                        adopted: adopted,
                        position: event.mark.position
                    )
                )
            }
        }
        return adoptions
    }

    /// Gives an event to a tracker, and adds the steps that follow from it.
    mutating func give(
        _ event: AmbientEvent,
        to tracker: inout Tracker,
        steps: inout [TripStep]
    ) throws {
        var context = TrackingContext(events: order.directory)
        switch event.standing {
        case .split(let split): try tracker.take(split, in: &context)
        case .exclusion(let exclusion): tracker.take(exclusion)
        case nil:
            let stored = try order.storedEvent(at: event.mark.position)
            try tracker.evolve(stored.event.body, stamp: stored.stamp, in: &context)
        }
        steps += context.steps
    }
}

// A tracker between trips takes over what all events up to a point mean, instead of being given
// each of them.
extension AmbientEvents {
    /// How many events for all sources a tracker is given one by one before it is checked whether
    /// it may take over their effect instead: that check reads all of them once.
    private static let mostGivenOneByOne = 64

    /// Returns whether it is worth checking, after a tracker was given some events, whether it may
    /// take over the others.
    func isTakeOverDue(after given: Int) -> Bool {
        given >= Self.mostGivenOneByOne || points.knowsNames
    }

    /// Lets a tracker take over what the events for all sources mean that come before an event of
    /// its own.
    ///
    /// - Parameters:
    ///   - last: The event after which the tracker was given none of them.
    ///   - mark: The tracker's own event.
    ///   - fold: The tracker.
    /// - Returns: Whether that is done; else the tracker is to be given each of them.
    /// - Throws: `StaleViews`, `EventLogError` or `LMDBError`.
    mutating func takeOver(
        after last: EventMark?,
        before mark: EventMark,
        _ fold: inout SourceFold
    ) throws -> Bool {
        guard !fold.tracker.isOpen, try knowsWhatAllKnow(fold) else { return false }
        let known = try knowledge(after: last, fold.tracker, before: mark)
        if let instant = known.last?.mark.occurredAt {
            fold.tracker.takeOver(rulesAndPlacesOf: known.tracker, asOf: instant)
        }
        fold.ambientDueAt = known.next?.mark.occurredAt ?? SourceFold.neverDue
        return true
    }

    /// Returns whether a tracker between trips knows what those of most sources know.
    private mutating func knowsWhatAllKnow(_ fold: SourceFold) throws -> Bool {
        guard fold.clock.isEmpty else { return false }
        return try !points.names(fold.tracker, in: rows)
    }

    /// Returns what trackers know before an event, given a tracker after an earlier event.
    ///
    /// - Parameters:
    ///   - last: The event that `tracker` was given last; `nil` for none.
    ///   - tracker: A tracker that knows what those of most sources know.
    ///   - mark: The event before which the knowledge is asked for; `nil` for the end.
    /// - Returns: The rules and places.
    /// - Throws: `StaleViews`, `EventLogError` or `LMDBError`.
    private mutating func knowledge(
        after last: EventMark?,
        _ tracker: Tracker,
        before mark: EventMark?
    ) throws -> Knowledge {
        var known = Knowledge(tracker: tracker.withoutTrips())
        var events: Cursor
        var distance = 0
        if let point = try latestPoint(before: mark), try isAfter(last, point.event.mark) {
            known = Knowledge(tracker: point.tracker, last: point.event)
            events = Cursor(from: point.event.key + [0])
            distance = point.distance
        } else {
            events = try self.events(after: last)
        }
        while let event = try events.next(in: rows) {
            guard event.isForAll else { continue }
            if let mark, try !order.precedes(event.mark, mark) {
                known.next = event
                break
            }
            known.last = event
            distance += 1
            // It means nothing between trips.
            if event.kind != .recoveryDecided {
                var steps: [TripStep] = []
                try give(event, to: &known.tracker, steps: &steps)
            }
            if distance == points.eventsPerPoint {
                points.reach(
                    Point(event: event, tracker: known.tracker, distance: distance)
                )
                distance = 0
            }
        }
        if let last = known.last {
            let point = Point(event: last, tracker: known.tracker, distance: distance)
            points.reach(point)
        }
        return known
    }

    private mutating func latestPoint(before mark: EventMark?) throws -> Point? {
        guard let mark else { return points.latest { _ in true } }
        let points = points
        return try points.latest { try order.precedes($0, mark) }
    }

    private mutating func isAfter(_ last: EventMark?, _ mark: EventMark) throws -> Bool {
        guard let last else { return true }
        return try order.precedes(last, mark)
    }
}

extension AmbientEvents {
    /// Reads the events for all sources in event order, some at a time: there may be a great many.
    struct Cursor {
        private static let mostInPage = 256

        /// The events that come after those that were read so far.
        private var keys: KeyRange
        private var page: ArraySlice<KeyedRow> = []
        private var isLastPage = false

        /// How many events are read next: mostly only the first is wanted.
        private var pageSize = 2

        /// Prepares to read the events from a key on; `nil` for all.
        init(from key: [UInt8]?) {
            keys = KeyRange(
                from: key ?? [0],
                upTo: Array(repeating: .max, count: ViewKey.ambientByteCount + 1)
            )
        }

        /// Returns the first event, or `nil`.
        func first(in rows: RowTable) throws -> AmbientEvent? {
            try rows.rows(in: keys, limit: 1).first.map { try AmbientEvent(decoding: $0.value) }
        }

        /// Returns the next event, or `nil`.
        mutating func next(in rows: RowTable) throws -> AmbientEvent? {
            if page.isEmpty, !isLastPage {
                page = try rows.rows(in: keys, limit: pageSize)[...]
                isLastPage = page.count < pageSize
                pageSize = min(4 * pageSize, Self.mostInPage)
                if let last = page.last { keys.from = last.key + [0] }
            }
            return try page.popFirst().map { try AmbientEvent(decoding: $0.value) }
        }
    }

    /// The rules and places that trackers between trips know after an event for all sources.
    struct Point {
        /// The event, which may be any that concerns all sources.
        var event: AmbientEvent

        /// A tracker that knows the rules and the places.
        var tracker: Tracker

        /// The number of events between it and the last point that is kept.
        var distance = 0
    }

    /// The rules and the places that trackers know at a place in event order.
    fileprivate struct Knowledge {
        /// A tracker that knows them.
        var tracker: Tracker

        /// The last event that they come from; `nil` if there was none since then.
        var last: AmbientEvent?

        /// The first event after that place; `nil` if there is none.
        var next: AmbientEvent?
    }
}

/// An event that concerns trackers of other sources than its own, with its place in event order.
///
/// Places, rules, and decisions about a trip whose recorder died concern all sources, or all of a
/// group; a split or an exclusion concerns the source of its trip.
struct AmbientEvent: Hashable, Sendable {
    /// The kinds of events that concern all sources.
    static let kinds: Set<EventKind> = [
        .placeSaved, .placeRemoved, .rulesAdopted, .recoveryDecided, .tripSplit,
        .stretchExcluded,
    ]

    private static let formatVersion: UInt8 = 5

    /// Its place in event order: a split or an exclusion stands at its instant, before all events
    /// of a trip.
    let mark: EventMark

    /// The identity digest of the event.
    let identity: IdentityDigest

    /// The number of the source that reported it, whose tracker is given it anyway.
    let source: UInt32

    /// The group of that source, which is the only one that it concerns; `nil` for all, if it is
    /// the ledger owner's.
    let group: String?

    /// Its kind.
    let kind: EventKind

    /// The only source that it concerns; `nil` for all.
    let appliesTo: String?

    /// Its details if it is a split or an exclusion.
    var split: AmbientSplit?

    /// Creates the mark of a stored event, or returns `nil` if it concerns its own source only.
    init?(_ stored: StoredEvent, _ mark: EventMark, source: UInt32) {
        guard let kind = stored.event.body.kind, Self.kinds.contains(kind) else { return nil }
        // No tracker looks at imported places.
        if case .placeSaved(let place) = stored.event.body, place.importedFrom != nil {
            return nil
        }
        self.source = source
        group = stored.event.group
        self.kind = kind
        identity = stored.identity
        switch stored.event.body {
        case .rulesAdopted(let adopted):
            self.mark = mark
            appliesTo = adopted.appliesTo
        case .tripSplit(let split):
            self.mark = EventMark(startOf: split.splitAt.timestamp, position: mark.position)
            appliesTo = nil
            self.split = AmbientSplit(of: split.trip, stored)
        case .stretchExcluded(let exclusion):
            self.mark = EventMark(startOf: exclusion.from.timestamp, position: mark.position)
            appliesTo = nil
            split = AmbientSplit(of: exclusion.trip, stored, until: exclusion.to.timestamp)
        default:
            self.mark = mark
            appliesTo = nil
        }
    }

    /// Reads a row of the table.
    init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        mark = try EventMark(from: &reader)
        identity = try reader.readIdentity()
        guard let source = UInt32(exactly: try reader.readUInt64()),
            let byte = UInt8(exactly: try reader.readUInt64()),
            let kind = EventKind(rawValue: byte)
        else { throw .invalidValue }
        self.source = source
        self.kind = kind
        group = try reader.readOptionalText()
        appliesTo = try reader.readOptional { reader throws(RowCodingError) in
            try reader.readText()
        }
        split = try reader.readOptional(AmbientSplit.init(from:))
        try reader.finish()
    }

    /// The row of the table.
    var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        mark.write(to: &writer)
        writer.write(identity)
        writer.write(UInt64(source))
        writer.write(UInt64(kind.rawValue))
        writer.write(group) { $0.write($1) }
        writer.write(appliesTo) { $0.write($1) }
        writer.write(split) { $1.write(to: &$0) }
        return writer.bytes
    }

    /// The key of the row.
    var key: [UInt8] { ViewKey.ambient(mark, identity) }

    /// The decision for trackers, if it is a split or an exclusion that takes effect.
    var standing: StandingDecision? {
        guard let split, split.source != nil else { return nil }
        if let until = split.until {
            return .exclusion(
                StandingExclusion(
                    trip: split.trip,
                    from: mark.occurredAt,
                    to: until,
                    order: split.order
                )
            )
        }
        return .split(
            StandingSplit(
                trip: split.trip,
                made: split.made,
                at: mark.occurredAt,
                order: split.order,
                recordedAt: split.recordedAt
            )
        )
    }

    /// Returns whether it comes before another one in event order.
    func precedes(_ other: AmbientEvent) -> Bool {
        EventMark.precedes(mark, other.mark) ?? (identity < other.identity)
    }

    /// Whether it concerns every source.
    var isForAll: Bool { split == nil && appliesTo == nil && group == nil }

    /// The only source that it concerns, if it concerns only one.
    var onlySource: String? { split.map(\.source) ?? appliesTo }

    /// Returns whether the tracker of a source has to be given it besides the source's own events.
    func concerns(_ source: UInt32, _ tracker: Tracker) -> Bool {
        concerns(source, named: tracker.source, of: tracker.group)
    }

    /// Returns whether the tracker of a source of a name and group has to be given it.
    func concerns(_ source: UInt32, named name: String, of group: String?) -> Bool {
        if let split { return split.source.hasSameBytes(as: name) }
        return source != self.source && (appliesTo == nil || appliesTo.hasSameBytes(as: name))
            && (self.group == nil || self.group.hasSameBytes(as: group))
    }
}

/// A decision about a trip at an instant of it, as its source's tracker takes it.
enum StandingDecision: Hashable, Sendable {
    case split(StandingSplit)
    case exclusion(StandingExclusion)
}

/// The details of a split, or of an exclusion, beside its place in event order.
struct AmbientSplit: Hashable, Sendable {
    /// The trip that was split.
    let trip: TripID

    /// The id of the second trip; of an exclusion, an id that no trip has.
    let made: TripID

    /// The end of the stretch that an exclusion is about; `nil` for a split.
    let until: Timestamp?

    /// Its place among all decisions.
    let order: EventOrder

    /// When the ledger stored it.
    let recordedAt: Timestamp

    /// The source that measured the trip, whose tracker is given the split; `nil` if the split was
    /// taken back, or if no source measured the trip.
    var source: String?

    /// Creates a split or an exclusion from its event alone.
    init(of trip: TripID, _ stored: StoredEvent, until: Timestamp? = nil) {
        self.trip = trip
        self.until = until
        made = TripID(openedBy: stored.identity)
        order = EventOrder(stored.event, identity: stored.identity)
        recordedAt = stored.recordedAt
    }

    /// Reads a split.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        trip = try reader.readTripID()
        made = try reader.readTripID()
        until = try reader.readOptionalTimestamp()
        order = try reader.readEventOrder()
        recordedAt = try reader.readTimestamp()
        source = try reader.readOptionalText()
    }

    /// Writes the split.
    func write(to writer: inout RowEncoder) {
        writer.write(trip)
        writer.write(made)
        writer.write(until) { $0.write($1) }
        writer.write(order)
        writer.write(recordedAt)
        writer.write(source) { $0.write($1) }
    }
}

/// The events for all sources that some trackers have not been given yet.
///
/// It finds the first of them, in event order, that is new to a tracker.
///
/// Only the first in event order of all events from a position of the log on decides whether they
/// come too late for a tracker. So if the earlier of two events in the log is the later one in
/// event order, it is forgotten.
struct AmbientNews {
    /// Those for all sources, in ascending order of position and of event order.
    private var general: [AmbientEvent] = []

    /// Those for one source, by the bytes of its name, in the same order.
    private var special: [[UInt8]: [AmbientEvent]] = [:]

    /// Those for the sources of one group, by the bytes of its name, in the same order.
    private var ofGroups: [[UInt8]: [AmbientEvent]] = [:]

    /// Whether there are decisions about recovery or about places.
    ///
    /// A decision about recovery can end a trip that it does not name, by the time that has passed
    /// until then; at some places no silence ends a trip.
    private(set) var bearsOnOpenTrips = false

    /// Whether there are none.
    private(set) var isEmpty = true

    /// Adds an event, which stands in the log after all others.
    mutating func add(_ event: AmbientEvent) {
        isEmpty = false
        switch event.kind {
        case .recoveryDecided, .placeSaved, .placeRemoved: bearsOnOpenTrips = true
        default: break
        }
        if let name = event.appliesTo {
            Self.add(event, to: &special[Array(name.utf8), default: []])
        } else if let group = event.group {
            Self.add(event, to: &ofGroups[Array(group.utf8), default: []])
        } else {
            Self.add(event, to: &general)
        }
    }

    private static func add(_ event: AmbientEvent, to events: inout [AmbientEvent]) {
        while let last = events.last, !last.precedes(event) { events.removeLast() }
        events.append(event)
    }

    /// Returns the first event, in event order, that stands in the log at a position or after it
    /// and concerns the source of a tracker; `nil` if there is none.
    func first(from position: UInt64, for tracker: Tracker) -> AmbientEvent? {
        // Asked at nearly every event when the sources of a log are interleaved.
        if isEmpty { return nil }
        let ofGroup = tracker.group.flatMap { ofGroups[Array($0.utf8)] }
        return [general, special[Array(tracker.source.utf8)] ?? [], ofGroup ?? []]
            .compactMap { Self.first(from: position, in: $0) }
            .min { $0.precedes($1) }
    }

    private static func first(
        from position: UInt64,
        in events: [AmbientEvent]
    ) -> AmbientEvent? {
        var range = 0..<events.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if events[middle].mark.position < position {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound < events.count ? events[range.lowerBound] : nil
    }
}

/// The rules and places that trackers between trips know from the events for all sources, at some
/// points of event order.
///
/// To such a tracker these events mean nothing but rules and places, the same for all sources. So a
/// tracker takes them over from the latest point before its own next event, and only the events
/// from there on are read. A tracker is given all of them one by one if some are for its source or
/// its group only, or if its own events about rules and places have another time for itself than
/// for all others, because its clock was wrong.
struct AmbientPoints {
    /// How many points are kept at most: a point has up to 250 places.
    private static let most = 256

    /// The points to come back to, in event order.
    private var kept: [AmbientEvents.Point] = []

    /// The point that was reached last.
    private var reached: AmbientEvents.Point?

    /// The number of events after which a point is kept.
    private(set) var eventsPerPoint = 64

    /// The sources that events for one source only concern, by the bytes of their names; `nil` if
    /// not known yet.
    private var names: Set<[UInt8]>?

    /// The groups of sources that events for one group only concern, likewise.
    private var groups: Set<[UInt8]> = []

    /// Whether it is known which sources are concerned by events for one source only.
    var knowsNames: Bool { names != nil }

    /// Takes note of a new or changed event: points after it are not right any more.
    mutating func note(_ event: AmbientEvent) {
        if let name = event.onlySource { names?.insert(Array(name.utf8)) }
        if let group = event.group { groups.insert(Array(group.utf8)) }
        guard event.isForAll else { return }
        while let last = kept.last, event.precedes(last.event) { kept.removeLast() }
        if let last = reached?.event, event.precedes(last) { reached = nil }
    }

    /// Returns whether the source of a tracker is concerned by events for one source or group only.
    mutating func names(_ tracker: Tracker, in rows: RowTable) throws -> Bool {
        let names = try names(in: rows)
        return names.contains(Array(tracker.source.utf8))
            || tracker.group.map { groups.contains(Array($0.utf8)) } ?? false
    }

    private mutating func names(in rows: RowTable) throws -> Set<[UInt8]> {
        if let names { return names }
        var names: Set<[UInt8]> = []
        var events = AmbientEvents.Cursor(from: nil)
        while let event = try events.next(in: rows) {
            if let name = event.onlySource { names.insert(Array(name.utf8)) }
            if let group = event.group { groups.insert(Array(group.utf8)) }
        }
        self.names = names
        return names
    }

    /// Returns the latest point that comes before a place in event order.
    ///
    /// - Parameter precedes: Whether an event comes before that place.
    /// - Returns: The point, or `nil` if none of those that are kept comes before it.
    /// - Throws: The errors of `precedes`.
    func latest(where precedes: (EventMark) throws -> Bool) rethrows -> AmbientEvents.Point? {
        var range = 0..<kept.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if try precedes(kept[middle].event.mark) {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        let earlier = range.lowerBound > 0 ? kept[range.lowerBound - 1] : nil
        guard let reached, try precedes(reached.event.mark) else { return earlier }
        if let earlier, !earlier.event.precedes(reached.event) { return earlier }
        return reached
    }

    /// Keeps the point that was reached, if it is far enough from the last one that was kept.
    mutating func reach(_ point: AmbientEvents.Point) {
        reached = point
        guard point.distance >= eventsPerPoint else { return }
        reached?.distance = 0
        // The points of a stretch that is read again are there already.
        let index = kept.firstIndex { !$0.event.precedes(point.event) } ?? kept.count
        if index < kept.count, kept[index].event == point.event { return }
        kept.insert(point, at: index)
        guard kept.count > Self.most else { return }
        kept = stride(from: 0, to: kept.count, by: 2).map { kept[$0] }
        eventsPerPoint *= 2
    }
}
