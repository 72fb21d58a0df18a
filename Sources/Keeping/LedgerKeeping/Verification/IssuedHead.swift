import EventStore
import Proofs
import TripEvents
import TripLedger

/// The head that an issued report says it was made from.
struct IssuedHead: Hashable, Sendable {
    /// The position of the event that says so.
    let position: UInt64

    /// The report, such as `R1`; `nil` if the event has no name.
    let name: String?

    /// How many entries it was made from.
    let size: UInt64

    private let root: String

    /// Reads an entry; `nil` if it does not record an issued report, or if its content is gone.
    init?(_ entry: EntryView, at position: UInt64) {
        guard entry.kind == EventKind.reportIssued.rawValue, !entry.isTombstone, !entry.isWithheld,
            // The number of the source says nothing here.
            let stored = try? StoredEvent(
                entry,
                at: position,
                source: RegisteredSource(name: "\(entry.source)")
            )
        else { return nil }
        self.init(stored)
    }

    /// Reads an event; `nil` if it does not record an issued report.
    init?(_ stored: StoredEvent) {
        guard case .reportIssued(let content) = stored.event.body else { return nil }
        position = stored.position
        name = stored.event.id
        size = content.treeSize
        root = content.treeHash
    }

    /// Compares it with the log.
    ///
    /// - Parameter found: The root of the log when it had ``size`` entries; `nil` if it never had.
    /// - Returns: What is wrong, as a sentence without a full stop; `nil` if nothing is.
    func problem(givenRoot found: Digest?) -> String? {
        let report = name.map { "the issued report \($0)" } ?? "an issued report"
        guard size <= position else {
            return "\(report) is said to be made from \(size) entries, and only \(position) stand "
                + "before it"
        }
        guard let found, found.description == root else {
            return "\(report) is said to be made from \(size) entries with root \(root), and these "
                + "have root \(found?.description ?? "none")"
        }
        return nil
    }
}

/// The heads that issued reports name, as an audit meets them.
final class IssuedHeads {
    private var heads: [UInt64: IssuedHead] = [:]

    /// The heads, in order of position.
    var inOrder: [IssuedHead] { heads.values.sorted { $0.position < $1.position } }

    /// Adds an entry; one that is met again replaces itself.
    func take(_ entry: EntryView, at position: UInt64) {
        guard entry.kind == EventKind.reportIssued.rawValue else { return }
        heads[position] = IssuedHead(entry, at: position)
    }
}
