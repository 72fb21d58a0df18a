// expect: has no member 'erase'
// built as: EventStoreTests
import EventStore
import Platform

func misuse(_ log: EventLog) throws {
    let snapshot = try log.snapshot()
    _ = try snapshot.log.erase([], recordedAt: 0, randomness: BufferedRandom()) { _, _ in
        EntryContent(kind: 3, form: 0, payload: [])
    }
}
