public import DriveSimulation
import Testing
public import TripEvents
import TripTracking

extension ProjectorLaws {
    /// Returns the events of two sources in order of time: GO and STOP are pressed at random, the
    /// motion sensor says anything, places and rules change, recorders die, and receivers have
    /// every fault there is.
    public static func randomDrives(seed: UInt64) throws -> [TripEvent] {
        var random = SplitMix64(seed: seed)
        var events: [TripEvent] = []
        for source in ["phone", "logger"] {
            var car = FaultyCar(source: source)
            for _ in 0..<250 {
                events.append(try car.next(using: &random))
            }
        }
        return events.sorted { $0.occurredAt < $1.occurredAt }
    }

    /// A car whose receiver and driver do anything.
    private struct FaultyCar {
        var source: String
        var milliseconds: Int64 = 1_700_000_000_000

        /// In 1e-7 degrees, like everything else here that is a position.
        var latitude: Int64 = 519_000_000
        var longitude: Int64 = 44_000_000
        var isFarAway = false

        /// The number of further fixes for which the car stands where it is.
        var standing = 0

        mutating func next(using random: inout SplitMix64) throws -> TripEvent {
            var latitudeShown = latitude
            var accuracy: Int64 = 8
            var speed: Int64? = nil
            var isMock = false
            milliseconds += 1_000
            if standing > 0 {
                standing -= 1
                milliseconds += 99_000
                return try fix(latitude, speed: 0)
            }
            switch UInt8.random(in: 0..<100, using: &random) {
            case 0..<5: return event(.goPressed(GoPressed(vehicle: source)))
            case 5..<9: return event(.stopPressed(StopPressed()))
            case 9..<25: speed = 0
            case 25..<30: milliseconds -= 1_000
            case 30..<37: accuracy = 80
            case 37..<40: latitudeShown = 0
            case 40..<42: isMock = true
            case 42..<45: latitudeShown += 9_000_000
            case 45..<48: isFarAway.toggle()
            case 55..<66: return event(try other(using: &random))
            case 52..<54: standing = 8
            case 48..<52: milliseconds += Int64.random(in: 1...400, using: &random) * 1_000
            default:
                latitude += Int64.random(in: -200...1_500, using: &random)
                longitude += Int64.random(in: -200...1_500, using: &random)
                latitudeShown = latitude
            }
            return try fix(latitudeShown, accuracy: accuracy, speed: speed, isMock: isMock)
        }

        private func fix(
            _ latitude: Int64,
            accuracy: Int64 = 8,
            speed: Int64?,
            isMock: Bool = false
        ) throws -> TripEvent {
            let reading = FixRecorded(
                latitude: try decimal(latitude + (isFarAway ? 30_000_000 : 0), 7),
                longitude: try decimal(longitude, 7),
                accuracy: try decimal(accuracy, 0),
                speed: try speed.map { try decimal($0, 0) },
                isMock: isMock
            )
            return event(.fixRecorded(reading))
        }

        /// Returns anything but a fix or a press.
        private mutating func other(using random: inout SplitMix64) throws -> EventBody {
            milliseconds += Int64.random(in: 0...2_000, using: &random) * 1_000
            switch UInt8.random(in: 0..<10, using: &random) {
            case 0:
                return .placeSaved(
                    PlaceSaved(
                        place: "corner",
                        latitude: try decimal(latitude, 7),
                        longitude: try decimal(longitude, 7),
                        radiusMeters: try decimal(150, 0),
                        skips: Bool.random(using: &random)
                    )
                )
            case 1:
                let preset = ["phone", "history", "logger"].randomElement(using: &random)
                return .rulesAdopted(RulesAdopted(preset: preset))
            case 2:
                return .authorizationChanged(AuthorizationChanged(status: .always))
            case 3:
                return .locationFailed(LocationFailed(error: "no satellites"))
            case 4:
                milliseconds += 8_000_000
                return .placeRemoved(PlaceRemoved(place: "corner"))
            default:
                let state = MotionState.allCases.randomElement(using: &random)
                let confidence = MotionConfidence.allCases.randomElement(using: &random)
                return .motionChanged(
                    MotionChanged(state: state ?? .unknown, confidence: confidence ?? .low)
                )
            }
        }

        private func event(_ body: EventBody) -> TripEvent {
            TripEvent(
                source: source,
                occurredAt: Timestamp(milliseconds: milliseconds),
                body: body
            )
        }

        private func decimal(_ significand: Int64, _ decimals: Int) throws -> ExactDecimal {
            try #require(ExactDecimal(significand: significand, decimals: decimals))
        }
    }
}

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
        // Some trips with a device that was mistaken, some while one of them was under way.
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
