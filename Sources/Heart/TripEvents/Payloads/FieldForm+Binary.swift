extension FieldForm {
    /// Marks the text of a number that needs more than 18 digits or decimals.
    private static let numberAsText: UInt8 = 255

    /// Returns the bytes of a field's value (Formats, *Fields*).
    static func bytes(of value: FieldValue) -> [UInt8] {
        var bytes: [UInt8] = []
        switch value {
        case .text(let text): bytes.append(contentsOf: text.utf8)
        case .number(let number): append(number, to: &bytes)
        case .integer(let integer): append(ExactDecimal(unsigned: integer), to: &bytes)
        case .boolean(let boolean): bytes.append(boolean ? 1 : 0)
        case .time(let time):
            bytes.appendLittleEndian(time.timestamp.milliseconds)
            if let offset = time.utcOffset {
                bytes.appendLittleEndian(offset.minutes)
            }
        case .null: break
        case .texts, .values: JSONWriter.append(value, to: &bytes)
        }
        return bytes
    }

    /// Returns the value that bytes of a payload stand for.
    func value(
        fromBytes range: Range<Int>,
        of payload: Span<UInt8>,
        name: String
    ) throws(PayloadDamage) -> FieldValue {
        let json: JSONValue
        switch self {
        case .time:
            return .time(try Self.time(payload, range))
        case .boolean:
            guard range.count == 1, let byte = range.first.map({ payload[$0] }), byte <= 1 else {
                throw PayloadDamage("\(name) is no boolean.")
            }
            return .boolean(byte == 1)
        case .number, .integer:
            json = .number(literal: try Self.literal(payload, range))
        case .text, .date, .trip, .digest, .positions, .records, .currency, .language, .country,
            .choice:
            json = .text(try Self.text(payload, range))
        case .texts, .trips, .choices, .values:
            json = try Self.tree(payload, range)
        }
        do throws(Rejection) {
            return try value(from: json, of: name)
        } catch {
            throw PayloadDamage(error.sentence)
        }
    }

    private static func append(_ number: ExactDecimal, to bytes: inout [UInt8]) {
        if let scaled = number.scaled {
            bytes.append(scaled)
        } else {
            bytes.append(numberAsText)
            bytes.append(contentsOf: number.description.utf8)
        }
    }

    private static func time(
        _ payload: Span<UInt8>,
        _ range: Range<Int>
    ) throws(PayloadDamage) -> EventTime {
        guard range.count == 8 || range.count == 10 else {
            throw PayloadDamage("A time has \(range.count) bytes.")
        }
        let start = range.lowerBound
        let time = EventTime(
            Timestamp(
                milliseconds: Int64(bitPattern: payload.littleEndian(at: start, bytes: 8))
            )
        )
        guard RFC3339.writable.contains(time.timestamp) else {
            throw PayloadDamage("A time is not in the years 1 to 6428.")
        }
        guard range.count == 10 else { return time }
        let minutes = Int16(truncatingIfNeeded: payload.littleEndian(at: start + 8, bytes: 2))
        guard let offset = UTCOffset(minutes: Int(minutes)) else {
            throw PayloadDamage("An offset from UTC is a day or more.")
        }
        return EventTime(time.timestamp, utcOffset: offset)
    }

    private static func literal(
        _ payload: Span<UInt8>,
        _ range: Range<Int>
    ) throws(PayloadDamage) -> String {
        guard let first = range.first, payload[first] != numberAsText else {
            return try text(payload, range.dropFirst())
        }
        var reader = PayloadReader(position: first)
        let number = try reader.decimal(payload)
        guard reader.position == range.upperBound else {
            throw PayloadDamage(
                "A number has bytes after it."
            )
        }
        return number.description
    }

    private static func text(
        _ payload: Span<UInt8>,
        _ range: Range<Int>
    ) throws(PayloadDamage) -> String {
        guard let text = String(validating: payload.bytes(in: range), as: UTF8.self) else {
            throw PayloadDamage("A text is not valid UTF-8.")
        }
        return text
    }

    private static func tree(
        _ payload: Span<UInt8>,
        _ range: Range<Int>
    ) throws(PayloadDamage) -> JSONValue {
        let bytes = payload.bytes(in: range)
        var parser = JSONParser(position: 0)
        do throws(JSONSyntaxError) {
            let tree = try parser.value(bytes.span, depth: 1)
            guard parser.position == bytes.count else {
                throw JSONSyntaxError(
                    .invalidJSON,
                    column: parser.position + 1,
                    sentence: "A list or object has bytes after it."
                )
            }
            return tree
        } catch {
            throw PayloadDamage(error.sentence)
        }
    }
}
