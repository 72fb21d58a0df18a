import Projections
import TripEvents
import TripTracking

/// The visits of one source, found fix by fix in event order.
struct VisitTally {
    /// The visits that are over and were not taken out yet, in order of their ends.
    private(set) var finished: [FoundVisit] = []

    /// The instant of the last fix, usable or not; `nil` before the first.
    private(set) var latest: Timestamp?

    private var finder: VisitFinder
    private var rules: RulesInForce

    /// Where the visits that go on began, by the bytes of their places' names.
    private var entrances: [[UInt8]: Entrance] = [:]

    /// The last entrance; `nil` before the first.
    private var lastEntrance: Entrance?

    /// The instant of the fix that ended a visit last.
    private var lastExitAt: Timestamp?

    /// Begins without a visit.
    init(_ finder: VisitFinder, _ rules: RulesInForce) {
        self.finder = finder
        self.rules = rules
    }

    /// Goes on after an instant with the visits that went on then.
    init(
        goingOnWith open: [FoundVisit],
        after instant: Timestamp,
        in places: PlaceBook,
        _ rules: RulesInForce
    ) {
        let stays = open.map { OpenVisit(visit: $0.visit, isWithinRadius: $0.isWithinRadius) }
        self.init(VisitFinder(places, goingOnWith: stays), rules)
        latest = instant
        for found in open { entrances[Array(found.visit.place.name.utf8)] = found.entrance }
        lastEntrance = open.map(\.entrance).max { ($0.at, $0.number) < ($1.at, $1.number) }
    }

    /// Takes the next fix.
    @inline(__always)
    mutating func take(_ stored: StoredFix) {
        let instant = stored.fix.occurredAt
        latest = instant
        rules.advance(to: instant)
        guard rules.rules.canUse(stored.fix) else { return }
        let changes = finder.take(stored.fix, utcOffset: stored.utcOffset)
        if !changes.isEmpty { note(changes, at: instant) }
    }

    /// The visits that go on, in order of the places' names.
    var open: [FoundVisit] {
        finder.openStays.map { stay in
            FoundVisit(
                visit: stay.visit,
                entrance: entrance(of: stay.visit),
                isWithinRadius: stay.isWithinRadius
            )
        }
    }

    /// All visits that were not taken out, those that go on last.
    var visits: [Visit] { (finished + open).map(\.visit) }

    /// Takes the visits out that are over.
    mutating func takeFinished() -> [FoundVisit] {
        defer { finished.removeAll(keepingCapacity: true) }
        return finished
    }

    private mutating func note(_ changes: [VisitChange], at instant: Timestamp) {
        for change in changes {
            switch change {
            case .left(let visit):
                finished.append(
                    FoundVisit(visit: visit, entrance: entrance(of: visit), endedBy: instant)
                )
                entrances[Array(visit.place.name.utf8)] = nil
                lastExitAt = instant
            case .entered(let visit):
                let entrance = nextEntrance(at: instant)
                entrances[Array(visit.place.name.utf8)] = entrance
                lastEntrance = entrance
            }
        }
    }

    private func nextEntrance(at instant: Timestamp) -> Entrance {
        guard let last = lastEntrance else { return Entrance(at: instant, chainFrom: instant) }
        let goesOn = !entrances.isEmpty || lastExitAt == instant
        return Entrance(
            at: instant,
            number: last.at == instant ? last.number + 1 : 0,
            chainFrom: goesOn ? last.chainFrom : instant
        )
    }

    private func entrance(of visit: Visit) -> Entrance {
        entrances[Array(visit.place.name.utf8)] ?? Entrance(at: visit.enteredAt.timestamp)
    }
}
