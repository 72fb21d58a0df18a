import Hummingbird
import LedgerHTTP
import LedgerRows
import ServerStore
import TripEvents
import TripLedger

/// Answers what was delivered and could not become an event.
struct RefusedEndpoint: Sendable {
    /// The reader.
    let reader: LedgerReader

    /// The store of refused deliveries.
    let store: OpenedServerState

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/refused",
                "What was delivered and could not become an event, oldest first",
                [Parameter("source", .text, "Only of this source"), .cursor, .limit],
                as: .page(of: "refused-item"),
                reaching: .seen,
                refused
            )
        ]
    }

    private func refused(_ call: Call) async throws(Problem) -> Response {
        var start: UInt64 = 0
        if let cursor = call.query.text(Parameter.cursor.name) {
            guard let number = UInt64(cursor), number < .max else {
                throw .invalidParameter(Parameter.cursor.name, "next_cursor of such a page")
            }
            start = number + 1
        }
        let (source, limit) = (call.query.text("source"), call.query.limit)
        let sight = call.sight
        let (ledger, store) = (reader.ledger, store)
        let (bytes, size) = try await reader.run { [start] in
            var items: [NumberedItem] = []
            var hasMore = false
            try store.state?
                .forEachSetAside(from: start) { item in
                    let isAsked =
                        source.map { $0.hasSameBytes(as: item.item.source) } ?? true
                    guard isAsked, sight.seesDevice(for: [item.item.source], of: item.item.group)
                    else { return true }
                    hasMore = items.count == limit
                    if !hasMore { items.append(item) }
                    return !hasMore
                }
            var bytes: [UInt8] = []
            let next = hasMore ? items.last.map { "\($0.number)" } : nil
            RowPage.append(items, NumberedItem.columns, next: next, by: nil, to: &bytes)
            return (bytes, try ledger.head().size)
        }
        return reader.response(bytes, at: size)
    }
}
