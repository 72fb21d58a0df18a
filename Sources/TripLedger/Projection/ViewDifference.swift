/// A row of a view that is not what the log says.
public struct ViewDifference: Hashable, Sendable {
    /// What is wrong with the row.
    public enum Kind: String, Sendable {
        /// The log gives a row that the view has not.
        case missing

        /// The view has a row that the log does not give.
        case unexpected

        /// The view's row says something else.
        case different
    }

    /// The table's name, such as `trips`.
    public var table: String

    /// The row's key in hexadecimal; in the view of trips, the trip's id.
    public var row: String

    /// What is wrong with it.
    public var kind: Kind
}
