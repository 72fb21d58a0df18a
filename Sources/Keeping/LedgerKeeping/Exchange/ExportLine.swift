import EventStore
import Projections
import Proofs
import TripEvents
import TripLedger

/// A line of an export in JSON lines: an entry's exact bytes, and in words what they say.
enum ExportLine {
    fileprivate static let entryName = Array(#","entry":""#.utf8)
    private static let withheldName = Array(#","type":"withheld","leaf_hash":""#.utf8)
    fileprivate static let end = Array(#""}"#.utf8)

    /// Returns the line of an entry that is withheld, without its end.
    static func line(withheld leaf: Digest, at position: UInt64) -> [UInt8] {
        Array("{\"position\":\(position)".utf8) + withheldName + Array(leaf.description.utf8) + end
    }

    /// Returns what a line holds, its words unread: a caller that compares them writes the line
    /// again.
    ///
    /// - Throws: `ExportDamage`.
    static func content(of line: Span<UInt8>) throws(ExportDamage) -> ExportedContent {
        guard let text = lastText(of: line) else { throw damage }
        let before = line.extracting(first: text.lowerBound)
        let value = line.extracting(text)
        if ends(before, with: entryName) {
            guard let bytes = Base64.bytes(value) else { throw damage }
            return .entry(bytes)
        }
        guard ends(before, with: withheldName),
            let hash = String(validating: value), let leaf = Digest(hexadecimal: hash)
        else { throw damage }
        return .withheld(leaf)
    }

    /// Returns the position that a line gives for its entry; `nil` if it does not begin with one.
    static func position(of line: Span<UInt8>) -> UInt64? {
        guard line.count > start.count, line.extracting(first: start.count).isSame(as: start.span)
        else { return nil }
        var position: UInt64 = 0
        for index in start.count..<line.count {
            let digit = line[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return index > start.count ? position : nil }
            // More digits than any position has.
            guard position < 1 << 56 else { return nil }
            position = position * 10 + UInt64(digit)
        }
        return nil
    }

    private static let start = Array(#"{"position":"#.utf8)

    private static let damage = ExportDamage("the line is not as an export writes it")

    /// Returns the range of the text that is a line's last value.
    private static func lastText(of line: Span<UInt8>) -> Range<Int>? {
        guard ends(line, with: end) else { return nil }
        let last = line.count - end.count
        var first = last
        while first > 0, line[first - 1] != UInt8(ascii: "\"") { first -= 1 }
        return first > 0 ? first..<last : nil
    }

    private static func ends(_ line: Span<UInt8>, with suffix: [UInt8]) -> Bool {
        guard line.count >= suffix.count else { return false }
        return line.extracting(last: suffix.count).isSame(as: suffix.span)
    }
}

/// Writes the lines of entries, as `ledger log` shows them, each with its bytes in base64.
struct ExportLineWriter {
    private var json = EntryJSON()

    /// Appends the line of an entry, without its end.
    mutating func append(
        _ entry: EntryView,
        _ logged: borrowing LoggedEntry,
        to line: inout [UInt8]
    ) {
        json.append(logged, to: &line)
        // The bytes are one more member of the object.
        line.removeLast()
        line.append(contentsOf: ExportLine.entryName)
        Base64.append(entry.bytes, to: &line)
        line.append(contentsOf: ExportLine.end)
    }
}

/// A line of an export as CloudEvents 1.0 in JSON, each an event with its place in the log.
///
/// `source` and `id` are unique together: the ledger and the position. `sequence` has 20 digits, so
/// that it sorts as text. Extensions hold the members without a name in the specification:
/// `recordedtime`, and `leafhash`, which finds an event in proofs.
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
        json.add("time", text: RFC3339.text(event.preciseTime))
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
        guard count == other.count else { return false }
        var position = 0
        while position + 8 <= count {
            guard word(at: position) == other.word(at: position) else { return false }
            position += 8
        }
        while position < count {
            guard self[position] == other[position] else { return false }
            position += 1
        }
        return true
    }
}
