// expect: 'snapshot' used after consume
// built as: EventStoreTests
import EventStore
import Proofs

func misuse(_ log: EventLog) throws {
    let snapshot = try log.snapshot(upTo: 1)
    snapshot.end()
    print(try snapshot.log.head().size)
}
