import CivilTime
import Testing

@testable import ServerStore

/// What a server does for the holders of tokens.
@Suite struct TokenPowerTests {
    private static func powers(_ scopes: Set<TokenScope>, of source: String?) -> Set<TokenPower> {
        var token = Token(name: "a", scopes: scopes, createdAt: .init(milliseconds: 0))
        token.sources = source.map { [$0] } ?? []
        return Set(TokenPower.allCases.filter { $0.isOf(token) })
    }

    @Test func `a token that presses can do nothing else`() {
        #expect(Self.powers([.press], of: "phone") == [.press])
    }

    @Test func `a token that delivers reads nothing`() {
        #expect(Self.powers([.ingest], of: "phone") == [.deliver, .append, .decide])
    }

    @Test func `an auditor reads reports, the log and proofs, and no lists`() {
        #expect(Self.powers([.audit], of: nil) == [.report, .prove, .audit])
    }

    @Test func `a token of some sources has no power over the whole`() {
        let all = Set(TokenScope.allCases).subtracting([.sync, .audit])
        let own = Self.powers(all, of: "phone")
        let whole = Self.powers(all, of: nil)
        #expect(whole.subtracting(own) == [.govern, .report, .audit])
        #expect(own.isSubset(of: whole))
    }

    @Test(arguments: TokenScope.allCases)
    func `each scope is good for something, and more scopes for no less`(scope: TokenScope) {
        let alone = Self.powers([scope], of: nil)
        #expect(!alone.isEmpty)
        for other in TokenScope.allCases {
            #expect(alone.isSubset(of: Self.powers([scope, other], of: nil)), "\(other)")
        }
    }

    @Test func `each power is of some scope`() {
        for power in TokenPower.allCases {
            #expect(TokenScope.allCases.contains { Self.powers([$0], of: nil).contains(power) })
        }
    }
}
