/// An event of a kind, frame or version that this program does not know, byte for byte.
public struct UnknownEvent: Hashable, Sendable {
    /// The entry's kind byte.
    public var kind: UInt8

    /// The entry's form byte.
    public var form: UInt8

    /// The entry's payload, time offset, sequence and actor included.
    public var payload: [UInt8]

    /// Creates an unknown event from what its entry holds.
    public init(kind: UInt8, form: UInt8, payload: [UInt8]) {
        self.kind = kind
        self.form = form
        self.payload = payload
    }

    /// The kind byte of an entry whose content is gone: erased, or withheld from this copy.
    static let erasedKind: UInt8 = 0x00

    /// Whether the content is gone and only the entry's hash is left, which is the payload.
    public var isErased: Bool { kind == Self.erasedKind }

    /// What the entry was before its content went, if that is known.
    public var formerKind: EventKind? {
        isErased ? EventKind(rawValue: form) : nil
    }
}
