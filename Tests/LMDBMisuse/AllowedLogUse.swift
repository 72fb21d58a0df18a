// Everything that the probes of logs get wrong, done right. This one must compile.
// built as: EventStoreTests
import EventStore
import Platform
import Proofs

func use(_ log: EventLog, _ batch: borrowing EntryBatch) throws -> TreeHead {
    var random = BufferedRandom()
    _ = try log.append(
        batch,
        recordedAt: 0,
        registration: { EntryContent(kind: 2, form: 0, payload: [UInt8($0)] + $1.name.utf8) },
        randomness: &random
    )
    let snapshot = try log.snapshot()
    let head = try snapshot.log.head()
    try snapshot.log.eachEntry(in: 0..<head.size) { entry, _ in print(entry.source) }
    snapshot.end()
    return try log.newest.head()
}
