import Projections
import Proofs
import RowFormats
import TripEvents

/// The public half of a key, for people who check its signatures.
struct ShownKey {
    private let file: String
    private let verifier: VerifierKey

    /// Shows the public half of a key in a file.
    init(_ verifier: VerifierKey, in file: String) {
        self.file = file
        self.verifier = verifier
    }

    /// Name, key and fingerprint.
    var text: String {
        FactSheet([
            ("File", Excerpt.escaped(file)),
            ("Name", Excerpt.escaped(verifier.name.description)),
            ("Key id", verifier.id.description),
            ("Verifier key", Excerpt.escaped(verifier.description)),
            ("Fingerprint", verifier.fingerprint),
        ])
        .text
    }

    /// For programs (`key.v1.schema.json`).
    var json: RowJSON {
        var json = RowJSON()
        json.add("file", text: file)
        json.add("name", text: verifier.name.description)
        json.add("key_id", text: verifier.id.description)
        json.add("verifier_key", text: verifier.description)
        json.add("fingerprint", text: verifier.fingerprint)
        return json
    }
}
