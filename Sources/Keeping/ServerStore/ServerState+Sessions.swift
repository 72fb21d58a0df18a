package import CivilTime
import LMDB
import Proofs
package import TripEvents
package import TripLedger

extension Token {
    /// How long the code of a link lets in.
    private static let loginMilliseconds: Int64 = 10 * 60_000

    /// How long a session lasts at most.
    private static let sessionMilliseconds: Int64 = 30 * 86_400_000

    /// Creates the code of a link, which lets a person's browser in once, for ten minutes.
    ///
    /// - Parameters:
    ///   - name: The person's name, which stands as actor in what is decided on the page.
    ///   - scopes: The scopes of the page.
    ///   - now: The present.
    /// - Returns: The token, which is not yet stored.
    package static func login(
        of name: String,
        _ scopes: Set<TokenScope>,
        now: Timestamp
    ) -> Token {
        var token = Token(name: name, scopes: scopes, createdAt: now)
        token.use = .login
        token.expiresAt = Timestamp(milliseconds: now.milliseconds + loginMilliseconds)
        return token
    }

    /// Creates the link of a trip that goes on.
    ///
    /// - Parameters:
    ///   - trip: The trip.
    ///   - source: The source that records it: the link shows nothing of another one.
    ///   - group: The group that the source belongs to; `nil` for one of the owner's.
    ///   - name: What the link is called.
    ///   - now: The present.
    ///   - end: When it expires, if the trip goes on for so long.
    /// - Returns: The token, which is not yet stored.
    package static func share(
        of trip: TripID,
        from source: String,
        in group: String? = nil,
        named name: String,
        now: Timestamp,
        until end: Timestamp
    ) -> Token {
        var token = Token(name: name, scopes: [.live], createdAt: now)
        token.use = .share
        token.sources = [source]
        token.group = group
        token.trip = trip
        token.expiresAt = end
        return token
    }

    /// Creates the link of a report that was handed out.
    ///
    /// - Parameters:
    ///   - report: What the report is called: the link shows nothing else.
    ///   - name: What the link is called.
    ///   - now: The present.
    ///   - end: When it expires.
    /// - Returns: The token, which is not yet stored.
    package static func link(
        to report: String,
        named name: String,
        now: Timestamp,
        until end: Timestamp
    ) -> Token {
        // Of all scopes that may stand in an address, this one permits the least.
        var token = Token(name: name, scopes: [.live], createdAt: now)
        token.use = .report
        token.report = report
        token.expiresAt = end
        return token
    }

    /// The session that a code is exchanged for.
    fileprivate func session(now: Timestamp) -> Token {
        var session = self
        session.use = .session
        session.createdAt = now
        session.expiresAt = Timestamp(milliseconds: now.milliseconds + Self.sessionMilliseconds)
        session.lastUsed = CivilDate(of: EventTime(now))
        return session
    }
}

extension ServerState {
    /// Exchanges the code of a link for a session, in one transaction: it lets in once.
    ///
    /// Codes and sessions that are over are removed with it.
    ///
    /// - Parameters:
    ///   - code: The shown code.
    ///   - random: The source of the secret, which MUST be good enough for keys.
    ///   - now: The present.
    /// - Returns: The text of the session, which is stored nowhere; `nil` if the code is unknown,
    ///   was used or is too old.
    /// - Throws: `.damaged`, `.newer`, `.inputOutput`.
    package func beginSession(
        with code: String,
        using random: inout some RandomNumberGenerator,
        now: Timestamp
    ) throws(LedgerError) -> TokenText? {
        guard let shown = TokenText(code) else { return nil }
        var random = random
        return try translating {
            try environment.write { transaction in
                let key = shown.digest.array
                guard let login = try token(key, transaction.get(handle(.tokens), key)),
                    login.use == .login, login.revokedAt == nil, !login.hasExpired(at: now)
                else { return nil }
                _ = try transaction.delete(handle(.tokens), key)
                try removeOver(now, &transaction)
                let session = login.session(now: now)
                let text = TokenText(of: session, using: &random)
                try put(session.encoded, key: text.digest.array, in: .tokens, &transaction)
                return text
            }
        }
    }

    /// Ends a session; any other text changes nothing.
    ///
    /// - Throws: `.damaged`, `.newer`, `.inputOutput`.
    package func endSession(_ text: String) throws(LedgerError) {
        guard let shown = TokenText(text) else { return }
        try translating {
            try environment.write { transaction in
                let key = shown.digest.array
                guard try token(key, transaction.get(handle(.tokens), key))?.use == .session else {
                    return
                }
                _ = try transaction.delete(handle(.tokens), key)
            }
        }
    }

    /// Removes codes and sessions that are over, and links that have been over for a while.
    func removeOver(_ now: Timestamp, _ transaction: inout WriteTransaction) throws {
        for key in try keysOfOver(now, transaction) {
            _ = try transaction.delete(handle(.tokens), key)
        }
    }

    private func keysOfOver(
        _ now: Timestamp,
        _ transaction: borrowing WriteTransaction
    ) throws -> [[UInt8]] {
        var keys: [[UInt8]] = []
        var cursor = try transaction.cursor(handle(.tokens))
        while try cursor.next() {
            let key = Self.copy(of: cursor.key)
            guard let token = try token(key, cursor.value), token.use != .program else { continue }
            let kept = token.use.isLink ? Token.keptLinkMilliseconds : 0
            let before = now.advanced(byMilliseconds: -kept)
            if token.revokedAt.map({ $0 <= before }) ?? false || token.hasExpired(at: before) {
                keys.append(key)
            }
        }
        return keys
    }
}
