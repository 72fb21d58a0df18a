import Proofs
import SystemPackage
import TestSupport
import Testing
import TripEvents
import TripLedger

@testable import ServerStore

/// A token belongs to one ledger, and a ledger to one token.
@Suite struct PeerBindingTests {
    private static let now = Timestamp(milliseconds: 1_900_000_000_000)
    private static let laptop = String(repeating: "a", count: 32)
    private static let tablet = String(repeating: "b", count: 32)

    let directory: TemporaryDirectory
    let state: ServerState

    init() throws {
        directory = try TemporaryDirectory()
        state = try ServerState.openOrCreate(of: FilePath(directory.path))
    }

    /// Makes a token and returns it.
    private func made(_ name: String, _ byte: UInt8, until end: Timestamp? = nil) throws -> Token {
        var token = Token(name: name, scopes: [.sync], createdAt: Self.now)
        token.expiresAt = end
        let text = TokenText(scope: .sync, secret: Array(repeating: byte, count: 32))
        try state.add(token, shownAs: text)
        return token
    }

    /// Returns a token as a request reads it.
    private func read(_ name: String) throws -> Token {
        try #require(
            try state.tokens().last { $0.name.hasSameBytes(as: name) && $0.revokedAt == nil }
        )
    }

    @Test func `a token belongs to the first ledger that uses it`() throws {
        let token = try made("laptop", 1)
        #expect(try state.bind(token, to: Self.laptop, now: Self.now) == .isOwn)
        let bound = try read("laptop")
        #expect(bound.ledger == Self.laptop)
        #expect(try state.bind(bound, to: Self.laptop, now: Self.now) == .isOwn)
        #expect(
            try state.bind(bound, to: Self.tablet, now: Self.now) == .otherLedger(Self.laptop)
        )
        // A request that read it before the first one was answered learns the same.
        #expect(
            try state.bind(token, to: Self.tablet, now: Self.now) == .otherLedger(Self.laptop)
        )
        #expect(try read("laptop").ledger == Self.laptop)
    }

    @Test func `a ledger belongs to the first token that it uses`() throws {
        let own = try made("laptop", 1)
        let hostile = try made("hostile", 2)
        #expect(try state.bind(own, to: Self.laptop, now: Self.now) == .isOwn)
        #expect(try state.bind(hostile, to: Self.laptop, now: Self.now) == .otherToken)
        #expect(try read("hostile").ledger == nil)
        // The token still is of use for a ledger of its own.
        #expect(try state.bind(hostile, to: Self.tablet, now: Self.now) == .isOwn)
    }

    @Test func `a token that is of no more use holds no ledger`() throws {
        let end = Self.now.advanced(byMilliseconds: 1_000)
        let expiring = try made("expiring", 1, until: end)
        let revoked = try made("revoked", 2)
        #expect(try state.bind(expiring, to: Self.laptop, now: Self.now) == .isOwn)
        #expect(try state.bind(revoked, to: Self.tablet, now: Self.now) == .isOwn)
        _ = try state.revoke(named: "revoked", dropsDeliveries: false, now: Self.now)
        let (one, other) = (try made("one", 3), try made("other", 4))
        #expect(try state.bind(one, to: Self.laptop, now: Self.now) == .otherToken)
        #expect(try state.bind(one, to: Self.laptop, now: end) == .isOwn)
        #expect(try state.bind(other, to: Self.tablet, now: end) == .isOwn)
    }

    @Test func `a ledger that is given a token begins anew`() throws {
        let token = try made("laptop", 1)
        _ = try state.bind(token, to: Self.laptop, now: Self.now)
        let head = LedgerHead(size: 9, root: MerkleFrontier.emptyRoot.description)
        try state.note(PeerCursor(until: 9, head: head, ownHead: head), of: Self.tablet)
        #expect(try state.give(tokenNamed: "laptop", to: Self.tablet).ledger == Self.tablet)
        let cursor = try #require(try state.cursor(of: Self.tablet))
        #expect(cursor.until == 0 && cursor.head.size == 0 && cursor.isHeld)
        let given = try read("laptop")
        #expect(try state.bind(given, to: Self.tablet, now: Self.now) == .isOwn)
        #expect(
            try state.bind(given, to: Self.laptop, now: Self.now) == .otherLedger(Self.tablet)
        )
    }
}
