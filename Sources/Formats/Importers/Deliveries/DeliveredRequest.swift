package import TripEvents

/// A request in which an app delivers what it has recorded.
package struct DeliveredRequest: Sendable {
    /// The part of the address after the question mark, as it was sent, and without tokens.
    package let query: String

    /// The body.
    package let body: [UInt8]

    /// Creates a request; an empty object or list beside a query is no body.
    package init(query: String = "", body: [UInt8]) {
        self.query = query
        let saysNothing = ["{}", "[]"].contains { Self.beginning(of: body).elementsEqual($0.utf8) }
        self.body = saysNothing && !query.isEmpty ? [] : body
    }

    /// The first three bytes that are not space: two are an empty object or list.
    private static func beginning(of body: [UInt8]) -> [UInt8] {
        Array(body.lazy.filter { $0 > 0x20 }.prefix(3))
    }

    /// The delivered content: the body, or the query if there is none.
    ///
    /// A request with this content as its body means the same.
    package var content: [UInt8] { body.isEmpty ? Array(query.utf8) : body }

    /// Whether it is JSON, told by its first byte: what senders say of it is not always true.
    private var isJSON: Bool {
        let head = TextDecoding.utf8(of: body.span.extracting(first: TextDecoding.headByteCount))
        let start = JSONLexer.skipSpace(head.span, from: 0)
        return start < head.count && [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(head[start])
    }

    /// Form and query as a line of a log; the form stands first, so that it counts.
    private var line: [UInt8] {
        var line = [UInt8(ascii: "?")]
        for byte in body where byte != UInt8(ascii: "\r") {
            switch byte {
            case UInt8(ascii: "\n"): line.append(UInt8(ascii: "&"))
            case UInt8(ascii: " "): line.append(UInt8(ascii: "+"))
            default: line.append(byte)
            }
        }
        if !body.isEmpty, !query.isEmpty { line.append(UInt8(ascii: "&")) }
        return line + query.utf8
    }

    /// Returns the app that a door for several apps speaks to now: they want different answers.
    package func shape(at door: DeliveryDoor) -> DeliveryDoor {
        guard door == .colota, !isHomeAssistants else { return door }
        if holds("locations") { return .overland }
        return holds("_type") ? .owntracks : .colota
    }

    /// Whether it is what an automation of Home Assistant posts, which may come to other doors.
    private var isHomeAssistants: Bool {
        isJSON && holds("location") && holds("latitude") && !holds("coords") && !holds("locations")
            && !holds("_type") && !holds("tst")
    }

    private func holds(_ name: String) -> Bool {
        body.span.contains("\"\(name)\"", from: 0)
    }

    /// Reads the request in the language of the apps that deliver at a door.
    ///
    /// - Parameters:
    ///   - door: The door.
    ///   - options: The facts about the deliverer.
    /// - Returns: What it holds, in its order; records that a ledger has no use for are ignored,
    ///   and those that cannot be understood are rejected.
    package func events(at door: DeliveryDoor, _ options: DeliveryOptions) -> ImportBatch {
        var formats = ImportOptions(source: options.sources.first, zone: options.zone)
        formats.delivery = options
        var batch = read(at: door, formats)
        // The sender is told that everything is safe, including what no reader has recognised.
        let isKnown = batch.items.contains { item in
            !Self.unknownKinds.contains { item.outcome == .ignored(kind: $0) }
        }
        if !isKnown, maySayMore(than: batch) {
            batch.reject(.missingField("lat"), record: 1, content.span, content.indices)
        }
        return batch
    }

    /// The kinds of ignored items whose content is not known.
    private static let unknownKinds = ["other", "encrypted"]

    /// Whether a delivery of which nothing was understood may hold a position all the same: a body
    /// may if it has more than an empty list, and a query if it names a position.
    private func maySayMore(than batch: ImportBatch) -> Bool {
        guard body.isEmpty else {
            let isEmptyList =
                batch.items.isEmpty && ["locations", "points"].contains { hasEmptyList($0) }
            return Self.beginning(of: body).count > 2 && !isEmptyList
        }
        let bytes = Array(query.utf8)
        let parameters = QueryParameters(bytes.span, bytes.indices)
        return ["lat", "latitude", "location"].contains { parameters[$0] != nil }
    }

    private func read(at door: DeliveryDoor, _ formats: ImportOptions) -> ImportBatch {
        switch door {
        case .owntracks: return read(OwnTracksReader(formats), body)
        case .overland: return readList("locations", OverlandFormat(formats))
        case .osmand where isHomeAssistants, .colota where isHomeAssistants:
            return read(ObjectReader(HomeAssistantMessages(formats)), body)
        case .homeassistant where holds("attributes"):
            return read(ObjectReader(HomeAssistantFormat(formats)), body)
        case .homeassistant where isJSON:
            return read(ObjectReader(HomeAssistantMessages(formats)), body)
        case .homeassistant: return read(LineReader(GPSLoggerQueries(formats)), line)
        case .osmand where isJSON: return read(ObjectReader(OsmAndFormat(formats)), body)
        case .osmand: return read(LineReader(OsmAndQueries(formats)), line)
        case .colota where holds("locations"): return readList("locations", OverlandFormat(formats))
        case .colota where body.isEmpty: return read(LineReader(GPSLoggerQueries(formats)), line)
        case .colota: return read(ObjectReader(ColotaFormat(formats)), body)
        case .phonetrack where isJSON: return readList("points", PhoneTrackFormat(formats))
        case .gpslogger where isJSON: return read(ObjectReader(GPSLoggerObjects(formats)), body)
        case .phonetrack, .gpslogger: return read(LineReader(GPSLoggerQueries(formats)), line)
        case .traccarForward: return read(ObjectReader(TraccarForwardFormat(formats)), body)
        }
    }

    /// Reads the elements of a list, which must be there if anything is.
    private func readList(_ name: String, _ format: some ObjectFormat) -> ImportBatch {
        var batch = read(ObjectReader(format), body)
        if batch.items.isEmpty, !body.isEmpty, !hasEmptyList(name) {
            let rejection =
                holds(name)
                ? Rejection(.wrongType, field: name, sentence: "\(name) is not a list.")
                : .missingField(name)
            batch.reject(rejection, record: 1, body.span, body.indices)
        }
        return batch
    }

    /// Whether the body is an object in which a list of this name is empty.
    private func hasEmptyList(_ name: String) -> Bool {
        let text = TextDecoding.utf8(of: body.span)
        var object = JSONRecord()
        guard (try? object.read(text.span)) != nil else { return false }
        return object.value(name, text.span)?.kind == .list
            && object.elements(name, text.span).isEmpty
    }

    private func read(_ reader: some FormatReader, _ bytes: [UInt8]) -> ImportBatch {
        var reader = reader
        var batch = ImportBatch(ofDelivery: ())
        let text = TextDecoding.utf8(of: bytes.span)
        reader.take(text.span, into: &batch)
        reader.finish(into: &batch)
        return batch
    }
}

extension ImportBatch {
    /// Returns the kind of an event that was written here; `nil` if the item is not an event.
    package func kind(of item: Item) -> EventKind? {
        let beginning = #"{"type":""#.utf8.count
        guard item.outcome == .event, item.range.count > beginning else { return nil }
        let name = bytes[item.range].dropFirst(beginning).prefix { $0 != UInt8(ascii: "\"") }
        return EventKind(name: String(decoding: name, as: UTF8.self))
    }
}
