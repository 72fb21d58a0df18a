import Platform
package import ServerStore
import TripLedger

/// The client of a long-lived answer, which checks the client's token or session again while it
/// waits and before it sends more.
///
/// A token that was revoked, has expired or lets do something else than at the beginning ends the
/// answer, and so does a session that is over.
package struct StandingAccess: Sendable {
    /// How often an answer that waits looks again: within a second of its end, a token lets nothing
    /// more be seen.
    package static let pause = Duration.milliseconds(500)

    /// What was shown.
    private struct Shown: Sendable {
        let token: Token
        let text: String
        let store: OpenedServerState
    }

    private let shown: Shown?

    private init(_ shown: Shown?) {
        self.shown = shown
    }

    /// Takes over what let a request in.
    ///
    /// - Parameters:
    ///   - token: The token, as it was then.
    ///   - text: What was shown.
    ///   - store: Where tokens are.
    package init(_ token: Token, shownAs text: String, in store: OpenedServerState) {
        self.init(Shown(token: token, text: text, store: store))
    }

    /// The access of the ledger's owner, and to what takes no token: it lasts.
    package static let ofOwner = StandingAccess(nil)

    /// Whether it is still what it was; what cannot be looked up is not.
    package var holds: Bool {
        guard let shown else { return true }
        let answer = try? shown.store.state?
            .lookAgain(at: shown.text, as: shown.token.use, now: WallClock.now)
        guard case .valid(let token)? = answer else { return false }
        return token.isUnchanged(since: shown.token)
    }

    /// Requires that it is still what it was.
    ///
    /// - Throws: `Problem` if it is not.
    package func require() throws(Problem) {
        guard holds else {
            throw .tokenUnknown("It was revoked or changed, or has expired, since this was asked.")
        }
    }
}
