internal import Proofs

extension EntryBatch.Candidate {
    /// Returns whether a stored entry of the same source says the same: time, kind, form, payload.
    ///
    /// The sender's id, if there is one, has been compared by whoever found the entry; whether
    /// there is one is bit 0 of the form.
    func hasSameContent(as entry: borrowing EntryView) -> Bool {
        occurredAt == entry.occurredAt && kind == entry.kind && form == entry.form
            && payload.hasSameBytes(as: entry.payload)
    }

    /// Returns the digest of what makes the event the event it is (Formats, *Identity*).
    func identityDigest(sourceName name: String) -> Digest {
        EntryContent.identityDigest(
            sourceName: name,
            id: id,
            occurredAt: occurredAt,
            kind: kind,
            form: form,
            payload: payload
        )
    }

    /// The content digest's first eight bytes, as a number (Formats, *Identity*).
    var contentDigest: UInt64 {
        EntryContent.digestWord(kind: kind, form: form, id: id, payload: payload)
    }
}
