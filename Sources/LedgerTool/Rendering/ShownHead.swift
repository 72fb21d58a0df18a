import Projections
import Proofs
import TripEvents
import TripLedger

/// A tree head, signed or not.
struct ShownHead {
    private let size: UInt64
    private let root: String
    private let signed: SignedHead?

    /// Shows the head of the log as it is.
    init(_ head: LedgerHead) {
        size = head.size
        root = head.root
        signed = nil
    }

    /// Shows a signed head.
    init(_ signed: SignedHead) {
        size = signed.head.size
        root = signed.head.root.description
        self.signed = signed
    }

    /// Size and root; of a signed head the note itself, byte for byte.
    var text: String {
        if let signed { return String(decoding: signed.note.bytes, as: UTF8.self) }
        return FactSheet([("Entries", String(size)), ("Root", root)]).text
    }

    /// For programs (`head.v1.schema.json`).
    var json: RowJSON {
        var json = RowJSON()
        json.add("size", integer: Int64(size))
        json.add("root", text: root)
        guard let signed else { return json }
        json.add("origin", text: signed.content.origin)
        json.add("signatures", objects: signed.note.signatures.map(Self.json))
        json.add("note", text: text)
        return json
    }

    private static func json(_ signature: NoteSignature) -> RowJSON {
        var json = RowJSON()
        json.add("name", text: signature.name.description)
        json.add("key_id", text: signature.id.description)
        return json
    }
}
