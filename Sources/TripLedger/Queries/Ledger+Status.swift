import ActiveTripProjection
import EventStore
import Projections
public import TripEvents
import TripTracking
import TripsProjection

extension Ledger {
    /// Says what is in the ledger and what each source is doing.
    ///
    /// - Parameter instant: The instant to look at; one before a source's latest event looks at
    ///   that event.
    /// - Returns: The ledger at a glance.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func status(asOf instant: Timestamp) throws(LedgerError) -> LedgerStatus {
        try snapshot().status(asOf: instant)
    }

    /// Returns the ledger after its latest event, from views that are brought up to date before.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func snapshot() throws(LedgerError) -> LedgerSnapshot {
        // First, so that whoever compares it with a later head misses nothing.
        let head = try head()
        let lag = try lag()
        return try withViews { try snapshot(of: $0, at: head, lag: lag) }
    }

    /// Returns the ledger as some views know it.
    func snapshot(
        of store: ViewStore,
        at head: LedgerHead,
        lag: UInt64?
    ) throws -> LedgerSnapshot {
        var runner = ProjectionRunner(
            log: log,
            rules: rules,
            over: store,
            from: ViewCursor(versions: ViewSet.versions)
        )
        try runner.loadAmbientEvents()
        var sources: [LedgerSnapshot.Source] = []
        try store.scan(.folds) { key, value in
            let number = ViewKey.number(ofSource: key)
            guard let fold = try? SourceFold(decoding: value),
                let state = try log.source(numbered: number)
            else { throw StaleViews(sentence: "the active-trip checkpoint is damaged") }
            let tracker = try runner.settled(number, fold).tracker
            sources.append(
                LedgerSnapshot.Source(
                    name: state.name,
                    events: state.events,
                    latestAt: Timestamp(milliseconds: state.highWaterMark),
                    tracker: tracker
                )
            )
            return true
        }
        for (index, source) in sources.enumerated() {
            guard let trip = source.tracker.awaitingDetails else { continue }
            sources[index].awaited = try Self.tripRow(trip, in: store)?.booked
            sources[index].answeredAt = try Self.answeredAt(trip, in: store)
        }
        return LedgerSnapshot(
            head: head,
            founding: founding,
            lag: lag,
            sources: sources,
            activeTrips: try activeTrips(in: store),
            path: path,
            directory: runner.directory
        )
    }

    /// Returns the trips that go on, by their ids.
    func activeTrips(in store: ViewStore) throws -> [TripID: ActiveTripRow] {
        var trips: [TripID: ActiveTripRow] = [:]
        try store.scanValues(.activeTripsInOrder) { row in
            let trip = try StaleViews.takingDamage { try ActiveTripRow(decoding: row) }
            trips[trip.trip] = trip
            return true
        }
        return trips
    }

    /// Returns since when nobody needs to be asked for a trip's purpose: somebody has said what it
    /// was for, whichever source reported that; `nil` if nobody has.
    ///
    /// The book knows, so that no tracker has to be told of what people say about trips that are
    /// over.
    private static func answeredAt(_ id: TripID, in store: ViewStore) throws -> Timestamp? {
        try TripBook().history(of: id, in: BookRows(over: store))
            .filter { $0.kind == .detailsEdited || $0.kind == .routineApplied }
            .map(\.occurredAt.timestamp)
            .min()
    }
}
