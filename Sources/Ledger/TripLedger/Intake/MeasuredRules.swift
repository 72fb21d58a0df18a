import EventStore
import Proofs
public import TripEvents
public import TripTracking

/// A preset of rules that was adopted for a source because of how it records.
public struct MeasuredRules: Hashable, Sendable {
    /// The source.
    public let source: String

    /// The preset.
    public let preset: TrackingPreset

    /// How the source records.
    public let habit: RecordingHabit
}

extension Ledger {
    /// Adopts, for sources that are new with some files, the preset of rules that fits how they
    /// record, or the one that is named.
    ///
    /// Nothing is adopted for a source for which rules were adopted before, for itself or for all
    /// sources; nor for one with GO or STOP, whose trips the presses make, one with fewer fixes
    /// than a drive has, or one that reported more than the files hold. The rules hold from the
    /// beginning. Calling it again changes nothing.
    ///
    /// - Parameters:
    ///   - sources: The sources, with how many events of each the files hold.
    ///   - preset: The preset, if it is not to be measured.
    ///   - now: When the ledger stores it.
    /// - Returns: The adopted rules.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func adoptMeasuredRules(
        for sources: [NameKey: Int],
        preset: TrackingPreset? = nil,
        now: Timestamp
    ) throws(LedgerError) -> [MeasuredRules] {
        let found = try LedgerError.translating(at: path) {
            try sources.sorted { $0.key < $1.key }
                .compactMap { try measure($0.key.name, events: $0.value, preset) }
        }
        guard !found.isEmpty else { return [] }
        // Later adoptions have to come later, and the log only grows.
        let next = Snapshot.beginning.advanced(
            byMilliseconds: Int64(clamping: try head().size)
        )
        let events = found.map { rules in
            TripEvent(
                source: Self.decisionSource,
                occurredAt: next,
                body: .rulesAdopted(
                    RulesAdopted(preset: rules.preset.rawValue, appliesTo: rules.source)
                )
            )
        }
        _ = try append(events, now: now, mostSources: Self.mostSources)
        return found
    }

    /// Whether an event adopts rules that the ledger itself chose for one source.
    ///
    /// In contrast, a person who adopts rules is named, and a device that adopts them names its own
    /// source.
    static func adoptsOfItself(_ event: TripEvent, _ adopted: RulesAdopted) -> Bool {
        guard adopted.appliesTo != nil, adopted.preset != nil, event.actor == nil else {
            return false
        }
        if [RegisteredSource.ledger.name, "ledger"].contains(event.source) { return true }
        return event.source.hasSameBytes(as: decisionSource(of: event.group))
            && event.occurredAt.milliseconds(since: Snapshot.beginning)
                < Timestamp.millisecondsPerDay
    }

    /// Measures how a source records; `nil` if no rules are to be adopted for it.
    private func measure(
        _ name: String,
        events: Int,
        _ preset: TrackingPreset?
    ) throws -> MeasuredRules? {
        guard let source = try log.number(ofSource: name),
            let state = try log.source(numbered: source), state.events <= UInt64(events)
        else { return nil }
        var survey = SourceSurvey(of: name)
        try log.eachEntry(in: 0..<log.head().size) { entry, position in
            if entry.kind == EventKind.rulesAdopted.rawValue, !entry.isTombstone {
                try survey.takeAdoption(entry, at: position)
            }
            guard entry.source == source, !entry.isTombstone else { return }
            survey.take(entry, at: position)
        }
        guard !survey.hasRules, !survey.hasPresses,
            survey.fixes.count >= LedgerStatus.fixesOfADrive
        else { return nil }
        let habit = RecordingHabit(
            survey.fixes.sorted { $0.occurredAt < $1.occurredAt },
            hasMotion: survey.hasMotion
        )
        return MeasuredRules(source: name, preset: preset ?? habit.preset, habit: habit)
    }
}

/// The facts about a source that matter for the choice of rules.
private struct SourceSurvey {
    /// The most fixes that are read to tell how a source records.
    private static let mostFixes = 200_000

    private let name: String
    private(set) var fixes: [Fix] = []
    private(set) var hasMotion = false
    private(set) var hasPresses = false
    private(set) var hasRules = false

    init(of name: String) {
        self.name = name
    }

    mutating func take(_ entry: EntryView, at position: UInt64) {
        switch EventKind(rawValue: entry.kind) {
        case .fixRecorded where fixes.count < Self.mostFixes:
            if let stored = StoredFix(entry, at: position) { fixes.append(stored.fix) }
        case .motionChanged: hasMotion = true
        case .goPressed, .stopPressed: hasPresses = true
        default: break
        }
    }

    mutating func takeAdoption(_ entry: EntryView, at position: UInt64) throws {
        let stored = try StoredEvent(entry, at: position, source: .ledger)
        guard case .rulesAdopted(let adopted) = stored.event.body else { return }
        if adopted.appliesTo.map({ $0.hasSameBytes(as: name) }) ?? true { hasRules = true }
    }
}
