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

    /// Returns what fields of any version say in the newest one.
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

    /// Returns what fields of the older version say in the newer one.
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
