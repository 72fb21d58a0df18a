import Platform
import Projections
import Proofs
import RowFormats
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

    /// Size and root; of a signed head the note itself, byte for byte, unless a person looks at it:
    /// a note may hold lines that others have written, and a screen would do what they say.
    var text: String {
        guard let note else { return FactSheet([("Entries", String(size)), ("Root", root)]).text }
        guard Terminal.isStandardOutput else { return note }
        return note.split(separator: "\n", omittingEmptySubsequences: false)
            .map { Excerpt.escaped(String($0)) }
            .joined(separator: "\n")
    }

    /// The signed head's note.
    var note: String? { signed.map { String(decoding: $0.note.bytes, as: UTF8.self) } }

    /// For programs (`head.v1.schema.json`).
    var json: RowJSON {
        var json = RowJSON()
        json.add("size", integer: Int64(size))
        json.add("root", text: root)
        guard let signed, let note else { return json }
        json.add("origin", text: signed.content.origin)
        json.add("signatures", objects: signed.note.signatures.map(Self.json))
        json.add("note", text: note)
        return json
    }

    private static func json(_ signature: NoteSignature) -> RowJSON {
        var json = RowJSON()
        json.add("name", text: signature.name.description)
        json.add("key_id", text: signature.id.description)
        return json
    }
}
