import HTTPTypes
import LedgerHTTP
import Platform
import ServerStore
import TripEvents
import TripLedger

/// Tokens that requests make and revoke, by their names.
extension OpenedServerState {
    /// The most devices and buttons of one maker, including revoked ones, and the most links and
    /// sessions, including those that are over and still listed.
    private static let mostMade = 2_000

    /// Adds a token.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - text: Its text.
    /// - Throws: `Problem` if a valid token has its name, or if its maker is no longer valid or has
    ///   made too many; `LedgerError`.
    func add(_ token: Token, shownAs text: TokenText) throws {
        let most = Self.mostMade
        let isAdded: Bool
        do {
            isAdded = try orCreated().add(token, shownAs: text, mostMade: most)
        } catch let error where error.code == .alreadyThere {
            throw Problem.nameTaken
        } catch let error where error.code == .notFound {
            throw Problem.tokenUnknown("It was revoked just now.")
        }
        guard isAdded else {
            throw token.use == .program ? Problem.tooManyDevices(most) : Problem.tooManyLinks(most)
        }
    }

    /// Revokes a token.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - isMeant: Whether a token is of the kind that may be revoked here.
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
    /// The asker has made the maximum of devices and buttons.
    fileprivate static func tooManyDevices(_ made: Int) -> Problem {
        Problem(
            kind: "quota-exceeded",
            status: .tooManyRequests,
            title: "Too many devices",
            detail: "\(made) devices and buttons were made by this token, with revoked ones, as "
                + "many as one may have. The ledger's owner makes more with `ledger token new`."
        )
    }

    /// The asker has made the maximum of links.
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
