public import Geodesy

/// What a trip missed: shown beside its distance, never inside it.
public struct GapTotal: Hashable, Sendable {
    /// How many gaps there were.
    public var count: Int64

    /// How long they lasted together, in milliseconds.
    public var milliseconds: Int64

    /// The straight lines across them together.
    public var distance: Distance

    /// Creates a total; no gaps unless told otherwise.
    public init(count: Int64 = 0, milliseconds: Int64 = 0, distance: Distance = .zero) {
        self.count = count
        self.milliseconds = milliseconds
        self.distance = distance
    }
}
