public import TripTracking

/// A row of a view: derived from the log, and derived again whenever it is in doubt.
public protocol ViewRow: Hashable, Sendable {
    /// What the row is found by: the bytes of its name, unique in its view.
    var key: [UInt8] { get }

    /// Where the row stands in listings: rows are in ascending order of these bytes, which are
    /// unique in the view too, and may change as events arrive.
    var orderKey: [UInt8] { get }

    /// The row as bytes: a version byte, then its content.
    var value: [UInt8] { get }

    /// The row without the facts that depend on the order of arrival, for comparing views.
    var withoutArrival: Self { get }

    /// Reads a row.
    ///
    /// - Throws: why the bytes are not a row of this version; the view is then rebuilt.
    init(decoding value: [UInt8]) throws(StateError)
}
