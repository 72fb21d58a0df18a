/// The form and payload of an event without what makes no other event of it: what a reader of other
/// programs' formats could not read (Formats, *Supplement*).
struct IdentifiedContent: Hashable {
    /// Bits of the form byte: what the payload begins with, and the frame of the rest.
    private static let offsetBit: UInt8 = 0x02
    private static let sequenceBit: UInt8 = 0x04
    private static let actorBit: UInt8 = 0x08
    private static let frameBits: UInt8 = 0x30
    private static let frameShift: UInt8 = 4

    /// Bits of the byte that a supplement begins with.
    private static let extraBit: UInt8 = 0x04
    private static let countBits: UInt8 = 0x78
    private static let countShift: UInt8 = 3
    private static let unreadBit: UInt8 = 0x80
    private static let innerFrameBits: UInt8 = 0x03
    private static let finerTimeBytes = 4

    /// The form.
    let form: UInt8

    /// The payload.
    let payload: [UInt8]

    /// Takes a form and a payload as they are.
    private init(_ form: UInt8, _ payload: [UInt8]) {
        self.form = form
        self.payload = payload
    }

    /// Whether a payload of a form may have something that makes no other event of it.
    static func mayDiffer(_ form: UInt8, kind: UInt8) -> Bool {
        form & frameBits == frameBits && kind != Tombstone.kind
    }

    /// Takes out what could not be read; a payload without it, or a damaged one, stays as it is.
    init(of kind: UInt8, form: UInt8, payload: Span<UInt8>) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count)
        for position in payload.indices { bytes.append(payload[position]) }
        guard Self.mayDiffer(form, kind: kind),
            let content = Self.withoutUnread(form, bytes)
        else {
            self.init(form, bytes)
            return
        }
        self = content
    }

    private static func withoutUnread(_ form: UInt8, _ payload: [UInt8]) -> IdentifiedContent? {
        var start = 0
        if form & offsetBit != 0 { start += 2 }
        if form & sequenceBit != 0 { start += 8 }
        if form & actorBit != 0 {
            guard start < payload.count else { return nil }
            start += 1 + Int(payload[start])
        }
        guard start < payload.count, payload[start] & unreadBit != 0 else { return nil }
        let first = payload[start] & ~unreadBit
        var position = start + 1 + Int((first & countBits) >> countShift) * finerTimeBytes
        if first & extraBit != 0 {
            guard let extra = part(payload, at: position) else { return nil }
            position = extra.upperBound
        }
        guard let unread = part(payload, at: position) else { return nil }
        let content = payload[unread.upperBound...]
        guard first & ~innerFrameBits == 0 else {
            let said = [first] + payload[start + 1..<unread.lowerBound]
            return IdentifiedContent(form, Array(payload[..<start]) + said + content)
        }
        // Nothing else is in the supplement: the content stands alone.
        let frame = (first & innerFrameBits) << frameShift
        return IdentifiedContent(form & ~frameBits | frame, Array(payload[..<start]) + content)
    }

    /// Returns where a part with its length before it stands, both together; `nil` if it is not
    /// all there.
    private static func part(_ payload: [UInt8], at start: Int) -> Range<Int>? {
        var (position, length, shift) = (start, 0, 0)
        while position < payload.count, shift <= 14 {
            let byte = payload[position]
            position += 1
            length |= Int(byte & 0x7F) << shift
            shift += 7
            guard byte & 0x80 == 0 else { continue }
            return position + length <= payload.count ? start..<position + length : nil
        }
        return nil
    }
}
