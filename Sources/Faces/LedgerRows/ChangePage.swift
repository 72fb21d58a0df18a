import Tables
package import TripLedger

/// The next changes of the feed for other programs: those of trips, visits, places and vehicles,
/// the kinds that also have rows in SQL.
package struct ChangePage {
    private static let kinds: Set<FeedSubject.Kind> = [.trip, .visit, .place, .vehicle]

    /// Where the next page goes on.
    package let next: FeedCursor

    /// Whether there is a next one.
    package let hasMore: Bool

    /// The changes, as an array of objects of `change.v1.schema.json`.
    package let changes: [UInt8]

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - cursor: The end of the page before it; `nil` to begin.
    ///   - head: The feed.
    ///   - snapshot: The ledger.
    ///   - limit: The most changes.
    ///   - relations: The relations of its trips.
    /// - Throws: `.damaged`, `.inputOutput`.
    package init(
        after cursor: FeedCursor?,
        of head: FeedHead,
        in snapshot: borrowing Snapshot,
        limit: Int,
        _ relations: TripRelations
    ) throws {
        let page = try snapshot.feedPage(
            after: cursor?.number ?? 0,
            kinds: Self.kinds,
            limit: limit,
            mostRows: limit
        )
        changes = try Self.json(page.items, of: head, in: snapshot, relations)
        next = FeedCursor(head, page.next)
        hasMore = page.hasMore
    }

    /// Returns the last changes of some trips once more, with the rows as they are now.
    ///
    /// - Parameters:
    ///   - trips: The trips; trips without a change in the feed are left out.
    ///   - head: The feed.
    ///   - snapshot: The ledger.
    ///   - relations: The relations of its trips.
    /// - Returns: An array as ``changes`` is.
    /// - Throws: `.damaged`, `.inputOutput`.
    package static func lastChanges(
        of trips: some Sequence<TripID>,
        of head: FeedHead,
        in snapshot: borrowing Snapshot,
        _ relations: TripRelations
    ) throws -> [UInt8] {
        try json(try snapshot.feedItems(ofTrips: trips), of: head, in: snapshot, relations)
    }

    private static func json(
        _ items: [FeedItem],
        of head: FeedHead,
        in snapshot: borrowing Snapshot,
        _ relations: TripRelations
    ) throws -> [UInt8] {
        let writer = try ChangeWriter(for: items, in: snapshot) { _ in relations }
        var changes = [UInt8(ascii: "[")]
        for (index, item) in items.enumerated() {
            if index > 0 { changes.append(UInt8(ascii: ",")) }
            try writer.append(item, of: head, in: snapshot, to: &changes)
        }
        changes.append(UInt8(ascii: "]"))
        return changes
    }
}
