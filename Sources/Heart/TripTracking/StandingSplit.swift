import RowCoding
public import TripEvents

/// A person's decision that a trip was two (`trip_split`), which no later decision undoes, in the
/// form that trackers take.
///
/// It is given to a tracker before the first of the source's events at ``at`` or after it, so that
/// a fix at that very instant is one of the second trip.
public struct StandingSplit: Hashable, Sendable {
    /// The trip that it divides.
    ///
    /// If splits that were decided later have cut off the end of that trip, it divides the part
    /// that is under way at ``at``.
    public let trip: TripID

    /// The id of the second trip.
    public let made: TripID

    /// Where the second one starts.
    public let at: Timestamp

    /// The place of the splitting event among all decisions.
    public let order: EventOrder

    /// When the ledger stored the event that splits.
    public let recordedAt: Timestamp

    /// Creates a split.
    public init(
        trip: TripID,
        made: TripID,
        at: Timestamp,
        order: EventOrder,
        recordedAt: Timestamp
    ) {
        self.trip = trip
        self.made = made
        self.at = at
        self.order = order
        self.recordedAt = recordedAt
    }
}

extension StandingSplit {
    /// Writes the split.
    func write(to writer: inout RowEncoder) {
        writer.write(trip)
        writer.write(made)
        writer.write(at)
        writer.write(order)
        writer.write(recordedAt)
    }

    /// Reads a split.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        self.init(
            trip: try reader.readTripID(),
            made: try reader.readTripID(),
            at: try reader.readTimestamp(),
            order: try reader.readEventOrder(),
            recordedAt: try reader.readTimestamp()
        )
    }
}

/// A trip of which the trip in progress is a part, or a part of a part.
struct Ancestor: Hashable, Sendable {
    let trip: TripID

    /// The place among all decisions of the split that cut the part from it.
    let order: EventOrder
}

/// Whether a split, or an exclusion, can concern the trip in progress.
enum CutBearing {
    /// It does.
    case concerns

    /// It concerns a trip that the one in progress is a part of, and the part was made by a split
    /// that was decided earlier; so it concerns none of its parts either.
    case isOver

    /// It concerns another trip.
    case concernsAnother
}

extension [Ancestor] {
    /// Returns what a decision means for the trip that is cut from these.
    ///
    /// - Parameters:
    ///   - named: The trip that the decision names.
    ///   - order: The place of the decision among all.
    ///   - trip: The trip that is cut from these.
    /// - Returns: What it means.
    func bearing(of named: TripID, decidedAt order: EventOrder, on trip: TripID) -> CutBearing {
        if named == trip { return .concerns }
        var isOver = false
        for ancestor in self {
            isOver = isOver || ancestor.order < order
            if ancestor.trip == named { return isOver ? .isOver : .concerns }
        }
        return .concernsAnother
    }
}

// A split names a trip. The trip may have been split again since, at an earlier instant; the rest
// of the trip then is a trip of its own now, and the split concerns that one. So a split divides a
// part if each split on the way from the trip that it names to the part was decided after it.
// However many splits there are, most name the same trip, and then the way is one step long.
// Exclusions concern parts in the same way.
extension OpenTrip {
    /// How many trips a part may be a part of, so that trackers stay small.
    ///
    /// Splits of trips farther up do not divide it.
    static let mostAncestors = 64

    /// Returns what a split means for the trip in progress.
    func bearing(of split: StandingSplit) -> CutBearing {
        ancestry.bearing(of: split.trip, decidedAt: split.order, on: trip.id)
    }

    /// Returns the trips from which the second part of a split of this trip is cut, the nearest
    /// first.
    func ancestry(ofPartMadeBy split: StandingSplit) -> [Ancestor] {
        let named = Ancestor(trip: split.trip, order: split.order)
        guard split.trip != trip.id else {
            return Array(([named] + ancestry).prefix(Self.mostAncestors))
        }
        let index = ancestry.firstIndex { $0.trip == split.trip } ?? ancestry.endIndex
        return [named] + ancestry[index...].dropFirst()
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
    ///   - context: asked about the fix at which a trip ends by time alone; told of that trip.
    /// - Throws: only what the context's events throw; the tracker is to be thrown away then.
    public mutating func take<Events: EventDirectory>(
        _ split: StandingSplit,
        in context: inout TrackingContext<Events>
    ) throws(Events.Failure) {
        try passTime(to: split.at, in: &context)
        forgetPastSplits()
        if mayDivide(split) { awaitedSplits.append(split) }
        awaitNextSplit()
    }

    /// Forgets the splits before every drive that can turn out to have begun.
    mutating func forgetPastSplits() {
        guard !awaitedSplits.isEmpty, !isOpen else { return }
        let first = stage.earliestStart
        let past = awaitedSplits.firstIndex { split in first.map { $0 < split.at } ?? false }
        awaitedSplits.removeFirst(past ?? awaitedSplits.count)
    }

    /// Returns whether a split can divide the trip in progress, or one that turns out to have been
    /// under way at the split.
    private func mayDivide(_ split: StandingSplit) -> Bool {
        // A drive starts with the first fix that shows it, but is recognised some fixes later.
        let bearing = stage.open?.bearing(of: split) ?? .concernsAnother
        switch bearing {
        case .concerns:
            let from = stage.latest?.at ?? stage.open?.trip.startedAt.timestamp
            return from.map { split.at > $0 } ?? false
        case .isOver: return false
        case .concernsAnother: return stage.earliestStart.map { $0 < split.at } ?? false
        }
    }

    /// Lets the trip in progress wait for the next split that divides it; as long as it has no
    /// position, for all that may.
    mutating func awaitNextSplit() {
        guard !awaitedSplits.isEmpty, let open = stage.open else { return }
        let isArming = if case .arming = stage { true } else { false }
        guard !open.isDividing || isArming else { return }
        awaitedSplits = awaitedSplits.filter(mayDivide)
        while let next = awaitedSplits.firstIndex(where: { open.bearing(of: $0) == .concerns }) {
            stage.expect(awaitedSplits.remove(at: next))
            guard isArming else { return }
        }
    }

    /// Lets go of splits before the first position that the trip in progress can have.
    ///
    /// - Parameter next: the fix that the trip takes next.
    mutating func passSplits(beforeFirstPositionWith next: PendingFix) {
        guard case .arming(let arming) = stage, arming.value.open.isDividing,
            let first = arming.value.firstPosition(with: next)
        else { return }
        stage.changeOpen { open in
            while open.division.pending.first?.isSecond(first) == true {
                open.dropFirstDivision()
            }
        }
    }

    /// Appends the steps of both parts if the trip in progress has just been divided.
    mutating func finishDivision<Events: EventDirectory>(
        in context: inout TrackingContext<Events>
    ) throws(Events.Failure) {
        let divided = stage.changePlaced { placed in
            placed.changeWithJump { $0.takeFirstPart() }
        }
        if let divided, let (part, later) = divided, let second = stage.placed {
            awaitedSplits = later + awaitedSplits
            let facts = try context.events.facts(at: part.place.position)
            let dividedAt = EventTime(part.place.at, utcOffset: facts.utcOffset)
            var first = part.trip
            first.end(
                at: part.place.coordinate,
                dividedAt,
                by: .split,
                on: second.way,
                rules: second.open.rules
            )
            noteEnd(of: first, in: &context)
            stage.changePlaced { placed in
                placed.changeWithJump { $0.dateSecondPart(dividedAt) }
            }
            if let second = stage.measured { context.steps.append(.opened(second)) }
        }
        awaitNextSplit()
    }
}
