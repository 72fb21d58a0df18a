/// The details of an event beyond the catalogue, as the sender gave them: times to the nanosecond,
/// and members that events of its type do not have.
///
/// It is stored, hashed and given back with the event, and is part of the identity of an event
/// without an id, except for what could not be read. Nothing else looks at it: events are ordered
/// and judged by milliseconds.
public struct EventSupplement: Hashable, Sendable {
    /// The nanoseconds after the millisecond of one of the event's times.
    struct FinerTime: Hashable, Sendable {
        /// The member's ``FieldName`` or ``EnvelopeName``.
        var member: UInt8

        /// How many, 1 … 999,999.
        var nanoseconds: UInt32
    }

    /// The times that were sent with more than milliseconds, in ascending order of their members.
    var finerTimes: [FinerTime] = []

    /// The members that events of this type do not have.
    public var extra: ExtraMembers?

    /// The members that a reader of other programs' formats could not convert, as they were
    /// written; not part of the identity.
    public var unread: ExtraMembers?

    /// Creates a supplement that says nothing.
    public init() {}

    /// Whether it says nothing.
    public var isEmpty: Bool { finerTimes.isEmpty && extra == nil && unread == nil }

    /// The name of the extra member in which lines have what could not be read.
    static let unreadName = "unread"

    /// What lines call extra, as an object of JSON; `nil` if there is nothing.
    var extraJSON: [UInt8]? {
        guard let unread else { return extra?.bytes }
        var bytes: [UInt8] = extra.map { Array($0.bytes.dropLast()) + [UInt8(ascii: ",")] } ?? []
        if bytes.isEmpty { bytes.append(UInt8(ascii: "{")) }
        bytes += "\"\(Self.unreadName)\":".utf8
        return bytes + unread.bytes + [UInt8(ascii: "}")]
    }

    /// The nanoseconds after the millisecond in which the event happened, 0 … 999,999.
    public var nanoseconds: UInt32 {
        get { nanoseconds(of: EnvelopeName.occurredAt.rawValue) }
        set { setNanoseconds(newValue, of: EnvelopeName.occurredAt.rawValue) }
    }

    /// Returns the nanoseconds after the millisecond of one of the event's times.
    func nanoseconds(of member: UInt8) -> UInt32 {
        finerTimes.first { $0.member == member }?.nanoseconds ?? 0
    }

    /// Sets the nanoseconds after the millisecond of one of the event's times.
    mutating func setNanoseconds(_ nanoseconds: UInt32, of member: UInt8) {
        finerTimes.removeAll { $0.member == member }
        guard nanoseconds > 0 else { return }
        let index = finerTimes.firstIndex { $0.member > member } ?? finerTimes.count
        finerTimes.insert(FinerTime(member: member, nanoseconds: nanoseconds), at: index)
    }

    /// Throws if a time belongs to no member of the content, or its nanoseconds are a millisecond
    /// or more.
    func check(of body: EventBody) throws(Rejection) {
        for finer in finerTimes {
            let isTime = finer.member == EnvelopeName.occurredAt.rawValue || body.hasTime(finer)
            guard isTime, 1..<PreciseTime.nanosecondsPerMillisecond ~= finer.nanoseconds else {
                throw Rejection(
                    .invalidValue,
                    sentence: "Of one of the event's times, 0 to 999999 nanoseconds after its "
                        + "millisecond can be told; it is \(finer.nanoseconds)."
                )
            }
        }
    }
}

extension EventBody {
    /// Returns whether the content has the time of a member.
    fileprivate func hasTime(_ finer: EventSupplement.FinerTime) -> Bool {
        payload?.fields.all
            .contains { field in
                guard case .time = field.value else { return false }
                return field.name.rawValue == finer.member
            } ?? false
    }
}

// MARK: In a payload

extension EventSupplement {
    /// Bits of the byte that a supplement begins with: the frame of what comes after it, whether
    /// there are extra members, from bit 3 on how many finer times there are, and whether there is
    /// something that could not be read.
    private static let frameBits: UInt8 = 0x03
    private static let extraBit: UInt8 = 0x04
    private static let countBits: UInt8 = 0x78
    private static let countShift: UInt8 = 3
    private static let unreadBit: UInt8 = 0x80

    /// The bytes of a finer time: the member, and its nanoseconds.
    private static let finerTimeBytes = 4

    /// Puts the supplement, which MUST say something, before the content that begins at `start`
    /// and has a layout.
    ///
    /// - Returns: The layout of the two.
    func insert(
        into payload: inout [UInt8],
        at start: Int,
        before content: PayloadForm.Layout
    ) -> PayloadForm.Layout {
        var bytes: [UInt8] = [
            content.frame.rawValue | (extra == nil ? 0 : Self.extraBit)
                | UInt8(finerTimes.count) << Self.countShift
                | (unread == nil ? 0 : Self.unreadBit)
        ]
        for finer in finerTimes {
            bytes.append(finer.member)
            for shift in [0, 8, 16] {
                bytes.append(UInt8(truncatingIfNeeded: finer.nanoseconds >> UInt32(shift)))
            }
        }
        for members in [extra, unread].compactMap(\.self) {
            bytes.appendVarint(UInt64(members.bytes.count))
            bytes.append(contentsOf: members.bytes)
        }
        payload.insert(contentsOf: bytes, at: start)
        return PayloadForm.Layout(.supplemented, version: content.version)
    }

    /// Reads the supplement at `start`.
    ///
    /// - Returns: It, the frame of the content after it, and where that begins.
    static func read(
        _ payload: Span<UInt8>,
        from start: Int
    ) throws(PayloadDamage) -> (supplement: EventSupplement, frame: PayloadForm.Frame, end: Int) {
        let parts = try parts(payload, from: start)
        var supplement = EventSupplement()
        for index in 0..<parts.finerTimeCount {
            let place = parts.finerTimes + index * finerTimeBytes
            let finer = FinerTime(
                member: payload[place],
                nanoseconds: UInt32(payload.littleEndian(at: place + 1, bytes: 3))
            )
            guard 1..<PreciseTime.nanosecondsPerMillisecond ~= finer.nanoseconds,
                supplement.finerTimes.last.map({ $0.member < finer.member }) ?? true
            else { throw PayloadDamage("The finer times are not in order, or one says nothing.") }
            supplement.finerTimes.append(finer)
        }
        if let extra = parts.extra { supplement.extra = try ExtraMembers(payload, extra) }
        if let unread = parts.unread { supplement.unread = try ExtraMembers(payload, unread) }
        guard !supplement.isEmpty else { throw PayloadDamage("A supplement says nothing.") }
        return (supplement, parts.frame, parts.end)
    }

    /// Where the parts of a supplement are.
    private struct Parts {
        let frame: PayloadForm.Frame
        let finerTimes: Int
        let finerTimeCount: Int
        var extra: Range<Int>?
        var unread: Range<Int>?
        var end: Int
    }

    /// Returns the frame of the content after the supplement at `start`, and where that begins;
    /// what the supplement says is not looked at.
    static func skip(
        _ payload: Span<UInt8>,
        from start: Int
    ) throws(PayloadDamage) -> (frame: PayloadForm.Frame, end: Int) {
        let parts = try parts(payload, from: start)
        return (parts.frame, parts.end)
    }

    private static func parts(
        _ payload: Span<UInt8>,
        from start: Int
    ) throws(PayloadDamage) -> Parts {
        var reader = PayloadReader(position: start)
        let first = try reader.byte(payload)
        guard let frame = PayloadForm.Frame(rawValue: first & frameBits), frame != .supplemented
        else { throw PayloadDamage("A supplement is in a supplement.") }
        let count = Int((first & countBits) >> countShift)
        let times = try reader.bytes(payload, count: UInt64(count * finerTimeBytes))
        var parts = Parts(
            frame: frame,
            finerTimes: times.lowerBound,
            finerTimeCount: count,
            end: reader.position
        )
        if first & extraBit != 0 {
            let length = try reader.varint(payload)
            parts.extra = try reader.bytes(payload, count: length)
            parts.end = reader.position
        }
        if first & unreadBit != 0 {
            let length = try reader.varint(payload)
            parts.unread = try reader.bytes(payload, count: length)
            parts.end = reader.position
        }
        return parts
    }
}
