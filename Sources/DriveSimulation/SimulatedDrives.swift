public import TripEvents

/// Any number of drives in bulk, made one event at a time: GO, a fix every second, STOP.
///
/// Times increase strictly, numbers have the resolution of a narrow fix, and memory does not grow
/// with the number of drives.
public struct SimulatedDrives: Sequence, Sendable {
    let seed: UInt64
    let count: Int
    let fixesPerDrive: ClosedRange<Int>
    let source: String
    let start: Timestamp

    /// Returns an iterator that starts with the first drive's GO.
    public func makeIterator() -> Iterator {
        Iterator(self)
    }
}

extension SimulatedDrives {
    /// Drives, and reports one event after the other.
    public struct Iterator: IteratorProtocol, Sendable {
        private enum Phase {
            case parked
            case driving(fixesLeft: Int)
        }

        private let drives: SimulatedDrives
        private var random: SplitMix64
        private var car: SimulatedCar
        private var receiver = SimulatedReceiver()
        private var drivesLeft: Int
        private var now: Timestamp
        private var phase = Phase.parked

        init(_ drives: SimulatedDrives) {
            self.drives = drives
            random = SplitMix64(seed: drives.seed)
            car = SimulatedCar(random: &random)
            drivesLeft = drives.count
            now = drives.start
        }

        /// Returns the next event, or `nil` after the last drive's STOP.
        public mutating func next() -> TripEvent? {
            switch phase {
            case .parked:
                guard drivesLeft > 0 else { return nil }
                drivesLeft -= 1
                phase = .driving(fixesLeft: random.integer(in: drives.fixesPerDrive))
                return report(.goPressed(GoPressed()), secondsLater: 1)
            case .driving(0):
                phase = .parked
                let parkedSeconds = random.integer(in: 300...3_600)
                return report(.stopPressed(StopPressed()), secondsLater: parkedSeconds)
            case .driving(let fixesLeft):
                car.drive(secondsToArrival: fixesLeft, random: &random)
                phase = .driving(fixesLeft: fixesLeft - 1)
                return report(receiver.read(car, random: &random).body, secondsLater: 1)
            }
        }

        private mutating func report(_ body: EventBody, secondsLater seconds: Int) -> TripEvent {
            let event = TripEvent(source: drives.source, occurredAt: now, body: body)
            now = now.advanced(byMilliseconds: Int64(seconds) * 1_000)
            return event
        }
    }
}
