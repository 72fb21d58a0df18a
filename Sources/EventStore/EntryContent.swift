import Proofs

/// What an event says, without its source and time: the part that identity compares.
package struct EntryContent: Hashable, Sendable {
    /// What kind of event this is (Formats, *Kinds*).
    package var kind: UInt8

    /// How the payload is written (Formats, *Payloads*); bit 0 belongs to the store.
    package var form: UInt8

    /// The payload's bytes.
    package var payload: [UInt8]

    /// Creates a content.
    package init(kind: UInt8, form: UInt8, payload: [UInt8]) {
        self.kind = kind
        self.form = form
        self.payload = payload
    }

    /// Returns the first eight bytes of the content digest, as a number (Formats, *Identity*).
    ///
    /// The `id` is the sender's name for the event, empty if it gave none.
    static func digestWord(
        kind: UInt8,
        form: UInt8,
        id: Span<UInt8>,
        payload: Span<UInt8>
    ) -> UInt64 {
        var content: [UInt8] = []
        content.reserveCapacity(3 + id.count + payload.count)
        content.append(kind)
        content.append(form)
        if !id.isEmpty {
            content.append(UInt8(id.count))
            content.append(contentsOf: id)
        }
        content.append(contentsOf: payload)
        return SHA256.digest(content.span).firstWord
    }

    /// Returns the identity digest of an event; the `id` is empty if the sender gave none.
    static func identityDigest(
        sourceName name: String,
        id: Span<UInt8>,
        occurredAt: Int64,
        kind: UInt8,
        form: UInt8,
        payload: Span<UInt8>
    ) -> Digest {
        var identity: [UInt8] = [id.isEmpty ? 0x02 : 0x01]
        identity.append(UInt8(truncatingIfNeeded: name.utf8.count))
        identity.append(contentsOf: name.utf8)
        if id.isEmpty {
            identity.append(littleEndian: UInt64(bitPattern: occurredAt))
            identity.append(kind)
            identity.append(form)
            identity.append(contentsOf: payload)
        } else {
            identity.append(contentsOf: id)
        }
        return SHA256.digest(identity.span)
    }
}
