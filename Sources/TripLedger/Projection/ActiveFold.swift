import TripTracking

/// The fold that is worked on, kept out of the dictionary of all: it changes with every event.
struct ActiveFold {
    /// The number of its source; 0, which has no fold, before the first.
    var source: UInt32 = 0

    /// The fold.
    var fold: SourceFold

    init(rules: TrackingRules) {
        fold = SourceFold(tracker: Tracker(source: "", rules: rules))
    }
}
