import EventStore
import Projections
import Proofs
import TripEvents
import TripLedger

/// A line of an export in JSON lines: an entry's exact bytes, and in words what they say.
enum ExportLine {
    private static let entryName = #","entry":""#
    private static let withheldName = #","type":"withheld","leaf_hash":""#
    private static let end = #""}"#

    /// Returns the line of an entry: as `ledger log` shows it, then its bytes in base64.
    static func line(_ entry: EntryView, _ stored: StoredEvent) -> [UInt8] {
        var line = Array(stored.json.dropLast())
        line.append(contentsOf: entryName.utf8)
        line.append(contentsOf: Base64.text([UInt8](copying: entry.bytes)).utf8)
        line.append(contentsOf: end.utf8)
        return line
    }

    /// Returns the line of an entry that is withheld.
    static func line(withheld leaf: Digest, at position: UInt64) -> [UInt8] {
        Array("{\"position\":\(position)\(withheldName)\(leaf)\(end)".utf8)
    }

    /// Returns what a line holds, its words unread: who compares them writes the line again.
    ///
    /// - Throws: `ExportDamage`.
    static func content(of line: Span<UInt8>) throws(ExportDamage) -> ExportedContent {
        guard let text = lastText(of: line) else { throw damage }
        let before = line.extracting(first: text.lowerBound)
        let value = String(decoding: text.map { line[$0] }, as: UTF8.self)
        if ends(before, with: entryName) {
            guard let bytes = Base64.bytes(value) else { throw damage }
            return .entry(bytes)
        }
        guard ends(before, with: withheldName), let leaf = Digest(hexadecimal: value) else {
            throw damage
        }
        return .withheld(leaf)
    }

    private static let damage = ExportDamage("the line is not as an export writes it")

    /// Returns where the text stands that is a line's last value.
    private static func lastText(of line: Span<UInt8>) -> Range<Int>? {
        guard ends(line, with: end) else { return nil }
        let last = line.count - end.utf8.count
        var first = last
        while first > 0, line[first - 1] != UInt8(ascii: "\"") { first -= 1 }
        return first > 0 ? first..<last : nil
    }

    private static func ends(_ line: Span<UInt8>, with suffix: String) -> Bool {
        let suffix = Array(suffix.utf8)
        guard line.count >= suffix.count else { return false }
        return line.extracting(last: suffix.count).isSame(as: suffix.span)
    }
}

/// A line of an export as CloudEvents 1.0 in JSON, each an event with its place in the log.
///
/// `source` and `id` are unique together: the ledger and the position. `sequence` has 20 digits, so
/// that it sorts as text. What the specification has no word for is in extensions: `recordedtime`,
/// and `leafhash`, by which an event is found again in proofs.
enum CloudEventLine {
    private static let sequenceDigits = 20

    /// Returns the line of an entry; erased and withheld ones have no data.
    static func line(
        _ stored: StoredEvent,
        leaf: Digest,
        isWithheld: Bool,
        ledger: String
    ) -> [UInt8] {
        let digits = String(stored.position)
        let zeros = String(repeating: "0", count: sequenceDigits - digits.utf8.count)
        var json = RowJSON()
        json.add("specversion", text: "1.0")
        json.add("id", text: digits)
        json.add("source", text: "urn:ledger:\(ledger)")
        json.add("type", text: "ledger." + (isWithheld ? "withheld" : stored.event.body.typeName))
        json.add("sequence", text: zeros + digits)
        json.add("leafhash", text: leaf.description)
        guard !isWithheld else { return json.object }
        json.add("recordedtime", text: RFC3339.text(stored.recordedAt))
        if stored.isErased { return json.object }
        let event = stored.event
        json.add("time", text: RFC3339.text(event.occurredAt, utcOffset: event.utcOffset))
        if !event.source.isEmpty { json.add("subject", text: event.source) }
        json.add("datacontenttype", text: "application/json")
        var line = Array(json.object.dropLast())
        line.append(contentsOf: #","data":"#.utf8)
        event.appendJSON(to: &line)
        line.append(UInt8(ascii: "}"))
        return line
    }
}

extension Span<UInt8> {
    /// Returns whether two spans hold the same bytes.
    func isSame(as other: Span<UInt8>) -> Bool {
        count == other.count && indices.allSatisfy { self[$0] == other[$0] }
    }
}
