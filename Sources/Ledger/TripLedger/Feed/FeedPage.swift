import EventStore
import Platform
import Projections
import RowCoding
import TripEvents
import TripTracking
package import TripsProjection

extension Ledger {
    /// Begins to keep a feed of changes with the views, unless that is done already.
    ///
    /// From then on each commit of the views, by any process, tells which rows it changed. Views
    /// that were deleted take the feed with them.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func beginFeed() throws(LedgerError) {
        try LedgerError.translating(at: path) {
            _ = try updateViews()
            try holdingViews {
                let writer = try views.current().forChanging()
                guard try FeedHead(in: writer.views) == nil else { return }
                var random = BufferedRandom()
                let size = try writer.views.cursor(in: log).size
                try StaleViews.takingDamage {
                    try FeedProjection.begin(in: writer, epoch: random.next(), atSize: size)
                }
            }
        }
    }
}

/// A change of the feed.
package struct FeedItem: Hashable, Sendable {
    /// The number of the change.
    package let number: UInt64

    /// The row that changed.
    package let subject: FeedSubject

    /// The size of the log when it was told.
    package var size: UInt64 { FeedNumber.size(of: number) }
}

/// The next changes of the feed.
package struct FeedPage: Sendable {
    /// The changes, in order of their numbers.
    package fileprivate(set) var items: [FeedItem] = []

    /// The number up to which changes were looked at.
    package fileprivate(set) var next: UInt64

    /// Whether there are more.
    package fileprivate(set) var hasMore = false
}

extension Snapshot {
    /// Returns what is known of the feed; `nil` if it has not begun.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func feedHead() throws(LedgerError) -> FeedHead? {
        try asking { try FeedHead(in: store) }
    }

    /// Returns the changes after a number that are seen, each row once, at its newest number.
    ///
    /// A client that asks again and again from where the last page ended, and each time reads the
    /// rows that changed, ends up with the rows of the views.
    ///
    /// - Parameters:
    ///   - number: The number; 0 to begin.
    ///   - kinds: The kinds of rows.
    ///   - limit: The most changes.
    ///   - mostRows: How many changes of all kinds are looked at.
    /// - Returns: The changes.
    /// - Throws: `.damaged`, `.inputOutput`.
    package func feedPage(
        after number: UInt64,
        kinds: Set<FeedSubject.Kind>,
        limit: Int,
        mostRows: Int
    ) throws(LedgerError) -> FeedPage {
        try asking {
            var page = FeedPage(next: number)
            let last = try FeedHead(in: store)?.last ?? 0
            var rowCount = 0
            let names = try seenNames()
            var sources = SourceNames(log)
            let keys = ViewKeyRange(from: FeedNumber.key(number &+ 1))
            try store.scan(.feed, in: keys) { key, value in
                guard page.items.count < limit, rowCount < mostRows else {
                    page.hasMore = true
                    return false
                }
                rowCount += 1
                page.next = FeedNumber.number(of: key)
                let subject = try FeedSubject(decoding: value)
                if kinds.contains(subject.kind),
                    try isSeen(subject, among: names, &sources)
                {
                    page.items.append(FeedItem(number: page.next, subject: subject))
                }
                return true
            }
            // A row that changed again has a new number, so the old one has no row any more.
            if !page.hasMore { page.next = max(page.next, last) }
            return page
        }
    }

    /// Returns the newest change of each of some trips that the feed has told, in their order.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func feedItems(
        ofTrips trips: some Sequence<TripID>
    ) throws(LedgerError) -> [FeedItem] {
        try asking {
            try trips.compactMap { trip -> FeedItem? in
                let subject = FeedSubject(.trip, trip.description)
                guard let stored = try store.value(.feedSubjects, subject.key) else { return nil }
                return FeedItem(number: try FeedState(decoding: stored).number, subject: subject)
            }
        }
    }

    /// Returns the names of vehicles and routines that are seen, for an asker who does not see
    /// everything.
    ///
    /// Trips and odometers that are not seen may use other names.
    private func seenNames() throws(LedgerError) -> Set<FeedSubject> {
        guard !store.sight.isEverything else { return [] }
        let vehicles = try decisions(on: .vehicles)
            .compactMap { FeedSubject(of: $0) }
        let routines = try routineDecisions()
            .compactMap { decision -> FeedSubject? in
                switch decision.event.body {
                case .routineSaved(let saved):
                    FeedSubject(.routine, saved.routine, in: decision.group)
                case .routineRemoved(let removed):
                    FeedSubject(.routine, removed.routine, in: decision.group)
                default: nil
                }
            }
        return Set(vehicles + routines)
    }

    /// Returns whether a change is seen: one of a trip or a visit if its source is seen, one of a
    /// name if the setting is seen.
    private func isSeen(
        _ subject: FeedSubject,
        among names: Set<FeedSubject>,
        _ sources: inout SourceNames
    ) throws -> Bool {
        guard !store.sight.isEverything else { return true }
        switch subject.kind {
        case .trip:
            return subject.source.map { store.sight.sees($0.name, of: $0.group) } ?? false
        case .visit:
            guard let key = subject.visitKey else { return false }
            let source = try sources.source(of: ViewKey.number(ofVisitInOrder: key), at: 0)
            return store.sight.sees(source.name, of: source.group)
        case .vehicle, .routine: return names.contains(subject)
        case .place, .field: return store.sight.seesSettings(of: subject.group)
        }
    }

    /// Returns a trip by its id; `nil` if there is none that is seen.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func tripRow(_ id: TripID) throws(LedgerError) -> TripRow? {
        try asking { try store.tripRow(id) }
    }
}
