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
}
