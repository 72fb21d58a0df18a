import TripEvents

/// Something that a server does for the holder of a token.
package enum TokenPower: String, CaseIterable, Sendable {
    case deliver
    case press
    case append
    case decide
    case govern
    case read
    case follow
    case report
    case client
    case prove
    case audit
    case exchange
    case setUp = "set_up"
    case share

    /// The scopes of which one is enough.
    private var scopes: [TokenScope] {
        switch self {
        case .deliver: [.ingest]
        case .press: [.press]
        case .append: [.ingest, .edit, .admin, .sync]
        case .decide: [.ingest, .edit, .admin]
        case .govern, .setUp: [.admin]
        case .read: [.read, .admin]
        case .follow: [.read, .live, .admin]
        case .report: [.read, .audit, .admin]
        case .client: [.read, .admin]
        case .prove: [.read, .audit, .admin]
        case .audit: [.audit, .admin]
        case .exchange: [.sync]
        case .share: [.edit, .admin]
        }
    }

    /// How much of the ledger a token must see for it.
    private var reach: Reach {
        switch self {
        case .deliver, .press, .append, .decide, .read, .follow, .prove, .setUp, .share: .any
        case .client: .sources
        case .govern, .report, .audit, .exchange: .whole
        }
    }

    /// How much must be seen.
    private enum Reach {
        case any
        case sources
        case whole
    }

    /// Whether a token has it, while it is valid.
    package func isOf(_ token: Token) -> Bool {
        guard scopes.contains(where: token.scopes.contains) else { return false }
        switch reach {
        case .any: return true
        case .sources: return token.sight.isEverything || token.group == nil
        case .whole: return token.sight.isEverything
        }
    }
}
