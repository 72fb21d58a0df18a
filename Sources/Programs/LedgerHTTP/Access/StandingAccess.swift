import Platform
package import ServerStore
import TripLedger

/// The client of a long-lived answer, which checks the client's token or session again while it
/// waits and before it sends more.
///
/// The answer ends when the token was revoked, has expired or has changed its rights, or when the
/// session is over.
package struct StandingAccess: Sendable {
    /// How often an answer that waits looks again: within a second of a token's end, its holder
    /// sees nothing more.
    package static let pause = Duration.milliseconds(500)

    /// The token as shown.
    private struct Shown: Sendable {
        let token: Token
        let text: String
        let store: OpenedServerState
    }

    private let shown: Shown?

    private init(_ shown: Shown?) {
        self.shown = shown
    }

    /// Takes over the access of a request.
    ///
    /// - Parameters:
    ///   - token: The token, as it was then.
    ///   - text: The token as shown.
    ///   - store: The store of tokens.
    package init(_ token: Token, shownAs text: String, in store: OpenedServerState) {
        self.init(Shown(token: token, text: text, store: store))
    }

    /// The access of the ledger's owner, and of requests that need no token: it never ends.
    package static let ofOwner = StandingAccess(nil)

    /// Whether it is unchanged; an access that cannot be looked up counts as changed.
    package var holds: Bool {
        guard let shown else { return true }
        let answer = try? shown.store.state?
            .lookAgain(at: shown.text, as: shown.token.use, now: WallClock.now)
        guard case .valid(let token)? = answer else { return false }
        return token.isUnchanged(since: shown.token)
    }

    /// Requires that it is unchanged.
    ///
    /// - Throws: `Problem` if it is not.
    package func require() throws(Problem) {
        guard holds else {
            throw .tokenUnknown("It was revoked or changed, or has expired, since this was asked.")
        }
    }
}
