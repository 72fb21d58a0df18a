import ServerStore
import Synchronization

/// How often each token has asked, counted for all requests together.
final class SharedQuotas: Sendable {
    private let quotas: Mutex<Quotas>

    init(_ quotas: Quotas) {
        self.quotas = Mutex(quotas)
    }

    /// Counts a request to a route.
    ///
    /// - Throws: `Problem` if its token has asked as often as it may.
    func count(_ access: Access, to route: Route) throws(Problem) {
        guard case .holder(let token) = access, let kind = route.quota(for: token) else {
            return
        }
        let refusal = quotas.withLock { $0.refusal(of: kind, by: token.name, at: .now) }
        if let refusal { throw .quotaExceeded(kind, refusal) }
    }
}
