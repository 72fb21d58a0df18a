import HTTPTypes
import LedgerHTTP
import Platform
import ServerStore
import TripEvents
import TripLedger

/// Tokens that requests make and revoke, by their names.
extension OpenedServerState {
    /// The most links and sessions of one that makes them, with those that are still listed though
    /// they are over.
    private static let mostLinks = 2_000

    /// Adds a token.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - text: Its text.
    /// - Throws: `Problem` if another one of its name is of use, or the one that makes it is of no
    ///   use any more, or has made too many links; `LedgerError`.
    func add(_ token: Token, shownAs text: TokenText) throws {
        if token.use != .program, let maker = token.maker { try requireRoom(forLinkOf: maker) }
        do {
            try orCreated().add(token, shownAs: text)
        } catch let error where error.code == .alreadyThere {
            throw Problem.nameTaken
        } catch let error where error.code == .notFound {
            throw Problem.tokenUnknown("It was revoked just now.")
        }
    }

    private func requireRoom(forLinkOf maker: String) throws {
        let tokens = try orCreated().tokens()
        let made = tokens.filter { token in
            token.use != .program && (token.maker?.hasSameBytes(as: maker) ?? false)
        }
        guard made.count < Self.mostLinks else { throw Problem.tooManyLinks(made.count) }
    }

    /// Revokes a token.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - isMeant: Whether a token is of the kind that may be revoked so.
    /// - Throws: `Problem` if there is none of that name and kind, `LedgerError`.
    func revoke(named name: String, where isMeant: @escaping (Token) -> Bool) throws {
        guard let state = try state else { throw Problem.unknown }
        func isFound(_ token: Token) -> Bool { token.revokedAt == nil && isMeant(token) }
        guard try state.tokens().contains(where: { $0.isNamed(name) && isFound($0) }) else {
            throw Problem.unknown
        }
        _ = try state.revoke(
            named: name,
            dropsDeliveries: false,
            where: isFound,
            now: WallClock.now
        )
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

extension Problem {
    /// The one who asks has made as many links as it may have.
    fileprivate static func tooManyLinks(_ made: Int) -> Problem {
        Problem(
            kind: "quota-exceeded",
            status: .tooManyRequests,
            title: "Too many links",
            detail: "\(made) links and sessions were made by this token, as many as one may have. "
                + "Each leaves room seven days after it has ended or was revoked.",
            headers: [.retryAfter: "3600"]
        )
    }
}

extension Parameter {
    /// The name of a token.
    static let tokenName = Parameter("name", .text, "What the token is called", isRequired: true)
}
