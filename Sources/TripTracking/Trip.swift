public import Geodesy
public import TripEvents

/// A trip, as the rules derive it from the events of one source.
public struct Trip: Hashable, Sendable {
    /// Its name, which follows from the event that opened it.
    public var id: TripID

    /// The source that recorded it.
    public var source: String

    /// The vehicle, if GO or STOP named one.
    public var vehicle: String?

    /// The rules that it was derived with.
    public var rules: RulesName

    /// Whether it goes on, is complete or came to nothing.
    public var status: TripStatus = .active

    /// Why it came to nothing, if it did.
    public var abandonReason: AbandonReason?

    /// What started it.
    public var startedBy: TripCause

    /// What ended it; `nil` while it is active.
    public var endedBy: TripCause?

    /// When it started.
    public var startedAt: EventTime

    /// When it ended; `nil` while it is active.
    public var endedAt: EventTime?

    /// Where it started, once a fix has said so.
    public var start: Coordinate?

    /// Where its last kept fix was; `nil` while it is active.
    public var end: Coordinate?

    /// The measured distance, without gaps.
    public var distance: Distance = .zero

    /// What was not measured.
    public var gaps = GapTotal()

    /// Its fixes by verdict.
    public var fixes = VerdictCounts()

    /// The median time between its kept fixes, in milliseconds; `nil` while there is only one.
    ///
    /// The longer it is, the more of the way is cut off: the distance is a lower bound.
    public var samplingMilliseconds: Int64?

    /// The highest speed at an accepted fix, in metres per second: as reported, else as implied.
    public var maximumSpeedMetersPerSecond = 0.0

    /// How long it moved, in milliseconds: the time before each accepted fix, gaps left out.
    public var movingMilliseconds: Int64 = 0

    /// What a reader should know.
    public var flags: TripFlags = []

    /// When the ledger learnt of it: the only facts that depend on the order of arrival.
    public var recorded: Recorded

    /// Creates an active trip without any fixes.
    public init(
        id: TripID,
        source: String,
        vehicle: String? = nil,
        rules: RulesName,
        startedBy: TripCause,
        startedAt: EventTime,
        recorded: Recorded
    ) {
        self.id = id
        self.source = source
        self.vehicle = vehicle
        self.rules = rules
        self.startedBy = startedBy
        self.startedAt = startedAt
        self.recorded = recorded
    }
}
