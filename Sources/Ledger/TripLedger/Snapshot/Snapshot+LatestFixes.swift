import EventStore
package import TripEvents

extension Snapshot {
    /// The most fixes of a source that tell how it records of late.
    private static let mostFixes = 200

    /// The most entries that are read for it.
    private static let mostEntries: UInt64 = 20_000

    /// Returns the latest fixes of some sources, as far as they are among the latest entries.
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
            try log.eachEntry(in: start..<head.size) { entry, position in
                guard entry.kind == EventKind.fixRecorded.rawValue, !entry.isTombstone,
                    let name = numbers[entry.source], let stored = StoredFix(entry, at: position)
                else { return }
                fixes[name, default: []].append(stored.fix)
            }
            return fixes.mapValues { Array($0.suffix(Self.mostFixes)) }
        }
    }
}
