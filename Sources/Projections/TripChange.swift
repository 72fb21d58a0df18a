/// What became of one booked trip.
public struct TripChange: Hashable, Sendable {
    /// The trip as it was; `nil` if there was none.
    public let old: BookedTrip?

    /// The trip as it is; `nil` if there is none any more.
    public let new: BookedTrip?

    /// Creates a change.
    public init(old: BookedTrip?, new: BookedTrip?) {
        self.old = old
        self.new = new
    }
}
