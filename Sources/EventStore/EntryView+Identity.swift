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
        var identity: [UInt8] = [hasID ? 0x01 : 0x02]
        identity.append(UInt8(truncatingIfNeeded: name.utf8.count))
        identity.append(contentsOf: name.utf8)
        if hasID {
            identity.append(contentsOf: id)
        } else {
            identity.append(littleEndian: UInt64(bitPattern: occurredAt))
            identity.append(kind)
            identity.append(form)
            identity.append(contentsOf: payload)
        }
        return SHA256.digest(identity.span)
    }
}
