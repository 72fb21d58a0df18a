/// The form byte of an entry: what its bytes are made of (Formats, *Payloads*).
public struct PayloadForm: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
    /// How the content is written.
    public enum Frame: UInt8, Sendable {
        case fields = 0
        case narrowFix = 1
        case wideFix = 2

        /// A supplement, then the content in one of the other frames.
        case supplemented = 3
    }

    /// The frame and the version of a content.
    struct Layout {
        let frame: Frame
        let version: Int

        @inline(__always)
        init(_ frame: Frame, version: Int = 1) {
            self.frame = frame
            self.version = version
        }
    }

    /// The byte.
    public var rawValue: UInt8

    /// Creates a form from the byte.
    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Creates the form of a payload.
    init(hasID: Bool, hasOffset: Bool, hasSequence: Bool, hasActor: Bool, layout: Layout) {
        rawValue =
            (hasID ? 0x01 : 0) | (hasOffset ? 0x02 : 0) | (hasSequence ? 0x04 : 0)
            | (hasActor ? 0x08 : 0) | layout.frame.rawValue << 4
            | UInt8(layout.version - 1) << 6
    }

    /// Whether the entry has a sender's id before the payload.
    public var hasID: Bool { rawValue & 0x01 != 0 }

    /// Whether the payload starts with the source's offset from UTC.
    public var hasOffset: Bool { rawValue & 0x02 != 0 }

    /// Whether the payload has the sender's counter.
    @inlinable public var hasSequence: Bool { rawValue & 0x04 != 0 }

    /// Whether the payload has an actor.
    public var hasActor: Bool { rawValue & 0x08 != 0 }

    /// Whether the payload is a narrow fix of version 1 with nothing before it.
    @inlinable var isPlainNarrowFix: Bool { rawValue & 0xFE == Self.plainNarrowFix }

    /// The frame ``Frame/narrowFix``, version 1.
    @inlinable static var plainNarrowFix: UInt8 { 0x10 }

    /// How the content is written, or `nil` if this version of the program does not know.
    public var frame: Frame? { Frame(rawValue: rawValue >> 4 & 0x03) }

    /// The version of the payload, 1 … 4.
    public var version: Int { Int(rawValue >> 6) + 1 }
}

/// What a payload says before its content.
public struct PayloadPrefix: Hashable, Sendable {
    /// The source's offset from UTC, if it is known.
    public private(set) var utcOffset: UTCOffset?

    /// The sender's counter, if there is one.
    public private(set) var sequence: UInt64?

    /// Where the actor's UTF-8 starts and ends; empty if there is none.
    public private(set) var actor: Range<Int> = 0..<0

    /// How many bytes come before the content.
    public private(set) var length = 0

    /// Reads the prefix of a payload, or returns `nil` if the payload is damaged.
    public init?(_ payload: Span<UInt8>, form: PayloadForm) {
        if form.hasOffset {
            guard payload.count >= 2,
                let offset = UTCOffset(
                    minutes: Int(Int16(truncatingIfNeeded: payload.littleEndian(at: 0, bytes: 2)))
                )
            else { return nil }
            utcOffset = offset
            length = 2
        }
        if form.hasSequence {
            guard payload.count >= length + 8 else { return nil }
            sequence = payload.littleEndian(at: length, bytes: 8)
            length += 8
        }
        if form.hasActor {
            guard payload.count > length else { return nil }
            let start = length + 1
            length = start + Int(payload[length])
            guard payload.count >= length else { return nil }
            actor = start..<length
        }
    }

    /// Appends a prefix to a payload.
    @inline(__always)
    static func append(
        utcOffset: UTCOffset?,
        sequence: UInt64?,
        actor: String?,
        to payload: inout [UInt8]
    ) {
        if let utcOffset {
            payload.appendLittleEndian(UInt16(bitPattern: utcOffset.minutes))
        }
        if let sequence {
            payload.appendLittleEndian(sequence)
        }
        if let actor {
            precondition(
                actor.utf8.count <= 255,
                "an actor has at most 200 bytes: check events first"
            )
            payload.append(UInt8(actor.utf8.count))
            payload.append(contentsOf: actor.utf8)
        }
    }
}

/// The versions that the contents of events have had: older ones are read as the newest, and stored
/// bytes stay as they are.
enum PayloadHistory {
    /// Every step there ever was, those of a kind one after the other.
    static let steps: [PayloadStep] = {
        let steps: [PayloadStep] = [.locationFailedReason]
        let problems = Self.problems(in: steps)
        precondition(problems.isEmpty, problems.joined(separator: "; "))
        return steps
    }()

    /// The form byte has two bits for the version.
    static let versions = 1...4

    /// The newest version of a kind's content.
    static func currentVersion(of kind: EventKind) -> Int {
        steps.last { $0.kind == kind }?.to ?? versions.lowerBound
    }

    /// Returns fields of any version as the newest version would say them.
    static func upcast(_ fields: EventFields, of kind: EventKind) -> EventFields {
        var fields = fields
        for step in steps where step.kind == kind && step.isOlder(fields) {
            fields = step.upcast(fields)
        }
        return fields
    }

    /// Returns the fields of the oldest version that say exactly the same, with that version:
    /// events that an older version could say keep their bytes, and so their identity.
    static func oldest(
        _ fields: EventFields,
        of kind: EventKind
    ) -> (fields: EventFields, version: Int) {
        var fields = fields
        var version = currentVersion(of: kind)
        for step in steps.reversed() where step.kind == kind {
            guard let older = step.downcast(fields) else { break }
            fields = older
            version = step.from
        }
        return (fields, version)
    }

    /// Returns what is wrong with some steps: gaps, cycles, two of one version.
    static func problems(in steps: [PayloadStep]) -> [String] {
        var problems: [String] = []
        for (index, step) in steps.enumerated() {
            let before = steps[..<index].last { $0.kind == step.kind }
            let next = before?.to ?? versions.lowerBound
            if step.to != step.from + 1 {
                problems.append("\(step.kind.name) goes from \(step.from) to \(step.to)")
            }
            if step.from != next {
                problems.append("\(step.kind.name) has a step from \(step.from), not \(next)")
            }
            if !versions.contains(step.to) {
                problems.append("\(step.kind.name) has more versions than the form can tell")
            }
        }
        return problems
    }
}

/// How the content of one kind of event went from one version to the next (Formats, *Versions*).
///
/// A step is pure and frozen: what was stored reads the same in every year.
struct PayloadStep: Sendable {
    /// The kind of event.
    let kind: EventKind

    /// The version that it takes.
    let from: Int

    /// The version that it makes.
    let to: Int

    /// Returns whether fields are still of the older version.
    let isOlder: @Sendable (EventFields) -> Bool

    /// Returns fields of the older version as the newer one would say them.
    let upcast: @Sendable (EventFields) -> EventFields

    /// Returns the fields of the older version that say the same, or `nil` if there are none.
    let downcast: @Sendable (EventFields) -> EventFields?
}

extension PayloadStep {
    /// Version 1 had the device's words only; version 2 says the reason in one of a few words, and
    /// can do without the device's.
    static let locationFailedReason = PayloadStep(
        kind: .locationFailed,
        from: 1,
        to: 2,
        isOlder: { $0[.reason] == nil && $0[.error] != nil },
        upcast: { fields in
            guard case .text(let error) = fields[.error] else { return fields }
            let reason = EventFields.Field(
                name: .reason,
                value: LocationFailure(error: error).fieldValue
            )
            return EventFields(fields.all + [reason])
        },
        downcast: { fields in
            guard case .text(let error) = fields[.error],
                fields[.reason] == LocationFailure(error: error).fieldValue
            else { return nil }
            return EventFields(fields.all.filter { $0.name != .reason })
        }
    )
}

/// Reads the parts of a payload one after the other.
struct PayloadReader {
    /// The position of the next byte to read.
    private(set) var position: Int

    /// Reads a byte.
    mutating func byte(_ payload: Span<UInt8>) throws(PayloadDamage) -> UInt8 {
        guard position < payload.count else { throw Self.tooShort }
        position += 1
        return payload[position - 1]
    }

    /// Reads that many bytes.
    mutating func bytes(
        _ payload: Span<UInt8>,
        count: UInt64
    ) throws(PayloadDamage) -> Range<Int> {
        guard count <= UInt64(payload.count - position) else { throw Self.tooShort }
        let start = position
        position += Int(count)
        return start..<position
    }

    /// Reads an unsigned LEB128 number in its shortest form.
    mutating func varint(_ payload: Span<UInt8>) throws(PayloadDamage) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            let byte = try byte(payload)
            let bits = UInt64(byte & 0x7F)
            guard (bits << shift) >> shift == bits, byte != 0 || shift == 0 else { break }
            number |= bits << shift
            if byte < 0x80 { return number }
        }
        throw PayloadDamage("A varint is too long.")
    }

    /// Reads a decimal.
    mutating func decimal(_ payload: Span<UInt8>) throws(PayloadDamage) -> ScaledDecimal {
        let decimals = try byte(payload)
        let zigzag = try varint(payload)
        let significand = Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
        guard
            let number = ScaledDecimal(
                magnitude: significand.magnitude,
                decimals: Int(decimals),
                isNegative: significand < 0
            ),
            number.decimals == decimals
        else { throw PayloadDamage("A decimal is not in lowest terms.") }
        return number
    }

    private static let tooShort = PayloadDamage("The payload ends too early.")
}

extension [UInt8] {
    /// Appends a number, lowest byte first.
    mutating func appendLittleEndian<Number: FixedWidthInteger>(_ number: Number) {
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }

    /// Appends an unsigned LEB128 number in its shortest form.
    mutating func appendVarint(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Appends a decimal: decimals, then the zigzag significand.
    mutating func append(_ number: ScaledDecimal) {
        append(number.decimals)
        appendVarint(UInt64(bitPattern: number.significand << 1 ^ number.significand >> 63))
    }
}

extension Span<UInt8> {
    /// Returns the unsigned little-endian number of up to eight bytes at an offset.
    @inlinable @inline(__always)
    func littleEndian(at offset: Int, bytes: Int) -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        for position in offset..<offset + bytes {
            number |= UInt64(self[position]) << shift
            shift += 8
        }
        return number
    }

    /// Returns whether the bytes from an offset on are those of a range of other bytes.
    @inline(__always)
    func hasSameBytes(at offset: Int, as other: Span<UInt8>, in range: Range<Int>) -> Bool {
        var position = 0
        while position + 8 <= range.count {
            guard word(at: offset + position) == other.word(at: range.lowerBound + position)
            else { return false }
            position += 8
        }
        while position < range.count {
            guard self[offset + position] == other[range.lowerBound + position] else {
                return false
            }
            position += 1
        }
        return true
    }
}

/// The part of an event that its entry holds beside the source, the times and the id.
public struct EncodedEvent: Hashable, Sendable {
    /// The entry's kind byte.
    public var kind: UInt8

    /// The entry's form byte.
    public var form: PayloadForm

    /// The entry's payload.
    public var payload: [UInt8]
}

extension TripEvent {
    /// The event as its entry holds it; an event has one payload (Formats, *Payloads*).
    public var encoded: EncodedEvent {
        if case .unknown(let unknown) = body {
            return EncodedEvent(
                kind: unknown.kind,
                form: PayloadForm(rawValue: unknown.form),
                payload: unknown.payload
            )
        }
        var payload: [UInt8] = []
        PayloadPrefix.append(
            utcOffset: utcOffset,
            sequence: sequence,
            actor: actor,
            to: &payload
        )
        let start = payload.count
        var layout = body.append(to: &payload)
        if !supplement.isEmpty {
            layout = supplement.insert(into: &payload, at: start, before: layout)
        }
        return EncodedEvent(
            kind: body.kind?.rawValue ?? 0,
            form: PayloadForm(
                hasID: id != nil,
                hasOffset: utcOffset != nil,
                hasSequence: sequence != nil,
                hasActor: actor != nil,
                layout: layout
            ),
            payload: payload
        )
    }

    /// Creates the event that an entry holds.
    ///
    /// A kind, frame or version that this program does not know becomes ``EventBody/unknown(_:)``.
    ///
    /// - Throws: `PayloadDamage` if the payload or time was not written by this program.
    public init(
        decoding payload: Span<UInt8>,
        kind: UInt8,
        form: PayloadForm,
        source: String,
        group: String? = nil,
        occurredAt: Timestamp,
        id: String?
    ) throws(PayloadDamage) {
        guard RFC3339.writable.contains(occurredAt) else {
            throw PayloadDamage("It happened in no year from 1 to 6428.")
        }
        self.init(
            source: source,
            group: group,
            occurredAt: occurredAt,
            id: id,
            body: .unknown(
                UnknownEvent(
                    kind: kind,
                    form: form.rawValue,
                    payload: payload.bytes(in: payload.indices)
                )
            )
        )
        guard let kind = EventKind(rawValue: kind), let frame = form.frame,
            form.version <= PayloadHistory.currentVersion(of: kind)
        else { return }
        guard let prefix = PayloadPrefix(payload, form: form) else {
            throw PayloadDamage("The payload ends too early.")
        }
        utcOffset = prefix.utcOffset
        sequence = prefix.sequence
        if form.hasActor {
            actor = String(validating: payload.bytes(in: prefix.actor), as: UTF8.self)
            guard actor != nil else { throw PayloadDamage("The actor is not valid UTF-8.") }
        }
        var layout = PayloadForm.Layout(frame, version: form.version)
        var start = prefix.length
        if frame == .supplemented {
            let read = try EventSupplement.read(payload, from: start)
            layout = PayloadForm.Layout(read.frame, version: form.version)
            start = read.end
            supplement = read.supplement
        }
        body = try EventBody(kind, layout, payload, from: start)
        do throws(Rejection) {
            try supplement.check(of: body)
        } catch {
            throw PayloadDamage(error.sentence)
        }
    }
}

extension EventBody {
    /// Appends the content in the first frame and the oldest version that hold it exactly.
    func append(to payload: inout [UInt8]) -> PayloadForm.Layout {
        if case .fixRecorded(let fix) = self, let numbers = fix.numbers() {
            return PayloadForm.Layout(numbers.append(to: &payload))
        }
        guard let kind, let fields = self.payload?.fields else {
            return PayloadForm.Layout(.fields)
        }
        let oldest = PayloadHistory.oldest(fields, of: kind)
        oldest.fields.append(to: &payload)
        return PayloadForm.Layout(.fields, version: oldest.version)
    }

    /// Reads the content that makes up the rest of a payload.
    init(
        _ kind: EventKind,
        _ layout: PayloadForm.Layout,
        _ payload: Span<UInt8>,
        from start: Int
    ) throws(PayloadDamage) {
        let numbers: FixNumbers
        switch layout.frame {
        case .fields:
            let fields = try EventFields(payload, from: start)
            let newest = PayloadHistory.upcast(fields, of: kind)
            let oldest = PayloadHistory.oldest(newest, of: kind)
            guard oldest.version == layout.version, oldest.fields.all.count == fields.all.count
            else {
                throw PayloadDamage("The content is not of version \(layout.version).")
            }
            do throws(Rejection) {
                self = try EventBody(kind, fields)
                return
            } catch {
                throw PayloadDamage(error.sentence)
            }
        case .narrowFix:
            guard payload.count == start + NarrowFix.length else {
                throw PayloadDamage("A narrow fix has \(payload.count - start) bytes.")
            }
            numbers = NarrowFix(payload, at: start).numbers
        case .wideFix:
            numbers = try FixNumbers(wide: payload, from: start)
        case .supplemented:
            throw PayloadDamage("A supplement is in a supplement.")
        }
        guard kind == .fixRecorded, let fix = numbers.recorded() else {
            throw PayloadDamage("A fix is no event of this kind, or its provider is not known.")
        }
        self = .fixRecorded(fix)
    }
}

/// Why stored bytes are no payload: the entry is damaged, or was never written by this program.
public struct PayloadDamage: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, for people.
    public let description: String

    /// Creates a reason.
    init(_ description: String) {
        self.description = description
    }
}
