import Projections
import Proofs
import RowFormats
import SystemPackage
import TripEvents
import TripLedger

/// A witness and what it has seen.
struct ShownWitness {
    private let key: ShownKey
    private let verifier: VerifierKey
    private let logs: [WitnessedLog]

    init(_ book: WitnessBook) throws(LedgerError) {
        verifier = book.verifier
        key = ShownKey(verifier, in: book.keyPath.string)
        logs = try book.logs()
    }

    /// The witness's key, and the last head of each log.
    var text: String {
        key.text
            + logs.map { log in
                var facts = [
                    ("Ledger", Excerpt.escaped(log.owner.name.description)),
                    ("Entries", String(log.head.head.size)),
                    ("Root", log.head.head.root.description),
                ]
                if let time = cosignedAt(log.head) {
                    facts.append(("Cosigned", RFC3339.text(time)))
                }
                facts.append(("Its key", Excerpt.escaped(log.owner.description)))
                return "\n" + FactSheet(facts).text
            }
            .joined()
    }

    /// For programs (`witness.v1.schema.json`).
    var json: RowJSON {
        var json = key.json
        json.add("logs", objects: logs.map(self.json))
        return json
    }

    private func json(_ log: WitnessedLog) -> RowJSON {
        var json = RowJSON()
        json.add("origin", text: log.owner.name.description)
        json.add("verifier_key", text: log.owner.description)
        json.add("size", integer: Int64(log.head.head.size))
        json.add("root", text: log.head.head.root.description)
        json.add("cosigned_at", time: cosignedAt(log.head).map { EventTime($0) })
        json.add("note", text: String(decoding: log.head.note.bytes, as: UTF8.self))
        return json
    }

    private func cosignedAt(_ head: SignedHead) -> Timestamp? {
        head.note.cosignedAt(by: verifier).flatMap(Timestamp.init(secondsSince1970:))
    }
}
