import HTTPTypes
import Platform
import ServerStore
import TripLedger

/// Tokens that requests make and revoke, by their names.
extension OpenedServerState {
    /// Adds a token.
    ///
    /// - Parameters:
    ///   - token: What is known of it.
    ///   - text: Its text.
    /// - Throws: `Problem` if another one of its name is of use, `LedgerError`.
    func add(_ token: Token, shownAs text: TokenText) throws {
        do {
            try orCreated().add(token, shownAs: text)
        } catch let error where error.code == .alreadyThere {
            throw Problem.nameTaken
        }
    }

    /// Revokes a token.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - isMeant: Whether a token is of the kind that may be revoked so.
    /// - Throws: `Problem` if there is none of that name and kind, `LedgerError`.
    func revoke(named name: String, where isMeant: (Token) -> Bool) throws {
        guard let state = try state else { throw Problem.unknown }
        let isThere = try state.tokens()
            .contains { token in
                token.revokedAt == nil && token.name.utf8.elementsEqual(name.utf8)
                    && isMeant(token)
            }
        guard isThere else { throw Problem.unknown }
        _ = try state.revoke(named: name, dropsDeliveries: false, now: WallClock.now)
    }
}

extension Problem {
    /// A token that is not revoked has the name.
    fileprivate static let nameTaken = Problem(
        kind: "conflict",
        status: .conflict,
        title: "There is a token of this name already",
        detail: "Choose another name, or revoke that one."
    )
}

extension Parameter {
    /// The name of a token.
    static let tokenName = Parameter("name", .text, "What the token is called", isRequired: true)
}
