import RowCoding
import TripEvents

/// Fixes that are impossibly far from the last kept one: if enough of them agree with each other,
/// it was the kept one that was wrong, or the way between was missed.
struct ReanchorRun: Hashable, Sendable {
    /// The fixes, each of which agrees with the one before it; all but the first are later than the
    /// one before, so that there is at most one per millisecond of `reanchorMilliseconds`.
    var fixes: [PendingFix] = []

    /// Takes the next impossible fix.
    ///
    /// - Returns: the fixes that it proves wrong by not agreeing with them.
    mutating func extend(with next: PendingFix, rules: TrackingRules) -> [PendingFix] {
        guard let last = fixes.last, !rules.agree(last.fix, next.fix) else {
            fixes.append(next)
            return []
        }
        let disproved = fixes
        fixes = [next]
        return disproved
    }

    /// Returns whether the fixes are many enough and span long enough to be believed.
    func isConvincing(rules: TrackingRules) -> Bool {
        guard let first = fixes.first, let last = fixes.last else { return false }
        return fixes.count >= rules.reanchorFixes
            && last.fix.occurredAt.milliseconds(since: first.fix.occurredAt)
                >= rules.reanchorMilliseconds
    }

    /// Empties the run and returns its fixes.
    mutating func takeFixes() -> [PendingFix] {
        defer { fixes = [] }
        return fixes
    }
}

/// A fix whose verdict depends on the fixes after it.
struct PendingFix: Hashable, Sendable {
    var fix: Fix

    /// Where it stands in the log, for the journal.
    var position: UInt64
}

extension PendingFix {
    func write(to writer: inout RowEncoder) {
        writer.write(fix)
        writer.write(position)
    }

    init(from reader: inout RowDecoder) throws(RowCodingError) {
        fix = try reader.readFix()
        position = try reader.readUInt64()
    }
}
