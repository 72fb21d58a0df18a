import EventStore
import Projections
import Proofs
import TripEvents
import TripLedger

/// The first line of an export, and a file of its own beside tiles: what the export claims to be.
struct ExportHeader: Hashable, Sendable {
    private static let format = "ledger-export/v1"

    /// The most sources that may be registered before the first entry: the line that names them is
    /// read as a whole.
    static let maximumSources = 100_000

    /// An upper bound for the texts that a line has besides the names of sources.
    private static let otherTexts = 100

    /// The ledger's id.
    var ledger: String

    /// The position of the first entry.
    var from: UInt64

    /// The log's size and root.
    var head: TreeHead

    /// How many entries are withheld; in a stream of segments only its entries tell.
    var withheld: UInt64

    /// Whether the header says how many entries are withheld.
    private(set) var countsWithheld = true

    /// Whether it begins a ledger in a stream of segments.
    var isOfSegments: Bool { !countsWithheld }

    /// The newest signed head of the ledger, as a note; `nil` if there is none.
    var signedHead: SignedHead?

    /// The owner's signed list of withheld entries; `nil` if there is none.
    var signedWithheld: SignedWithheld?

    /// The roots over the entries before the first: what the tree needs to go on from there.
    var frontier: [Digest] = []

    /// The sources that were registered before the first entry, by number less one.
    var sources: [RegisteredSource] = []

    /// The line, without its end.
    var line: [UInt8] {
        var json = RowJSON()
        json.add("format", text: Self.format)
        json.add("ledger", text: ledger)
        json.add("first_position", integer: Int64(from))
        json.add("size", integer: Int64(head.size))
        json.add("root", text: head.root.description)
        json.add("withheld", integer: Int64(withheld))
        if let signedHead {
            json.add("signed_head", text: String(decoding: signedHead.note.bytes, as: UTF8.self))
        }
        if let signedWithheld {
            let note = String(decoding: signedWithheld.note.bytes, as: UTF8.self)
            json.add("signed_withheld", text: note)
        }
        if from > 0 {
            json.add("frontier", texts: frontier.map(\.description))
            json.add("sources", texts: sources.map(\.name))
            if sources.contains(where: { $0.group != nil }) {
                json.add("groups", texts: sources.map { $0.group ?? "" })
            }
        }
        return json.object
    }

    /// Creates a header.
    init(ledger: String, from: UInt64, head: TreeHead, withheld: UInt64) {
        self.ledger = ledger
        self.from = from
        self.head = head
        self.withheld = withheld
    }

    /// Takes over the header of a ledger in a stream of segments.
    init(_ named: SegmentHeader, after earlier: EarlierEntries) {
        self.init(
            ledger: named.ledger,
            from: earlier.frontier.size,
            head: named.head,
            withheld: 0
        )
        countsWithheld = false
        frontier = earlier.frontier.roots
        sources = earlier.sources
    }

    /// Reads a line.
    ///
    /// - Throws: `ExportDamage` if it is not exactly what ``line`` writes.
    init(_ line: Span<UInt8>) throws(ExportDamage) {
        var quotes = 0
        for index in line.indices where line[index] == UInt8(ascii: "\"") { quotes += 1 }
        guard quotes <= 2 * (2 * Self.maximumSources + Self.otherTexts) else {
            throw ExportDamage("its first line names more than \(Self.maximumSources) sources")
        }
        let json: JSONValue
        do throws(JSONSyntaxError) {
            json = try JSONValue(line)
        } catch {
            throw ExportDamage("it does not begin with the line that an export begins with")
        }
        guard json["specversion"] == nil else {
            throw ExportDamage(ExportDamage.cloudEvents, isForeign: true)
        }
        guard json["format"]?.text == Self.format else {
            throw ExportDamage(
                "it is no export, or one of a newer version of ledger",
                isForeign: true
            )
        }
        guard let ledger = json["ledger"]?.text, let from = json["first_position"]?.number,
            let size = json["size"]?.number, let withheld = json["withheld"]?.number,
            from <= size, withheld <= size, size <= 1 << 56,
            let root = json["root"]?.text.flatMap({ Digest(hexadecimal: $0) })
        else { throw ExportDamage("its first line is incomplete") }
        self.init(
            ledger: ledger,
            from: from,
            head: TreeHead(size: size, root: root),
            withheld: withheld
        )
        frontier = (json["frontier"]?.texts ?? []).compactMap { Digest(hexadecimal: $0) }
        let names = json["sources"]?.texts ?? []
        let groups = json["groups"]?.texts ?? names.map { _ in "" }
        sources = zip(names, groups)
            .map { RegisteredSource(name: $0, group: $1.isEmpty ? nil : $1) }
        if let note = json["signed_head"]?.text {
            do throws(ProofDamage) {
                signedHead = try SignedHead(Array(note.utf8))
            } catch {
                throw ExportDamage("its signed head is none: \(error)")
            }
        }
        if let note = json["signed_withheld"]?.text {
            do throws(ProofDamage) {
                signedWithheld = try SignedWithheld(Array(note.utf8))
            } catch {
                throw ExportDamage("its signed list of withheld entries is none: \(error)")
            }
        }
        guard self.line.span.isSame(as: line) else {
            throw ExportDamage("its first line is not as an export writes it")
        }
        guard frontier.count == from.nonzeroBitCount else {
            throw ExportDamage("its frontier does not belong to its first position")
        }
    }
}
