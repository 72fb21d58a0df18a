import DriveSimulation
import Geodesy
import ProjectorTestSupport
import TestSupport
import Testing
import TripEvents
import TripTracking

/// Splitting a trip divides it and changes nothing else.
@Suite struct SplitLawTests {
    /// Drives of one source, as they are without any split.
    private struct Whole {
        var events: [TripEvent]
        var rules: TrackingRules
        var trips: [TripID: Trip]

        /// Returns a few of the trips.
        func some(using random: inout SplitMix64) -> [Trip] {
            let trips = trips.values.sorted { $0.id < $1.id }
            return Array(trips.shuffled(using: &random).prefix(5))
        }
    }

    private static let noted = Timestamp(milliseconds: 1_900_000_000_000)

    /// Returns drives in which everything happens, and long ones in which little does.
    private static func wholes(seed: UInt64) throws -> [Whole] {
        let faulty = try ProjectorLaws.randomDrives(seed: seed)
        let long = Array(DriveSimulator.drives(seed: seed, count: 2, fixesPerDrive: 60...200))
        var onFoot = DriveSimulator.events(of: .walkingAway)
        if var last = onFoot.last {
            last.occurredAt = last.occurredAt.advanced(byMilliseconds: 600_000)
            onFoot.append(last)
        }
        var wholes: [Whole] = []
        for preset in [TrackingPreset.phone, .history, .logger] {
            let rules = TrackingRules(.v1, preset: preset)
            for source in ["phone", "logger"] {
                let events = faulty.filter { $0.source == source }
                let trips = try SplitReplay(events, rules: rules).trips
                wholes.append(Whole(events: events, rules: rules, trips: trips))
            }
            for events in [long, onFoot] {
                let trips = try SplitReplay(events, rules: rules).trips
                wholes.append(Whole(events: events, rules: rules, trips: trips))
            }
        }
        return wholes
    }

    /// Returns a split; of several each is decided a second after the one before it.
    private static func split(
        _ trip: TripID,
        made: TripID,
        at: Timestamp,
        decided second: Int = 0
    ) -> StandingSplit {
        StandingSplit(
            trip: trip,
            made: made,
            at: at,
            order: EventOrder(
                occurredAt: noted.advanced(byMilliseconds: Int64(second) * 1_000),
                kind: .tripSplit,
                sequence: nil,
                identity: IdentityDigest(words: [made.high, made.low, 0, 0])
            ),
            recordedAt: noted
        )
    }

    /// Returns an instant near the event of a source, or far from any.
    private static func instant(
        in whole: Whole,
        near trip: Trip,
        using random: inout SplitMix64
    ) -> Timestamp {
        let end = trip.endedAt?.timestamp ?? whole.events.last?.occurredAt ?? noted
        let during = whole.events.map(\.occurredAt)
            .filter { (trip.startedAt.timestamp...max(trip.startedAt.timestamp, end)).contains($0) }
        let event = during.randomElement(using: &random) ?? end
        return event.advanced(
            byMilliseconds: [-1, 0, 0, 1, 700].randomElement(using: &random) ?? 0
        )
    }

    @Test(arguments: Seeds.fresh(10))
    func `two parts are the whole to the millimetre, and no other trip changes`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        for whole in try Self.wholes(seed: seed) {
            for trip in whole.some(using: &random) {
                let id = trip.id
                let made = TripID(high: random.next(), low: 7)
                let at = Self.instant(in: whole, near: trip, using: &random)
                let split = Self.split(id, made: made, at: at)
                let comment: Comment = "seed \(seed), trip \(id) at \(at.milliseconds)"
                let divided = try SplitReplay(whole.events, rules: whole.rules, splits: [split])
                let killed = try SplitReplay(
                    whole.events,
                    rules: whole.rules,
                    splits: [split],
                    isKilled: true
                )
                #expect(killed.trips == divided.trips, comment)
                var others = divided.trips
                others[id] = nil
                others[made] = nil
                var before = whole.trips
                before[id] = nil
                #expect(others == before, comment)
                let first = try #require(divided.trips[id], comment)
                if let second = divided.trips[made] {
                    expectDivided(trip, first, second, at: at, comment)
                } else {
                    #expect(first == trip, comment)
                }
            }
        }
    }

    @Test(arguments: Seeds.fresh(10))
    func `a split that divides nothing takes nothing from one after it`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for whole in try Self.wholes(seed: seed) {
            for trip in whole.some(using: &random) {
                // Before its first position, most often.
                var instants = whole.events.map(\.occurredAt)
                    .filter { $0 >= trip.startedAt.timestamp }
                    .prefix(6).shuffled(using: &random).prefix(2)
                    .map { $0.advanced(byMilliseconds: Int64.random(in: 0...1, using: &random)) }
                instants.append(Self.instant(in: whole, near: trip, using: &random))
                let splits = instants.sorted()
                    .map {
                        Self.split(trip.id, made: TripID(high: random.next(), low: 7), at: $0)
                    }
                let heeded = try splits.filter {
                    try SplitReplay(whole.events, rules: whole.rules, splits: [$0]).trips
                        != whole.trips
                }
                let comment: Comment = "seed \(seed), trip \(trip.id) at \(instants)"
                #expect(
                    try SplitReplay(whole.events, rules: whole.rules, splits: splits).trips
                        == SplitReplay(whole.events, rules: whole.rules, splits: heeded).trips,
                    comment
                )
            }
        }
    }

    /// With this seed a part begins with a jump over a gap, and a second one follows.
    private static let twoJumps: UInt64 = 2_793_113_173

    @Test(arguments: Seeds.fresh(5) + [twoJumps])
    func `parts that are split again in any order of decisions are still the whole`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        for whole in try Self.wholes(seed: seed) {
            for trip in whole.some(using: &random) {
                let id = trip.id
                var decisions: [(trip: TripID, made: TripID, at: Timestamp)] = []
                for index in 0..<4 as Range<UInt64> {
                    let named = ([id] + decisions.map(\.made)).randomElement(using: &random) ?? id
                    let at = Self.instant(in: whole, near: trip, using: &random)
                    decisions.append((named, TripID(high: random.next(), low: index), at))
                }
                let splits = decisions.enumerated()
                    .map { Self.split($1.trip, made: $1.made, at: $1.at, decided: $0) }
                let divided = try SplitReplay(whole.events, rules: whole.rules, splits: splits)
                let killed = try SplitReplay(
                    whole.events,
                    rules: whole.rules,
                    splits: splits,
                    isKilled: true
                )
                #expect(killed.trips == divided.trips, "seed \(seed)")
                let parts = ([id] + decisions.map(\.made)).compactMap { divided.trips[$0] }
                expectSum(trip, of: parts, "seed \(seed), trip \(id)")
                for (index, decision) in decisions.enumerated() {
                    guard let part = divided.trips[decision.made] else { continue }
                    var divides = [decision.trip]
                    for later in decisions[(index + 1)...] where divides.contains(later.trip) {
                        divides.append(later.made)
                    }
                    let whole = parts.first { $0.endedAt == part.startedAt }?.id
                    #expect(whole.map(divides.contains) == true, "seed \(seed), trip \(id)")
                }
            }
        }
    }

    @Test func `random splits divide trips that started and ended in every way`() throws {
        var starts: Set<TripCause> = []
        var ends: Set<TripCause> = []
        for seed in 1...120 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            for whole in try Self.wholes(seed: seed) {
                for trip in whole.some(using: &random) {
                    let id = trip.id
                    let made = TripID(high: 0, low: 7)
                    let at = Self.instant(in: whole, near: trip, using: &random)
                    let split = Self.split(id, made: made, at: at)
                    let divided = try SplitReplay(whole.events, rules: whole.rules, splits: [split])
                    guard divided.trips[made] != nil else { continue }
                    starts.insert(trip.startedBy)
                    trip.endedBy.map { _ = ends.insert($0) }
                }
            }
        }
        #expect(starts == [.press, .motion, .movement, .resumed])
        #expect(
            ends.isSuperset(of: [.press, .walking, .parked, .silence, .noMovement, .deviceOff])
        )
    }

    private func expectDivided(
        _ whole: Trip,
        _ first: Trip,
        _ second: Trip,
        at: Timestamp,
        _ comment: Comment
    ) {
        expectSum(whole, of: [first, second], comment)
        #expect(first.status == .completed, comment)
        #expect(first.endedBy == .split && second.startedBy == .split, comment)
        #expect(first.endedAt == second.startedAt && first.end == second.start, comment)
        #expect(first.endedAt.map { $0.timestamp < at } == true, comment)
        #expect(whole.endedAt.map { $0.timestamp >= at } ?? true, comment)
        #expect(second.end == whole.end && second.endedAt == whole.endedAt, comment)
        #expect(second.endedBy == whole.endedBy, comment)
        #expect(first.startedAt == whole.startedAt && first.start == whole.start, comment)
        #expect(second.vehicle == whole.vehicle && first.rules == second.rules, comment)
    }

    private func expectSum(_ whole: Trip, of parts: [Trip], _ comment: Comment) {
        func sum<Number: AdditiveArithmetic>(_ figure: (Trip) -> Number) -> Number {
            parts.map(figure).reduce(.zero, +)
        }
        #expect(sum(\.distance.millimeters) == whole.distance.millimeters, comment)
        #expect(sum(\.gaps.distance.millimeters) == whole.gaps.distance.millimeters, comment)
        #expect(sum(\.gaps.count) == whole.gaps.count, comment)
        #expect(sum(\.gaps.milliseconds) == whole.gaps.milliseconds, comment)
        #expect(sum(\.movingMilliseconds) == whole.movingMilliseconds, comment)
        for verdict in Verdict.allCases {
            #expect(sum { $0.fixes[verdict] } == whole.fixes[verdict], comment)
        }
        let fastest = parts.map(\.maximumSpeedMetersPerSecond).max()
        #expect(fastest == whole.maximumSpeedMetersPerSecond, comment)
        #expect(parts.map(\.flags).reduce([]) { $0.union($1) } == whole.flags, comment)
    }
}

/// The trips that a source's events make when some splits stand.
struct SplitReplay {
    private(set) var trips: [TripID: Trip] = [:]

    /// Replays the events of one source.
    ///
    /// - Parameters:
    ///   - events: The events in order of time.
    ///   - rules: The rules at the beginning.
    ///   - splits: The splits, in any order.
    ///   - isKilled: Whether the tracker is stored and read back before each event and split.
    /// - Throws: The errors of reading a stored tracker.
    init(
        _ events: [TripEvent],
        rules: TrackingRules,
        splits: [StandingSplit] = [],
        isKilled: Bool = false
    ) throws {
        var tracker = Tracker(source: events.first?.source ?? "", rules: rules)
        var rest = splits.sorted { ($0.at, $0.made) < ($1.at, $1.made) }[...]
        let ordered = events.enumerated()
            .sorted {
                let ranks = ($0.element.body.kind?.rank ?? .max, $1.element.body.kind?.rank ?? .max)
                return ($0.element.occurredAt, ranks.0, $0.offset)
                    < ($1.element.occurredAt, ranks.1, $1.offset)
            }
            .map(\.element)
        for (position, event) in ordered.enumerated() {
            while let split = rest.first, split.at <= event.occurredAt {
                rest.removeFirst()
                if isKilled { tracker = try Tracker(decoding: tracker.encode()) }
                var context = TrackingContext(events: NumberedEvents())
                tracker.take(split, in: &context)
                take(context.steps)
            }
            if isKilled { tracker = try Tracker(decoding: tracker.encode()) }
            let stamp = EventStamp(
                occurredAt: event.occurredAt,
                recordedAt: event.occurredAt,
                position: UInt64(position)
            )
            var context = TrackingContext(events: NumberedEvents())
            tracker.evolve(event.body, stamp: stamp, in: &context)
            take(context.steps)
        }
        if let open = tracker.openTrip { trips[open.id] = open }
    }

    private mutating func take(_ steps: [TripStep]) {
        for step in steps {
            switch step {
            case .opened(let trip), .updated(let trip), .ended(let trip): trips[trip.id] = trip
            case .withdrawn(let id): trips[id] = nil
            }
        }
    }
}
