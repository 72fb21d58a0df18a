public import ActiveTripProjection
import EventStore
public import Projections
import SystemPackage
public import TripEvents
public import TripTracking
import TripsProjection

/// A ledger at a glance.
public struct LedgerStatus: Sendable {
    /// The least number of fixes that may be a drive: with fewer, rules need not be mentioned.
    public static let fixesOfADrive = 10

    /// A source with what it is doing.
    public struct Source: Sendable {
        /// Its name.
        public var name: String

        /// The group that it belongs to; `nil` for one of the owner's.
        public var group: String?

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

        /// Whether its reports never become trips: there are fixes but no trip, and the rules start
        /// trips by GO and the motion sensor only.
        public var needsStartsByMovement: Bool

        /// The last time that its clock went back while it went on; `nil` if it never did, or a
        /// person has said by how much it was wrong since.
        public var clockStep: ClockStep?

        /// The details of the trip that goes on; `nil` between trips.
        public var said: ActiveTripRow?

        /// The trip that has ended and waits for its purpose.
        public var awaited: BookedTrip?

        /// The trip that time alone has ended since the latest event: as far as the views know, it
        /// goes on.
        public var endedByTime: BookedTrip?

        /// Where it was seen last; `nil` if that is not known.
        public var lastPosition: LastPosition?

        /// Whether it has reported nothing but decisions that hold from the beginning on, such as
        /// rules: these have the first day that an event may have, which is not news.
        package var hasOnlyBeginnings: Bool {
            latestAt.milliseconds(since: Snapshot.beginning) < Timestamp.millisecondsPerDay
        }

        /// The trip that goes on, with what people said about it.
        public var bookedTrip: BookedTrip? { live.trip.map { StatusBasis.booked($0, said) } }
    }

    /// The event that began the ledger.
    public var founding: LedgerCreated

    /// The IANA name of the ledger's time zone at the instant.
    public var timeZone: String

    /// The unit of lists and reports at the instant.
    public var units: DistanceUnit

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

    /// Returns the basis of the status at any later instant, for a program that shows it again and
    /// again as time goes on.
    ///
    /// - Parameters:
    ///   - selection: The sources to look at.
    ///   - instant: The earliest instant that will be asked for; `nil` for none before the latest
    ///     event.
    /// - Returns: The basis.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func statusBasis(
        of selection: SourceSelection = .readable,
        until instant: Timestamp? = nil
    ) throws(LedgerError) -> StatusBasis {
        try asking {
            try StatusBasis(
                of: store,
                trackers(),
                founding,
                settings,
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
                let tracker = try SourceFold(decoding: value).tracker
                if store.sight.sees(tracker.source, of: tracker.group) {
                    names.append(tracker.source)
                }
                return names.count < limit
            }
            return names
        }
    }

    /// Returns whether a source exists and is seen by the asker.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - group: The group of a token that delivers for it: if the source belongs to another
    ///     group, what is delivered with this token is not its own. `nil` for any.
    /// - Returns: Whether it is there and seen, and of that group.
    /// - Throws: `.damaged`, `.inputOutput`.
    package func seesSource(
        named name: String,
        of group: String? = nil
    ) throws(LedgerError) -> Bool {
        try asking {
            guard let number = try log.number(ofSource: name),
                let state = try log.source(numbered: number)
            else { return false }
            let known = state.registered.group
            guard group == nil || group.hasSameBytes(as: known) else { return false }
            return store.sight.sees(name, of: known)
        }
    }

    /// Requires that a source with a name exists and is seen.
    ///
    /// - Throws: `.notFound` if there is none, and names some that exist; `.damaged`,
    ///   `.inputOutput`.
    package func requireSource(named name: String) throws(LedgerError) {
        guard try !seesSource(named: name) else { return }
        let known = try sourceNames(limit: LedgerError.mostSourcesCompared)
        throw LedgerError(noSource: name, among: known, at: path)
    }
}

/// The state of a ledger after its latest event, from which the status at any later instant follows
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

        /// The place where its last finished trip ended, as the views know it.
        var lastEnd: LastPosition?

        /// When a person first said what that trip was for; `nil` if that is not known.
        var answeredAt: Timestamp?

        /// Its rank among others when not all are shown: the least comes first.
        var rank: (Int, Int64, Int64) {
            let stage = tracker.isOpen ? 0 : tracker.awaitingDetails == nil ? 2 : 1
            return (stage, -latestAt.milliseconds, -Int64(events))
        }
    }

    /// The log's size and root.
    public let head: LedgerHead

    let founding: LedgerCreated
    let settings: SettingsBook
    let lag: UInt64?
    let sources: [Source]

    /// The number of sources that were not requested.
    let otherSourceCount: Int

    /// The details of the trips that go on, or went on at the requested instant.
    let activeTrips: [TripID: ActiveTripRow]

    /// The ledger's directory.
    let path: FilePath

    private let directory: LogDirectory

    /// Reads the basis from views.
    ///
    /// - Parameters:
    ///   - store: The views.
    ///   - trackers: Their trackers.
    ///   - founding: The event that began the log.
    ///   - settings: The settings of the whole ledger.
    ///   - head: The size and root of the log.
    ///   - lag: How many entries the views had not read before.
    ///   - path: The ledger's directory, for errors.
    ///   - directory: Finds facts about events later on.
    ///   - selection: The sources to look at.
    ///   - instant: Events after it are left out; `nil` for none.
    /// - Throws: `StaleViews`, `EventLogError`, `LMDBError`.
    init(
        of store: ReadableViews,
        _ trackers: TrackerFolds,
        _ founding: LedgerCreated,
        _ settings: SettingsBook,
        at head: LedgerHead,
        lag: UInt64?,
        in path: FilePath,
        asking directory: LogDirectory,
        selecting selection: SourceSelection,
        until instant: Timestamp? = nil
    ) throws {
        self.head = head
        self.founding = founding
        self.settings = settings
        self.lag = lag
        self.path = path
        self.directory = directory
        var said = try store.activeTrips()
        var trackers = trackers
        var selected = SelectedSources(selection, seenBy: store.sight)
        try store.scan(.folds) { key, value in
            let number = ViewKey.number(ofSource: key)
            guard let fold = try? SourceFold(decoding: value),
                let state = try trackers.log.source(numbered: number)
            else { throw StaleViews.damaged("an active-trip checkpoint cannot be read") }
            let latestAt = Timestamp(milliseconds: state.highWaterMark)
            guard selected.mayTake(fold.tracker, named: state.name) else { return true }
            let tracker =
                if let instant, instant < latestAt {
                    try trackers.tracker(of: number, state.registered, asOf: instant, upTo: head)
                } else {
                    try trackers.settled(number, fold).tracker
                }
            // In the views it may be over.
            if let trip = tracker.openTrip?.id, said[trip] == nil {
                said[trip] = try store.tripRow(trip).map { ActiveTripRow($0.booked) }
            }
            let source = Source(
                name: state.name,
                events: state.events,
                latestAt: latestAt,
                tracker: tracker,
                clockStep: fold.clockStep
            )
            selected.take(source)
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
    private static func answeredAt(_ id: TripID, in store: ReadableViews) throws -> Timestamp? {
        try TripBook(over: store).history(of: id)
            .filter { line in
                line.withoutEffect == nil
                    && (line.kind == .detailsEdited || line.kind == .routineApplied)
            }
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
                timeZone: settings.timeZone(at: instant),
                units: settings.units(at: instant),
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
        var context = TrackingContext(events: directory)
        // The effects of passing time are shown and not stored: they follow from the events anyway.
        let live = try tracker.advance(to: instant, in: &context)
        var status = LedgerStatus.Source(
            name: source.name,
            group: source.tracker.group,
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
            lastPosition: source.lastPosition(asOf: instant, tracker, context.steps.last)
        )
        if case .ended(let trip) = context.steps.last {
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

extension ReadableViews {
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

// The part of a status that is seen by those who may see the present alone.
extension LedgerStatus {
    /// Keeps only what is in progress: sources that are on no trip are not mentioned at all, and of
    /// the others nothing is kept that is over.
    package mutating func keepTripsThatGoOn() {
        sources = sources.filter { $0.live.trip != nil }.map(\.present)
        otherSourceCount = 0
    }
}

extension LedgerStatus.Source {
    /// The source with the trip that goes on, if one does, and nothing of what was before.
    package var present: LedgerStatus.Source {
        var source = self
        source.fixesInNoTrip = 0
        source.needsStartsByMovement = false
        source.clockStep = nil
        source.awaited = nil
        source.endedByTime = nil
        guard let began = live.trip?.startedAt.timestamp else {
            source.live = LiveStatus.betweenTrips
            source.lastPosition = nil
            source.said = nil
            return source
        }
        if let position = lastPosition, position.at < began { source.lastPosition = nil }
        return source
    }
}

// The last known positions of sources.
extension StatusBasis.Source {
    /// How many trips are looked at for the last ones of sources.
    private static let mostTrips = 1_000

    /// Finds the ends of the last trips of those sources whose position the trackers may not know.
    ///
    /// - Parameters:
    ///   - sources: The sources.
    ///   - store: The views.
    ///   - instant: Trips that ended after it are left out; `nil` for none.
    /// - Throws: `StaleViews`, `LMDBError`.
    static func findLastEnds(
        of sources: inout [StatusBasis.Source],
        in store: ReadableViews,
        until instant: Timestamp?
    ) throws {
        var sought: [NameKey: Int] = [:]
        for (index, source) in sources.enumerated()
        where ![.tracking, .signalLost].contains(source.tracker.phase) {
            sought[NameKey(source.name)] = index
        }
        var left = mostTrips
        guard !sought.isEmpty else { return }
        try store.scanTrips(isDescending: true) { row in
            let trip = row.booked.trip
            left -= 1
            // A trip that goes on at the instant may end later where it began: that is not known
            // yet.
            if let end = LastPosition(of: trip), instant.map({ end.at <= $0 }) ?? true,
                let index = sought[NameKey(trip.source)],
                sources[index].tracker.openTrip?.id != trip.id
            {
                sources[index].lastEnd = end
                sought[NameKey(trip.source)] = nil
            }
            return left > 0 && !sought.isEmpty
        }
    }

    /// Returns where the source was seen last at an instant.
    ///
    /// During a trip it is the place of the trip's last fix; without one, the place before the
    /// trip.
    ///
    /// - Parameters:
    ///   - instant: The instant.
    ///   - tracker: The tracker at the instant.
    ///   - step: The last step that passing time has caused.
    /// - Returns: Where; `nil` if that is not known.
    func lastPosition(
        asOf instant: Timestamp,
        _ tracker: Tracker,
        _ step: TripStep?
    ) -> LastPosition? {
        let seen = tracker.lastPosition
        if let seen, tracker.isOnItsWay { return seen }
        var ended: LastPosition?
        if case .ended(let trip) = step { ended = LastPosition(of: trip) }
        return [seen, lastEnd, ended].compactMap(\.self).filter { $0.at <= instant }
            .max { $0.at < $1.at }
    }
}
