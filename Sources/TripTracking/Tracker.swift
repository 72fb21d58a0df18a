public import TripEvents

/// Derives the trips of one source from its events, given in event order.
///
/// It is a value: stored, it is the active-trip checkpoint, and folding the events after it gives
/// the same trips as folding all of them. While a drive is replayed, keep it in a local variable.
/// It knows no clock: time passes through events, and through ``advance(to:events:steps:)`` for
/// whoever wants to see a later instant.
public struct Tracker: Hashable, Sendable {
    /// The source whose events it is given.
    public let source: String

    /// The rules in force; a trip keeps those that it started with.
    public internal(set) var rules: TrackingRules

    /// The trip in progress.
    var open: OpenTrip?

    /// The trip that has ended and waits for its purpose.
    public internal(set) var awaitingDetails: TripID?

    /// How long the source may be silent.
    var gapLimit = GapLimit()

    /// When the latest event happened, of whatever kind.
    var latestAt: Timestamp?

    /// When the device itself last reported anything.
    var heardAt: Timestamp?

    /// When the tracker became idle, or began to wait for details.
    var quietSince: Timestamp?

    /// The places at which a stop never ends a trip.
    var skipPlaces = SkipPlaces()

    /// The fixes between trips.
    var window = StartWindow()

    /// Creates a tracker that has seen nothing of `source` yet.
    public init(source: String, rules: TrackingRules) {
        self.source = source
        self.rules = rules
    }

    /// The trip in progress, as if everything undecided were decided now; `nil` between trips.
    public var openTrip: Trip? {
        var copy = self
        var journal = SilentJournal()
        copy.decide(journal: &journal)
        return copy.open?.measured
    }

    /// What the tracker is doing, as of the latest event.
    public var phase: TrackerPhase {
        phase(asOf: latestAt)
    }

    /// Returns what the tracker is doing at an instant; later events do not count as known.
    ///
    /// Ends that time alone has brought since the latest event are seen by
    /// ``advance(to:events:steps:)`` only.
    public func phase(asOf instant: Timestamp) -> TrackerPhase {
        phase(asOf: Optional(instant))
    }

    private func phase(asOf instant: Timestamp?) -> TrackerPhase {
        guard let open else {
            return awaitingDetails == nil ? .idle : .details
        }
        if open.recoveringSince != nil {
            return .recovering
        }
        guard let latest = open.latest else {
            return .arming
        }
        let silence = instant?.milliseconds(since: latest.at) ?? 0
        return gapLimit.isExceeded(by: silence, rules: open.rules) ? .signalLost : .tracking
    }

    /// Decides everything undecided as if no event came any more, and tells `journal`.
    public mutating func decide(journal: inout some VerdictJournal) {
        open?.decide(gapLimit: &gapLimit, journal: &journal)
    }
}
