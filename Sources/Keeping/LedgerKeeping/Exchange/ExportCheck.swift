import EventStore
import Proofs
import TripEvents
import TripLedger

/// Checks an export entry by entry: positions, hashes, the root, what its words say, and that
/// nothing was erased without an event that says so.
struct ExportCheck {
    /// What the export claims to be.
    let header: ExportHeader

    /// The outcome of the check so far.
    private(set) var outcome = VerifyOutcome(.origin)

    /// The first position that was erased by an event at `watchedSize` or after it.
    private(set) var firstErasedLater: UInt64?

    /// How many positions before `watchedSize` were erased by an event at it or after it.
    private(set) var erasedLater: UInt64 = 0

    private let watchedSize: UInt64?

    /// The position of the next entry.
    private(set) var position: UInt64

    /// The first position whose line is out of place: after it, nothing can be checked that depends
    /// on all earlier entries.
    private(set) var firstDisplaced: UInt64?

    private let tree: ExportTree

    /// The line that the next entry would have.
    private var expected: [UInt8] = []
    private var writer = ExportLineWriter()

    private var sources: [RegisteredSource]
    private var lastRecordedAt = Int64.min
    private var withheld: UInt64 = 0

    /// The positions of the entries that are withheld.
    private(set) var withheldPositions = PositionTree()

    /// The first of them, for people.
    private var withheldRanges = FirstRanges()

    /// The positions of the entries that were erased, for people.
    private var erasedRanges = FirstRanges()

    /// The heads that issued reports name.
    private(set) var issued: [IssuedHead] = []

    /// The tables of rates that would be mistaken for some of the program.
    private let ownTables = OwnTables()

    /// The leaf hashes of tombstones that no event has explained yet.
    private var tombstones: [UInt64: Digest] = [:]

    /// Prepares a check.
    ///
    /// - Parameters:
    ///   - header: What the export claims to be.
    ///   - watchedSize: A size at which the root is to be noted.
    init(_ header: ExportHeader, watching watchedSize: UInt64? = nil) {
        self.header = header
        self.watchedSize = watchedSize
        let frontier =
            MerkleFrontier(size: header.from, roots: header.frontier) ?? MerkleFrontier()
        position = frontier.size
        tree = ExportTree(
            frontier,
            upTo: header.head.size,
            noting: [watchedSize, header.signedHead?.head.size].compactMap(\.self)
        )
        sources = header.sources
    }

    /// Requires that nothing is wrong with what was taken so far.
    ///
    /// - Throws: `ExportDamage` with the first finding; for a stream of segments, with its code.
    func requireSound() throws(ExportDamage) {
        guard let finding = outcome.findings.first else { return }
        guard header.isOfSegments else { throw ExportDamage(finding.sentence) }
        throw ExportDamage(SegmentDamage(.badFrame, finding.sentence))
    }

    /// Takes the next entry.
    ///
    /// - Parameters:
    ///   - content: The content that the export gives for it.
    ///   - line: The line with words that holds it, if there is one.
    /// - Returns: The name that the entry gives to a source, if it does.
    /// - Throws: `ExportDamage` if it makes no sense to go on.
    mutating func take(
        _ content: ExportedContent,
        _ line: Span<UInt8>?
    ) throws(ExportDamage) -> RegisteredSource? {
        guard position < header.head.size else {
            throw ExportDamage("it holds more entries than it says")
        }
        let place = position
        if let line, let said = ExportLine.position(of: line), said != place { move(to: said) }
        let registered = try check(content, line)
        position = max(position + 1, place)
        return registered
    }

    /// Moves to the position that a line names instead of the next one, if the export can hold it.
    private mutating func move(to said: UInt64) {
        guard (header.from..<header.head.size).contains(said) else { return }
        if said > position {
            let last = said - 1
            outcome.report(
                .export,
                at: position,
                last == position
                    ? "position \(position) is missing"
                    : "positions \(position) to \(last) are missing"
            )
        } else {
            outcome.report(
                .export,
                at: said,
                "position \(said) stands here again, or too late: after position \(position - 1)"
            )
        }
        firstDisplaced = min(said, position, firstDisplaced ?? .max)
        position = said
    }

    private mutating func check(
        _ content: ExportedContent,
        _ line: Span<UInt8>?
    ) throws(ExportDamage) -> RegisteredSource? {
        switch content {
        case .withheld(let leaf):
            withheld += 1
            withheldPositions.append(position)
            withheldRanges.append(position)
            if position == 0 {
                outcome.report(.export, at: 0, "the event that begins a ledger is never withheld")
            }
            if let line {
                compare(line) { check, expected in
                    expected += ExportLine.line(withheld: leaf, at: check.position)
                }
            }
            tree.append(leaf)
            return nil
        case .entry(let bytes):
            guard let entry = EntryView(startOf: bytes.span), entry.bytes.count == bytes.count
            else {
                throw ExportDamage("what stands at position \(position) is no entry")
            }
            let registered = check(entry, line)
            if entry.isTombstone { tree.append(entry.leafHash) } else { tree.append(entry.bytes) }
            return registered
        }
    }

    /// The root of the log when it had `watchedSize` entries, if there were so many; it is read
    /// only after the last entry.
    var watchedRoot: Digest? {
        guard let watchedSize, watchedSize <= firstDisplaced ?? .max else { return nil }
        return tree.finish().roots[watchedSize]
    }

    /// Compares the whole with what the export claims.
    mutating func finish() {
        let tree = tree.finish()
        let head = tree.frontier.head
        for claim in ownTables.claims { outcome.claim(claim) }
        if position != header.head.size {
            outcome.report(
                .export,
                at: position,
                "it ends here, and says that it holds \(header.head.size) entries"
            )
        } else if firstDisplaced == nil, head.root != header.head.root {
            outcome.report(.export, "its entries have root \(head.root), not the one it names")
        }
        // The missing lines explain all of this.
        guard firstDisplaced == nil else { return }
        if header.countsWithheld, withheld != header.withheld {
            outcome.report(.export, "\(withheld) entries are withheld, not \(header.withheld)")
        }
        for position in tombstones.keys.sorted() {
            outcome.report(
                .export,
                at: position,
                "its content is gone and no event says that it was erased"
            )
        }
        checkSignedHead(tree)
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
        if erasedRanges.count > 0 {
            outcome.confirm(
                .export,
                "\(erasedRanges.count) of them were erased (\(erasedRanges.text)): only their "
                    + "hashes are here"
            )
        }
    }

    /// Checks that the entries begin with those of the signed head.
    private mutating func checkSignedHead(_ tree: GrownTree) {
        guard let signed = header.signedHead?.head else { return }
        if signed.size < header.from {
            outcome.doubt(
                "whether its log begins with the \(signed.size) entries whose head was signed: it "
                    + "tells nothing of those before position \(header.from)"
            )
        } else if tree.roots[signed.size] != signed.root {
            outcome.report(
                .head,
                "it does not begin with the \(signed.size) entries whose head was signed"
            )
        }
    }

    private static let otherWords = "the words of the line are not what the entry says"
    private static let notOwn = "the ledger does not write this here"

    /// Compares a line with its expected bytes, which `write` appends.
    private mutating func compare(
        _ line: Span<UInt8>,
        _ write: (inout ExportCheck, inout [UInt8]) -> Void
    ) {
        var expected: [UInt8] = []
        swap(&expected, &self.expected)
        expected.removeAll(keepingCapacity: true)
        write(&self, &expected)
        if !expected.span.isSame(as: line) {
            outcome.report(.export, at: position, Self.otherWords)
        }
        swap(&expected, &self.expected)
    }

    private mutating func check(
        _ entry: EntryView,
        _ line: Span<UInt8>?
    ) -> RegisteredSource? {
        if entry.recordedAt < lastRecordedAt, firstDisplaced == nil {
            outcome.report(.export, at: position, "recorded_at goes back")
        }
        lastRecordedAt = entry.recordedAt
        guard entry.source <= sources.count else {
            // The line that names it may be the one that is missing.
            if firstDisplaced == nil {
                outcome.report(.export, at: position, "its source was never registered")
            }
            return nil
        }
        let source = entry.source == 0 ? .ledger : sources[Int(entry.source) - 1]
        guard let logged = try? LoggedEntry(entry, at: position, source: source) else {
            outcome.report(.export, at: position, "its payload is not what its kind demands")
            return nil
        }
        if let line {
            compare(line) { check, expected in
                check.writer.append(entry, logged, to: &expected)
            }
        }
        if entry.isTombstone {
            if entry.source == 0 {
                outcome.report(.export, at: position, "the ledger's own events are never erased")
            }
            tombstones[position] = SHA256.leaf(entry.bytes)
            erasedRanges.append(position)
            return nil
        }
        guard entry.source == 0 else {
            if case .event(let event) = logged {
                if let head = IssuedHead(event.stored) { issued.append(head) }
                ownTables.take(event.stored)
            }
            return nil
        }
        guard case .event(let event) = logged else {
            outcome.report(.export, at: position, Self.notOwn)
            return nil
        }
        return checkOwn(event.stored)
    }

    /// Checks an event of the ledger itself.
    private mutating func checkOwn(_ stored: StoredEvent) -> RegisteredSource? {
        switch stored.event.body {
        case .ledgerCreated(let created) where position == 0 && created.ledger == header.ledger:
            return nil
        case .sourceRegistered(let source) where Int(source.number) == sources.count + 1:
            let registered = RegisteredSource(name: source.name, group: source.group)
            sources.append(registered)
            return registered
        case .entriesErased(let erased):
            check(erased)
            return nil
        case .recordsImported, .eventsReceived:
            return nil
        case .sourceRegistered where firstDisplaced != nil:
            return nil
        default:
            outcome.report(.export, at: position, Self.notOwn)
            return nil
        }
    }

    private mutating func check(_ erased: EntriesErased) {
        guard firstDisplaced == nil else { return }
        var root = MerkleFrontier()
        for range in erased.positions.ranges where range.upperBound > header.from {
            // Entries before the export's beginning are not known, however many the skip claims.
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
                    if position < watchedSize ?? 0 { erasedLater += 1 }
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
