import TripEvents

/// Reads what OwnTracks writes: one message as JSON, several of them, the official export, and the
/// recorder's files, whose lines are a time, a kind and a message.
///
/// Source: owntracks.org/booklet/tech/json. `vel` is in km/h, `tst` in seconds since 1970.
struct OwnTracksReader: FormatReader {
    private enum Cutter {
        /// Nothing but white space was read yet, which is kept for the numbers of lines.
        case undecided([UInt8])

        /// A recorder's file.
        case lines(LineSplitter)

        /// JSON of any form.
        case pieces(JSONPieces)
    }

    private var cutter = Cutter.undecided([])
    private var message: OwnTracksMessage
    private var record = 0

    init(_ options: ImportOptions) {
        message = OwnTracksMessage(options)
    }

    mutating func take(_ bytes: Span<UInt8>, into batch: inout ImportBatch) {
        switch cutter {
        case .undecided(let spaces):
            let text = spaces + bytes.bytes(in: bytes.indices)
            let start = JSONLexer.skipSpace(text.span, from: 0)
            guard start < text.count || text.count > LineSplitter.maximumByteCount else {
                cutter = .undecided(text)
                return
            }
            let isJSON = text[start...].first.map { [0x7B, 0x5B].contains($0) } ?? false
            cutter =
                isJSON ? .pieces(JSONPieces(cutting: ["locations"])) : .lines(LineSplitter())
            take(text.span, into: &batch)
        case .lines(var splitter):
            // Taken out first: while there is a second reference, each piece copies the unfinished
            // one.
            cutter = .undecided([])
            splitter.split(bytes) { text, line, number in
                take(line, of: text, number: number, into: &batch)
            }
            cutter = .lines(splitter)
        case .pieces(var pieces):
            cutter = .undecided([])
            pieces.split(bytes) { text, kind in take(kind, text, into: &batch) }
            cutter = .pieces(pieces)
        }
    }

    mutating func finish(into batch: inout ImportBatch) {
        switch cutter {
        case .undecided: break
        case .lines(var splitter):
            splitter.finish { text, line, number in
                take(line, of: text, number: number, into: &batch)
            }
        case .pieces(var pieces):
            pieces.finish { text, kind in take(kind, text, into: &batch) }
        }
    }

    private mutating func take(
        _ line: LineSplitter.Line,
        of text: Span<UInt8>,
        number: Int,
        into batch: inout ImportBatch
    ) {
        record = number
        guard case .text(let line) = line else {
            return batch.reject(.overlong(LineSplitter.maximumByteCount), record: number)
        }
        let range = NumberText.withoutNULs(text, line)
        if range.count < line.count { batch.ignore("nul_bytes", record: number) }
        guard !NumberText.trimmed(text, range).isEmpty else { return }
        // What the phone sent is JSON, unless the line is cut off or has NULs in its place.
        guard let parts = OwnTracksLine(text, range),
            parts.message != nil || parts.kind != OwnTracksLine.sent
        else {
            let sentence = "The line is no time, kind and message, as the recorder writes them."
            return batch.reject(
                Rejection(.invalidValue, sentence: sentence),
                record: number,
                text,
                range
            )
        }
        guard let json = parts.message else { return batch.ignore(parts.kind, record: number) }
        message.receivedAt = parts.receivedAt
        message.read(text.extracting(json), record: number, into: &batch)
    }

    private mutating func take(
        _ kind: JSONPieces.Kind,
        _ text: Span<UInt8>,
        into batch: inout ImportBatch
    ) {
        switch kind {
        case .element: read(text, into: &batch)
        case .root:
            // The object around the locations of an export is not a message.
            if text.contains("\"locations\"", from: 0) { return }
            read(text, into: &batch)
        case .overlong, .broken:
            record += 1
            batch.reject(kind, record: record)
        }
    }

    private mutating func read(_ text: Span<UInt8>, into batch: inout ImportBatch) {
        record += 1
        let first = batch.items.count
        message.read(text, record: record, into: &batch)
        batch.keep(text, text.indices, forItemsFrom: first)
    }
}

/// A line of a recorder's file: `2019-02-18T07:45:50Z`, a tab, `*` or a kind, a tab, a message.
struct OwnTracksLine {
    /// The kind of messages that the phone sent, and not the recorder or the broker.
    static let sent = "*"

    /// The kind: `*` for messages, else `lwt`, `waypoints` and the like.
    let kind: String

    /// The message, if it is JSON.
    let message: Range<Int>?

    /// When the recorder got it.
    let receivedAt: Timestamp?

    /// Takes a line apart; `nil` if it is something else.
    ///
    /// Old files have spaces instead of tabs.
    init?(_ text: Span<UInt8>, _ line: Range<Int>) {
        guard let end = Self.endOfTime(text, line) else { return nil }
        receivedAt = try? RFC3339.time(text, line.lowerBound..<end).timestamp
        let rest = NumberText.trimmed(text, end..<line.upperBound)
        var kindEnd = rest.lowerBound
        while kindEnd < rest.upperBound, text[kindEnd] > 0x20 { kindEnd += 1 }
        kind = String(decoding: text.bytes(in: rest.lowerBound..<kindEnd), as: UTF8.self)
        guard !kind.isEmpty else { return nil }
        let message = NumberText.trimmed(text, kindEnd..<rest.upperBound)
        let isObject = message.first.map { text[$0] == UInt8(ascii: "{") } ?? false
        self.message = isObject ? message : nil
    }

    /// Whether a line may be one of a recorder's file.
    static func looksLikeOne(_ text: Span<UInt8>, _ line: Range<Int>) -> Bool {
        OwnTracksLine(text, line) != nil
    }

    private static func endOfTime(_ text: Span<UInt8>, _ line: Range<Int>) -> Int? {
        // YYYY-MM-DDTHH:MM:SSZ
        let end = line.lowerBound + 20
        guard end < line.upperBound, text[end] == 0x09 || text[end] == 0x20,
            (try? RFC3339.time(text, line.lowerBound..<end)) != nil
        else { return nil }
        return end
    }
}
