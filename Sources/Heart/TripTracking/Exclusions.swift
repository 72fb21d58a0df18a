import Geodesy
import RowCoding
public import TripEvents

/// A person's decision that the metres of a stretch of a trip are no distance
/// (`stretch_excluded`), which no later decision undoes, in the form that trackers take.
public struct StandingExclusion: Hashable, Sendable {
    /// The trip that it is about.
    ///
    /// If splits that were decided later have made parts of that trip, it is about these, too.
    public let trip: TripID

    /// Where the stretch begins: the metres to a fix at this instant are still distance.
    public let from: Timestamp

    /// Where the stretch ends: the metres to a fix at this instant are no distance.
    public let to: Timestamp

    /// The place of the excluding event among all decisions.
    public let order: EventOrder

    /// Creates an exclusion.
    public init(trip: TripID, from: Timestamp, to: Timestamp, order: EventOrder) {
        self.trip = trip
        self.from = from
        self.to = to
        self.order = order
    }
}

/// The stretches of time whose metres do not count as distance of some trips.
struct Exclusions: Hashable, Sendable {
    /// In order of their beginnings.
    private var stretches: [StandingExclusion] = []

    /// Whether there are none; stored, because it is asked about every fix.
    private(set) var isEmpty = true

    init() {}

    /// Creates stretches in order of their beginnings.
    private init(_ stretches: [StandingExclusion]) {
        self.stretches = stretches
        isEmpty = stretches.isEmpty
    }

    /// Adds one that begins when all others have begun.
    mutating func add(_ exclusion: StandingExclusion) {
        stretches.append(exclusion)
        isEmpty = false
    }

    /// Forgets those that end before an instant.
    mutating func forget(before instant: Timestamp) {
        self = Exclusions(stretches.filter { $0.to >= instant })
    }

    /// Returns whether the metres to a fix are no distance of a trip.
    ///
    /// - Parameters:
    ///   - instant: When the fix was taken.
    ///   - trip: The trip.
    ///   - ancestry: The trips from which splits have cut it, the nearest first.
    /// - Returns: Whether a stretch excludes them.
    @inline(never)
    func contain(_ instant: Timestamp, of trip: TripID, in ancestry: [Ancestor]) -> Bool {
        for stretch in stretches {
            if stretch.from >= instant { return false }
            guard stretch.to >= instant else { continue }
            switch ancestry.bearing(of: stretch.trip, decidedAt: stretch.order, on: trip) {
            case .concerns: return true
            case .isOver, .concernsAnother: continue
            }
        }
        return false
    }
}

extension OpenTrip {
    /// Returns whether the metres to a fix are no distance of the trip.
    @inline(__always)
    func excludes(_ instant: Timestamp) -> Bool {
        !exclusions.isEmpty && exclusions.contain(instant, of: trip.id, in: ancestry)
    }

    /// Returns whether the metres to a fix are no distance of the part that a split makes.
    func excludes(_ instant: Timestamp, fromPartMadeBy split: StandingSplit) -> Bool {
        guard !exclusions.isEmpty else { return false }
        let ancestry = ancestry(ofPartMadeBy: split)
        return exclusions.contain(instant, of: split.made, in: ancestry)
    }
}

extension Exclusions {
    /// Writes the stretches.
    func write(to writer: inout RowEncoder) {
        writer.write(UInt64(stretches.count))
        for stretch in stretches {
            writer.write(stretch.trip)
            writer.write(stretch.from)
            writer.write(stretch.to)
            writer.write(stretch.order)
        }
    }

    /// Reads stretches.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        var stretches: [StandingExclusion] = []
        for _ in 0..<(try reader.readAmount()) {
            stretches.append(
                StandingExclusion(
                    trip: try reader.readTripID(),
                    from: try reader.readTimestamp(),
                    to: try reader.readTimestamp(),
                    order: try reader.readEventOrder()
                )
            )
        }
        self.init(stretches)
    }
}

extension Tracker {
    /// Takes an exclusion, which comes before every event of the source at the instant where it
    /// begins.
    ///
    /// It changes only what the fixes add: which trips there are, when they begin and end and by
    /// which means they were made is the same without it.
    public mutating func take(_ exclusion: StandingExclusion) {
        // The metres to earlier fixes are settled.
        exclusions.forget(
            before: stage.open?.trip.startedAt.timestamp ?? stage.earliestStart ?? exclusion.from
        )
        exclusions.add(exclusion)
        stage.changeOpen { $0.exclusions = exclusions }
    }
}
