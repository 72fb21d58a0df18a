import Projections
import Proofs
import SystemPackage
import TripEvents
import TripLedger

/// A directory with proofs of events: for each the entry's bytes, the event as JSON, and the proof.
struct ProofFolder {
    /// The name of the file with the head that all proofs lead to.
    static let headName = "head.note"

    private let path: FilePath
    private let head: SignedHead
    private var isMade = false

    /// Names a directory, which is made with the first event and MUST NOT be there before.
    init(at name: String, under head: SignedHead) {
        path = FilePath(name)
        self.head = head
    }

    /// Writes the files of one event.
    ///
    /// - Returns: What was written, for programs (`proof.v1.schema.json`).
    /// - Throws: `LedgerError.alreadyThere`, `.inputOutput`.
    mutating func write(_ event: ProvenEvent) throws(LedgerError) -> RowJSON {
        if !isMade {
            try OutputFolder.make(path)
            try write(head.note.bytes, Self.headName)
            isMade = true
        }
        let position = event.event.position
        let names = Self.names(of: String(position))
        try write(event.entry, names.entry)
        try write(event.event.json + [UInt8(ascii: "\n")], names.event)
        try write(event.proof.bytes, names.proof)
        var json = RowJSON()
        json.add("position", integer: Int64(position))
        json.add("type", text: event.event.event.body.kind?.name ?? "unknown")
        json.add("entry", text: path.appending(names.entry).string)
        json.add("event", text: path.appending(names.event).string)
        json.add("proof", text: path.appending(names.proof).string)
        return json
    }

    /// Returns the names of the files about one event.
    static func names(of stem: String) -> (entry: String, event: String, proof: String) {
        ("\(stem).entry", "\(stem).json", "\(stem).tlog-proof")
    }

    private func write(_ bytes: [UInt8], _ name: String) throws(LedgerError) {
        try OutputFolder.write(bytes, to: path.appending(name))
    }
}
