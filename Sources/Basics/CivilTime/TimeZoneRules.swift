/// The offsets from UTC of a time zone's clocks, past and to come; or of several zones that follow
/// one another, as where a person lived in one and then in another.
public struct TimeZoneRules: Hashable, Sendable {
    /// Coordinated universal time, which needs no database.
    public static let utc = TimeZoneRules(name: "UTC", offsetSeconds: 0)

    private static let firstExtendedYear = 1970
    private static let lastExtendedYear = 2100

    /// The zone's name, such as `Europe/Amsterdam`; of several that of the last one.
    public let name: String

    /// When the offset changes, in seconds since 1970; ascending.
    private let transitions: [Int64]

    /// The offset from each change on, in seconds east of UTC.
    private let offsets: [Int]

    /// The offset before the first change.
    private let firstOffset: Int

    /// The rule that holds from the last change on, if the zone keeps changing.
    private let yearlyRule: YearlyOffsetRule?

    /// The zones before this one, in order of time; none of them has earlier ones of its own.
    private var earlier: [EarlierZone] = []

    /// Creates the rules of a zone.
    ///
    /// - Parameters:
    ///   - name: the zone's name.
    ///   - transitions: when the offset changes, in seconds since 1970; MUST be ascending.
    ///   - offsets: the offset from each change on, in seconds east of UTC, less than a day.
    ///   - firstOffset: the offset before the first change.
    ///   - yearlyRule: what holds from the last change on; `nil` for the last offset for ever.
    init(
        name: String,
        transitions: [Int64],
        offsets: [Int],
        firstOffset: Int,
        yearlyRule: YearlyOffsetRule?
    ) {
        precondition(transitions.count == offsets.count, "every change has its offset")
        self.name = name
        (self.transitions, self.offsets) = Self.extended(transitions, offsets, by: yearlyRule)
        self.firstOffset = firstOffset
        self.yearlyRule = yearlyRule
    }

    /// Creates a zone whose clocks never change.
    private init(name: String, offsetSeconds: Int) {
        self.init(
            name: name,
            transitions: [],
            offsets: [],
            firstOffset: offsetSeconds,
            yearlyRule: nil
        )
    }

    /// Creates the rules that a text of POSIX writes, such as `CET-1CEST,M3.5.0,M10.5.0/3`, and
    /// which hold for ever.
    ///
    /// - Throws: `.invalidRule`.
    public init(name: String, posix: String) throws(TimeZoneProblem) {
        let rule = try YearlyOffsetRule(posix: Array(posix.utf8))
        self.init(
            name: name,
            transitions: [],
            offsets: [],
            firstOffset: rule.standardOffset,
            yearlyRule: rule
        )
    }

    /// Returns how many seconds the zone's clocks are ahead of UTC at an instant.
    public func offsetSeconds(at instant: Timestamp) -> Int {
        if !earlier.isEmpty, let zone = earlier.first(where: { instant < $0.end }) {
            return zone.rules.offsetSeconds(at: instant)
        }
        let seconds = instant.milliseconds.flooredQuotient(by: 1_000)
        let count = transitionCount(upTo: seconds)
        if count == transitions.count, let yearlyRule { return yearlyRule.offset(at: seconds) }
        return count == 0 ? firstOffset : offsets[count - 1]
    }

    /// Returns the offset at an instant in whole minutes, rounded to nearest: no zone has had
    /// seconds since 1972, which is before any event.
    public func utcOffset(at instant: Timestamp) -> UTCOffset? {
        UTCOffset(roundingSeconds: offsetSeconds(at: instant))
    }

    /// Returns whether the zone's clocks show at another instant what they show at this one: in the
    /// hour that comes twice when they are put back.
    public func showsAgain(at instant: Timestamp) -> Bool {
        let offset = offsetSeconds(at: instant)
        return offsets(around: instant)
            .contains { other in
                guard other != offset else { return false }
                let twin = instant.advanced(byMilliseconds: Int64(offset - other) * 1_000)
                return offsetSeconds(at: twin) == other
            }
    }

    /// Returns the offsets that the zone's clocks may have had within a day of an instant, in
    /// seconds: two instants at which they show the same differ by two of them.
    func offsets(around instant: Timestamp) -> Set<Int> {
        let day = Timestamp.millisecondsPerDay
        let (before, after) = (
            instant.advanced(byMilliseconds: -day), instant.advanced(byMilliseconds: day)
        )
        // No zone changes its clocks twice in two days, but another zone may follow meanwhile.
        let ends = earlier.map(\.end).filter { before < $0 && $0 <= after }
        let last = ends.map { $0.advanced(byMilliseconds: -1) }
        return Set(([before, after] + ends + last).map(offsetSeconds(at:)))
    }

    /// Adds the changes that a yearly rule makes after the last one, up to the year 2100: a lookup
    /// is much faster than working them out each time.
    private static func extended(
        _ transitions: [Int64],
        _ offsets: [Int],
        by yearlyRule: YearlyOffsetRule?
    ) -> ([Int64], [Int]) {
        guard let yearlyRule, var latest = transitions.last else { return (transitions, offsets) }
        var (transitions, offsets) = (transitions, offsets)
        for change in yearlyRule.changes(inYears: firstExtendedYear...lastExtendedYear)
        where change > latest {
            transitions.append(change)
            offsets.append(yearlyRule.offset(at: change))
            latest = change
        }
        return (transitions, offsets)
    }

    /// Returns how many changes have happened at an instant.
    private func transitionCount(upTo seconds: Int64) -> Int {
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension UTCOffset {
    /// Creates an offset of so many seconds, rounded to the nearest minute; `nil` if it is a day or
    /// more.
    init?(roundingSeconds seconds: Int) {
        let minutes = (seconds.magnitude + 30) / 60
        self.init(minutes: seconds < 0 ? -Int(minutes) : Int(minutes))
    }
}

// MARK: - Zones that follow one another

/// A zone that holds before others do.
private struct EarlierZone: Hashable, Sendable {
    let rules: TimeZoneRules

    /// The first instant at which it does not hold any more.
    let end: Timestamp
}

extension TimeZoneRules {
    /// Returns the rules of these zones up to an instant, and of another zone from then on.
    ///
    /// The rules of these zones from that instant on are left out.
    ///
    /// - Parameters:
    ///   - next: The rules of one zone.
    ///   - start: The first instant at which it holds.
    /// - Returns: The rules.
    public func followed(by next: TimeZoneRules, from start: Timestamp) -> TimeZoneRules {
        precondition(next.earlier.isEmpty, "one zone follows at a time")
        var alone = self
        alone.earlier = []
        var result = next
        result.earlier = earlier.filter { $0.end < start }
        let last = earlier.first { start <= $0.end }?.rules ?? alone
        result.earlier.append(EarlierZone(rules: last, end: start))
        return result
    }

    /// Returns the name of the zone that holds at an instant.
    public func name(at instant: Timestamp) -> String {
        earlier.first { instant < $0.end }?.rules.name ?? name
    }

    /// The names of the zones, for people of any language: `Europe/Amsterdam`, or
    /// `Europe/Amsterdam, Asia/Tokyo (2026-05-01)`, where each but the first stands with the day
    /// from which on it holds.
    public var words: String { words(of: 0...earlier.count) }

    /// Returns the names of the zones that hold at times, as ``words`` writes them.
    public func words(at times: ClosedRange<Timestamp>) -> String {
        func index(_ instant: Timestamp) -> Int {
            earlier.firstIndex { instant < $0.end } ?? earlier.count
        }
        return words(of: index(times.lowerBound)...index(times.upperBound))
    }

    /// Returns the names of some of the zones, which are numbered in order of time.
    private func words(of numbers: ClosedRange<Int>) -> String {
        let names = earlier.map(\.rules.name) + [name]
        let starts = earlier.map { zone in
            CivilDate(of: EventTime(zone.end, utcOffset: utcOffset(at: zone.end)))
        }
        return names[numbers.lowerBound]
            + numbers.dropFirst().map { ", \(names[$0]) (\(starts[$0 - 1]))" }.joined()
    }
}

// Source: RFC 9636, "The Time Zone Information Format (TZif)", sections 3 and 4.
extension TimeZoneRules {
    /// Reads a file of the tz database.
    ///
    /// - Parameters:
    ///   - name: the zone's name, which does not stand in the file.
    ///   - bytes: the file.
    /// - Throws: what is wrong with the file; nothing of it is used then.
    public init(name: String, file bytes: [UInt8]) throws(TimeZoneProblem) {
        var reader = TimeZoneFileReader(bytes)
        let old = try reader.readHeader()
        guard old.version > 1 else {
            let block = try reader.readBlock(old, timeByteCount: 4)
            try reader.finish()
            self.init(name: name, block, yearlyRule: nil)
            return
        }
        // The first block repeats, for old readers, what fits into 32 bits.
        try reader.skip(old.byteCount(timeByteCount: 4))
        let header = try reader.readHeader()
        guard header.version == old.version else { throw .invalidCount }
        let block = try reader.readBlock(header, timeByteCount: 8)
        let rule = try reader.readFooter()
        try reader.finish()
        self.init(
            name: name,
            block,
            yearlyRule: rule.isEmpty ? nil : try YearlyOffsetRule(posix: rule)
        )
    }

    private init(name: String, _ block: TimeZoneFileBlock, yearlyRule: YearlyOffsetRule?) {
        self.init(
            name: name,
            transitions: block.transitions,
            offsets: block.offsets,
            firstOffset: block.firstOffset,
            yearlyRule: yearlyRule
        )
    }
}

/// Why bytes are no rules of a time zone.
public enum TimeZoneProblem: Error, Hashable, Sendable {
    /// They do not begin as a file of the tz database does.
    case notTimeZoneFile

    /// The file is of a version that this program does not know.
    case unknownVersion

    /// The file ends too early.
    case truncated

    /// The file goes on after its end.
    case trailingBytes

    /// A count contradicts another, or there is no offset at all.
    case invalidCount

    /// The changes are not in order of time, or lead to no offset.
    case invalidTransition

    /// An offset is a day or more, or its name or kind is damaged.
    case invalidOffset

    /// The file counts leap seconds, which no time of an event does.
    case countsLeapSeconds

    /// The rule for the years after the last change is invalid.
    case invalidRule
}

extension TimeZoneProblem: CustomStringConvertible {
    /// What is wrong, as a sentence without a full stop.
    public var description: String {
        switch self {
        case .notTimeZoneFile: "this is no file of the tz database"
        case .unknownVersion: "the file has a version that this program does not know"
        case .truncated: "the file ends too early"
        case .trailingBytes: "the file goes on after its end"
        case .invalidCount: "the file's counts contradict one another"
        case .invalidTransition: "the file's changes are not in order, or lead to no offset"
        case .invalidOffset: "an offset is a day or more, or damaged"
        case .countsLeapSeconds: "the file counts leap seconds, which no time of an event does"
        case .invalidRule: "the rule for the years to come is none"
        }
    }
}
