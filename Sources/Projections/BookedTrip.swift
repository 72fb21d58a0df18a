public import Geodesy
public import TripEvents
public import TripTracking

/// A trip as booked: what was measured or reported, and what people decided about it.
public struct BookedTrip: Hashable, Sendable {
    /// The trip's figures: as the tracker derives them, as a person reported them, or those of all
    /// parts of a merged trip together.
    public var trip: Trip

    /// Whether the figures come from a recorder alone.
    public var isMeasured = true

    /// Where it stands.
    public var status: BookedStatus

    /// The trip that shows this one's figures, if this one is a part of it.
    public var mergedInto: TripID?

    /// The trips whose figures this one shows, in order of their starts; empty unless it is merged.
    public var parts: [TripID] = []

    /// Where a reported trip started, in words.
    public var origin: String?

    /// Where a reported trip ended, in words.
    public var destination: String?

    /// The program or file that a reported trip was imported from.
    public var importedFrom: String?

    /// What it says about itself.
    public var details: TripDetails

    /// The routine that was applied last.
    public var routine: String?

    /// The distance that a person set; the measured one stays in ``trip``.
    public var adjusted: Distance?

    /// What people's decisions did to it.
    public var flags: BookedFlags = []

    /// When the ledger stored the first and the last decision about its details: facts that depend
    /// on the order of arrival.
    public var detailsRecorded: Trip.Recorded?

    /// The trip's id.
    public var id: TripID { trip.id }

    /// The class: unclassified until somebody says otherwise.
    public var tripClass: TripClass { details.tripClass ?? .unclassified }

    /// The distance that counts: the one that a person set, else the measured one; gaps are never
    /// in it.
    public var claimedDistance: Distance { adjusted ?? trip.distance }

    /// Whether the trip counts in totals.
    public var counts: Bool { status == .completed }

    /// The names of all its flags in alphabetical order.
    public var flagNames: [String] {
        // Nearly every trip has none.
        trip.flags.isEmpty && flags.isEmpty ? [] : (trip.flags.names + flags.names).sorted()
    }

    /// Whether the trip names a vehicle, byte by byte.
    package func isOf(vehicle: String) -> Bool {
        details.vehicle.map { $0.utf8.elementsEqual(vehicle.utf8) } ?? false
    }

    /// Whether anybody, or the recorder, said what the trip was for.
    public var hasDetails: Bool {
        var said = details
        said.vehicle = nil
        return routine != nil || said != TripDetails()
    }

    /// The same trip as if the ledger had stored everything when it started.
    public var withoutArrival: BookedTrip {
        var booked = self
        let startedAt = trip.startedAt.timestamp
        booked.trip.recorded = Trip.Recorded(firstAt: startedAt, lastAt: startedAt)
        booked.detailsRecorded = detailsRecorded.map { _ in booked.trip.recorded }
        return booked
    }
}

// In an extension, so that there is an initialiser of all members, too.
extension BookedTrip {
    /// Creates a trip about which nothing was decided.
    public init(_ trip: Trip) {
        let status: BookedStatus =
            switch trip.status {
            case .active: .active
            case .completed: .completed
            case .abandoned: .abandoned
            }
        self.init(trip: trip, status: status, details: TripDetails(vehicle: trip.vehicle))
    }
}
