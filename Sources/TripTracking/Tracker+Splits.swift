import TripEvents

extension Tracker {
    /// Takes a split that stands.
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
        try pass(to: split.at, events: events, steps: &steps, journal: &journal)
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

    /// Tells of both parts if the trip in progress has just been divided.
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
