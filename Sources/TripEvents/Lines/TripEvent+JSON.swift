extension TripEvent {
    /// Appends the event as one JSON object, without a line end: type, source, occurred_at, id,
    /// sequence, actor, then the content in the order of its catalogue.
    ///
    /// An unknown event is written with its bytes in hexadecimal; nothing reads that back.
    public func appendJSON(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        append(.type, body.typeName, to: &bytes)
        append(.source, source, to: &bytes)
        append(.occurredAt, RFC3339.text(occurredAt, utcOffset: utcOffset), to: &bytes)
        if let id {
            append(.id, id, to: &bytes)
        }
        if let sequence {
            JSONWriter.appendName(EnvelopeName.sequence.jsonName, to: &bytes)
            bytes.append(contentsOf: String(sequence).utf8)
        }
        if let actor {
            append(.actor, actor, to: &bytes)
        }
        appendContentMembers(to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }

    /// The event as one JSON object.
    public var json: String {
        var bytes: [UInt8] = []
        appendJSON(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The content, without what all events have, as one JSON object.
    public var contentJSON: String {
        var bytes = [UInt8(ascii: "{")]
        appendContentMembers(to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the members of the content to an object that was begun.
    package func appendContentMembers(to bytes: inout [UInt8]) {
        if case .unknown(let unknown) = body {
            unknown.appendMembers(to: &bytes)
        } else {
            for field in body.payload?.fields.all ?? [] {
                JSONWriter.appendName(field.name.jsonName, to: &bytes)
                JSONWriter.append(field.value, to: &bytes)
            }
        }
    }

    private func append(_ name: EnvelopeName, _ text: String, to bytes: inout [UInt8]) {
        JSONWriter.appendName(name.jsonName, to: &bytes)
        JSONWriter.append(text.utf8, to: &bytes)
    }
}

extension UnknownEvent {
    fileprivate func appendMembers(to bytes: inout [UInt8]) {
        guard !isErased else {
            if let formerKind {
                JSONWriter.appendName("erased_type", to: &bytes)
                JSONWriter.append(formerKind.name.utf8, to: &bytes)
            }
            JSONWriter.appendName("leaf_hash", to: &bytes)
            appendHexadecimal(to: &bytes)
            return
        }
        JSONWriter.appendName("kind", to: &bytes)
        bytes.append(contentsOf: String(kind).utf8)
        JSONWriter.appendName("form", to: &bytes)
        bytes.append(contentsOf: String(form).utf8)
        JSONWriter.appendName("payload", to: &bytes)
        appendHexadecimal(to: &bytes)
    }

    private func appendHexadecimal(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in payload {
            bytes.append(contentsOf: (byte < 0x10 ? "0" : "").utf8)
            bytes.append(contentsOf: String(byte, radix: 16).utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
