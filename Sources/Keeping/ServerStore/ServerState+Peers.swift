import LMDB
import Proofs
package import TripLedger

/// Whether a token may speak for a ledger that exchanges events with it.
package enum PeerAnswer: Hashable, Sendable {
    /// It may, from now on or since before.
    case isOwn

    /// The token belongs to another ledger, of this id.
    case otherLedger(String)

    /// The ledger has another token, which is still valid.
    case otherToken
}

/// The ledger for which a token speaks.
///
/// A token belongs to the first ledger that uses it, and a ledger to the first token that it uses.
/// The holder of one cannot move the cursor of another ledger, nor say what head that has.
extension ServerState {
    /// Returns whether a token may speak for a ledger, and binds the two if neither is bound yet.
    ///
    /// A state that cannot be written cannot receive either, so nothing is bound there.
    ///
    /// - Parameters:
    ///   - token: The token, as it was read for the request.
    ///   - ledger: The id that the request gives.
    ///   - now: The present.
    /// - Returns: The answer.
    /// - Throws: `.notFound` if the token was revoked meanwhile; `.damaged`, `.inputOutput`.
    package func bind(
        _ token: Token,
        to ledger: String,
        now: Timestamp
    ) throws(LedgerError) -> PeerAnswer {
        if let own = token.ledger { return own == ledger ? .isOwn : .otherLedger(own) }
        guard !isReadOnly else { return .isOwn }
        return try translating {
            try environment.write { transaction in
                let tokens = try valid(asOf: now, transaction)
                guard var found = tokens.first(where: { $0.token.isNamed(token.name) }) else {
                    throw Self.noToken(named: token.name, at: path)
                }
                if let own = found.token.ledger {
                    return own == ledger ? .isOwn : .otherLedger(own)
                }
                guard !tokens.contains(where: { $0.token.ledger == ledger }) else {
                    return .otherToken
                }
                found.token.ledger = ledger
                try put(found.token.encoded, key: found.key, in: .tokens, &transaction)
                return .isOwn
            }
        }
    }

    /// Gives a token to a ledger, because the ledger's owner says so.
    ///
    /// Events that were received in the ledger's name until then may be of another one. So its
    /// cursor begins anew: the ledger sends everything again, and events that are known already
    /// change nothing.
    ///
    /// - Parameters:
    ///   - name: The token's name.
    ///   - ledger: The ledger's id.
    /// - Returns: The token as it is now.
    /// - Throws: `.notFound` if there is none that is not revoked; `.damaged`, `.inputOutput`.
    package func give(
        tokenNamed name: String,
        to ledger: String
    ) throws(LedgerError) -> Token {
        let changed = try change(named: name) { $0.ledger = ledger }
        let empty = LedgerHead(size: 0, root: MerkleFrontier.emptyRoot.description)
        var cursor = PeerCursor(until: 0, head: empty, ownHead: empty)
        cursor.isHeld = true
        try note(cursor, of: ledger)
        return changed
    }

    /// Returns the valid tokens of programs, with their keys.
    private func valid(
        asOf now: Timestamp,
        _ transaction: borrowing WriteTransaction
    ) throws -> [(key: [UInt8], token: Token)] {
        var tokens: [(key: [UInt8], token: Token)] = []
        var cursor = try transaction.cursor(handle(.tokens))
        while try cursor.next() {
            let key = Self.copy(of: cursor.key)
            let token = try Token(decoding: opened(cursor.value, key: key))
            guard token.use == .program, token.revokedAt == nil, !token.hasExpired(at: now) else {
                continue
            }
            tokens.append((key, token))
        }
        return tokens
    }
}
