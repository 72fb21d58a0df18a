/// What a key of a signed note signs (C2SP signed-note, *Signature types*).
package enum SignatureKind: UInt8, Sendable {
    /// Ed25519 over the note's text.
    case text = 0x01

    /// Ed25519 over a time and the note: a witness has seen the note, and found it consistent
    /// with what it saw before (C2SP tlog-cosignature).
    case cosignature = 0x04
}
