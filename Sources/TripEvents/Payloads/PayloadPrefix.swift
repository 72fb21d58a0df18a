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
