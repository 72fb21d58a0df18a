import ActiveTripProjection
import Projections
import SystemPackage
public import TripEvents
import TripTracking

/// The ledger after its latest event: what time alone makes of it can be asked for again and again
/// without reading anything anew.
public struct LedgerSnapshot: Sendable {
    /// A source as its latest event left it.
    struct Source: Sendable {
        var name: String
        var events: UInt64
        var latestAt: Timestamp
        var tracker: Tracker

        /// The trip that had ended by then and waits for its purpose.
        var awaited: BookedTrip?

        /// Since when nobody needs to be asked for that trip's purpose; `nil` if nobody has said
        /// anything about it.
        var answeredAt: Timestamp?
    }

    /// The log's size and root; the views may know some entries more already.
    public let head: LedgerHead

    let founding: LedgerCreated
    let lag: UInt64?
    let sources: [Source]

    /// What people said about the trips that go on.
    let activeTrips: [TripID: ActiveTripRow]

    /// The ledger's directory.
    let path: FilePath

    let directory: LogDirectory

    /// Returns what each source is doing at an instant.
    ///
    /// - Parameter instant: The instant to look at; one before a source's latest event looks at
    ///   that event.
    /// - Returns: The ledger at a glance.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func status(asOf instant: Timestamp) throws(LedgerError) -> LedgerStatus {
        try LedgerError.translating(at: path) {
            LedgerStatus(
                founding: founding,
                head: head,
                lag: lag,
                sources: try sources.map { try status(of: $0, asOf: instant) }
            )
        }
    }

    private func status(
        of source: Source,
        asOf instant: Timestamp
    ) throws -> LedgerStatus.Source {
        let instant = max(instant, source.latestAt)
        var tracker = source.tracker
        var steps: [TripStep] = []
        // What time brings is shown and not stored: it follows from the events anyway.
        let live = try tracker.advance(to: instant, events: directory, steps: &steps)
        var status = LedgerStatus.Source(
            name: source.name,
            events: source.events,
            latestAt: source.latestAt,
            instant: instant,
            live: live,
            said: live.trip.flatMap { said(about: $0.id) },
            awaited: source.awaited
        )
        if case .ended(let trip) = steps.last {
            let ended = Self.booked(trip, said(about: trip.id))
            status.endedByTime = ended
            status.awaited = live.awaitedTrip == trip.id ? ended : nil
        }
        if live.phase == .details, let awaited = status.awaited, Self.isAnswered(awaited) {
            status.live.phase = .idle
            status.live.since = [live.since, source.answeredAt].compactMap(\.self).max()
            status.awaited = nil
        }
        return status
    }

    /// Whether somebody has said something about a trip that is over, or has taken it away.
    private static func isAnswered(_ booked: BookedTrip) -> Bool {
        switch booked.status {
        case .voided, .merged: true
        case .active, .completed, .abandoned: booked.hasDetails || booked.detailsRecorded != nil
        }
    }

    /// Returns what people said about a trip that goes on: if it is a part of another trip already,
    /// what they said about that one.
    private func said(about trip: TripID) -> ActiveTripRow? {
        let row = activeTrips[trip]
        return row?.mergedInto.flatMap { activeTrips[$0] } ?? row
    }

    /// Returns a trip that is going on or has ended just now, with what people said about it.
    static func booked(_ trip: Trip, _ said: ActiveTripRow?) -> BookedTrip {
        var booked = BookedTrip(trip)
        if let said {
            booked.details = said.details
            booked.routine = said.routine
            if said.status == .voided { booked.status = .voided }
        }
        return booked
    }
}
