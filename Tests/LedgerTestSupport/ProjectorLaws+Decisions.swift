public import DriveSimulation
public import TripEvents
import TripTracking

extension ProjectorLaws {
    /// Returns the trips that some events open.
    public static func trips(of events: [TripEvent]) -> [RandomDecisions.Known] {
        var trips: [RandomDecisions.Known] = []
        let log = log(events)
        let directory = LogDirectory(log)
        for (source, logged) in Dictionary(grouping: log, by: \.event.source)
            .sorted(by: { $0.key < $1.key })
        {
            var tracker = Tracker(source: source, rules: .v1)
            for event in logged.sorted(by: { $0.order < $1.order }) {
                for step in evolve(&tracker, event, directory, way: .fast) {
                    guard case .opened(let trip) = step else { continue }
                    trips.append(
                        RandomDecisions.Known(id: trip.id, startedAt: trip.startedAt.timestamp)
                    )
                }
            }
        }
        return trips
    }

    /// Returns what people decide about the trips that some events make.
    public static func decisions(
        about events: [TripEvent],
        using random: inout SplitMix64
    ) throws -> [TripEvent] {
        try decisions(about: events, making: trips(of: events), using: &random)
    }

    /// Returns what people decide about some trips that some events make.
    public static func decisions(
        about events: [TripEvent],
        making trips: [RandomDecisions.Known],
        using random: inout SplitMix64
    ) throws -> [TripEvent] {
        var trips = trips
        guard let last = events.map(\.occurredAt).max() else { return [] }
        // Some trips of which a device was mistaken, some while one of them was under way.
        for index in 0..<3 {
            let startedAt = trips.randomElement(using: &random)?.startedAt ?? last
            let later = startedAt.advanced(byMilliseconds: Int64(index) * 30_000)
            let gone = TripID(high: random.next(), low: UInt64(index))
            trips.append(RandomDecisions.Known(id: gone, startedAt: later))
        }
        let instants = (1...9).map { last.advanced(byMilliseconds: Int64($0) * 60_000) }
        let people = RandomDecisions(trips: trips, instants: instants)
        return (0..<30).map { _ in people.next(using: &random) }
    }
}
