// expect: 'snapshot' is borrowed and cannot be consumed
// built as: EventStoreTests
import EventStore
import Proofs

func misuse(_ snapshot: borrowing LogSnapshot) throws {
    let other = snapshot
    print(try other.log.head().size)
}
