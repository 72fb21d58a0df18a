import Geodesy
import RowCoding
public import TripEvents

/// A person's decision that the metres of a stretch of time are no distance (`stretch_excluded`),
/// which no later decision undoes, as trackers take it.
public struct StandingExclusion: Hashable, Sendable {
    /// Where the stretch begins: the metres to a fix at this instant are still distance.
    public let from: Timestamp

    /// Where the stretch ends: the metres to a fix at this instant are no distance.
    public let to: Timestamp

    /// Creates an exclusion.
    public init(from: Timestamp, to: Timestamp) {
        self.from = from
        self.to = to
    }
}

/// The stretches of time whose metres are no distance.
struct Exclusions: Hashable, Sendable {
    /// In order of time; none touches another.
    private var stretches: [StandingExclusion] = []

    /// Whether there are none; stored, because it is asked about every fix.
    private(set) var isEmpty = true

    init() {}

    /// Creates stretches in order of time, none of which touches another.
    private init(_ stretches: [StandingExclusion]) {
        self.stretches = stretches
        isEmpty = stretches.isEmpty
    }

    /// Adds one that begins after all others have, or when the last of them does.
    mutating func add(_ exclusion: StandingExclusion) {
        guard let last = stretches.last, exclusion.from <= last.to else {
            stretches.append(exclusion)
            isEmpty = false
            return
        }
        let whole = StandingExclusion(from: last.from, to: max(last.to, exclusion.to))
        stretches[stretches.count - 1] = whole
    }

    /// Forgets those that end before an instant.
    mutating func forget(before instant: Timestamp) {
        guard let first = stretches.first, first.to < instant else { return }
        self = Exclusions(stretches.filter { $0.to >= instant })
    }

    /// Returns whether the metres to a fix are no distance.
    @inline(never)
    func contain(_ instant: Timestamp) -> Bool {
        var range = stretches.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if stretches[middle].to < instant {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound < stretches.endIndex && stretches[range.lowerBound].from < instant
    }
}

extension Exclusions {
    /// Writes the stretches.
    func write(to writer: inout RowEncoder) {
        writer.write(UInt64(stretches.count))
        for stretch in stretches {
            writer.write(stretch.from)
            writer.write(stretch.to)
        }
    }

    /// Reads stretches.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        var stretches: [StandingExclusion] = []
        for _ in 0..<(try reader.readAmount()) {
            stretches.append(
                StandingExclusion(
                    from: try reader.readTimestamp(),
                    to: try reader.readTimestamp()
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
