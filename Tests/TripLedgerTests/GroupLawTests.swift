import DriveSimulation
import LedgerRows
import LedgerTestSupport
import Projections
import ProjectorTestSupport
import Tables
import TestSupport
import Testing
import TotalsProjection
import TripEvents
import TripTracking
import TripsProjection

@testable import TripLedger

/// Groups in one ledger and in ledgers of their own come to the same.
@Suite struct GroupLawTests {
    private static let groupNames = ["1", "2", "3", "17", "é", "e\u{301}"]

    @Test(arguments: Seeds.fresh(4))
    func `groups in one ledger have the rows that they have in ledgers of their own`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let fleet = try Fleet(seed: seed, groups: Self.groupNames, using: &random)
        let shared = fleet.settings
        let whole = try Facts(of: [fleet.groups.flatMap(\.self) + shared], using: &random)
        #expect(whole.trips.count > 20, "seed \(seed)")
        for shards in [1, 4, 8] {
            var layout: [[TripEvent]] = Array(repeating: shared, count: shards)
            for events in fleet.groups {
                layout[Int.random(in: 0..<shards, using: &random)] += events
            }
            let parts = try Facts(of: layout.filter { $0.count > shared.count }, using: &random)
            #expect(whole.trips == parts.trips, "seed \(seed), \(shards) shards")
            #expect(whole.visits == parts.visits, "seed \(seed), \(shards) shards")
            #expect(whole.totals == parts.totals, "seed \(seed), \(shards) shards")
        }
    }

    @Test func `drivers who call their places the same have rows of their own only in groups`()
        throws
    {
        var random = SplitMix64(seed: 7)
        for isGrouped in [true, false] {
            let drivers = try (0..<4)
                .map { number in
                    let driver = DriveSimulator.driver(
                        named: "driver \(number)",
                        seed: 7,
                        startingOn: try #require(CivilDate(year: 2025, month: 3, day: 3)),
                        count: 3
                    )
                    var events = driver.places + driver.flatMap(\.events)
                    for index in events.indices {
                        events[index].source += "/\(number)"
                        events[index].group = isGrouped ? "\(number)" : nil
                    }
                    return events
                }
            let together = try Facts(of: [drivers.flatMap(\.self)], using: &random)
            let apart = try Facts(of: drivers, using: &random)
            #expect(!together.trips.isEmpty)
            #expect((together.trips == apart.trips) == isGrouped)
            #expect((together.visits == apart.visits) == isGrouped)
        }
    }

    /// Events of some groups, and what the owner says that concerns all of them.
    private struct Fleet {
        /// The reports of each group's sources, with the owner's decisions about the group's trips.
        var groups: [[TripEvent]] = []

        /// The owner's events that concern every group.
        var settings: [TripEvent] = []

        init(seed: UInt64, groups names: [String], using random: inout SplitMix64) throws {
            groups = try names.enumerated()
                .map { try Arrival.events(seed: seed &+ UInt64($0), of: $1) }
            let trips = try groups.map(Self.trips)
            // Sources of each group decide about trips of others, too, which changes nothing.
            for index in groups.indices {
                let others = trips.enumerated().filter { $0.offset != index }.flatMap(\.element)
                let known = others.shuffled(using: &random).prefix(12) + trips[index].prefix(4)
                groups[index] +=
                    try ProjectorLaws.decisions(
                        about: groups[index],
                        making: Array(known),
                        using: &random
                    )
                    .map { Self.decision($0, of: names[index]) }
            }
            // The owner decides about trips of all, each in the ledger where it is.
            for index in groups.indices {
                let own = trips[index].shuffled(using: &random).prefix(8)
                groups[index] += own.map { trip in
                    TripEvent(
                        source: "office",
                        occurredAt: trip.startedAt.advanced(byMilliseconds: 5_000_000),
                        body: .detailsEdited(DetailsEdited(trip: trip.id, client: .set("ACME")))
                    )
                }
            }
            let events = groups.flatMap(\.self)
            settings = try (0..<30)
                .map { _ in
                    let event = try #require(events.randomElement(using: &random))
                    return try Self.setting(at: event, using: &random)
                }
        }

        private static func trips(of events: [TripEvent]) throws -> [RandomDecisions.Known] {
            let book = try TemporaryLedger()
            try book.append(events)
            return try book.ledger.trips(TripFilter(includesUncounted: true))
                .map {
                    RandomDecisions.Known(id: $0.trip.id, startedAt: $0.trip.startedAt.timestamp)
                }
        }

        /// Returns a decision as a source of a group makes it.
        private static func decision(_ event: TripEvent, of group: String) -> TripEvent {
            var event = event
            event.source += "/\(group)"
            event.group = group
            return event
        }

        /// Returns something that the owner says of places, rules, routines, vehicles and clocks,
        /// by names that groups use too.
        private static func setting(
            at event: TripEvent,
            using random: inout SplitMix64
        ) throws -> TripEvent {
            let routine = ["Office", "School run"].randomElement(using: &random) ?? ""
            let place = ["corner", "Home", "depot"].randomElement(using: &random) ?? ""
            let body: EventBody
            switch Int.random(in: 0..<7, using: &random) {
            case 0, 1:
                body = .placeSaved(
                    PlaceSaved(
                        place: place,
                        latitude: Bool.random(using: &random) ? 51.9 : 51.95,
                        longitude: 4.4,
                        radiusMeters: 4_000,
                        skips: Bool.random(using: &random)
                    )
                )
            case 2: body = .placeRemoved(PlaceRemoved(place: place))
            case 3:
                let preset = ["phone", "history", "logger"].randomElement(using: &random)
                let target = Bool.random(using: &random) ? event.source : nil
                body = .rulesAdopted(RulesAdopted(preset: preset, appliesTo: target))
            case 4:
                var details = TripDetails()
                details.purpose = "as the owner says"
                var pattern = TripPattern()
                if Bool.random(using: &random) { pattern.from = place }
                body = .routineSaved(
                    RoutineSaved(routine: routine, details: details, pattern: pattern)
                )
            case 5:
                body = .odometerRead(
                    OdometerRead(vehicle: "van", value: 1_000, unit: .kilometers)
                )
            default:
                body = .clockShifted(
                    ClockShifted(
                        appliesTo: event.source,
                        from: EventTime(event.occurredAt),
                        to: EventTime(event.occurredAt.advanced(byMilliseconds: 600_000)),
                        bySeconds: 90
                    )
                )
            }
            return TripEvent(source: "office", occurredAt: event.occurredAt, body: body)
        }
    }

    /// The content of some ledgers together, without the times of storing.
    private struct Facts {
        /// Every trip as JSON, with its places, what was not recorded before it and what it
        /// overlaps.
        private(set) var trips: [String] = []
        private(set) var visits: [String] = []

        /// The sums of each month, vehicle and source.
        private(set) var totals: [String] = []

        /// Stores the events of each ledger shuffled and doubled.
        init(of ledgers: [[TripEvent]], using random: inout SplitMix64) throws {
            for (index, events) in ledgers.enumerated() {
                let book = try TemporaryLedger()
                let arriving = Arrival.doubled.order(events, using: &random)
                let cut = Int.random(in: 0...arriving.count, using: &random)
                try book.append(Array(arriving[..<cut]))
                if index % 2 == 0 { _ = try book.ledger.project() }
                try book.append(Array(arriving[cut...]))
                try expectSound(book.ledger)
                try add(book.ledger)
            }
            trips.sort()
            visits.sort()
            totals.sort()
        }

        private mutating func add(_ ledger: Ledger) throws {
            let period = LocalPeriod(
                localDay: LocalDay(zone: try TimeZoneRules.ofMachine(named: "UTC"))
            )
            try ledger.reading { snapshot in
                let places = try snapshot.places()
                let (unrecorded, overlaps) = try snapshot.relateTrips(into: [TripID: Distance]()) {
                    $0[$1.later.trip] = $1.distance
                }
                trips += try snapshot.trips(TripFilter(includesUncounted: true))
                    .map { row in
                        var bytes: [UInt8] = []
                        let named = NamedTrip(
                            row.booked.withoutArrival,
                            places: places,
                            unrecorded: unrecorded[row.trip.id],
                            overlap: overlaps[row.trip.id]
                        )
                        NamedTrip.columns.appendJSON(named, to: &bytes, by: nil)
                        return String(decoding: bytes, as: UTF8.self)
                    }
                visits += try snapshot.visits()
                    .map { visit in
                        var bytes: [UInt8] = []
                        SourceVisit.columns.appendJSON(visit, to: &bytes, by: nil)
                        return String(decoding: bytes, as: UTF8.self)
                    }
                for grouping in [TotalsGrouping.vehicle, .source, .sourceGroup] {
                    // A vehicle's name alone is of several groups: only what is of one is compared.
                    let inner: TotalsGrouping = grouping == .source ? .month : .source
                    let table = try snapshot.totals(by: grouping, thenBy: inner, in: period)
                    totals += table.lines.map { "\(grouping) \($0)" }
                }
            }
        }
    }
}
