import EventStore
import Proofs
import TripEvents
import TripLedger

/// Checks an export entry by entry: positions, hashes, the root, what its words say, and that
/// nothing was erased without an event that says so.
struct ExportCheck {
    /// What the export claims to be.
    let header: ExportHeader

    /// What the check came to so far.
    private(set) var outcome = VerifyOutcome()

    /// The root of the log when it had `watchedSize` entries, once that is known.
    private(set) var watchedRoot: Digest?

    /// The first position that was erased by an event at `watchedSize` or after it.
    private(set) var firstErasedLater: UInt64?

    private let watchedSize: UInt64?
    private var frontier: MerkleFrontier
    private var names: [String]
    private var lastRecordedAt = Int64.min
    private var withheld: UInt64 = 0

    /// The positions of the entries that are withheld.
    private(set) var withheldPositions = PositionTree()

    /// The first of them, for people.
    private var withheldRanges = FirstRanges()

    private var signedRoot: Digest?

    /// The hashes of tombstones, as leaves, of which no event spoke yet.
    private var tombstones: [UInt64: Digest] = [:]

    /// Prepares a check.
    ///
    /// - Parameters:
    ///   - header: What the export claims to be.
    ///   - watchedSize: A size at which the root is to be noted.
    init(_ header: ExportHeader, watching watchedSize: UInt64? = nil) {
        self.header = header
        self.watchedSize = watchedSize
        frontier = MerkleFrontier(size: header.from, roots: header.frontier) ?? MerkleFrontier()
        names = header.sources
        noteRoot()
    }

    /// The position of the next entry.
    var position: UInt64 { frontier.size }

    /// Takes the next entry.
    ///
    /// - Parameters:
    ///   - content: What the export tells of it.
    ///   - line: The line with words that it stands in, if there is one.
    /// - Returns: The name that the entry gives to a source, if it does.
    /// - Throws: `ExportDamage` if it makes no sense to go on.
    mutating func take(
        _ content: ExportedContent,
        _ line: Span<UInt8>?
    ) throws(ExportDamage) -> String? {
        guard position < header.head.size else {
            throw ExportDamage("it holds more entries than it says")
        }
        var registered: String?
        switch content {
        case .withheld(let leaf):
            withheld += 1
            withheldPositions.append(position)
            withheldRanges.append(position)
            if position == 0 {
                outcome.report(.export, at: 0, "the event that begins a ledger is never withheld")
            }
            if let line, !ExportLine.line(withheld: leaf, at: position).span.isSame(as: line) {
                outcome.report(.export, at: position, Self.otherWords)
            }
            _ = frontier.append(leaf)
        case .entry(let bytes):
            guard let entry = EntryView(startOf: bytes.span), entry.bytes.count == bytes.count
            else {
                throw ExportDamage("what stands at position \(position) is no entry")
            }
            registered = check(entry, line)
            _ = frontier.append(entry.leafHash)
        }
        noteRoot()
        return registered
    }

    /// Compares the whole with what the export claims.
    mutating func finish() {
        let head = TreeHead(size: frontier.size, root: frontier.root)
        if head.size != header.head.size {
            outcome.report(
                .export,
                at: head.size,
                "it ends here, and says that it holds \(header.head.size) entries"
            )
        } else if head.root != header.head.root {
            outcome.report(.export, "its entries have root \(head.root), not the one it names")
        }
        if withheld != header.withheld {
            outcome.report(.export, "\(withheld) entries are withheld, not \(header.withheld)")
        }
        for position in tombstones.keys.sorted() {
            outcome.report(
                .export,
                at: position,
                "its content is gone and no event says that it was erased"
            )
        }
        if let signed = header.signedHead?.head, signed.size < header.from {
            outcome.doubt(
                "whether its log begins with the \(signed.size) entries whose head was signed: it "
                    + "tells nothing of those before position \(header.from)"
            )
        } else if let signed = header.signedHead?.head, signedRoot != signed.root {
            outcome.report(
                .head,
                "it does not begin with the \(signed.size) entries whose head was signed"
            )
        }
        guard outcome.findingCount == 0 else { return }
        outcome.confirm(.export, "\(head.size) entries have root \(head.root)")
        if header.from > 0 {
            outcome.confirm(
                .export,
                "of the first \(header.from) it holds nothing but their root: which ledger this "
                    + "is, and the names of the sources, it only claims"
            )
        }
        if withheld > 0 {
            outcome.confirm(
                .export,
                "\(withheld) of them are withheld (\(withheldRanges.text)): their hashes are in "
                    + "that root, and nothing else is told of them"
            )
        }
    }

    private static let otherWords = "the words of the line are not what the entry says"

    private mutating func noteRoot() {
        if frontier.size == watchedSize { watchedRoot = frontier.root }
        if frontier.size == header.signedHead?.head.size { signedRoot = frontier.root }
    }

    private mutating func check(_ entry: EntryView, _ line: Span<UInt8>?) -> String? {
        if entry.recordedAt < lastRecordedAt {
            outcome.report(.export, at: position, "recorded_at goes back")
        }
        lastRecordedAt = entry.recordedAt
        guard entry.source <= names.count else {
            outcome.report(.export, at: position, "its source was never registered")
            return nil
        }
        let name = entry.source == 0 ? "" : names[Int(entry.source) - 1]
        guard let stored = try? StoredEvent(entry, at: position, sourceName: name) else {
            outcome.report(.export, at: position, "its payload is not what its kind demands")
            return nil
        }
        if let line, !ExportLine.line(entry, stored).span.isSame(as: line) {
            outcome.report(.export, at: position, Self.otherWords)
        }
        if entry.isTombstone {
            if entry.source == 0 {
                outcome.report(.export, at: position, "the ledger's own events are never erased")
            }
            tombstones[position] = SHA256.leaf(entry.bytes)
            return nil
        }
        return entry.source == 0 ? checkOwn(stored) : nil
    }

    /// Checks an event of the ledger itself.
    private mutating func checkOwn(_ stored: StoredEvent) -> String? {
        switch stored.event.body {
        case .ledgerCreated(let created) where position == 0 && created.ledger == header.ledger:
            return nil
        case .sourceRegistered(let source) where Int(source.number) == names.count + 1:
            names.append(source.name)
            return source.name
        case .entriesErased(let erased):
            check(erased)
            return nil
        default:
            outcome.report(.export, at: position, "the ledger does not write this here")
            return nil
        }
    }

    private mutating func check(_ erased: EntriesErased) {
        var root = MerkleFrontier()
        for range in erased.positions.ranges where range.upperBound > header.from {
            // What stands before the export's beginning is not known, however much it claims.
            for position in max(range.lowerBound, header.from)..<range.upperBound {
                guard let hash = tombstones.removeValue(forKey: position) else {
                    outcome.report(
                        .export,
                        at: position,
                        "an event says that it was erased, which it was not, or not then"
                    )
                    return
                }
                _ = root.append(hash)
                if self.position >= watchedSize ?? .max {
                    firstErasedLater = min(position, firstErasedLater ?? position)
                }
            }
        }
        let isWhole = (erased.positions.ranges.first?.lowerBound ?? 0) >= header.from
        if isWhole, root.root.description != erased.tombstoneHash {
            outcome.report(
                .export,
                at: position,
                "the tombstones that it names say something else than when they were made"
            )
        }
    }
}
