import EventStore
package import TripEvents

/// A choice of entries of the log.
///
/// It looks at the first bytes of an entry; its content is not read.
package struct LogFilter: Sendable {
    /// The only types; empty for all.
    private let types: Set<EntryType>

    /// The numbers of the only sources; `nil` for all.
    private let sources: Set<UInt32>?

    /// The local days on which they occurred; `nil` for all.
    private let period: LocalPeriod?

    /// The only positions; `nil` for all.
    private let positions: RangeSet<UInt64>?

    /// Whether more than the source decides; if not, an entry is let through at once.
    private let looksCloser: Bool

    /// Lets every entry through.
    package init() {
        types = []
        sources = nil
        period = nil
        positions = nil
        looksCloser = false
    }

    /// Creates a filter for the log of a ledger.
    ///
    /// - Parameters:
    ///   - ledger: The ledger whose log it is for.
    ///   - types: The only types; empty for all.
    ///   - sources: The names of the only sources, the empty one for the ledger itself; none for
    ///     all.
    ///   - period: The local days on which they occurred, by their own clocks; `nil` for all.
    ///   - positions: The only positions; `nil` for all.
    /// - Throws: `.notFound` if a source has never reported anything, and names some that have;
    ///   `.damaged`, `.inputOutput`.
    package init(
        for ledger: Ledger,
        types: Set<EntryType> = [],
        sources: [String] = [],
        period: LocalPeriod? = nil,
        positions: [UInt64]? = nil
    ) throws(LedgerError) {
        self.types = types
        self.sources =
            sources.isEmpty ? nil : Set(try ledger.requireSources(named: sources))
        self.period = period
        self.positions = positions.map { RangeSet($0.map { $0..<$0 + 1 }) }
        looksCloser = !types.isEmpty || period != nil || positions != nil
    }

    /// The positions between which all entries lie that it lets through.
    var bounds: Range<UInt64> {
        guard let positions else { return 0..<UInt64.max }
        guard let first = positions.ranges.first, let last = positions.ranges.last else {
            return 0..<0
        }
        return first.lowerBound..<last.upperBound
    }

    /// Returns whether an entry is handed over.
    func includes(_ entry: EntryView, at position: UInt64) -> Bool {
        if let sources, !sources.contains(entry.source) { return false }
        guard looksCloser else { return true }
        if let positions, !positions.contains(position) { return false }
        let form = PayloadForm(rawValue: entry.form)
        let type = EntryType(kind: entry.kind, form: form)
        if !types.isEmpty, !types.contains(type) { return false }
        guard let period else { return true }
        let occurredAt = Timestamp(milliseconds: entry.occurredAt)
        guard period.instants.contains(occurredAt) else { return false }
        // For an unknown event, only the time is known.
        guard case .event = type, form.hasOffset,
            let prefix = PayloadPrefix(entry.payload, form: form)
        else { return period.contains(EventTime(occurredAt)) }
        return period.contains(EventTime(occurredAt, utcOffset: prefix.utcOffset))
    }
}

extension Ledger {
    /// Returns the numbers of sources.
    fileprivate func requireSources(named names: [String]) throws(LedgerError) -> [UInt32] {
        try LedgerError.translating(at: path) {
            try names.map { name in
                if name.isEmpty { return 0 }
                if let number = try log.number(ofSource: name) { return number }
                var known: [String] = []
                // They are numbered from 1 on, without gaps.
                while known.count < LedgerError.mostSourcesCompared,
                    let source = try log.source(numbered: UInt32(known.count + 1))
                {
                    known.append(source.name)
                }
                throw LedgerError(noSource: name, among: known, at: path)
            }
        }
    }
}
