/// The form byte of an entry: what its bytes are made of (Formats, *Payloads*).
public struct PayloadForm: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
    /// How the content is written.
    public enum Frame: UInt8, Sendable {
        case fields = 0
        case narrowFix = 1
        case wideFix = 2
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
