import Projections
public import TripEvents

/// Something that was done to keep a ledger safe: a line of the file `history.jsonl` in its
/// directory (Formats, *The history of a ledger's directory*).
public struct SafekeepingRecord: Hashable, Sendable {
    /// What was done.
    public enum Deed: String, Sendable {
        /// A copy was made and verified.
        case backup

        /// Every entry was read again.
        case scrub

        /// The log came from a copy.
        case restored

        /// The log was saved from a damaged file.
        case rescued
    }

    /// What was done.
    public var deed: Deed

    /// When.
    public var at: Timestamp

    /// The head that the log, or its copy, had then.
    public var head: LedgerHead

    /// The copy's file, or where what was there before has gone; empty if there is none.
    public var file = ""

    /// The SHA-256 of the copy's file, or empty.
    public var fileDigest = ""

    /// Where signed heads have gone that a restored log does not have.
    public var headsSetAside: [String] = []

    /// What was wrong, in a scrub.
    public var findings: UInt64 = 0

    /// Creates a record.
    public init(_ deed: Deed, at: Timestamp, head: LedgerHead) {
        self.deed = deed
        self.at = at
        self.head = head
    }

    /// Reads a line, or returns `nil` if it is no record.
    init?(line: Span<UInt8>) {
        guard let members = JSONMembers(line),
            let deed = members.text("did").flatMap(Deed.init(rawValue:)),
            let at = members.text("at").flatMap(RFC3339.time),
            let size = members.number("size"), let root = members.text("root")
        else { return nil }
        self.init(deed, at: at.timestamp, head: LedgerHead(size: size, root: root))
        file = members.text("file") ?? ""
        fileDigest = members.text("sha256") ?? ""
        headsSetAside = members.texts("heads_set_aside") ?? []
        findings = members.number("findings") ?? 0
    }

    /// The record as a line without its line feed.
    var line: [UInt8] {
        var json = RowJSON()
        json.add("did", text: deed.rawValue)
        json.add("at", time: EventTime(at))
        json.add("size", integer: Int64(clamping: head.size))
        json.add("root", text: head.root)
        if !file.isEmpty { json.add("file", text: file) }
        if !fileDigest.isEmpty { json.add("sha256", text: fileDigest) }
        if !headsSetAside.isEmpty { json.add("heads_set_aside", texts: headsSetAside) }
        if deed == .scrub { json.add("findings", integer: Int64(clamping: findings)) }
        return json.object
    }
}
