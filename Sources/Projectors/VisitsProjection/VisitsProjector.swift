public import Projections
import RowCoding
public import TripEvents

/// Makes the view of visits: the stays of all sources at the places of the book.
public struct VisitsProjector: Projector {
    /// The row of one visit.
    public typealias Row = VisitRow

    /// The name of the view.
    public static let name = "visits"

    /// The version of the view.
    public static let version: UInt32 = 2

    /// Creates a projector.
    public init() {}

    /// Puts the visit's row as it is now, or removes it.
    public func evolve(_ change: BookChange, in rows: inout ViewRows) throws {
        guard case .visit(let news) = change else { return }
        if let found = news.found {
            try rows.put(VisitRow(found, of: news.source))
        } else {
            try rows.remove(key: VisitRow.key(of: news.source, news.entrance))
        }
    }
}

/// The rows of the view, asked about one source: a search for visits goes on from what it has
/// found.
public struct StoredVisits: Sendable {
    private let rows: ViewRows

    /// Prepares to ask about rows.
    public init(_ rows: ViewRows) {
        self.rows = rows
    }

    /// Returns the visit of a source with a beginning.
    ///
    /// - Throws: What the tables throw; `RowCodingError` if there is none.
    public func row(of source: UInt32, _ entrance: Entrance) throws -> VisitRow {
        try row(
            inOrder: VisitRow.orderKey(from: entrance.at, of: source, number: entrance.number)
        )
    }

    /// Returns the beginnings of a source's visits at an instant or later, in order.
    ///
    /// - Throws: What the tables throw; `RowCodingError` if one is damaged.
    public func entrances(of source: UInt32, from instant: Timestamp) throws -> [Entrance] {
        try keys.rows(
            from: VisitRow.key(of: source, Entrance(at: instant)),
            prefix: VisitRow.key(of: source)
        )
        .map { try row(inOrder: $0.value).entrance }
    }

    /// Returns the last instant, up to another one, before which a source had left all places.
    ///
    /// - Throws: What the tables throw; `RowCodingError` if one is damaged.
    public func chainStart(of source: UInt32, before instant: Timestamp) throws -> Timestamp {
        let end = VisitRow.key(of: source, Entrance(at: instant))
        let last = try keys.lastRow(before: end, prefix: VisitRow.key(of: source))
        guard let last else { return instant }
        let start = try row(inOrder: last.value).entrance.chainFrom
        let chain = KeyRange(from: VisitRow.key(of: source, Entrance(at: start)), upTo: end)
        for key in try keys.rows(in: chain) {
            let endedBy = try row(inOrder: key.value).endedBy
            if endedBy.map({ $0 >= instant }) ?? true { return start }
        }
        return instant
    }

    /// Source number, beginning of a visit → order key.
    private var keys: RowTable { rows.keys ?? RowTable() }

    private func row(inOrder key: [UInt8]) throws -> VisitRow {
        guard let value = try rows.inOrder.value(forKey: key) else { throw RowCodingError.missing }
        return try VisitRow(decoding: value)
    }
}
