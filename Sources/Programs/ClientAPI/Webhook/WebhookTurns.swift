import LedgerHTTP
import Synchronization
import TripEvents

/// Lets the requests of an app take turns, and remembers each answer for a few seconds.
///
/// An app that has lost an answer sends the same again within a second, and means one ping. It has
/// no name for it, and no time: so the same body from the same token is the same ping. The memory
/// ends with the server: the worst effect is a second fix at the same place.
final class WebhookTurns: Sendable {
    /// The time for which a repeat is recognised.
    private static let memory = Duration.seconds(5)

    private struct Name: Hashable {
        var path: String
        var sender: [String]
        var body: [UInt8]
    }

    private struct Known: Sendable {
        var at: ContinuousClock.Instant
        var answer: Task<Result<WebhookAnswer, Problem>, Never>
    }

    private struct State: Sendable {
        var known: [Name: Known] = [:]

        /// The request of each source after which the next one of it comes.
        var last: [NameKey: Task<Result<WebhookAnswer, Problem>, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Answers a request, or a repeat as the request was answered.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - path: The requested path.
    ///   - act: Does it, once the earlier requests of its source are done.
    /// - Returns: The answer, the same for each repeat.
    /// - Throws: `Problem`; it is forgotten, so that a repeat is done.
    func take(
        _ request: WebhookRequest,
        named path: String,
        _ act: @escaping @Sendable (WebhookRequest) async throws(Problem) -> WebhookAnswer
    ) async throws(Problem) -> WebhookAnswer {
        let name = Name(path: path, sender: request.sender, body: request.body)
        let now = ContinuousClock.now
        let answer = state.withLock { state in
            state.known = state.known.filter { now - $0.value.at < Self.memory }
            if let known = state.known[name] { return known.answer }
            let earlier = state.last[NameKey(request.source)]
            let answer = Task<Result<WebhookAnswer, Problem>, Never> {
                _ = await earlier?.value
                do throws(Problem) {
                    return .success(try await act(request))
                } catch {
                    return .failure(error)
                }
            }
            state.known[name] = Known(at: now, answer: answer)
            state.last[NameKey(request.source)] = answer
            return answer
        }
        let result = await answer.value
        if case .failure = result {
            state.withLock { state in
                if state.known[name]?.answer == answer { state.known[name] = nil }
            }
        }
        return try result.get()
    }
}
