import LedgerHTTP
import Synchronization
import TripEvents

/// Lets the requests of an app take turns, and remembers the last answer of each source for a few
/// seconds.
///
/// An app that has lost an answer sends the same again within a second, and means one ping. A ping
/// has no name and no time, so the same body from the same token is the same ping, unless the app
/// has sent something else since, or another door has begun or ended a trip of the source. An app
/// that starts, cancels, starts and cancels means two trips. The memory ends with the server: the
/// worst effect is a second fix at the same place.
final class WebhookTurns: Sendable {
    /// The time for which a repeat is recognised.
    private static let memory = Duration.seconds(5)

    private struct Name: Hashable {
        var path: String
        var sender: [String]
        var body: [UInt8]
    }

    /// An answer, and the trip of its source that was in progress just after it.
    private struct Done: Sendable {
        var answer: WebhookAnswer
        var trip: TripID?
    }

    private typealias Turn = Task<Result<Done, Problem>, Never>

    /// The last request of a source.
    private struct Last: Sendable {
        var name: Name
        var at: ContinuousClock.Instant
        var turn: Turn
    }

    /// The last request of each source, which the next one waits for.
    private let last = Mutex<[SourceKey: Last]>([:])

    /// Answers a request, or a repeat as the request was answered.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - path: The requested path.
    ///   - activeTrip: Returns the trip in progress of its source.
    ///   - act: Does it, once the earlier requests of its source are done.
    /// - Returns: The answer, the same for each repeat.
    /// - Throws: `Problem`; it is forgotten, so that a repeat is done.
    func take(
        _ request: WebhookRequest,
        named path: String,
        activeTrip: @escaping @Sendable (WebhookRequest) async throws(Problem) -> TripID?,
        _ act: @escaping @Sendable (WebhookRequest) async throws(Problem) -> WebhookAnswer
    ) async throws(Problem) -> WebhookAnswer {
        let name = Name(path: path, sender: request.sender, body: request.body)
        let source = SourceKey(request.source, of: request.group)
        var passed: Turn?
        while true {
            let (turn, isOwn) = last.withLock { last in
                let now = ContinuousClock.now
                let before = last[source]
                if let before, before.name == name, before.turn != passed,
                    now - before.at < Self.memory
                {
                    return (before.turn, false)
                }
                let turn = Turn {
                    _ = await before?.turn.value
                    do throws(Problem) {
                        let answer = try await act(request)
                        return .success(Done(answer: answer, trip: try await activeTrip(request)))
                    } catch {
                        return .failure(error)
                    }
                }
                last[source] = Last(name: name, at: now, turn: turn)
                return (turn, true)
            }
            let result = await turn.value
            if case .failure = result { forget(turn, of: source) }
            let done = try result.get()
            if isOwn { return done.answer }
            if try await activeTrip(request) == done.trip { return done.answer }
            // A trip was begun or ended at another door since.
            passed = turn
        }
    }

    /// Forgets a request that was not done.
    private func forget(_ turn: Turn, of source: SourceKey) {
        last.withLock { last in if last[source]?.turn == turn { last[source] = nil } }
    }
}
