package import CivilTime
import LMDB
import Proofs
package import SystemPackage
package import TripLedger

/// What a text comes to that was shown as a token.
package enum TokenAnswer: Hashable, Sendable {
    /// It is a token that is of use.
    case valid(Token)

    /// It is no token, or not as it was given out: a typing error, and no guess.
    case mistyped

    /// It has the form of a token, and there is none like it.
    case unknown

    /// The token has expired.
    case expired(name: String)

    /// The token was revoked; deliveries are to be thrown away, or to be sent again later.
    case revoked(name: String, dropsDeliveries: Bool)
}

extension ServerState {
    /// Returns what a text comes to that was shown as a token, and notes the day.
    ///
    /// It is looked up by its digest, so that no comparison tells anything by its time. At most
    /// once a day and token something is written; where there is no room, it is left out.
    ///
    /// - Parameters:
    ///   - text: What was shown.
    ///   - use: What shows it; tokens of another use are not known.
    ///   - now: The present.
    /// - Returns: What it comes to.
    /// - Throws: `.damaged`, `.newer`, `.inputOutput`.
    package func answer(
        to text: String,
        as use: TokenUse = .program,
        now: Timestamp
    ) throws(LedgerError) -> TokenAnswer {
        guard let shown = TokenText(text) else { return .mistyped }
        return try translating {
            let key = shown.digest.array
            let stored: Token? = try environment.read { transaction in
                try token(key, transaction.get(handle(.tokens), key))
            }
            guard let token = stored, token.use == use else { return .unknown }
            let isOfUse = token.revokedAt == nil && !token.hasExpired(at: now)
            let day = CivilDate(of: EventTime(now))
            if (isOfUse ? token.lastUsed : token.lastRefused) != day {
                try note(day, isOfUse: isOfUse, of: key)
            }
            if token.revokedAt != nil {
                return .revoked(name: token.name, dropsDeliveries: token.dropsDeliveries)
            }
            return isOfUse ? .valid(token) : .expired(name: token.name)
        }
    }

    /// Returns all tokens in the order in which they were made.
    ///
    /// - Throws: `.damaged`, `.newer`, `.inputOutput`.
    package func tokens() throws(LedgerError) -> [Token] {
        try translating {
            try environment.read { transaction in
                var tokens: [Token] = []
                var cursor = try transaction.cursor(handle(.tokens))
                while try cursor.next() {
                    let key = Self.copy(of: cursor.key)
                    tokens.append(try Token(decoding: opened(cursor.value, key: key)))
                }
                return tokens.sorted { ($0.createdAt, $0.name) < ($1.createdAt, $1.name) }
            }
        }
    }

    /// Adds a token, whose text is stored nowhere.
    ///
    /// Codes and sessions of one person have one name.
    ///
    /// - Throws: `.alreadyThere` if one of that name is not revoked; `.damaged`, `.inputOutput`.
    package func add(_ token: Token, shownAs text: TokenText) throws(LedgerError) {
        try translating {
            try environment.write { transaction in
                let named = try found(named: token.name, transaction)
                let isFree = named.allSatisfy {
                    $0.token.revokedAt != nil || !$0.token.use.hasOwnName
                }
                guard isFree || !token.use.hasOwnName else {
                    throw LedgerError(
                        .alreadyThere,
                        at: path.string,
                        cause: "there is a token named \(token.name) already",
                        hint: "It was left as it is. Choose another name, or revoke that one with "
                            + "`ledger token revoke`"
                    )
                }
                try put(token.encoded, key: text.digest.array, in: .tokens, &transaction)
            }
        }
    }

    /// Changes what is known of the token of a name that is not revoked.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - change: Changes it; its name and scopes MUST stay.
    /// - Returns: The token as it is now.
    /// - Throws: `.notFound` if there is none; `.damaged`, `.inputOutput`.
    package func change(
        named name: String,
        _ change: (inout Token) -> Void
    ) throws(LedgerError) -> Token {
        try translating {
            try environment.write { transaction in
                let named = try found(named: name, transaction)
                guard
                    var found = named.first(where: {
                        $0.token.revokedAt == nil && $0.token.use == .program
                    })
                else {
                    throw Self.noToken(named: name, at: path)
                }
                change(&found.token)
                try put(found.token.encoded, key: found.key, in: .tokens, &transaction)
                return found.token
            }
        }
    }

    /// Revokes the token of a name.
    ///
    /// One that was revoked already stays so; only what becomes of its deliveries can change.
    ///
    /// - Parameters:
    ///   - name: The name; of several tokens that had it, the one that is not revoked is meant, or
    ///     if there is none, all of them.
    ///   - dropsDeliveries: Whether deliveries with it are thrown away and answered as if they were
    ///     stored.
    ///   - now: The present.
    /// - Returns: The tokens as they are now.
    /// - Throws: `.notFound` if there is none; `.damaged`, `.inputOutput`.
    package func revoke(
        named name: String,
        dropsDeliveries: Bool,
        now: Timestamp
    ) throws(LedgerError) -> [Token] {
        try translating {
            try environment.write { transaction in
                let named = try found(named: name, transaction)
                guard !named.isEmpty else { throw Self.noToken(named: name, at: path) }
                let alive = named.filter { $0.token.revokedAt == nil }
                var revoked: [Token] = []
                for (key, before) in alive.isEmpty ? named : alive {
                    var token = before
                    token.revokedAt = token.revokedAt ?? now
                    token.dropsDeliveries = dropsDeliveries
                    try put(token.encoded, key: key, in: .tokens, &transaction)
                    revoked.append(token)
                }
                return revoked
            }
        }
    }

    /// Returns that there is no token of a name.
    package static func noToken(named name: String, at path: FilePath) -> LedgerError {
        LedgerError(
            .notFound,
            at: path.string,
            cause: "there is no token named \(name)",
            hint: "List them with `ledger token list`"
        )
    }

    func token(_ key: [UInt8], _ stored: Span<UInt8>?) throws -> Token? {
        guard let stored else { return nil }
        return try Token(decoding: opened(stored, key: key))
    }

    private func found(
        named name: String,
        _ transaction: borrowing WriteTransaction
    ) throws -> [(key: [UInt8], token: Token)] {
        var found: [(key: [UInt8], token: Token)] = []
        var cursor = try transaction.cursor(handle(.tokens))
        while try cursor.next() {
            let key = Self.copy(of: cursor.key)
            let token = try Token(decoding: opened(cursor.value, key: key))
            // Names that Unicode takes for equal are different ones, as those of sources are.
            if token.name.utf8.elementsEqual(name.utf8) { found.append((key, token)) }
        }
        return found
    }

    /// Notes on which day a token was shown last.
    private func note(_ day: CivilDate, isOfUse: Bool, of key: [UInt8]) throws {
        guard !isReadOnly else { return }
        do {
            try environment.write { transaction in
                // It may have been changed since it was read.
                guard var token = try token(key, transaction.get(handle(.tokens), key)) else {
                    return
                }
                if isOfUse { token.lastUsed = day } else { token.lastRefused = day }
                try put(token.encoded, key: key, in: .tokens, &transaction)
            }
        } catch let error as LMDBError where error.code.isLackOfRoom {
            // The day is for people to look at. Where there is no room for it, reading goes on.
        }
    }
}
