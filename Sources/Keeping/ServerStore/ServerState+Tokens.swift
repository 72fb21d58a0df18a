package import CivilTime
import LMDB
import Proofs
package import SystemPackage
package import TripLedger

/// The answer to a text that was shown as a token.
package enum TokenAnswer: Hashable, Sendable {
    /// It is a valid token.
    case valid(Token)

    /// It is not a token as it was given out: a typing error, and not a guess.
    case mistyped

    /// It has the form of a token, and there is none like it.
    case unknown

    /// The token has expired.
    case expired(name: String)

    /// The token was revoked; deliveries are to be thrown away, or to be sent again later.
    case revoked(name: String, dropsDeliveries: Bool)
}

extension ServerState {
    /// Returns the answer to a text that was shown as a token, and notes the day.
    ///
    /// It is looked up by its digest, so that no comparison reveals anything by its duration. It
    /// writes at most once a day for each token; without room on the disk, it does not write.
    ///
    /// - Parameters:
    ///   - text: The shown text.
    ///   - use: The use of the token; tokens of another use are unknown.
    ///   - now: The present.
    /// - Returns: The answer.
    /// - Throws: `.damaged`, `.newer`, `.inputOutput`.
    package func answer(
        to text: String,
        as use: TokenUse = .program,
        now: Timestamp
    ) throws(LedgerError) -> TokenAnswer {
        guard let shown = TokenText(text) else { return .mistyped }
        return try translating {
            let key = shown.digest.array
            guard let token = try storedToken(key), token.use == use else { return .unknown }
            let answer = token.answer(at: now)
            try note(answer, to: token, key, now)
            return answer
        }
    }

    /// Notes the day of a delivery with a token that was named, and whose text was not shown.
    ///
    /// It writes at most once a day for each token, as ``answer(to:as:now:)`` does, and nothing for
    /// a token that was changed since it was read.
    ///
    /// - Parameters:
    ///   - token: The token, as it was read.
    ///   - now: The present.
    /// - Throws: `.damaged`, `.newer`, `.inputOutput`.
    package func noteDelivery(with token: Token, now: Timestamp) throws(LedgerError) {
        try translating {
            let stored: [UInt8]? = try environment.read { transaction in
                var found: [UInt8]?
                var cursor = try transaction.cursor(handle(.tokens))
                while try cursor.next() {
                    let key = Self.copy(of: cursor.key)
                    let other = try Token(decoding: opened(cursor.value, key: key))
                    if other == token { found = key }
                }
                return found
            }
            if let stored { try note(token.answer(at: now), to: token, stored, now) }
        }
    }

    /// Checks again a text that was shown as a token a moment ago, without recording the use.
    ///
    /// - Parameters:
    ///   - text: The shown text.
    ///   - use: The use of the token.
    ///   - now: The present.
    /// - Returns: The answer.
    /// - Throws: `.damaged`, `.newer`, `.inputOutput`.
    package func lookAgain(
        at text: String,
        as use: TokenUse,
        now: Timestamp
    ) throws(LedgerError) -> TokenAnswer {
        guard let shown = TokenText(text) else { return .mistyped }
        return try translating {
            guard let token = try storedToken(shown.digest.array), token.use == use else {
                return .unknown
            }
            return token.answer(at: now)
        }
    }

    private func storedToken(_ key: [UInt8]) throws -> Token? {
        try environment.read { transaction in
            try token(key, transaction.get(handle(.tokens), key))
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
    /// Codes and sessions of one person have one name. Those that are over are removed when another
    /// one or a link is added, and links that have been over for a while.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - text: Its text.
    ///   - mostMade: The most tokens that one maker may have made, of programs and of others
    ///     counted apart; revoked tokens that are still stored count, too.
    /// - Returns: Whether it was added; `false` if its maker has made as many already.
    /// - Throws: `.alreadyThere` if a valid token has that name; `.notFound` if the token that
    ///   makes it is no longer valid; `.damaged`, `.inputOutput`.
    @discardableResult
    package func add(
        _ token: Token,
        shownAs text: TokenText,
        mostMade: Int = .max
    ) throws(LedgerError) -> Bool {
        try translating {
            try environment.write { transaction in
                try requireMaker(of: token, transaction)
                let named = try found(named: token.name, transaction)
                guard named.allSatisfy({ !$0.token.holdsItsName(against: token) }) else {
                    throw LedgerError(
                        .alreadyThere,
                        at: path.string,
                        cause: "there is a token named \(token.name) already",
                        hint: "It was left as it is. Choose another name, or revoke that one with "
                            + "`ledger token revoke`"
                    )
                }
                if token.use != .program { try removeOver(token.createdAt, &transaction) }
                guard try made(beside: token, transaction) < mostMade else { return false }
                try put(token.encoded, key: text.digest.array, in: .tokens, &transaction)
                return true
            }
        }
    }

    /// Returns how many tokens of a token's kind its maker has made.
    private func made(
        beside token: Token,
        _ transaction: borrowing WriteTransaction
    ) throws -> Int {
        guard let maker = token.holderOfMade else { return 0 }
        return try found(transaction) { other in
            other.isDevice == token.isDevice
                && (other.holderOfMade?.hasSameBytes(as: maker) ?? false)
        }
        .count
    }

    /// Requires that the token that makes another one is valid, because it may have been revoked
    /// since it was read.
    private func requireMaker(
        of token: Token,
        _ transaction: borrowing WriteTransaction
    ) throws {
        guard let maker = token.maker else { return }
        let isOfUse = try found(named: maker, transaction)
            .contains { $0.token.revokedAt == nil && !$0.token.hasExpired(at: token.createdAt) }
        guard isOfUse else { throw Self.noToken(named: maker, at: path) }
    }

    /// Changes the stored facts about the token of a name that is not revoked.
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

    /// Returns the valid devices, sessions and links that a token of a name has made, directly or
    /// through others that it made.
    ///
    /// - Throws: `.damaged`, `.newer`, `.inputOutput`.
    package func made(by name: String, now: Timestamp) throws(LedgerError) -> [Token] {
        let tokens = try tokens()
        return Token.indices(madeBy: name, among: tokens, keepingDevices: false)
            .map { tokens[$0] }.filter { !$0.hasExpired(at: now) }
    }

    /// Revokes the token of a name, with the sessions of that name and the links and sessions that
    /// it has made, and that these have made.
    ///
    /// A token that was revoked already stays so; only the handling of its deliveries can change.
    /// The devices that it has made are the owner's from then on, unless they are revoked.
    ///
    /// - Parameters:
    ///   - name: The name; of several tokens that had it, the one that is not revoked is meant, or
    ///     if there is none, all of them.
    ///   - dropsDeliveries: Whether deliveries with it are thrown away and answered as if they were
    ///     stored.
    ///   - revokesDevices: Whether the devices that it has made are revoked too, which keep their
    ///     queues until they have other tokens.
    ///   - isMeant: Which of the tokens of that name are meant, if they are devices or links, which
    ///     make nothing; `nil` for all.
    ///   - now: The present.
    /// - Returns: The tokens as they are now, then those that they have made and that were revoked.
    /// - Throws: `.notFound` if there is none; `.damaged`, `.inputOutput`.
    package func revoke(
        named name: String,
        dropsDeliveries: Bool,
        revokesDevices: Bool = true,
        where isMeant: ((Token) -> Bool)? = nil,
        now: Timestamp
    ) throws(LedgerError) -> [Token] {
        try translating {
            try environment.write { transaction in
                let named = try found(named: name, transaction)
                    .filter { isMeant?($0.token) ?? true }
                let all = try found(transaction) { _ in true }
                // Tokens that one of a person's sessions has made belong to the person's other
                // sessions, too. A session that was over is no longer stored, but the tokens that
                // it made are.
                let hasOthers = all.contains {
                    $0.token.isNamed(name) && $0.token.revokedAt == nil
                        && !(isMeant?($0.token) ?? true)
                }
                let made =
                    hasOthers
                    ? []
                    : Token.indices(
                        madeBy: name,
                        among: all.map(\.token),
                        keepingDevices: !revokesDevices
                    )
                    .map { all[$0] }
                guard !named.isEmpty || !made.isEmpty else {
                    throw Self.noToken(named: name, at: path)
                }
                let alive = named.filter { $0.token.revokedAt == nil }
                var revoked: [Token] = []
                for (key, before) in alive.isEmpty ? named : alive {
                    var token = before
                    token.revokedAt = token.revokedAt ?? now
                    token.dropsDeliveries = dropsDeliveries
                    try put(token.encoded, key: key, in: .tokens, &transaction)
                    revoked.append(token)
                }
                for (key, before) in made {
                    var token = before
                    if revokesDevices || !token.isDevice {
                        token.revokedAt = now
                        revoked.append(token)
                    } else {
                        token.maker = nil
                    }
                    try put(token.encoded, key: key, in: .tokens, &transaction)
                }
                return revoked
            }
        }
    }

    /// Returns the error that there is no token of a name.
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
        try found(transaction) { $0.isNamed(name) }
    }

    private func found(
        _ transaction: borrowing WriteTransaction,
        where isMeant: (Token) -> Bool
    ) throws -> [(key: [UInt8], token: Token)] {
        var found: [(key: [UInt8], token: Token)] = []
        var cursor = try transaction.cursor(handle(.tokens))
        while try cursor.next() {
            let key = Self.copy(of: cursor.key)
            let token = try Token(decoding: opened(cursor.value, key: key))
            if isMeant(token) { found.append((key, token)) }
        }
        return found
    }

    /// Notes on which day a token was shown last, unless that is known.
    private func note(
        _ answer: TokenAnswer,
        to token: Token,
        _ key: [UInt8],
        _ now: Timestamp
    ) throws {
        let isOfUse = if case .valid = answer { true } else { false }
        let day = CivilDate(of: EventTime(now))
        guard !isReadOnly, (isOfUse ? token.lastUsed : token.lastRefused) != day else { return }
        do {
            try environment.write { transaction in
                // It may have been changed since it was read.
                guard var token = try self.token(key, transaction.get(handle(.tokens), key)) else {
                    return
                }
                if isOfUse { token.lastUsed = day } else { token.lastRefused = day }
                try put(token.encoded, key: key, in: .tokens, &transaction)
            }
        } catch let error as LMDBError where error.code.isLackOfRoom {
            // The day is only for people to look at. If there is no room for it, reading goes on.
        }
    }
}

extension Token {
    /// Returns the answer when it is shown.
    fileprivate func answer(at instant: Timestamp) -> TokenAnswer {
        guard revokedAt == nil else {
            return .revoked(name: name, dropsDeliveries: dropsDeliveries)
        }
        return hasExpired(at: instant) ? .expired(name: name) : .valid(self)
    }

    /// How long a link is still listed when it has ended, or was revoked.
    static let keptLinkMilliseconds: Int64 = 7 * 86_400_000

    /// Whether another token cannot have its name.
    ///
    /// Codes and sessions of one person have one name. A link that has expired is over, and no
    /// link has to wait for the name of a token that has expired; but another token does, as that
    /// one may be given a later end.
    fileprivate func holdsItsName(against other: Token) -> Bool {
        guard revokedAt == nil, use.hasOwnName, other.use.hasOwnName else { return false }
        return use == .program && other.use == .program || !hasExpired(at: other.createdAt)
    }

    /// Whether nothing of it was changed since it was read before, but the days on which it was
    /// shown.
    package func isUnchanged(since before: Token) -> Bool {
        var token = self
        (token.lastUsed, token.lastRefused) = (before.lastUsed, before.lastRefused)
        // The ledger that first exchanges events with it.
        if before.ledger == nil { token.ledger = nil }
        return token == before
    }

    /// Whether it has a name, byte by byte: names that Unicode takes for equal are different, as
    /// with sources.
    package func isNamed(_ name: String) -> Bool { self.name.hasSameBytes(as: name) }

    /// Whether a token of a name has made it, and it is not revoked.
    private func isMade(by name: String) -> Bool {
        revokedAt == nil && (maker?.hasSameBytes(as: name) ?? false)
    }

    /// The maker whose tokens include it: a code or session that names no maker belongs to its own
    /// name.
    ///
    /// `nil` for tokens of programs and links that the ledger's owner makes.
    fileprivate var holderOfMade: String? {
        maker ?? ([.login, .session].contains(use) ? name : nil)
    }

    /// Whether it is an app's or a button's, which its owner may keep when its maker goes.
    fileprivate var isDevice: Bool { use == .program }

    /// Returns which tokens go with that of a name: those that it has made, those that these have
    /// made, and so on.
    ///
    /// What others of a name have made stays as long as one of that name stays.
    ///
    /// - Parameters:
    ///   - name: The name of the token that goes.
    ///   - tokens: All tokens.
    ///   - keepsDevices: Whether devices stay, and what they have made.
    /// - Returns: Their indices, including those of devices that stay, in the order in which they
    ///   were found.
    fileprivate static func indices(
        madeBy name: String,
        among tokens: [Token],
        keepingDevices keepsDevices: Bool
    ) -> [Int] {
        var found: [Int] = []
        var names = [name]
        while let maker = names.popLast() {
            let made = tokens.indices.filter { index in
                tokens[index].isMade(by: maker) && !tokens[index].isNamed(name)
                    && !found.contains(index)
            }
            found += made
            for index in made where !(keepsDevices && tokens[index].isDevice) {
                let made = tokens[index].name
                let isLast = !tokens.indices.contains {
                    tokens[$0].isNamed(made) && tokens[$0].revokedAt == nil && !found.contains($0)
                }
                if isLast { names.append(made) }
            }
        }
        return found
    }
}
