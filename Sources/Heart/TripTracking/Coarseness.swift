import RowCoding
import TripEvents

/// Whether the fixes of a source are usually coarser than the rules allow.
///
/// iOS at medium accuracy says 65 m for good fixes, and a limit of 50 m would throw all of them
/// away: what is usual for a source is usable. It counts coarse fixes up and others down.
struct Coarseness: Hashable, Sendable {
    /// How many times coarser than the limit a usable fix may be.
    private static let factor = 2.0

    /// How many coarse fixes more than others make them usual.
    private static let usual: Int64 = 8

    /// The highest count, so that a source that has become better is soon recognised as such.
    private static let most: Int64 = 16

    private(set) var count: Int64 = 0

    init() {}

    /// Creates a stored count.
    init(count: Int64) {
        self.count = count
    }

    /// Whether no coarse fix has come of late, so that a good one changes nothing.
    var isNone: Bool { count == 0 }

    /// Whether coarse fixes are usual for the source.
    var isUsual: Bool { count >= Self.usual }

    /// Takes note of a fix.
    mutating func note(_ fix: Fix, rules: TrackingRules) {
        guard let accuracy = fix.accuracyMeters else { return }
        if accuracy <= rules.maximumAccuracyMeters {
            count = max(0, count - 1)
        } else if Self.isCoarse(accuracy, rules: rules) {
            count = min(Self.most, count + 1)
        }
    }

    /// Returns whether a fix with an accuracy worse than the limit is usable where that is usual.
    static func isCoarse(_ accuracyMeters: Double, rules: TrackingRules) -> Bool {
        accuracyMeters <= factor * rules.maximumAccuracyMeters
    }
}
