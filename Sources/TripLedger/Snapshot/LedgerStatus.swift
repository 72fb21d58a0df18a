public import ActiveTripProjection
import EventStore
public import Projections
import SystemPackage
public import TripEvents
public import TripTracking
import TripsProjection

/// A ledger at a glance.
public struct LedgerStatus: Sendable {
    /// How many fixes may be those of a drive: fewer need no word about rules.
    public static let fixesOfADrive = 10

    /// A source with what it is doing.
    public struct Source: Sendable {
        /// Its name.
        public var name: String

        /// The number of its events.
        public var events: UInt64

        /// When the latest of its events that arrived in order happened.
        public var latestAt: Timestamp

        /// The instant that it is looked at.
        public var instant: Timestamp

        /// What its tracker is doing at that instant.
        public var live: LiveStatus

        /// How many of its fixes are in no trip, whether that counts or not.
        public var fixesInNoTrip: Int64

        /// Whether all that it reports comes to nothing: there are fixes and no trip, and the rules
        /// start trips by GO and the motion sensor only.
        public var needsStartsByMovement: Bool

        /// The last time that its clock went back while it went on; `nil` if it never did, or a
        /// person has said by how much it was wrong since.
        public var clockStep: ClockStep?

        /// What people said about the trip that goes on; `nil` between trips.
        public var said: ActiveTripRow?

        /// The trip that has ended and waits for its purpose.
        public var awaited: BookedTrip?

        /// The trip that time alone has ended since the latest event: as far as the views know, it
        /// goes on.
        public var endedByTime: BookedTrip?

        /// Where it was seen last; `nil` if that is not known.
        public var lastPosition: LastPosition?

        /// The trip that goes on, with what people said about it.
        public var bookedTrip: BookedTrip? { live.trip.map { StatusBasis.booked($0, said) } }
    }

    /// The event that began the ledger.
    public var founding: LedgerCreated

    /// The log's size and root.
    public var head: LedgerHead

    /// Entries that the views had not read before they were brought up to date for this; `nil` if
    /// there were no usable views.
    public var lag: UInt64?

    /// The sources that were asked for, in order of their names' bytes.
    public var sources: [Source]

    /// How many other sources there are.
    public var otherSourceCount: Int
}

extension Snapshot {
    /// Says what is in the ledger and what each source is doing.
    ///
    /// - Parameters:
    ///   - instant: The instant to look at.
    ///   - selection: The sources to look at.
    /// - Returns: The ledger at a glance.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func status(
        asOf instant: Timestamp,
        of selection: SourceSelection = .readable
    ) throws(LedgerError) -> LedgerStatus {
        try statusBasis(of: selection, until: instant).status(asOf: instant)
    }

    /// Returns what a status at any later instant follows from, for one who shows it again and
    /// again as time goes on.
    ///
    /// - Parameters:
    ///   - selection: The sources to look at.
    ///   - instant: The earliest instant that will be asked for; `nil` for none before the latest
    ///     event.
    /// - Returns: What the status follows from.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func statusBasis(
        of selection: SourceSelection = .readable,
        until instant: Timestamp? = nil
    ) throws(LedgerError) -> StatusBasis {
        try asking {
            try StatusBasis(
                of: store,
                runner(),
                founding,
                at: head,
                lag: lag,
                in: path,
                // It outlives the snapshot.
                asking: LogDirectory(log: currentLog, names: SourceNames(currentLog)),
                selecting: selection,
                until: instant
            )
        }
    }
}

extension Snapshot {
    /// Returns the names of sources in the order in which they first reported something.
    ///
    /// - Parameter limit: The most names.
    /// - Returns: The names.
    /// - Throws: `.damaged`, `.inputOutput`.
    package func sourceNames(limit: Int) throws(LedgerError) -> [String] {
        try asking {
            var names: [String] = []
            try store.scan(.folds) { _, value in
                names.append(try SourceFold(decoding: value).tracker.source)
                return names.count < limit
            }
            return names
        }
    }

    /// Makes sure that a source has a name.
    ///
    /// - Throws: `.notFound` if none has, and names some that there are; `.damaged`,
    ///   `.inputOutput`.
    package func requireSource(named name: String) throws(LedgerError) {
        let known = try asking { () throws -> [String]? in
            guard try log.number(ofSource: name) == nil else { return nil }
            return try sourceNames(limit: LedgerError.mostSourcesCompared)
        }
        guard let known else { return }
        throw LedgerError(noSource: name, among: known, at: path)
    }
}

/// A ledger after its latest event: what time alone makes of that can be asked for at any instant,
/// without reading the ledger again.
public struct StatusBasis: Sendable {
    /// A source as its latest event left it.
    struct Source: Sendable {
        var name: String
        var events: UInt64
        var latestAt: Timestamp
        var tracker: Tracker
        var clockStep: ClockStep?

        /// The trip that had ended by then and waits for its purpose.
        var awaited: BookedTrip?

        /// Where its last trip that is over ended, as the views know it.
        var lastEnd: LastPosition?

        /// When a person first said what that trip was for; `nil` if that is not known.
        var answeredAt: Timestamp?

        /// Where it stands among others when not all are shown: the least comes first.
        var rank: (Int, Int64, Int64) {
            let stage = tracker.isOpen ? 0 : tracker.awaitingDetails == nil ? 2 : 1
            return (stage, -latestAt.milliseconds, -Int64(events))
        }
    }

    /// The log's size and root.
    public let head: LedgerHead

    let founding: LedgerCreated
    let lag: UInt64?
    let sources: [Source]

    /// How many sources were not asked for.
    let otherSourceCount: Int

    /// What people said about the trips that go on, or went on at the instant that is asked for.
    let activeTrips: [TripID: ActiveTripRow]

    /// The ledger's directory.
    let path: FilePath

    private let directory: LogDirectory

    /// Reads what some views know.
    ///
    /// - Parameters:
    ///   - store: The views.
    ///   - runner: Asks what was projected into them.
    ///   - founding: The event that began the log.
    ///   - head: The size and root of the log.
    ///   - lag: How many entries the views had not read before.
    ///   - path: The ledger's directory, for errors.
    ///   - directory: Finds facts about events later on.
    ///   - selection: The sources to look at.
    ///   - instant: What happened after it is left out; `nil` for nothing.
    /// - Throws: `StaleViews`, `EventLogError`, `LMDBError`.
    init(
        of store: ViewStore,
        _ runner: ProjectionRunner,
        _ founding: LedgerCreated,
        at head: LedgerHead,
        lag: UInt64?,
        in path: FilePath,
        asking directory: LogDirectory,
        selecting selection: SourceSelection,
        until instant: Timestamp? = nil
    ) throws {
        self.head = head
        self.founding = founding
        self.lag = lag
        self.path = path
        self.directory = directory
        var said = try store.activeTrips()
        var runner = runner
        var selected = SelectedSources(selection)
        try store.scan(.folds) { key, value in
            let number = ViewKey.number(ofSource: key)
            guard let fold = try? SourceFold(decoding: value),
                let state = try runner.log.source(numbered: number)
            else { throw StaleViews.damaged("an active-trip checkpoint cannot be read") }
            let latestAt = Timestamp(milliseconds: state.highWaterMark)
            guard selected.mayTake(fold.tracker, named: state.name) else { return true }
            let tracker =
                if let instant, instant < latestAt {
                    try runner.tracker(of: number, state.registered, asOf: instant, upTo: head)
                } else {
                    try runner.settled(number, fold).tracker
                }
            // In the views it may be over.
            if let trip = tracker.openTrip?.id, said[trip] == nil,
                let row = try store.tripRow(trip)
            {
                said[trip] = ActiveTripRow(row.booked)
            }
            selected.take(
                Source(
                    name: state.name,
                    events: state.events,
                    latestAt: latestAt,
                    tracker: tracker,
                    clockStep: fold.clockStep
                )
            )
            return true
        }
        activeTrips = said
        otherSourceCount = selected.otherCount
        var sources = selected.sources
        for (index, source) in sources.enumerated() {
            guard let trip = source.tracker.awaitingDetails else { continue }
            sources[index].awaited = try store.tripRow(trip)?.booked
            sources[index].answeredAt = try Self.answeredAt(trip, in: store)
        }
        try Source.findLastEnds(of: &sources, in: store, until: instant)
        self.sources = sources
    }

    /// Returns when a person first said what a trip was for, whichever source reported that.
    ///
    /// The book knows, so that no tracker has to be told of what people say about trips that are
    /// over.
    private static func answeredAt(_ id: TripID, in store: ViewStore) throws -> Timestamp? {
        try TripBook().history(of: id, in: BookRows(over: store))
            .filter { $0.kind == .detailsEdited || $0.kind == .routineApplied }
            .map(\.occurredAt.timestamp)
            .min()
    }

    /// Returns what each source is doing at an instant.
    ///
    /// - Parameter instant: The instant to look at; one before the earliest that the basis was
    ///   asked for looks at that.
    /// - Returns: The ledger at a glance.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func status(asOf instant: Timestamp) throws(LedgerError) -> LedgerStatus {
        try LedgerError.translating(at: path) {
            LedgerStatus(
                founding: founding,
                head: head,
                lag: lag,
                sources: try sources.map { try status(of: $0, asOf: instant) },
                otherSourceCount: otherSourceCount
            )
        }
    }

    private func status(
        of source: Source,
        asOf instant: Timestamp
    ) throws -> LedgerStatus.Source {
        var tracker = source.tracker
        // The basis may have been made for a later instant.
        let instant = tracker.latestAt.map { max(instant, $0) } ?? instant
        var steps: [TripStep] = []
        // What time brings is shown and not stored: it follows from the events anyway.
        let live = try tracker.advance(to: instant, events: directory, steps: &steps)
        var status = LedgerStatus.Source(
            name: source.name,
            events: source.events,
            latestAt: source.latestAt,
            instant: instant,
            live: live,
            fixesInNoTrip: tracker.fixesInNoTrip,
            needsStartsByMovement: tracker.hasNoTrip && !tracker.rules.startsByMovement
                && tracker.fixesInNoTrip >= LedgerStatus.fixesOfADrive,
            clockStep: source.clockStep,
            said: live.trip.flatMap { said(about: $0.id) },
            awaited: source.awaited,
            lastPosition: source.lastPosition(asOf: instant, tracker, steps.last)
        )
        if case .ended(let trip) = steps.last {
            let ended = Self.booked(trip, said(about: trip.id))
            status.endedByTime = ended
            status.awaited = live.awaitedTrip == trip.id ? ended : nil
        }
        if live.phase == .details, let awaited = status.awaited, Self.isAnswered(awaited),
            source.answeredAt.map({ $0 <= instant }) ?? true
        {
            status.live.phase = .idle
            status.live.since = [live.since, source.answeredAt].compactMap(\.self).max()
            status.awaited = nil
        }
        return status
    }

    /// Whether a person has described a trip that is over, or has voided or merged it.
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

extension ViewStore {
    /// Returns the trips that go on, by their ids.
    func activeTrips() throws -> [TripID: ActiveTripRow] {
        var trips: [TripID: ActiveTripRow] = [:]
        try scanValues(.activeTripsInOrder) { row in
            let trip = try StaleViews.takingDamage { try ActiveTripRow(decoding: row) }
            trips[trip.trip] = trip
            return true
        }
        return trips
    }
}
