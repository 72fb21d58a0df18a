// expect: has no member 'close'
// built as: EventStoreTests
import EventStore

func misuse(_ log: ReadableLog) {
    log.close()
}
