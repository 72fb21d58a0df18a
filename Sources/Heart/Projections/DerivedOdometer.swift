public import Geodesy
public import TripEvents
import TripTracking

/// The odometer values at both ends of a vehicle's trips, derived from its readings and trips.
///
/// From each reading on, the distances of trips are added. The excess of the odometer over them at
/// the next reading is the rest: up to 3 % of the trips' distance is spread over them in proportion
/// to it, because no two instruments agree. What remains was recorded on no trip; it stands alone,
/// in the longest time between the readings in which the vehicle was on no trip. A trip on which
/// the odometer was read is divided there in proportion to time. Where trips claim so much more
/// than the odometer went that no correction explains it, nothing is said of ends beyond the next
/// reading. An odometer that shows less than before was replaced, and begins anew.
///
/// The values are shown beside distances and change none of them.
public struct DerivedOdometer: Hashable, Sendable {
    /// How a figure is known; the raw value is the name in JSON.
    public enum Basis: String, Sendable {
        /// A person saw it.
        case read

        /// It is the last reading and the distance of the trips since.
        case carried

        /// The same between two readings, with the trips' part of the rest.
        case calibrated
    }

    /// What the odometer showed at one end of a trip.
    public struct Mark: Hashable, Sendable {
        /// What it showed.
        public let distance: Distance

        /// How that is known.
        public let basis: Basis

        /// Creates a mark.
        package init(_ distance: Distance, _ basis: Basis) {
            self.distance = distance
            self.basis = basis
        }
    }

    /// A trip of the vehicle, with the distance that counts.
    public struct Way: Hashable, Sendable {
        /// The trip's id.
        public let trip: TripID

        /// When it started.
        public let startedAt: Timestamp

        /// When it ended.
        public let endedAt: Timestamp

        /// The distance as claimed.
        public let distance: Distance

        /// Creates a way.
        public init(
            trip: TripID,
            from startedAt: Timestamp,
            to endedAt: Timestamp,
            distance: Distance
        ) {
            self.trip = trip
            self.startedAt = startedAt
            self.endedAt = max(startedAt, endedAt)
            self.distance = distance
        }

        /// Creates the way of a trip; `nil` while it is not over.
        public init?(_ booked: BookedTrip) {
            guard let endedAt = booked.trip.endedAt else { return nil }
            self.init(
                trip: booked.id,
                from: booked.trip.startedAt.timestamp,
                to: endedAt.timestamp,
                distance: booked.claimedDistance
            )
        }
    }

    /// Two readings one after the other, and what lies between them.
    public struct Interval: Hashable, Sendable {
        /// The distance of the trips in between; of a trip on which the odometer was read, only its
        /// part.
        public let driven: Distance

        /// The difference between the two readings; negative if the odometer was replaced.
        public let difference: Distance

        /// The part of the rest that is spread over the trips: at most 3 % of their distance, and
        /// negative where they claim more than the odometer went; `nil` if it was replaced.
        public let spread: Distance?

        /// What is recorded on no trip; negative where trips claim more than may be corrected;
        /// `nil` if the odometer was replaced.
        public var unrecorded: Distance? { spread.map { difference - driven - $0 } }

        /// The longest time between the readings in which the vehicle was on no trip, where the
        /// unrecorded distance is put; `nil` if there is none or no such distance.
        public let idle: Idle?
    }

    /// A time in which a vehicle was on no trip.
    public struct Idle: Hashable, Sendable {
        /// When it began.
        public let from: Timestamp

        /// When it ended.
        public let to: Timestamp

        /// What the odometer showed when it began.
        public let odometer: Distance
    }

    /// The intervals from each reading to the next one.
    public private(set) var intervals: [Interval] = []

    private var starts: [TripID: Mark] = [:]
    private var ends: [TripID: Mark] = [:]

    /// Derives what an odometer showed.
    ///
    /// - Parameters:
    ///   - readings: what was read, in order of time.
    ///   - ways: the trips of the vehicle that count, in any order.
    public init(_ readings: [OdometerReading], ways: [Way]) {
        let stretches = Self.stretches(of: ways, between: readings)
        for (index, reading) in readings.enumerated() {
            let next = index + 1 < readings.count ? readings[index + 1] : nil
            let run = Run(stretches[index + 1], from: reading, to: next)
            for (stretch, atStart, atEnd) in run.marks {
                if stretch.isStart { starts[stretch.trip] = atStart }
                if stretch.isEnd { ends[stretch.trip] = atEnd }
            }
            if let interval = run.interval { intervals.append(interval) }
        }
    }

    /// Returns what the odometer showed when a trip started, if anything is known of it.
    public func start(of trip: TripID) -> Mark? { starts[trip] }

    /// Returns what the odometer showed when a trip ended, if anything is known of it.
    public func end(of trip: TripID) -> Mark? { ends[trip] }

    /// Returns the parts of trips before the first reading, and after each of them.
    private static func stretches(
        of ways: [Way],
        between readings: [OdometerReading]
    ) -> [[Stretch]] {
        var stretches = [[Stretch]](repeating: [], count: readings.count + 1)
        var first = 0
        for way in ways.sorted(by: { ($0.startedAt, $0.trip) < ($1.startedAt, $1.trip) }) {
            while first < readings.count, readings[first].readAt.timestamp <= way.startedAt {
                first += 1
            }
            var index = first
            var from = way.startedAt
            var done = Distance.zero
            while index < readings.count, readings[index].readAt.timestamp < way.endedAt {
                let at = readings[index].readAt.timestamp
                let upTo = Distance(
                    millimeters: share(
                        of: way.distance.millimeters,
                        at.milliseconds(since: way.startedAt),
                        from: way.endedAt.milliseconds(since: way.startedAt)
                    )
                )
                stretches[index].append(Stretch(way, from: from, to: at, upTo - done))
                (from, done) = (at, upTo)
                index += 1
            }
            stretches[index]
                .append(Stretch(way, from: from, to: way.endedAt, way.distance - done))
        }
        return stretches
    }

    /// Returns the part of an amount that belongs to a part of a whole, without its fraction.
    private static func share(of amount: Int64, _ part: Int64, from whole: Int64) -> Int64 {
        guard whole > 0 else { return 0 }
        let product = amount.magnitude.multipliedFullWidth(by: UInt64(part))
        // The part is at most the whole, so that the result is at most the amount.
        let magnitude = Int64(UInt64(whole).dividingFullWidth(product).quotient)
        return amount < 0 ? -magnitude : magnitude
    }
}

extension DerivedOdometer {
    /// A trip, or the part of it between two readings.
    private struct Stretch {
        let trip: TripID
        let from: Timestamp
        let to: Timestamp
        let distance: Distance

        /// Whether the trip starts with it.
        let isStart: Bool

        /// Whether the trip ends with it.
        let isEnd: Bool

        init(_ way: Way, from: Timestamp, to: Timestamp, _ distance: Distance) {
            trip = way.trip
            self.from = from
            self.to = to
            self.distance = distance
            isStart = from == way.startedAt
            isEnd = to == way.endedAt
        }
    }

    /// The stretches from a reading on, to the next one if it belongs to the same instrument.
    private struct Run {
        /// What the odometer showed at both ends of each stretch, as far as it is known.
        private(set) var marks: [(stretch: Stretch, atStart: Mark?, atEnd: Mark?)] = []

        /// The readings and what lies between them; `nil` after the last one.
        private(set) var interval: Interval?

        private let reading: OdometerReading
        private let next: OdometerReading?
        private let driven: Distance
        private var spread = Distance.zero
        private var unrecorded = Distance.zero

        /// The first stretch after what is recorded on no trip.
        private var firstAfter = 0

        init(_ stretches: [Stretch], from reading: OdometerReading, to next: OdometerReading?) {
            self.reading = reading
            driven = stretches.reduce(.zero) { $0 + $1.distance }
            let isReplaced = next.map { $0.distance < reading.distance } ?? false
            self.next = isReplaced ? nil : next
            var idle: Idle?
            if let next = self.next {
                let rest = next.distance - reading.distance - driven
                let most = Distance(millimeters: driven.millimeters / 100 * 3)
                spread = min(max(rest, .zero - most), most)
                unrecorded = rest - spread
                if unrecorded > .zero {
                    idle = placeUnrecorded(among: stretches, until: next.readAt.timestamp)
                }
            }
            interval = next.map { next in
                Interval(
                    driven: driven,
                    difference: next.distance - reading.distance,
                    spread: isReplaced ? nil : spread,
                    idle: idle
                )
            }
            mark(stretches)
        }

        /// Finds the longest time without a trip.
        ///
        /// If there is none, the distance that is recorded on no trip is put on the last trip, at
        /// whose end the odometer was read.
        private mutating func placeUnrecorded(
            among stretches: [Stretch],
            until end: Timestamp
        ) -> Idle? {
            var longest: Int64 = 0
            var idle: Idle?
            var last = reading.readAt.timestamp
            var sum = Distance.zero
            firstAfter = stretches.count
            for (index, from) in (stretches.map(\.from) + [end]).enumerated() {
                if from.milliseconds(since: last) > longest {
                    longest = from.milliseconds(since: last)
                    idle = Idle(from: last, to: from, odometer: shown(after: sum))
                    firstAfter = index
                }
                guard index < stretches.count else { continue }
                last = max(last, stretches[index].to)
                sum += stretches[index].distance
            }
            return idle
        }

        private mutating func mark(_ stretches: [Stretch]) {
            var sum = Distance.zero
            for (index, stretch) in stretches.enumerated() {
                let extra = index < firstAfter ? Distance.zero : max(unrecorded, .zero)
                let atStart =
                    stretch.from == reading.readAt.timestamp
                    ? Mark(reading.distance, .read) : derived(sum, extra)
                sum += stretch.distance
                let atEnd: Mark?
                if let next, stretch.to == next.readAt.timestamp {
                    atEnd = Mark(next.distance, .read)
                } else {
                    atEnd = derived(sum, extra)
                }
                marks.append((stretch, atStart, atEnd))
            }
        }

        /// Returns what the odometer showed after a part of the distance; `nil` beyond the next
        /// reading.
        private func derived(_ sum: Distance, _ extra: Distance) -> Mark? {
            let shown = shown(after: sum) + extra
            guard let next else { return Mark(shown, .carried) }
            return shown <= next.distance ? Mark(shown, .calibrated) : nil
        }

        /// Returns what the odometer showed after a part of the distance, without what is recorded
        /// on no trip.
        private func shown(after sum: Distance) -> Distance {
            let corrected = DerivedOdometer.share(
                of: spread.millimeters,
                sum.millimeters,
                from: driven.millimeters
            )
            return reading.distance + sum + Distance(millimeters: corrected)
        }
    }
}
