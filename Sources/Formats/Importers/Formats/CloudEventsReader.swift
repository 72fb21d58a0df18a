import TripEvents

/// Reads CloudEvents 1.0 in JSON, one after the other or as a batch: what `ledger export --as
/// cloudevents` writes, and events of the catalogue from other programs.
///
/// Source: github.com/cloudevents/spec, formats/json-format.md. `type` is the event's type, with or
/// without `ledger.`; `time` is when it happened; `source` is `urn:ledger:source:` and a name, or
/// else the `subject` names it. Members of `data` that say the same take precedence.
struct CloudEventsReader: FormatReader {
    private static let typePrefix = "ledger."
    private static let sourcePrefix = "urn:ledger:source:"

    /// Members that every event has, which stand first in its line.
    private static let envelope = ["type", "source", "occurred_at"]

    private let options: ImportOptions
    private var pieces = JSONPieces(cutting: [])
    private var cloudEvent = JSONRecord()
    private var data = JSONRecord()
    private var record = 0

    init(_ options: ImportOptions) {
        self.options = options
    }

    mutating func take(_ bytes: Span<UInt8>, into batch: inout ImportBatch) {
        var pieces = self.pieces.takeOut()
        pieces.split(bytes) { text, kind in take(kind, text, into: &batch) }
        self.pieces = pieces
    }

    mutating func finish(into batch: inout ImportBatch) {
        var pieces = self.pieces.takeOut()
        pieces.finish { text, kind in take(kind, text, into: &batch) }
        self.pieces = pieces
    }

    private mutating func take(
        _ kind: JSONPieces.Kind,
        _ text: Span<UInt8>,
        into batch: inout ImportBatch
    ) {
        record += 1
        switch kind {
        case .element, .root:
            do throws(Rejection) {
                try read(text, into: &batch)
            } catch {
                batch.reject(error, record: record, text, text.indices)
            }
        case .overlong, .broken: batch.reject(kind, record: record)
        }
    }

    private mutating func read(
        _ text: Span<UInt8>,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        try cloudEvent.read(text)
        data = JSONRecord()
        if let value = cloudEvent.value("data", text) {
            guard value.kind == .object else {
                throw Rejection(.invalidValue, field: "data", sentence: "data is no JSON object.")
            }
            try data.read(text, value)
        }
        let type = try type(text)
        // What a ledger wrote about itself.
        if EventKind(name: type)?.isReserved == true {
            return batch.ignore(type, record: record)
        }
        guard let time = data.value("occurred_at", text) ?? cloudEvent.value("time", text) else {
            // The ledger exports erased and withheld entries this way.
            return batch.ignore("no_time", record: record)
        }
        var event = batch.begin(
            type,
            of: try source(text),
            at: try TimeText(zone: options.zone).time(text, time.range, in: "time")
        )
        event.isNumbered = false
        // The sender's name for an event; what the ledger exports has it in its data, if at all.
        if data.value("type", text) == nil, let id = cloudEvent.text("id", text) {
            batch.add("id", text: id, to: &event)
        }
        for (name, value) in data.members {
            let isInEnvelope = Self.envelope.contains { text.holds($0, at: name) }
            if !isInEnvelope { batch.add(name, value, of: text, to: &event) }
        }
        batch.end(event, record: record)
    }

    private func type(_ text: Span<UInt8>) throws(Rejection) -> String {
        guard let type = data.text("type", text) ?? cloudEvent.text("type", text) else {
            throw .missingField("type")
        }
        guard type.hasPrefix(Self.typePrefix) else { return type }
        return String(type.dropFirst(Self.typePrefix.count))
    }

    private func source(_ text: Span<UInt8>) throws(Rejection) -> String {
        if let source = options.source ?? data.text("source", text) { return source }
        guard let source = cloudEvent.text("source", text) else { throw .missingField("source") }
        if source.hasPrefix(Self.sourcePrefix) {
            return String(source.dropFirst(Self.sourcePrefix.count))
        }
        return cloudEvent.text("subject", text) ?? source
    }
}
