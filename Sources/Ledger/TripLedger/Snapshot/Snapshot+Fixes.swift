import EventStore
public import Projections
public import TripEvents
package import TripTracking

extension Snapshot {
    /// Hands over the fixes of trips in event order, trip by trip.
    ///
    /// One trip at a time is in memory. Trips that people reported have no fixes.
    ///
    /// - Parameters:
    ///   - trips: The trips; of a merged one the fixes of all parts are meant.
    ///   - tellsOrigins: Whether it is found out where the fixes come from.
    ///   - begin: Runs before the first fix. From then on nothing is read twice.
    ///   - body: Takes a fix.
    /// - Throws: `.damaged`, `.inputOutput`, and what `begin` and `body` throw.
    package func readFixes(
        of trips: [TripID],
        tellingOrigins tellsOrigins: Bool = true,
        _ begin: () throws -> Void = {},
        forEach body: (TrackedFix) throws -> Void
    ) throws {
        noteHandingOver()
        try begin()
        var explainer = TripExplainer(trackers(), upTo: head.size)
        var origins = OriginReader(log)
        for id in trips {
            var fixes = try asking {
                guard let row = try store.tripRow(id) else { return [TrackedFix]() }
                return try row.booked.shownTrips.flatMap { part in
                    try store.part(part).map { try explainer.fixes(of: $0, as: id) } ?? []
                }
            }
            if tellsOrigins { fixes = try asking { try origins.adding(to: fixes) } }
            for fix in fixes { try body(fix) }
        }
    }

    /// Hands over all fixes of sources that are seen, in trips or not, in event order, source by
    /// source.
    ///
    /// The fixes of one hour, and of the trips of that hour, are in memory.
    ///
    /// - Parameters:
    ///   - sources: The names of the sources; none for all.
    ///   - period: The local days of the fixes; `nil` for all.
    ///   - begin: Runs before the first fix. From then on nothing is read twice.
    ///   - body: Takes a fix.
    /// - Throws: `.damaged`, `.inputOutput`, and what `begin` and `body` throw.
    package func readFixes(
        ofSources sources: [String],
        in period: LocalPeriod?,
        _ begin: () throws -> Void = {},
        forEach body: (TrackedFix) throws -> Void
    ) throws {
        let trips = try asking { try spans(in: period) }
        var numbers = try asking { try sources.compactMap { try log.number(ofSource: $0) } }[...]
        noteHandingOver()
        try begin()
        var origins = OriginReader(log)
        var next: UInt32 = 1
        while true {
            let number = sources.isEmpty ? next : numbers.popFirst()
            guard let number, let source = try asking({ try log.source(numbered: number) }) else {
                return
            }
            next += 1
            guard store.sight.sees(source.name, of: source.group) else { continue }
            var walk = FixWalk(
                TripExplainer(trackers(), upTo: head.size),
                of: number,
                trips[NameKey(source.name)] ?? [],
                in: period
            )
            while let fixes = try asking({ try walk.next() }) {
                for fix in try asking({ try origins.adding(to: fixes) }) { try body(fix) }
            }
        }
    }

    /// Returns the measured trips that may have fixes of a period, by their sources, in order of
    /// their starts.
    private func spans(in period: LocalPeriod?) throws -> [NameKey: [TripSpan]] {
        var spans: [NameKey: [TripSpan]] = [:]
        try store.scanTrips(isDescending: false) { row in
            guard let trip = try store.part(of: row), trip.startedBy != .report else {
                return true
            }
            if let instants = period?.instants {
                guard trip.startedAt.timestamp < instants.upperBound else { return false }
                if let end = trip.endedAt, end.timestamp < instants.lowerBound { return true }
            }
            let whole = row.booked.mergedInto ?? trip.id
            spans[NameKey(trip.source), default: []].append(TripSpan(trip: trip, whole: whole))
            return true
        }
        return spans
    }
}

/// A fix as the log holds it, and what the rules made of it.
package struct TrackedFix: Sendable {
    /// The event.
    package let stored: StoredEvent

    /// The reading.
    package let fix: FixRecorded

    /// The trip to which it belongs, if there is one.
    package private(set) var trip: TripID?

    /// The verdict of the rules, if it belongs to a trip.
    package private(set) var verdict: Verdict?

    /// Its origin, if that is known to be a file in another format.
    package internal(set) var origin: EntryOrigin?

    /// Whether nothing was measured on the way to it: it is the first one, or it ends a gap.
    package private(set) var isAfterBreak = false

    /// Takes an event; `nil` if it is no fix.
    init?(_ stored: StoredEvent) {
        guard case .fixRecorded(let fix) = stored.event.body else { return nil }
        self.stored = stored
        self.fix = fix
    }

    /// Takes an event of a trip; `nil` if it is no fix.
    init?(_ explained: ExplainedEvent, of trip: TripID) {
        self.init(explained.stored)
        self.trip = trip
        verdict = explained.verdict
        isAfterBreak = explained.verdict == .afterGap
    }

    /// When it was taken, with its offset from UTC.
    package var time: EventTime { EventTime(stored.happenedAt, utcOffset: stored.event.utcOffset) }

    /// Whether the distance of its trip was measured to it.
    package var counts: Bool { verdict?.movesAnchor ?? false }

    /// Notes that it is the first one that counts.
    mutating func setAfterBreak() { isAfterBreak = true }
}

extension OriginReader {
    /// Returns fixes with where they come from.
    fileprivate mutating func adding(to fixes: [TrackedFix]) throws -> [TrackedFix] {
        var fixes = fixes
        for index in fixes.indices {
            let stored = fixes[index].stored
            fixes[index].origin = try origin(
                of: stored.position,
                recordedAt: stored.recordedAt
            )
        }
        return fixes
    }
}

/// Finds the fixes of one source in event order, an hour of them at a time, each with what the
/// rules made of it.
struct FixWalk {
    private static let step: Int64 = 3_600_000

    private var explainer: TripExplainer
    private let source: UInt32
    private let period: LocalPeriod?
    private let end: Timestamp

    /// The time from which on fixes are still to be found.
    private var from: Timestamp

    /// The trips that are not computed again yet.
    private var trips: ArraySlice<TripSpan>

    /// The fixes of the other trips that are not found yet, by their positions.
    private var explained: [UInt64: TrackedFix] = [:]

    /// Prepares to find fixes.
    ///
    /// - Parameters:
    ///   - explainer: Computes trips again.
    ///   - source: The number of the source.
    ///   - trips: The source's measured trips and parts of trips, in order of their starts.
    ///   - period: The local days of the fixes; `nil` for all.
    init(
        _ explainer: TripExplainer,
        of source: UInt32,
        _ trips: [TripSpan],
        in period: LocalPeriod?
    ) {
        self.explainer = explainer
        self.source = source
        self.trips = trips[...]
        self.period = period
        from = period?.instants.lowerBound ?? RFC3339.writable.lowerBound
        end = period?.instants.upperBound ?? RFC3339.writable.upperBound
    }

    /// Returns the next fixes, of which there may be none; `nil` after the last ones.
    mutating func next() throws -> [TrackedFix]? {
        guard let first = try firstInstant() else { return nil }
        let last = min(first.advanced(byMilliseconds: Self.step - 1), end)
        while let span = trips.first, span.trip.startedAt.timestamp <= last {
            trips.removeFirst()
            for fix in try explainer.fixes(of: span.trip, as: span.whole) {
                explained[fix.stored.position] = fix
            }
        }
        from = last.advanced(byMilliseconds: 1)
        return try explainer.fixes(of: source, in: first...last)
            .compactMap { fix in
                let known = explained.removeValue(forKey: fix.stored.position)
                return period?.contains(fix.time) ?? true ? known ?? fix : nil
            }
    }

    /// Returns when the next event happened.
    ///
    /// While it finds none, it looks twice as far each time.
    private mutating func firstInstant() throws -> Timestamp? {
        var start = from
        var length = Self.step
        while start <= end {
            let room = end.milliseconds(since: start)
            let last = start.advanced(byMilliseconds: min(length - 1, room))
            if let found = try explainer.firstInstant(of: source, in: start...last) { return found }
            guard length <= room else { return nil }
            start = start.advanced(byMilliseconds: length)
            length *= 2
        }
        return nil
    }
}

/// When a measured trip, or a part of one, went on.
struct TripSpan {
    let trip: Trip

    /// The trip that counts: the one that it was merged into, or itself.
    let whole: TripID
}

extension TripExplainer {
    /// Returns the fixes of a trip or a part of one, in event order.
    ///
    /// - Parameters:
    ///   - trip: The trip or the part.
    ///   - whole: The trip that counts.
    /// - Returns: The fixes; none of a trip that a person reported.
    /// - Throws: The errors of reading the log and the views.
    mutating func fixes(of trip: Trip, as whole: TripID) throws -> [TrackedFix] {
        guard trip.startedBy != .report, let explained = try explain(trip) else { return [] }
        var fixes = explained.events.compactMap { TrackedFix($0, of: whole) }
        if let first = fixes.firstIndex(where: \.counts) { fixes[first].setAfterBreak() }
        return fixes
    }
}

extension Snapshot {
    /// The most fixes of a source that tell how it records of late, if it moved meanwhile.
    private static let mostFixes = 200

    /// The most entries that are read for it, and how many of them at once.
    private static let (mostEntries, entriesPerPart) = (UInt64(20_000), UInt64(1_000))

    /// Returns the latest fixes of some sources, as far as they are among the latest entries: the
    /// more, the longer a source has been at rest.
    ///
    /// - Parameter names: The names of the sources.
    /// - Returns: The fixes of each source that has any, in order of arrival.
    /// - Throws: `.damaged`, `.inputOutput`.
    package func latestFixes(of names: Set<NameKey>) throws(LedgerError) -> [NameKey: [Fix]] {
        try asking {
            var numbers: [UInt32: NameKey] = [:]
            for name in names {
                if let number = try log.number(ofSource: name.name) { numbers[number] = name }
            }
            guard !numbers.isEmpty else { return [:] }
            var fixes: [NameKey: [Fix]] = [:]
            let start = head.size - min(head.size, Self.mostEntries)
            var end = head.size
            // Most sources have said enough long before the earliest of these entries.
            while end > start, !numbers.isEmpty {
                let first = max(start, end - min(end, Self.entriesPerPart))
                var part: [NameKey: [Fix]] = [:]
                try log.eachEntry(in: first..<end) { entry, position in
                    guard entry.kind == EventKind.fixRecorded.rawValue, !entry.isTombstone,
                        let name = numbers[entry.source],
                        let stored = StoredFix(entry, at: position)
                    else { return }
                    part[name, default: []].append(stored.fix)
                }
                for (name, earlier) in part { fixes[name] = earlier + (fixes[name] ?? []) }
                numbers = numbers.filter { !Self.tellEnough(fixes[$0.value] ?? []) }
                end = first
            }
            // Phones at rest continue to report, so only earlier fixes show what they did on the
            // way.
            return fixes.mapValues { all in
                let latest = Array(all.suffix(Self.mostFixes))
                return Self.tellEnough(latest) ? latest : all
            }
        }
    }

    /// Whether there are as many fixes as are looked at, and a movement among them.
    private static func tellEnough(_ fixes: [Fix]) -> Bool {
        fixes.count >= mostFixes && RecordingQuality(fixes).verdict != .unknown
    }
}

// Inferences of other programs are shown beside trips, and change none.
extension Snapshot {
    /// Returns inferences of other programs, the latest start first.
    ///
    /// - Parameters:
    ///   - filter: The inferences to return.
    ///   - booked: The trip whose time it must overlap and whose way it may be about; `nil` for
    ///     all.
    /// - Returns: The inferences.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func inferences(
        _ filter: InferenceFilter = InferenceFilter(),
        beside booked: BookedTrip? = nil
    ) throws(LedgerError) -> [ReportedInference] {
        try asking {
            var span = filter.span
            if let booked {
                let end = booked.trip.endedAt?.timestamp ?? Timestamp(milliseconds: .max)
                span = span.clamped(to: booked.trip.startedAt.timestamp..<end)
            }
            guard !span.isEmpty else { return [] }
            let found = try TripBook(over: store).inferences(overlapping: span)
                .reversed()
                .filter { inference in
                    filter.includes(inference)
                        && store.sight.sees(inference.source, of: inference.group)
                        && (booked.map { inference.mayBeAbout($0) } ?? true)
                }
            return filter.limit.map { Array(found.prefix($0)) } ?? found
        }
    }
}

extension Snapshot {
    /// Whether there is no trip, while another app made ways of positions.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func hasOnlyInferredWays() throws(LedgerError) -> Bool {
        guard try trips(TripFilter(limit: 1)).isEmpty else { return false }
        return try !inferences(InferenceFilter(kind: .activity, limit: 1)).isEmpty
    }
}

/// A choice of inferences.
public struct InferenceFilter: Hashable, Sendable {
    /// The only kind of inference; `nil` for all.
    public var kind: InferenceKind?

    /// The name of the only source; `nil` for all.
    public var source: String?

    /// Inferences that ended before this instant are left out.
    public var from: Timestamp?

    /// Inferences that began at this instant or after it are left out.
    public var to: Timestamp?

    /// The most that is listed, newest first; `nil` for all.
    public var limit: Int?

    /// Creates a filter; without arguments it lets everything through.
    public init(
        kind: InferenceKind? = nil,
        source: String? = nil,
        from: Timestamp? = nil,
        to: Timestamp? = nil,
        limit: Int? = nil
    ) {
        self.kind = kind
        self.source = source
        self.from = from
        self.to = to
        self.limit = limit
    }

    /// The span of time that it lets through.
    var span: Range<Timestamp> {
        let from = from ?? Timestamp(milliseconds: .min)
        return from..<max(from, to ?? Timestamp(milliseconds: .max))
    }

    /// Returns whether it lets something through that lies in its span.
    func includes(_ inference: ReportedInference) -> Bool {
        (kind.map { $0 == inference.inference.inference } ?? true)
            && (source.map { $0.hasSameBytes(as: inference.source) } ?? true)
    }
}
