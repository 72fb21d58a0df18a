import Importers
import Platform
import Projections
import Tables
import TripEvents
import TripLedger

/// The notes on inputs in other formats: the parts of records that could not be read, and the
/// reasons why an input gave no position.
struct ImportNotes {
    /// What an input held.
    struct Tally {
        let name: String
        let format: ImportFormat
        let zone: TimeZoneRules?
        var times: ClosedRange<Timestamp>?
        var fixes = 0
        var others = 0
        var guesses = 0
        var rejected = 0
        var ignored: [String: Int] = [:]
        var unread: [String: Int] = [:]
        var nullCoordinates = 0

        /// Whether standard input ended before it began.
        let isNothing: Bool
        var payments: [String: Int] = [:]

        /// The first rows that are equal to earlier ones.
        var equalRows: [ImportBatch.EqualRow] = []

        /// The times of its fixes, by their sources.
        var fixTimes: [NameKey: FixTimes] = [:]

        /// Prepares to count what an input holds.
        init(_ input: borrowing ImportedInput) {
            name = input.place.name
            format = input.format
            zone = input.borrowedZone
            let place = input.place
            let hasBytes = !input.head.isEmpty
            isNothing = place.name == "-" && place.depth == 0 && !hasBytes
        }

        /// Counts what a piece of the input holds.
        mutating func count(_ batch: ImportBatch) {
            for item in batch.items {
                switch item.outcome {
                case .event:
                    switch batch.kind(of: item) {
                    case .fixRecorded: fixes += 1
                    case .inferenceReported: guesses += 1
                    default: others += 1
                    }
                case .rejected: rejected += 1
                case .ignored(let kind): ignored[kind, default: 0] += 1
                }
            }
            for run in batch.runs { fixTimes[NameKey(run.source), default: FixTimes()].add(run) }
            unread.merge(batch.unread) { $0 + $1 }
            nullCoordinates += batch.nullCoordinates
            if zone != nil, let more = batch.times {
                let first = min(times?.lowerBound ?? more.lowerBound, more.lowerBound)
                times = first...max(times?.upperBound ?? more.upperBound, more.upperBound)
            }
            if !batch.payments.isEmpty { payments.merge(batch.payments) { $0 + $1 } }
            equalRows += batch.equalRows.prefix(ImportNotes.mostRows - equalRows.count)
        }
    }

    /// The times of what a source recorded in one input.
    struct FixTimes {
        private var run: ImportBatch.Run?
        private var hasJumped = false
        private var earlyBefore: ClosedRange<Timestamp>?

        /// Adds the fixes that come next.
        mutating func add(_ next: ImportBatch.Run) {
            guard let last = run else {
                run = next
                return
            }
            if run?.join(next) == true { return }
            hasJumped = true
            earlyBefore = ImportNotes.union(earlyBefore, ImportNotes.early(last.times))
            run = next
        }

        /// The times that may be wrong because a receiver's count of weeks began anew.
        var early: ClosedRange<Timestamp>? {
            ImportNotes.union(earlyBefore, run.flatMap { ImportNotes.early($0.times) })
        }

        /// The fewest fixes with one time that are suspicious: a logger that is finer than its
        /// clock writes some.
        private static let leastOfOneTime = 10

        /// The fixes, if there are many and all have one time.
        var ofOneTime: ImportBatch.Run? {
            guard let run, !hasJumped, run.count >= Self.leastOfOneTime,
                run.times.lowerBound == run.times.upperBound
            else { return nil }
            return run
        }
    }

    /// The most inputs about which something is said.
    private static let mostInputs = 5

    /// The most rows of an input that are named.
    private static let mostRows = 3

    /// The notes, in their order.
    private(set) var notes: [IntakeNote] = []

    /// How many amounts trips say were paid on them, by what is said of the currency.
    private(set) var payments: [String: Int] = [:]

    private var fixes = 0

    private var unread: [String: Int] = [:]
    private var nullCoordinates = 0
    private var guesses = 0
    private var silentCount = 0
    private var equalInputs = 0

    /// The times of each source that may be too early by a rollover of weeks.
    private var early: [NameKey: ClosedRange<Timestamp>] = [:]

    /// The first inputs in which all fixes of a source have one time.
    private var oneTimes: [(name: String, fixes: ImportBatch.Run)] = []

    /// Adds what an input held.
    mutating func add(_ tally: Tally) {
        fixes += tally.fixes
        unread.merge(tally.unread) { $0 + $1 }
        nullCoordinates += tally.nullCoordinates
        payments.merge(tally.payments) { $0 + $1 }
        guesses += tally.guesses
        for (source, times) in tally.fixTimes.sorted(by: { $0.key < $1.key }) {
            if let range = Self.union(early[source], times.early) { early[source] = range }
            guard oneTimes.count < Self.mostInputs, let fixes = times.ofOneTime else { continue }
            oneTimes.append((tally.name, fixes))
        }
        if let zone = tally.zone {
            // The ledger's present zone may not be the one of these times.
            let words = tally.times.map { zone.words(at: $0) } ?? zone.name
            add(
                "time_zone",
                "\(tally.name) says no time zone: its times are taken for those of \(words), the "
                    + "ledger's then; --time-zone says another"
            )
        }
        addEqualRows(of: tally)
        guard tally.fixes + tally.others + tally.guesses == 0, tally.rejected == 0 else { return }
        silentCount += 1
        guard silentCount <= Self.mostInputs else { return }
        add("nothing", "\(tally.name): \(Self.reason(tally))")
    }

    /// Says which rows of a table count once, and what to do if they are real.
    private mutating func addEqualRows(of tally: Tally) {
        guard let first = tally.equalRows.first else { return }
        equalInputs += 1
        guard equalInputs <= Self.mostInputs else { return }
        let count = tally.ignored[ImportBatch.EqualRow.kind] ?? 0
        let named = tally.equalRows.map { "line \($0.record) to line \($0.earlier)" }
            .joined(separator: ", ")
        let more = count > tally.equalRows.count ? ", ..." : ""
        let hasMap = ![.mileiq, .everlance].contains(tally.format)
        let all = hasMap ? "all that the map reads" : "all that is read"
        let what =
            count == 1
            ? "line \(first.record) is equal to line \(first.earlier) in \(all), "
                + "and counts once; if both are real, "
            : "\(Count.grouped(count)) lines are equal to earlier ones in \(all), "
                + "and count once (\(named)\(more)); if all are real, "
        let column = tally.equalRows.lazy.compactMap(\.column).first
        let cure =
            !hasMap
            ? "write what tells them apart into their notes"
            : column.map { "map a column that tells them apart to notes, such as \($0)" }
                ?? "add a column that tells them apart, and map it to notes"
        add("equal_rows", "\(tally.name): \(what)\(cure)")
    }

    /// Adds a note.
    mutating func add(_ kind: String, _ text: String) {
        notes.append(IntakeNote(kind: kind, text: text))
    }

    /// Adds what is only known when all inputs were appended.
    mutating func finish(_ summary: IntakeSummary, in ledger: Ledger) {
        sumUp()
        if let note = summary.misspeltNote { notes.append(note) }
        guard fixes > 0 else { return }
        let stretches = summary.stretches.filter { $0.value.isImported && $0.value.count > 1 }
        for (source, stretch) in stretches.sorted(by: { $0.key < $1.key }).prefix(Self.mostInputs)
        where !addTimes(of: source, stretch) {
            addTrips(of: source.name, stretch, summary, ledger)
        }
    }

    private mutating func sumUp() {
        if silentCount > Self.mostInputs {
            let more = Count.text(silentCount - Self.mostInputs, "file", "files")
            add("nothing", "\(more) more gave nothing")
        }
        for (name, count) in unread.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            let records = Count.text(count, "record", "records")
            add("unread", "\(name) was no number in \(records), which were stored without it")
        }
        if nullCoordinates > 0 {
            let records = Count.text(nullCoordinates, "record is", "records are")
            add(
                "null_coordinate",
                "\(records) at 0°, 0°, as receivers write when they know no position: stored, and "
                    + "in no distance"
            )
        }
        guard guesses > 0 else { return }
        let guesses = Count.text(guesses, "record is", "records are")
        add(
            "guesses",
            "\(guesses) what another app made of positions, and no measurement: they change no "
                + "trip and no distance. `ledger inferences` lists them, and with --make-trips "
                + "you report its drives as trips"
        )
    }

    /// Adds what is wrong with the times of a source; returns whether no trip can be made of them.
    private mutating func addTimes(of source: NameKey, _ stretch: SourceStretch) -> Bool {
        let name = Excerpt.escaped(source.name)
        let last = stretch.times.upperBound
        guard stretch.times.lowerBound < last else {
            add(
                "one_time",
                "\(name): all \(stretch.count) records have one time, \(RFC3339.text(last)), so "
                    + "no trip can be made of them"
            )
            return true
        }
        for (file, fixes) in oneTimes where NameKey(fixes.source) == source {
            let time = RFC3339.text(fixes.times.lowerBound)
            add(
                "one_time",
                "\(name): all \(fixes.count) records in \(file) have one time, \(time), so no trip "
                    + "can be made of them"
            )
        }
        if let times = early[source] ?? Self.early(stretch.times) {
            addRollover(of: source.name, times, isAll: times == stretch.times)
        }
        return false
    }

    /// Says that times of a source may be too early, and how to put them right.
    private mutating func addRollover(
        of source: String,
        _ times: ClosedRange<Timestamp>,
        isAll: Bool
    ) {
        let (first, last) = (times.lowerBound, times.upperBound)
        let meant = first.advanced(byMilliseconds: Self.rollover)
        let end = last.advanced(byMilliseconds: 1_000)
        add(
            "week_rollover",
            "\(Excerpt.escaped(source)): \(isAll ? "its times" : "some of its times") are of "
                + "\(Self.day(first)). A receiver whose count of weeks began "
                + "anew says \(Self.daysOfRollover) days too early; if that is so, they are of "
                + "\(Self.day(meant)), and `ledger shift-clock \(ShellWord.quoted(source)) --by "
                + "\(Self.daysOfRollover)d --from \(RFC3339.text(first)) --to "
                + "\(RFC3339.text(end))` puts it right"
        )
    }

    /// GPS counts weeks up to 1,024.
    private static let daysOfRollover: Int64 = 7 * 1_024

    /// The same in milliseconds.
    private static let rollover = daysOfRollover * Timestamp.millisecondsPerDay

    /// Returns times if a receiver may give them, and if all of them, moved on by one count of
    /// weeks, would still be in the past; `nil` otherwise.
    private static func early(_ times: ClosedRange<Timestamp>) -> ClosedRange<Timestamp>? {
        let isPast = times.upperBound.milliseconds + rollover <= WallClock.now.milliseconds
        return isPast && times.lowerBound >= SettingsBook.beginning ? times : nil
    }

    /// Returns the times from the first to the last of two ranges, as far as there are any.
    private static func union(
        _ one: ClosedRange<Timestamp>?,
        _ other: ClosedRange<Timestamp>?
    ) -> ClosedRange<Timestamp>? {
        guard let one else { return other }
        guard let other else { return one }
        let first = min(one.lowerBound, other.lowerBound)
        return first...max(one.upperBound, other.upperBound)
    }

    private static func day(_ time: Timestamp) -> String {
        String(RFC3339.text(time).prefix(10))
    }

    /// Says that no trip was made of what a source recorded, if none was.
    private mutating func addTrips(
        of source: String,
        _ stretch: SourceStretch,
        _ summary: IntakeSummary,
        _ ledger: Ledger
    ) {
        guard summary.appended > 0, let lag = try? ledger.lag() ?? summary.head.size,
            lag <= UInt64(summary.appended) + Self.mostEntriesBehind
        else { return }
        var filter = TripFilter(source: source)
        filter.limit = 1
        guard let trips = try? ledger.readNow({ try $0.trips(filter) }), trips.isEmpty else {
            return
        }
        add(
            "no_trips",
            "\(Excerpt.escaped(source)): no trip was made of its \(stretch.count) records: they "
                + "move too little, or their rules wait for GO. `ledger rules show` says which "
                + "rules they go by"
        )
    }

    /// The most earlier entries that may be read for the sake of a word.
    private static let mostEntriesBehind: UInt64 = 10_000

    /// Says the notes.
    func say() {
        for note in notes { Diagnostic.note(note.text) }
    }

    /// Returns why an input gave nothing.
    private static func reason(_ tally: Tally) -> String {
        let most = tally.ignored.max { ($0.value, $1.key) < ($1.value, $0.key) }
        guard let (kind, _) = most else {
            return tally.isNothing
                ? "standard input was empty; `ledger append FILE` reads a file"
                : "there is no record in it"
        }
        let total = tally.ignored.values.reduce(0, +)
        let records = Count.text(total, "record is", "records are")
        switch kind {
        case "rtept", "course":
            return "no times in it: its \(records) of a route that was planned, not driven"
        case "wpt", "Point", "mark", "saved_place", "LineString", "MultiLineString", "Polygon":
            return "no times in it: its \(records) of places and drawings"
        case "no_position", "no_location", "no_geometry":
            return "no positions in it: its \(records) without a place"
        case "timelinePath", "visit", "activity", "timelineMemory", "activitySegment":
            return "no positions with a time in it: its \(records) what Google made of some"
        default: return "no positions in it: its \(records) of other kinds (\(kind))"
        }
    }
}
