package import Proofs

extension EntryView {
    /// The content digest's first eight bytes, as a number (Formats, *Identity*).
    var contentDigest: UInt64 {
        EntryContent.digestWord(kind: kind, form: form, id: id, payload: payload)
    }

    /// Returns the digest of what makes the event the event it is (Formats, *Identity*).
    ///
    /// - Parameter name: The source's name: numbers depend on the order of arrival, names do not.
    /// - Returns: The identity digest.
    package func identityDigest(sourceName name: String) -> Digest {
        EntryContent.identityDigest(
            sourceName: name,
            id: id,
            occurredAt: occurredAt,
            kind: kind,
            form: form,
            payload: payload
        )
    }
}
