import DriveSimulation
import Geodesy
public import Projections
public import TripEvents
public import TripTracking

/// Trips that come, change and go while people decide about them, in one of the many orders that
/// must lead to the same book.
public struct BookScript {
    /// A step that the book is given.
    public enum Step {
        case trip(TripStep)
        case decision(Decision)
    }

    /// The final measurement of each trip, then every decision in event order.
    public private(set) var direct: [Step] = []

    /// The same on another way: trips change and go on the way there, decisions come at any time
    /// and some come twice.
    public private(set) var winding: [Step] = []

    /// The ids of all trips and of some that there never were.
    public private(set) var trips: [TripID] = []

    private static let began: Int64 = 1_700_000_000_000

    /// Creates a script that follows from a seed.
    public init(seed: UInt64, trips count: Int = 8, decisions decisionCount: Int = 30) {
        var random = SplitMix64(seed: seed)
        var known: [RandomDecisions.Known] = []
        for index in 0..<count {
            let trip = Self.trip(UInt64(index), using: &random)
            trips.append(trip.id)
            known.append(
                RandomDecisions.Known(id: trip.id, startedAt: trip.startedAt.timestamp)
            )
            winding += Self.detour(to: trip, using: &random).map(Step.trip)
            if index % 4 == 3 {
                winding.append(.trip(.withdrawn(trip.id)))
            } else {
                direct.append(.trip(.ended(trip)))
                winding.append(.trip(.ended(trip)))
            }
        }
        let instants = (0..<7).map { Timestamp(milliseconds: Self.began + 86_400_000 + $0 * 1_000) }
        let people = RandomDecisions(trips: known, instants: instants)
        var decisions: [Decision] = []
        let said =
            (0..<decisionCount).map { _ in people.next(using: &random) }
            + Self.odometers(at: direct, using: &random)
        for (index, event) in said.enumerated() {
            let decision = Decision(
                event,
                identity: ProjectorLaws.identity(of: event),
                recordedAt: event.occurredAt.advanced(byMilliseconds: Int64(index))
            )
            guard let decision, !decisions.contains(where: { $0.order == decision.order }) else {
                continue
            }
            decisions.append(decision)
        }
        trips += decisions.filter { $0.event.body.kind == .tripReported }
            .map { TripID(openedBy: $0.order.identity) }
        direct += decisions.sorted().map(Step.decision)
        for decision in decisions + decisions.prefix(5) {
            let index = Int.random(in: 0...winding.count, using: &random)
            winding.insert(.decision(decision), at: index)
        }
    }

    /// Returns a trip of up to two hours on one of two days.
    private static func trip(_ id: UInt64, using random: inout SplitMix64) -> Trip {
        let start = began + Int64.random(in: 0..<48, using: &random) * 3_600_000
        var trip = Trip(
            id: TripID(high: id + 1, low: id),
            source: Bool.random(using: &random) ? "phone" : "logger",
            vehicle: Bool.random(using: &random) ? "van" : nil,
            rules: RulesName(version: .v1),
            startedBy: .press,
            startedAt: EventTime(
                Timestamp(milliseconds: start),
                utcOffset: Bool.random(using: &random) ? UTCOffset(minutes: 90) : nil
            ),
            recorded: Trip.Recorded(
                firstAt: Timestamp(milliseconds: start),
                lastAt: Timestamp(milliseconds: start + 1)
            )
        )
        trip.distance = Distance(millimeters: Int64.random(in: 0...99_999_999, using: &random))
        trip.gaps = GapTotal(count: 1, milliseconds: 2, distance: Distance(millimeters: 3))
        trip.start = Coordinate(latitude: 51.9, longitude: 4.4)
        guard Int.random(in: 0..<5, using: &random) > 0 else { return trip }
        let minutes = Int64.random(in: 0...120, using: &random)
        trip.status = Int.random(in: 0..<6, using: &random) > 0 ? .completed : .abandoned
        trip.endedBy = .press
        if Int.random(in: 0..<3, using: &random) == 0 {
            // Only GO and STOP tell of it.
            trip.status = .abandoned
            trip.abandonReason = .noPosition
            trip.distance = .zero
            trip.gaps = GapTotal()
        }
        trip.endedAt = EventTime(Timestamp(milliseconds: start + minutes * 60_000))
        trip.end = Coordinate(latitude: 51.8, longitude: 4.4)
        return trip
    }

    /// Returns what odometers showed at the ends of trips, and what corrects it.
    private static func odometers(
        at steps: [Step],
        using random: inout SplitMix64
    ) -> [TripEvent] {
        var read: [TripEvent] = []
        for case .trip(.ended(let trip)) in steps {
            for end in [trip.startedAt, trip.endedAt].compactMap(\.self) {
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    let isLater = Bool.random(using: &random)
                    let made =
                        isLater ? end.timestamp.advanced(byMilliseconds: 60_000) : end.timestamp
                    let reading = OdometerRead(
                        vehicle: ["van", "car"].randomElement(using: &random) ?? "van",
                        value: ExactDecimal(integerLiteral: .random(in: 0..<9, using: &random)),
                        unit: .kilometers,
                        corrects: isLater ? end : nil
                    )
                    read.append(
                        TripEvent(source: "manual", occurredAt: made, body: .odometerRead(reading))
                    )
                }
            }
        }
        return read
    }

    /// Returns what a tracker may have said of a trip before it knew better.
    private static func detour(to trip: Trip, using random: inout SplitMix64) -> [TripStep] {
        var earlier = trip
        earlier.startedAt = EventTime(
            trip.startedAt.timestamp.advanced(
                byMilliseconds: -Int64.random(in: 0...3, using: &random) * 1_800_000
            )
        )
        earlier.endedAt = nil
        earlier.status = .active
        var steps: [TripStep] = []
        if Bool.random(using: &random) { steps.append(.opened(earlier)) }
        if Bool.random(using: &random) { steps.append(.withdrawn(trip.id)) }
        earlier.distance = .zero
        if Bool.random(using: &random) { steps.append(.updated(earlier)) }
        return steps
    }
}
