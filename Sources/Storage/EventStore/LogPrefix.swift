import Proofs
import Synchronization

/// The first entries of a log, read as if nothing had been appended to them.
///
/// The data that the log stores beside its entries covers all of them, so it is derived again from
/// the first entries when it is needed: what each source had reported by then, what was erased and
/// withheld.
final class LogPrefix: Sendable {
    /// How many entries there are, and the root over them.
    let head: TreeHead

    /// The sources in order of their numbers, once they were asked for.
    private let sources = Mutex<[SourceState]?>(nil)

    /// Reads the root over the first entries of a log, which MUST have as many.
    ///
    /// - Throws: `EventLogError.damaged`, `LMDBError`.
    init(of log: ReadableLog, size: UInt64) throws {
        head = TreeHead(size: size, root: try LogTree(log).root(atSize: size))
    }

    /// Returns the sources that the first entries register, in their state after these entries.
    ///
    /// - Parameter log: The log, of which only these entries are shown.
    /// - Returns: The sources in order of their numbers.
    /// - Throws: `EventLogError.damaged`, `LMDBError`.
    func sources(of log: ReadableLog) throws -> [SourceState] {
        if let known = sources.withLock(\.self) { return known }
        var states: [SourceState] = []
        try log.eachEntry(in: 0..<head.size) { entry, position in
            if entry.source == 0 {
                guard entry.kind == LogAudit.registrationKind else { return }
                let number = UInt32(states.count + 1)
                guard let state = try log.storedState(ofSource: number) else {
                    throw EventLogError.damaged(position: position, "source \(number) has no state")
                }
                states.append(SourceState(state.registered))
            } else if !entry.isTombstone {
                guard entry.source <= states.count else {
                    throw EventLogError.damaged(position: position, "its source is unknown")
                }
                states[Int(entry.source) - 1].note(entry.occurredAt, at: position)
            }
        }
        sources.withLock { $0 = states }
        return states
    }
}

extension SourceState {
    /// Counts an event that was appended to those before it.
    fileprivate mutating func note(_ occurredAt: Int64, at position: UInt64) {
        if isInOrder(occurredAt) {
            _ = noteInOrder(occurredAt, position: position)
        } else {
            noteLate()
        }
    }
}
