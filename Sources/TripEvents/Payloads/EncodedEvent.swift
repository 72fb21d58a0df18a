/// What an entry holds of an event beside its source, its times and its id.
public struct EncodedEvent: Hashable, Sendable {
    /// The entry's kind byte.
    public var kind: UInt8

    /// The entry's form byte.
    public var form: PayloadForm

    /// The entry's payload.
    public var payload: [UInt8]
}
