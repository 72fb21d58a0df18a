package import EventStore
import Projections
package import Proofs
import TripEvents
import TripLedger

/// The stream of segments: frames of one ledger or of several, one after the other.
///
/// A frame is a kind, a length and a payload, as Formats says under *Segments*. The stream reads
/// and writes no file.
package enum SegmentStream {
    /// What the first frame of each ledger names.
    static let format = "ledger-segments/v1"

    /// The most bytes that the payload of a frame has.
    package static let maximumPayloadByteCount = 16 << 20

    /// The bytes of kind and length.
    static let frameHeadByteCount = 5

    /// The bytes of a segment before its entries: first, next and root.
    static let segmentHeadByteCount = 48

    /// The kind byte of a frame.
    enum Kind: UInt8 {
        case ledger = 0x48
        case segment = 0x53
        case end = 0x45
    }

    /// Returns whether bytes begin as a stream of segments does, even a damaged one: the length of
    /// the first frame is not zero, and begins with a byte that no text contains.
    static func isBeginning(_ bytes: [UInt8]) -> Bool {
        guard bytes.first != Kind.ledger.rawValue else { return true }
        let length = bytes.dropFirst().prefix(4)
        return length.first.map { $0 <= 1 } == true && length.contains { $0 > 0 }
    }

    /// Returns a frame.
    fileprivate static func frame(_ kind: Kind, _ payload: [UInt8]) -> [UInt8] {
        var bytes = [kind.rawValue]
        append(UInt64(payload.count), byteCount: 4, to: &bytes)
        return bytes + payload
    }

    /// The frame that ends a ledger.
    package static var end: [UInt8] { frame(.end, []) }

    fileprivate static func append(_ number: UInt64, byteCount: Int, to bytes: inout [UInt8]) {
        for place in (0..<byteCount).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * place)))
        }
    }

    fileprivate static func number(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
        var number: UInt64 = 0
        for index in range { number = number << 8 | UInt64(bytes[index]) }
        return number
    }
}

/// The header of a ledger in a stream of segments: the ledger's id, and the head at its end.
package struct SegmentHeader: Hashable, Sendable {
    /// The ledger's id, 32 hexadecimal digits.
    package var ledger: String

    /// The size and root of the log at the end.
    package var head: TreeHead

    /// Names a ledger and its head.
    package init(ledger: String, head: TreeHead) {
        self.ledger = ledger
        self.head = head
    }

    /// The frame.
    package var frame: [UInt8] { SegmentStream.frame(.ledger, json) }

    private var json: [UInt8] {
        var json = RowJSON()
        json.add("format", text: SegmentStream.format)
        json.add("ledger", text: ledger)
        json.add("size", integer: Int64(head.size))
        json.add("root", text: head.root.description)
        return json.object
    }

    fileprivate init(_ payload: Span<UInt8>) throws(SegmentDamage) {
        guard let json = try? JSONValue(payload), let format = json["format"]?.text else {
            throw SegmentDamage(.badFrame, "a ledger does not begin with what names it")
        }
        guard format == SegmentStream.format else {
            throw SegmentDamage(.unknownVersion, "it has the form \(Excerpt.escaped(format))")
        }
        guard let ledger = json["ledger"]?.text, let size = json["size"]?.number,
            size <= 1 << 56, let root = json["root"]?.text.flatMap({ Digest(hexadecimal: $0) })
        else { throw SegmentDamage(.badFrame, "what names a ledger is incomplete") }
        self.init(ledger: ledger, head: TreeHead(size: size, root: root))
        guard self.json.span.isSame(as: payload), TripID(ledger) != nil else {
            throw SegmentDamage(.badFrame, "what names a ledger is not as a ledger writes it")
        }
    }
}

/// Consecutive entries of a log with the root of the log after them.
package struct Segment: Hashable, Sendable {
    /// The position of the first entry.
    package var first: UInt64

    /// The position after the last entry.
    package var next: UInt64

    /// The root of the first `next` entries.
    package var root: Digest

    /// The entries as in the frame: for each a length of two bytes, then its bytes; for a withheld
    /// entry a length of 0, then its leaf hash.
    package var bytes: [UInt8]

    /// Takes over a segment that stands somewhere else, such as in a database.
    package init(first: UInt64, next: UInt64, root: Digest, bytes: [UInt8]) {
        self.first = first
        self.next = next
        self.root = root
        self.bytes = bytes
    }

    /// The frame.
    package var frame: [UInt8] {
        var payload: [UInt8] = []
        payload.reserveCapacity(SegmentStream.segmentHeadByteCount + bytes.count)
        SegmentStream.append(first, byteCount: 8, to: &payload)
        SegmentStream.append(next, byteCount: 8, to: &payload)
        payload += root.array
        payload += bytes
        return SegmentStream.frame(.segment, payload)
    }

    fileprivate init(_ payload: Span<UInt8>) throws(SegmentDamage) {
        let head = SegmentStream.segmentHeadByteCount
        guard payload.count >= head, let root = Digest(payload.extracting(16..<head)) else {
            throw SegmentDamage(.badFrame, "a segment is shorter than its first numbers")
        }
        first = SegmentStream.number(payload, 0..<8)
        next = SegmentStream.number(payload, 8..<16)
        self.root = root
        bytes = [UInt8](copying: payload.extracting(droppingFirst: head))
        guard first < next else {
            throw SegmentDamage(.badFrame, "the segment at position \(first) has no entries")
        }
    }

    /// Hands over each entry with its leaf hash.
    ///
    /// - Throws: `SegmentDamage` if the bytes are not exactly the entries that the segment names,
    ///   and what `take` throws.
    func eachEntry(_ take: (ExportedContent, Digest) throws -> Void) throws {
        var start = 0
        var position = first
        while start < bytes.count, position < next {
            guard let (content, leaf, end) = content(at: start) else {
                throw SegmentDamage(.badFrame, "what stands at position \(position) is no entry")
            }
            try take(content, leaf)
            start = end
            position += 1
        }
        guard start == bytes.count, position == next else {
            throw SegmentDamage(
                .badFrame,
                "the segment at position \(first) does not hold \(next - first) entries"
            )
        }
    }

    /// How many bytes the first entry has; `nil` if it is withheld, or not whole.
    fileprivate var firstEntryByteCount: Int? {
        guard bytes.count >= 2 else { return nil }
        let length = Int(bytes[0]) << 8 | Int(bytes[1])
        return length > 0 && 2 + length <= bytes.count ? length : nil
    }

    private func content(at start: Int) -> (ExportedContent, leaf: Digest, end: Int)? {
        guard start + 2 <= bytes.count else { return nil }
        let length = Int(bytes[start]) << 8 | Int(bytes[start + 1])
        let end = start + 2 + (length == 0 ? Digest.byteCount : length)
        guard end <= bytes.count else { return nil }
        let span = bytes.span.extracting(start + 2..<end)
        if length == 0 { return Digest(span).map { (.withheld($0), $0, end) } }
        guard let entry = EntryView(startOf: span), entry.bytes.count == length, !entry.isWithheld
        else { return nil }
        return (.entry([UInt8](copying: span)), entry.leafHash, end)
    }
}

/// Collects entries into segments of at most so many entries and bytes.
package struct SegmentBuilder {
    /// The most entries of a segment that this program writes.
    package static let maximumEntryCount: UInt64 = 10_000

    /// The most bytes of entries, but for the last one.
    package static let maximumByteCount = 1 << 20

    /// The tree over all entries so far.
    package private(set) var frontier: MerkleFrontier

    private var first: UInt64
    private var bytes: [UInt8] = []

    /// Goes on after the entries of a frontier.
    package init(after frontier: MerkleFrontier = MerkleFrontier()) {
        self.frontier = frontier
        first = frontier.size
    }

    /// Whether the segment that is being made has as much as one should.
    package var isFull: Bool {
        frontier.size - first >= Self.maximumEntryCount || bytes.count >= Self.maximumByteCount
    }

    /// Adds an entry with its bytes, which are the tombstone if it was erased; or with nothing but
    /// its leaf hash if it is withheld.
    package mutating func append(_ entry: EntryView, isWithheld: Bool) {
        let leaf = entry.leafHash
        let isWithheld = isWithheld || entry.isWithheld
        let length = isWithheld ? 0 : entry.bytes.count
        SegmentStream.append(UInt64(length), byteCount: 2, to: &bytes)
        if isWithheld {
            bytes += leaf.array
        } else {
            bytes.append(contentsOf: entry.bytes)
        }
        _ = frontier.append(leaf)
    }

    /// Returns the segment, and begins the next one; `nil` if it has no entries.
    package mutating func take() -> Segment? {
        guard frontier.size > first else { return nil }
        defer {
            first = frontier.size
            bytes.removeAll(keepingCapacity: true)
        }
        return Segment(first: first, next: frontier.size, root: frontier.root, bytes: bytes)
    }
}

/// A frame of a stream of segments.
package enum SegmentFrame: Hashable, Sendable {
    /// A ledger begins.
    case ledger(SegmentHeader)

    /// Entries of it.
    case segment(Segment)

    /// It ends.
    case end
}

/// Cuts bytes, however they come, into frames.
package struct SegmentBuffer {
    private var bytes: [UInt8] = []
    private var start = 0

    /// Begins with nothing.
    package init() {}

    /// Takes the next bytes of the stream.
    package mutating func append(_ more: Span<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    /// Whether all bytes that came belong to frames that were taken.
    package var isEmpty: Bool { start == bytes.count }

    /// Takes the next frame; `nil` if more bytes have to come first.
    ///
    /// - Throws: `SegmentDamage`.
    package mutating func next() throws(SegmentDamage) -> SegmentFrame? {
        let bytes = bytes
        guard start < bytes.count else { return nil }
        guard let kind = SegmentStream.Kind(rawValue: bytes[start]) else {
            throw SegmentDamage(.badFrame, "there is no frame of the kind \(bytes[start])")
        }
        let payloadStart = start + SegmentStream.frameHeadByteCount
        guard payloadStart <= bytes.count else { return nil }
        let length = Int(SegmentStream.number(bytes.span, start + 1..<payloadStart))
        guard length <= SegmentStream.maximumPayloadByteCount else {
            throw SegmentDamage(.badFrame, "a frame has \(length) bytes, more than any has")
        }
        guard payloadStart + length <= bytes.count else { return nil }
        let payload = bytes.span.extracting(payloadStart..<payloadStart + length)
        let frame: SegmentFrame
        switch kind {
        case .ledger: frame = .ledger(try SegmentHeader(payload))
        case .segment: frame = .segment(try Segment(payload))
        case .end:
            guard length == 0 else {
                throw SegmentDamage(.badFrame, "the frame that ends a ledger is not empty")
            }
            frame = .end
        }
        start = payloadStart + length
        return frame
    }
}

/// Checks that frames form whole ledgers, one after the other, and recomputes each leaf and each
/// root.
package struct SegmentChain {
    /// The ledger that is being read; `nil` between ledgers.
    package private(set) var header: SegmentHeader?

    /// The tree over the entries of that ledger so far.
    package private(set) var frontier = MerkleFrontier()

    /// Begins before the first ledger.
    package init() {}

    /// Goes on after entries that are there already: the next ledger's first segment may begin
    /// there.
    package mutating func go(onAfter frontier: MerkleFrontier) {
        self.frontier = frontier
    }

    /// Takes the frame that begins a ledger.
    ///
    /// - Throws: `SegmentDamage` if another ledger has not ended, or if this one has no entries:
    ///   every ledger has at least its first one.
    package mutating func begin(_ header: SegmentHeader) throws(SegmentDamage) {
        guard self.header == nil else {
            throw SegmentDamage(.truncated, "another ledger begins before this one ends")
        }
        guard header.head.size > 0 else {
            throw SegmentDamage(.badFrame, "the ledger that is named holds no entries")
        }
        self.header = header
        frontier = MerkleFrontier()
    }

    /// Returns the entries of the next segment.
    ///
    /// - Throws: `SegmentDamage`.
    package mutating func take(_ segment: Segment) throws -> [ExportedContent] {
        guard let header else {
            throw SegmentDamage(.badFrame, "a segment stands outside of any ledger")
        }
        guard segment.first == frontier.size else {
            throw SegmentDamage(
                .gap,
                "a segment begins at position \(segment.first) where \(frontier.size) is next"
            )
        }
        guard segment.next <= header.head.size else {
            throw SegmentDamage(
                .gap,
                "a segment ends at position \(segment.next), after the ledger's \(header.head.size)"
            )
        }
        var contents: [ExportedContent] = []
        var grown = frontier
        if segment.first == 0 { try requireBeginning(of: header, in: segment) }
        try segment.eachEntry { content, leaf in
            let position = segment.first + UInt64(contents.count)
            guard position == 0 || !content.beginsLedger else {
                throw SegmentDamage(.badFrame, "another ledger begins at position \(position)")
            }
            contents.append(content)
            _ = grown.append(leaf)
        }
        guard grown.root == segment.root else {
            throw SegmentDamage(
                .wrongRoot,
                "the first \(segment.next) entries do not have the root that is named at position "
                    + "\(segment.next)"
            )
        }
        frontier = grown
        return contents
    }

    /// Checks that the first entry begins the ledger that is named.
    private func requireBeginning(of header: SegmentHeader, in segment: Segment) throws {
        var isSame = false
        if let length = segment.firstEntryByteCount {
            let bytes = segment.bytes.span.extracting(2..<2 + length)
            if let entry = EntryView(startOf: bytes),
                let stored = try? StoredEvent(entry, at: 0, source: .ledger),
                case .ledgerCreated(let created) = stored.event.body
            {
                isSame = created.ledger == header.ledger
            }
        }
        guard isSame else {
            throw SegmentDamage(
                .badFrame,
                "the first entry does not begin the ledger that is named"
            )
        }
    }

    /// Takes the frame that ends a ledger, and returns what began it.
    ///
    /// - Throws: `SegmentDamage` unless all of its entries came.
    package mutating func end() throws(SegmentDamage) -> SegmentHeader {
        guard let header else {
            throw SegmentDamage(.badFrame, "a ledger ends that did not begin")
        }
        guard frontier.size == header.head.size else {
            throw SegmentDamage(
                .gap,
                "the ledger ends at position \(frontier.size), and has \(header.head.size) entries"
            )
        }
        guard frontier.root == header.head.root else {
            throw SegmentDamage(
                .wrongRoot,
                "its \(frontier.size) entries do not have the root that the ledger names"
            )
        }
        self.header = nil
        return header
    }

    /// Checks that the stream may end here.
    ///
    /// - Throws: `SegmentDamage` if a ledger has not ended, or the last frame is not whole.
    package func finish(_ buffer: SegmentBuffer) throws(SegmentDamage) {
        guard header == nil, buffer.isEmpty else {
            throw SegmentDamage(.truncated, "the stream ends before the ledger does")
        }
    }
}

extension ExportedContent {
    /// Whether it is an entry that begins a ledger, which only the first entry may be.
    fileprivate var beginsLedger: Bool {
        guard case .entry(let bytes) = self else { return false }
        return EntryView(startOf: bytes.span)?.kind == EventKind.ledgerCreated.rawValue
    }
}

/// Why a stream of segments is refused.
package struct SegmentDamage: Error, Hashable, CustomStringConvertible {
    /// The kind of damage, for programs.
    package enum Code: String, CaseIterable, Sendable {
        /// A frame that is of an unknown kind, is too long, or has content that does not belong
        /// there.
        case badFrame = "bad_frame"

        /// A segment does not begin where the one before it ends.
        case gap

        /// The entries do not have the root that is named.
        case wrongRoot = "wrong_root"

        /// The stream ends before its ledger does.
        case truncated

        /// The stream has a version that this program does not read.
        case unknownVersion = "unknown_version"
    }

    /// The kind of damage.
    package let code: Code

    /// What is wrong, as a sentence without a full stop.
    package let description: String

    /// Creates a reason.
    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
