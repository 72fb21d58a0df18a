// expect: has no member 'append'
// built as: EventStoreTests
import EventStore
import Platform

func misuse(_ log: EventLog, _ batch: borrowing EntryBatch) throws {
    var random = BufferedRandom()
    _ = try log.newest.append(
        batch,
        recordedAt: 0,
        registration: { _, _ in EntryContent(kind: 2, form: 0, payload: []) },
        randomness: &random
    )
}
