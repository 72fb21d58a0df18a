import DriveSimulation
import Testing
public import TripEvents

extension ProjectorLaws {
    /// Returns the events of two sources that press GO and STOP at random and whose receivers have
    /// every fault there is, in order of time.
    public static func randomDrives(seed: UInt64) throws -> [TripEvent] {
        var random = SplitMix64(seed: seed)
        var events: [TripEvent] = []
        for source in ["phone", "logger"] {
            var car = FaultyCar(source: source)
            for _ in 0..<200 {
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

        mutating func next(using random: inout SplitMix64) throws -> TripEvent {
            var latitudeShown = latitude
            var accuracy: Int64 = 8
            var speed: Int64? = nil
            var isMock = false
            milliseconds += 1_000
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
            case 48..<52: milliseconds += Int64.random(in: 1...400, using: &random) * 1_000
            default:
                latitude += Int64.random(in: -200...1_500, using: &random)
                longitude += Int64.random(in: -200...1_500, using: &random)
                latitudeShown = latitude
            }
            let reading = FixRecorded(
                latitude: try decimal(latitudeShown + (isFarAway ? 30_000_000 : 0), 7),
                longitude: try decimal(longitude, 7),
                accuracy: try decimal(accuracy, 0),
                speed: try speed.map { try decimal($0, 0) },
                isMock: isMock
            )
            return event(.fixRecorded(reading))
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
