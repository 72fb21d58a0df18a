import RowCoding
public import TripEvents

/// A person's decision that a trip was two (`trip_split`), which no later decision undoes, as
/// trackers take it.
///
/// It is given to a tracker before the first of the source's events at ``at`` or after it, so that
/// a fix at that very instant is one of the second trip.
public struct StandingSplit: Hashable, Sendable {
    /// The trips that it divides, of which at most one is under way at ``at``.
    ///
    /// These are the one that was split, and those that splits decided later have taken from it.
    public let trips: [TripID]

    /// The id of the second trip.
    public let made: TripID

    /// Where the second one starts.
    public let at: Timestamp

    /// When the ledger stored the event that splits.
    public let recordedAt: Timestamp

    /// Creates a split.
    public init(trips: [TripID], made: TripID, at: Timestamp, recordedAt: Timestamp) {
        self.trips = trips
        self.made = made
        self.at = at
        self.recordedAt = recordedAt
    }
}

extension StandingSplit {
    /// Writes the split.
    func write(to writer: inout RowEncoder) {
        writer.write(UInt64(trips.count))
        for trip in trips {
            writer.write(trip)
        }
        writer.write(made)
        writer.write(at)
        writer.write(recordedAt)
    }

    /// Reads a split.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        var trips: [TripID] = []
        for _ in 0..<(try reader.readUInt64()) {
            trips.append(try reader.readTripID())
        }
        self.init(
            trips: trips,
            made: try reader.readTripID(),
            at: try reader.readTimestamp(),
            recordedAt: try reader.readTimestamp()
        )
    }
}

extension Tracker {
    /// Takes a split.
    ///
    /// If one of its trips is in progress, or turns out to have been, the trip ends at its last
    /// kept fix before the split, and the second one starts at the same fix, as soon as it moves at
    /// the split or after it. A split before the trip's first kept fix changes nothing, nor does
    /// one after which it does not move on.
    ///
    /// - Parameters:
    ///   - split: the split; it comes before every event of the source at its instant.
    ///   - events: asked about the fix at which a trip ends by time alone.
    ///   - steps: receives a trip that has ended by time alone.
    ///   - journal: told every verdict that is decided.
    /// - Throws: only what `events` throws; the tracker is to be thrown away then.
    public mutating func take<Events: EventDirectory>(
        _ split: StandingSplit,
        events: Events,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) throws(Events.Failure) {
        try passTime(to: split.at, events: events, steps: &steps, journal: &journal)
        awaitedSplits.append(split)
        awaitNextSplit()
    }

    /// Lets the trip in progress wait for the next split that divides it.
    mutating func awaitNextSplit() {
        guard !awaitedSplits.isEmpty, let open, !open.isDividing else { return }
        let divides = { (split: StandingSplit) in split.trips.contains(open.trip.id) }
        let since = open.latest?.at ?? open.trip.startedAt.timestamp
        awaitedSplits.removeAll { divides($0) && $0.at <= since }
        guard let next = awaitedSplits.firstIndex(where: divides) else { return }
        self.open?.expect(awaitedSplits.remove(at: next))
    }

    /// Appends the steps of both parts if the trip in progress has just been divided.
    mutating func finishDivision<Events: EventDirectory>(
        events: Events,
        steps: inout [TripStep]
    ) throws(Events.Failure) {
        if let part = open?.takeFirstPart(), let rules = open?.rules {
            let facts = try events.facts(at: part.place.position)
            let dividedAt = EventTime(part.place.at, utcOffset: facts.utcOffset)
            var first = part.trip
            first.end(at: part.place.coordinate, dividedAt, by: .split, rules: rules)
            steps.append(.ended(first))
            open?.dateSecondPart(dividedAt)
            if let second = open?.measured { steps.append(.opened(second)) }
        }
        awaitNextSplit()
    }
}
