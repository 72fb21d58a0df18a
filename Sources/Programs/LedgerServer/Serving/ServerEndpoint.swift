import HTTPTypes
import Hummingbird
import LedgerHTTP
import LedgerKeeping
import NIOCore
import Platform
import ServerStore
import TripEvents
import TripLedger

/// Answers questions about the server itself.
struct ServerEndpoint: Sendable {
    /// The reader of the ledger.
    let reader: LedgerReader

    /// The metrics.
    let metrics: Metrics

    /// The writer that appends events.
    let writer: EventWriter

    /// The keeper that tells of changes.
    let keeper: ViewKeeper

    /// The paths.
    var routes: [Route] {
        [
            Route(.get, "/health", "Whether requests are taken", as: .object("serving"), for: []) {
                _ throws(Problem) in
                Response(
                    status: .ok,
                    headers: [.contentType: "application/json", .cacheControl: "no-store"],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: #"{"status":"ok"}"#))
                )
            },
            Route(
                .get,
                "/metrics",
                "What the server has done and what waits, for Prometheus",
                as: AnswerForm(mediaType: "text/plain; version=0.0.4", schema: nil),
                answerMetrics
            ),
        ]
    }

    private func answerMetrics(_ call: Call) async throws(Problem) -> Response {
        let ledger = reader.ledger
        let (size, viewSize) = try await reader.run {
            let stored = try ledger.readStoredViews { $0.head.size - ($0.lag ?? $0.head.size) }
            return (try ledger.head().size, stored ?? 0)
        }
        var present = Metrics.Present(
            waiting: writer.waitingEventCount,
            subscribers: keeper.subscriberCount,
            size: size,
            viewSize: viewSize
        )
        present.replicaLag = try await reader.run {
            guard let state = ReplicaState(of: ledger.path) else { return nil }
            let time = try ReplicatedLog(of: ledger).timeOfStoring(at: state.position)
            let waited = time.map { WallClock.now.milliseconds(since: $0) } ?? 0
            return (size - min(size, state.position), Double(max(0, waited)) / 1_000)
        }
        let text = metrics.text(present)
        return reader.response(Array(text.utf8), at: size, as: "text/plain; version=0.0.4")
    }
}
