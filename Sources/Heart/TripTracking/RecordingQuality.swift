public import Geodesy
public import TripEvents

/// How well a source records while it moves: whether its fixes can carry a distance.
public struct RecordingQuality: Hashable, Sendable {
    /// Whether fixes can carry a distance.
    public enum Verdict: String, CaseIterable, Sendable {
        /// They can.
        case good

        /// Too far apart: what lies between them is cut off.
        case sparse

        /// Too coarse: most of them do not count.
        case coarse

        /// It has not moved enough to tell.
        case unknown
    }

    /// A pause between two fixes that is longer is none of a movement.
    private static let longestPause: Int64 = 1_200_000

    /// Slower than this, people walk and receivers drift: metres in a second.
    private static let slowestMetersPerSecond: Int64 = 3

    /// Fewer movements say nothing.
    private static let fewestMovements = 5

    /// Coarser fixes do not count by the rules that hold from the beginning.
    private static let coarseMeters = 50.0

    /// Fixes further apart than both of these cut curves off: in the simulated year they are those
    /// of the modes that lose a fifth of the kilometres and more.
    private static let sparseMilliseconds: Int64 = 30_000
    private static let sparseDistance = Distance(millimeters: 300_000)

    /// How many fixes were looked at.
    public let fixes: Int

    /// The median time between fixes while it moved; `nil` if it has not moved.
    public let milliseconds: Int64?

    /// The median way between them; `nil` if it has not moved.
    public let distance: Distance?

    /// The median radius of 68 % confidence; `nil` if none was said.
    public let accuracyMeters: Double?

    /// The share of coarse fixes in percent, of those that say how coarse they are.
    public let coarsePercent: Int

    /// Whether it can carry a distance.
    public let verdict: Verdict

    /// Measures fixes, the latest of a source.
    ///
    /// - Parameter fixes: The fixes, in any order.
    public init(_ fixes: [Fix]) {
        let inOrder = fixes.sorted { $0.occurredAt < $1.occurredAt }
        var pauses: [Int64] = []
        var ways: [Distance] = []
        for (before, after) in zip(inOrder, inOrder.dropFirst()) {
            let pause = after.occurredAt.milliseconds(since: before.occurredAt)
            let way = before.coordinate.distance(to: after.coordinate)
            guard (1...Self.longestPause).contains(pause),
                way.millimeters >= pause * Self.slowestMetersPerSecond
            else { continue }
            pauses.append(pause)
            ways.append(way)
        }
        let accuracies = inOrder.compactMap(\.accuracyMeters).sorted()
        let coarse = accuracies.count { $0 > Self.coarseMeters }
        self.fixes = inOrder.count
        milliseconds = Self.median(pauses)
        distance = Self.median(ways)
        accuracyMeters = Self.median(accuracies)
        coarsePercent = accuracies.isEmpty ? 0 : coarse * 100 / accuracies.count
        if coarsePercent > 50, accuracies.count >= Self.fewestMovements {
            verdict = .coarse
        } else if let milliseconds, let distance, pauses.count >= Self.fewestMovements {
            let isSparse =
                milliseconds > Self.sparseMilliseconds && distance > Self.sparseDistance
            verdict = isSparse ? .sparse : .good
        } else {
            verdict = .unknown
        }
    }

    private static func median<Value: Comparable>(_ values: [Value]) -> Value? {
        values.isEmpty ? nil : values.sorted()[values.count / 2]
    }
}
