package import ServerStore
package import Tables
package import TripEvents
import TripLedger

/// What the holder of a token can see and do, in words: `token-meaning.v1.schema.json`.
package struct TokenMeaning: Tabular {
    /// The token.
    private let token: Token

    /// Whether it is valid.
    private let isOfUse: Bool

    /// Says what a token means at an instant.
    package init(_ token: Token, asOf now: Timestamp) {
        self.token = token
        isOfUse = token.revokedAt == nil && !token.hasExpired(at: now)
    }

    /// The powers of its holder; empty if it is not valid.
    private var powers: [TokenPower] {
        isOfUse ? TokenPower.allCases.filter { $0.isOf(token) } : []
    }

    /// The part of the ledger that its holder sees.
    private enum Part: String {
        case nothing
        case tripsThatGoOn = "trips_that_go_on"
        case sources
        case group
        case everything
    }

    private var part: Part {
        let powers = powers
        guard !Set(powers).isDisjoint(with: [.read, .follow, .prove, .audit, .exchange]) else {
            return .nothing
        }
        if powers.contains(.follow), !powers.contains(.read) { return .tripsThatGoOn }
        if token.sight.isEverything { return .everything }
        return token.group == nil ? .sources : .group
    }

    /// The sources that it is for, as words.
    private var whose: String {
        if let group = token.group { return "the group \(Excerpt.escaped(group))" }
        return token.sources.isEmpty ? "every source" : names
    }

    private var names: String {
        token.sources.map { Excerpt.escaped($0) }.joined(separator: ", ")
    }

    /// What its holder sees, as a sentence.
    package var sight: String {
        switch part {
        case .nothing: "It sees nothing."
        case .tripsThatGoOn: "It sees the trips of \(whose) that go on, and nothing that is over."
        case .sources: "It sees the trips, positions and visits of \(whose), and no others."
        case .group: "It sees the trips, positions and visits of \(whose), and no others."
        case .everything: "It sees everything."
        }
    }

    /// What its holder can do, a sentence each.
    package var sentences: [String] {
        guard isOfUse else {
            return [
                token.revokedAt == nil
                    ? "It has expired: it can do nothing." : "It was revoked: it can do nothing."
            ]
        }
        return powers.map(sentence)
    }

    /// The powers of other tokens that its holder lacks, as a sentence; `nil` if there are none.
    package var refusal: String? {
        guard isOfUse else { return nil }
        let others = TokenPower.allCases.filter { !powers.contains($0) && $0.isWorthDenying }
        guard !others.isEmpty else { return nil }
        return "It cannot " + others.map(\.verb).joined(separator: ", ") + "."
    }

    private func sentence(_ power: TokenPower) -> String {
        let source = token.sources.first.map { Excerpt.escaped($0) } ?? "any source it names"
        switch power {
        case .deliver:
            return "It delivers positions, as \(source): /in/TOKEN/PROTOCOL."
        case .press:
            let car = token.vehicle.map { " with the vehicle \(Excerpt.escaped($0))" } ?? ""
            return "It presses GO\(car) and STOP of \(source): /press/TOKEN/go and /stop."
        case .append:
            return "It appends events of \(whose), of the kinds that its scopes allow: "
                + "POST /v1/events."
        case .decide:
            return token.scopes.allSatisfy { $0 == .ingest || $0 == .live }
                ? "It reports odometers and the like, which are facts: POST /v1/decisions."
                : "It decides about trips of \(whose), as \(Excerpt.escaped(token.name)): "
                    + "POST /v1/decisions."
        case .govern: return "It sets places, vehicles, rules and settings for all."
        case .read: return "It reads lists, tracks and changes: /v1/trips, /v1/totals and others."
        case .follow: return "It follows what happens: /v1/status, /v1/stream."
        case .report: return "It reads reports: /v1/reports."
        case .client: return "It serves the feed client: /api/v1."
        case .prove: return "It has trips proven: /v1/trips/ID/proof."
        case .audit: return "It reads the log and its tiles: /log/checkpoint."
        case .exchange: return "It exchanges all events with another ledger: /v1/sync."
        case .setUp: return "It sets up devices and revokes them: /v1/devices."
        case .share: return "It makes links that show others a trip in progress: /v1/shares."
        }
    }

    /// The columns.
    package static let columns = Columns<TokenMeaning> {
        Column.text("name") { $0.token.name }.identifying
        Column.list("scopes") { $0.token.scopes.map(\.rawValue) }
        Column.list("sources") { $0.token.sources }
        Column.text("group") { $0.token.group }.optional
        Column.boolean("is_of_use") { $0.isOfUse }
        Column.name("sees") { $0.part.rawValue }
        Column.list("can") { $0.powers.map(\.rawValue) }
        Column.list("sentences") { [$0.sight] + $0.sentences + ($0.refusal.map { [$0] } ?? []) }
    }
}

extension TokenPower {
    /// Whether it is worth saying that a token cannot do it.
    fileprivate var isWorthDenying: Bool {
        switch self {
        case .deliver, .press, .decide, .govern, .read, .report, .audit, .exchange, .setUp: true
        case .append, .follow, .client, .prove, .share: false
        }
    }

    /// It in a few words.
    fileprivate var verb: String {
        switch self {
        case .deliver: "deliver positions"
        case .press: "press by an address"
        case .append: "append events"
        case .decide: "decide about trips"
        case .govern: "set what holds for all"
        case .read: "read trips that are over"
        case .follow: "follow what happens"
        case .report: "read reports"
        case .client: "serve the feed client"
        case .prove: "have trips proven"
        case .audit: "read the log"
        case .exchange: "exchange events"
        case .setUp: "set up devices"
        case .share: "share trips"
        }
    }
}
