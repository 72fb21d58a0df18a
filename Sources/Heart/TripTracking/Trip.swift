public import Geodesy
package import RowCoding
public import TripEvents

/// A trip, as the rules derive it from the events of one source.
public struct Trip: Hashable, Sendable {
    /// Its id, which follows from the event that opened it.
    public var id: TripID

    /// The source that recorded it.
    public var source: String

    /// The group that its source belongs to; `nil` for one of the ledger's owner.
    public var group: String?

    /// The vehicle, if GO or STOP named one.
    public var vehicle: String?

    /// Who drove, if GO or STOP said it.
    public var driver: String?

    /// The rules that it was derived with.
    public var rules: RulesName

    /// Whether it is in progress, completed or abandoned.
    public var status: TripStatus = .active

    /// Why it was abandoned; `nil` if it was not.
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

    /// Where its source was last seen before it, since the trip before; `nil` if it was not, or its
    /// rules do not look at fixes between trips.
    public var lastSeen: Coordinate?

    /// The measured distance, without gaps.
    public var distance: Distance = .zero

    /// The distance of stretches that a person excluded; it is not part of `distance`.
    public var excluded: Distance = .zero

    /// The gaps, which were not measured.
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

    /// The evidence for its means of transport.
    public var evidence = ModeEvidence()

    /// Where it was at a few instants; known once it has ended.
    public var way = WaySketch()

    /// What a reader should know beside its figures.
    public var flags: TripFlags = []

    /// When the ledger learnt of it: the only facts that depend on the order of arrival.
    public var recorded: Recorded

    /// Creates an active trip without any fixes.
    public init(
        id: TripID,
        source: String,
        group: String? = nil,
        vehicle: String? = nil,
        driver: String? = nil,
        rules: RulesName,
        startedBy: TripCause,
        startedAt: EventTime,
        recorded: Recorded
    ) {
        self.id = id
        self.source = source
        self.group = group
        self.vehicle = vehicle
        self.driver = driver
        self.rules = rules
        self.startedBy = startedBy
        self.startedAt = startedAt
        self.recorded = recorded
    }
}

extension Trip {
    /// When the ledger stored the events of a trip.
    public struct Recorded: Hashable, Sendable {
        /// When it stored the first of them.
        public var firstAt: Timestamp

        /// When it stored the last of them.
        public var lastAt: Timestamp

        /// Creates the span from `firstAt` to `lastAt`.
        public init(firstAt: Timestamp, lastAt: Timestamp) {
            self.firstAt = firstAt
            self.lastAt = lastAt
        }

        /// Widens the span to include `instant`.
        @inline(__always)
        mutating func include(_ instant: Timestamp) {
            if instant > lastAt {
                lastAt = instant
            } else if instant < firstAt {
                firstAt = instant
            }
        }
    }
}

/// The parts of a trip that were not recorded: shown beside its distance, never inside it.
public struct GapTotal: Hashable, Sendable {
    /// How many gaps there were.
    public var count: Int64

    /// How long they lasted together, in milliseconds.
    public var milliseconds: Int64

    /// The straight lines across them together.
    public var distance: Distance

    /// Creates a total; no gaps unless told otherwise.
    public init(count: Int64 = 0, milliseconds: Int64 = 0, distance: Distance = .zero) {
        self.count = count
        self.milliseconds = milliseconds
        self.distance = distance
    }
}

extension Trip {
    /// Adds what follows from one fix.
    @inline(__always)
    mutating func add(_ judgement: Judgement) {
        fixes[judgement.verdict] += 1
        switch judgement.verdict {
        case .accepted:
            if judgement.isExcluded {
                excluded += judgement.added
            } else {
                distance += judgement.added
            }
            movingMilliseconds += judgement.elapsedMilliseconds
            maximumSpeedMetersPerSecond = max(
                maximumSpeedMetersPerSecond,
                judgement.speedMetersPerSecond
            )
        case .afterGap:
            gaps.count += 1
            gaps.milliseconds += judgement.elapsedMilliseconds
            gaps.distance += judgement.gap
        case .jitter, .poorAccuracy, .stale, .impossibleSpeed, .spike, .nullCoordinate, .mock:
            break
        }
    }
}

extension Trip {
    /// Ends the trip: abandoned without any position; abandoned as a false start if it is too short
    /// and neither GO nor a split made it; else completed.
    mutating func end(
        at end: Coordinate?,
        _ endedAt: EventTime,
        by cause: TripCause,
        on way: WaySketcher,
        rules: TrackingRules
    ) {
        self.way = way.sketch(from: startedAt.timestamp, to: endedAt.timestamp)
        self.end = end
        self.endedAt = endedAt
        endedBy = cause
        if cause == .forgottenStop {
            flags.insert(.forgottenStop)
        }
        if cause.isLastResort {
            flags.insert(.autoStopped)
        }
        status = .completed
        guard start != nil else { return abandon(because: .noPosition) }
        guard !isPersonal, cause != .split else { return }
        if travelled < rules.shortestTrip { return abandon(because: .falseStart) }
        switch mode {
        case .foot: abandon(because: .walkingPace)
        case .bicycle, .rail: abandon(because: .notByCar)
        case .car, .bus, .unsure: break
        }
    }

    /// How far it went as far as is known, whether it counts or not.
    var travelled: Distance { distance + excluded + gaps.distance }

    /// Whether the driver said that it is one.
    public var isPersonal: Bool { startedBy.isPersonal || flags.contains(.pressed) }

    /// The means of transport: by car, if the driver said so with GO.
    public var mode: TravelMode {
        if isPersonal || startedBy == .report { return .car }
        let isLogger = rules.preset == .logger
        let recording = ModeEvidence.Recording(
            gaps: gaps,
            samplingMilliseconds: samplingMilliseconds ?? 0,
            isLogger: isLogger
        )
        let mode = evidence.mode(over: travelled, of: recording)
        if isLogger, mode == .foot || mode == .bicycle { return .car }
        return mode
    }

    /// Makes the trip an abandoned one.
    mutating func abandon(because reason: AbandonReason) {
        status = .abandoned
        abandonReason = reason
    }
}

extension Trip {
    /// Writes the trip, member by member in order of declaration.
    package func write(to writer: inout RowEncoder) {
        writer.write(id)
        writer.write(source)
        writer.write(group) { $0.write($1) }
        writer.write(vehicle) { $0.write($1) }
        writer.write(driver) { $0.write($1) }
        writer.write(rules)
        writer.write(status)
        writer.write(abandonReason) { $0.write($1) }
        writer.write(startedBy)
        writer.write(endedBy) { $0.write($1) }
        writer.write(startedAt)
        writer.write(endedAt) { $0.write($1) }
        writer.write(start) { $0.write($1) }
        writer.write(end) { $0.write($1) }
        writer.write(lastSeen) { $0.write($1) }
        writer.write(distance)
        writer.write(excluded)
        writer.write(gaps.count)
        writer.write(gaps.milliseconds)
        writer.write(gaps.distance)
        for verdict in Verdict.allCases {
            writer.write(fixes[verdict])
        }
        writer.write(samplingMilliseconds) { $0.write($1) }
        writer.write(maximumSpeedMetersPerSecond)
        writer.write(movingMilliseconds)
        evidence.write(to: &writer)
        way.write(to: &writer)
        writer.write(UInt64(flags.rawValue))
        writer.write(recorded.firstAt)
        writer.write(recorded.lastAt)
    }

    /// Reads a trip.
    package init(from reader: inout RowDecoder) throws(RowCodingError) {
        // Not by `readOptional`, which is not specialised here: that made a trip take 15 % longer.
        id = try reader.readTripID()
        source = try reader.readText()
        group = try reader.readOptionalText()
        vehicle = try reader.readOptionalText()
        driver = try reader.readOptionalText()
        rules = try reader.readRulesName()
        status = try reader.readTripStatus()
        abandonReason = try reader.readBool() ? try reader.readAbandonReason() : nil
        startedBy = try reader.readTripCause()
        endedBy = try reader.readBool() ? try reader.readTripCause() : nil
        startedAt = try reader.readEventTime()
        endedAt = try reader.readBool() ? try reader.readEventTime() : nil
        start = try reader.readBool() ? try reader.readCoordinate() : nil
        end = try reader.readBool() ? try reader.readCoordinate() : nil
        lastSeen = try reader.readBool() ? try reader.readCoordinate() : nil
        distance = try reader.readDistance()
        excluded = try reader.readDistance()
        gaps = GapTotal(
            count: try reader.readAmount(),
            milliseconds: try reader.readAmount(),
            distance: try reader.readDistance()
        )
        for verdict in Verdict.allCases {
            fixes[verdict] = try reader.readAmount()
        }
        samplingMilliseconds = try reader.readBool() ? try reader.readAmount() : nil
        maximumSpeedMetersPerSecond = try reader.readDouble()
        guard maximumSpeedMetersPerSecond.isFinite else { throw .invalidValue }
        movingMilliseconds = try reader.readAmount()
        evidence = try ModeEvidence(from: &reader)
        way = try WaySketch(from: &reader)
        flags = try Self.readFlags(from: &reader)
        recorded = Recorded(
            firstAt: try reader.readTimestamp(),
            lastAt: try reader.readTimestamp()
        )
    }

    private static func readFlags(from reader: inout RowDecoder) throws(RowCodingError) -> TripFlags
    {
        guard let bits = UInt32(exactly: try reader.readUInt64()) else { throw .invalidValue }
        let flags = TripFlags(rawValue: bits)
        guard flags.isSubset(of: .all) else { throw .invalidValue }
        return flags
    }
}
