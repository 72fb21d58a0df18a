import HTTPTypes
import Hummingbird
import LedgerHTTP
import Platform
import Proofs
import ServerStore
import Synchronization
import SystemPackage
import TripLedger

/// Finds out who asks: the ledger's owner, or the holder of a token.
///
/// The owner is known by the unix socket, which no other user may open. A proxy before the socket
/// would give everyone who reaches the proxy the owner's rights, and a browser that reaches it lets
/// other sites' pages send requests. So their requests need a token: all of them with
/// `--behind-proxy`, and without it those that name another host than this machine, that are of
/// HTTP/1.0, or that have a field that proxies or browsers add. With `--socket-owner`, all requests
/// at the socket are the owner's.
struct Gate: Sendable {
    /// The tokens.
    let store: OpenedServerState

    /// Whether requests come by way of a proxy.
    let isBehindProxy: Bool

    /// The shard of a fleet that this ledger is; `nil` if it is not one.
    private let shard: FleetShard?

    /// Whether all that comes by way of the unix socket is the owner's.
    private let isSocketOwners: Bool

    private let failures = FailedTokens()

    /// The connections on which no token was shown yet.
    private let newcomers: Newcomers

    init(
        store: OpenedServerState,
        newcomers: Newcomers,
        isBehindProxy: Bool,
        isSocketOwners: Bool,
        shard: FleetShard?
    ) {
        self.store = store
        self.newcomers = newcomers
        self.isBehindProxy = isBehindProxy
        self.isSocketOwners = isSocketOwners
        self.shard = shard
    }

    /// Returns who asks.
    ///
    /// - Throws: `Problem` if there is no token, or an invalid one.
    func access(
        of request: Request,
        _ context: ServerContext
    ) async throws(Problem) -> Access {
        guard let text = Self.token(inHeadOf: request) else {
            let session = BrowserSession(of: request, context, isBehindProxy: isBehindProxy)
            if let shown = session.token(in: request) {
                return try await access(ofSession: shown, request, context)
            }
            guard isOwner(request, context) else {
                throw context.isUnixSocket && !isBehindProxy ? .notOwner : .tokenMissing
            }
            if Self.isOfBrowser(request) { try BrowserSession.requireOwnPage(request) }
            newcomers.remove(context.channel)
            return .owner
        }
        switch try await answer(to: text, in: request, context) {
        case .valid(let token): return .holder(token)
        case .mistyped: throw .tokenUnknown("Part of it is missing or mistyped.")
        case .unknown: throw .tokenUnknown("See `ledger token list`.")
        case .expired: throw .tokenUnknown("It has expired; make one with `ledger token new`.")
        case .revoked: throw .tokenUnknown("It was revoked; make one with `ledger token new`.")
        }
    }

    private func access(
        ofSession text: String,
        _ request: Request,
        _ context: ServerContext
    ) async throws(Problem) -> Access {
        guard
            case .valid(let token) = try await answer(to: text, as: .session, in: request, context)
        else {
            throw .tokenUnknown("The session is over; `ledger token new NAME --page` makes a link.")
        }
        try BrowserSession.requireOwnPage(request)
        return .holder(token)
    }

    /// Returns the access of a client for a long-lived answer.
    ///
    /// - Parameters:
    ///   - access: The client's access, as it was determined.
    ///   - request: The request.
    ///   - context: What is known of the connection.
    /// - Returns: The access, which can be checked again.
    func standing(
        of access: Access,
        in request: Request,
        _ context: ServerContext
    ) -> StandingAccess {
        guard case .holder(let token) = access else { return .ofOwner }
        let session = BrowserSession(of: request, context, isBehindProxy: isBehindProxy)
        let shown = token.use == .session ? session.token(in: request) : nil
        return StandingAccess(
            token,
            shownAs: shown ?? Self.token(inHeadOf: request) ?? "",
            in: store
        )
    }

    /// Checks a text that was shown as a token; an invalid one is answered with a delay if too many
    /// came from its address.
    ///
    /// - Throws: `Problem` if the token cannot be looked up, or if another shard has the token's
    ///   group.
    func answer(
        to text: String,
        as use: TokenUse = .program,
        in request: Request,
        _ context: ServerContext
    ) async throws(Problem) -> TokenAnswer {
        let answer: TokenAnswer
        do throws(LedgerError) {
            answer =
                try store.state?.answer(to: text, as: use, now: WallClock.now)
                ?? (TokenText(text) == nil ? .mistyped : .unknown)
        } catch {
            ServerLog.complain("\(error)")
            throw .notRead
        }
        if case .valid(let token) = answer {
            newcomers.remove(context.channel)
            // Events that were stored here would be missing there.
            if let group = token.group, let place = shard?.place(of: group) {
                switch place {
                case .here: break
                case .elsewhere(let other): throw .wrongShard(other)
                case .nowhere: throw .noShard(ofGroup: group)
                }
            }
            return answer
        }
        if failures.isTooMany(from: address(of: request, context), at: .now) {
            // A client that has gone meanwhile needs no answer.
            try? await Task.sleep(for: FailedTokens.delay)
        }
        return answer
    }

    /// Whether a request without a token is the ledger's owner's.
    private func isOwner(_ request: Request, _ context: ServerContext) -> Bool {
        guard context.isUnixSocket, !isBehindProxy else { return false }
        return isSocketOwners
            || HostNames([]).include(request.head.authority ?? "", port: nil)
                && !HeadNotes.isOld(request.headers) && !Self.isOfBrowser(request)
                && !request.headers.contains { Self.isOfProxy($0.name.canonicalName) }
    }

    /// Whether proxies add a field of this name.
    private static func isOfProxy(_ name: String) -> Bool {
        proxyFields.contains(name) || proxyPrefixes.contains { name.hasPrefix($0) }
    }

    private static let proxyFields: Set<String> = [
        "via", "forwarded", "x-real-ip", "cdn-loop", "x-client-ip", "x-cluster-client-ip",
        "true-client-ip", "fastly-client-ip", "fly-client-ip", "x-varnish", "x-amzn-trace-id",
        "x-remote-user", "remote-user", "max-forwards", "x-scheme", "front-end-https",
        "x-proxyuser-ip",
    ]

    private static let proxyPrefixes = [
        "x-forwarded", "x-original-", "x-envoy-", "x-appengine-", "x-azure-", "x-arr-", "cf-",
        "tailscale-", "proxy-",
    ]

    /// Whether a browser sends a request: other sites' pages may make it do so.
    private static func isOfBrowser(_ request: Request) -> Bool {
        request.headers.contains { field in
            let name = field.name.canonicalName
            return name == "origin" || name == "cookie" || name.hasPrefix("sec-fetch-")
        }
    }

    /// Returns the address that a request comes from, as far as it is known.
    private func address(of request: Request, _ context: ServerContext) -> String {
        guard isBehindProxy, let name = HTTPField.Name("X-Forwarded-For"),
            let last = request.headers[values: name].last?.split(separator: ",").last
        else { return context.clientAddress }
        // The last address is the one that the proxy itself saw; anyone can write the others.
        return String(last.filter { $0 != " " }.prefix(64))
    }

    /// Returns the token in the field `Authorization`: behind `Bearer`, or as the password of
    /// `Basic`, which Overland does not write in base64.
    static func token(inHeadOf request: Request) -> String? {
        guard let field = request.headers[.authorization] else { return nil }
        let words = field.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { return "" }
        switch words[0].lowercased() {
        case "bearer": return words[1]
        case "basic":
            let text = Base64.bytes(words[1]).map { String(decoding: $0, as: UTF8.self) }
            let parts = (text ?? words[1]).split(separator: ":", maxSplits: 1).map(String.init)
            // If there are a name and a password, the token is the password; Overland has no
            // password.
            return parts.last ?? ""
        default: return ""
        }
    }
}

/// Counts invalid tokens, by the address that they came from.
///
/// No address is blocked: one that tries too many tokens waits for each further answer. An owner
/// who mistyped a token gets access at once with the right one.
final class FailedTokens: Sendable {
    /// How long the answer to a further one takes.
    static let delay = Duration.seconds(1)

    /// How many are answered at once in ``window``.
    private static let mostAtOnce = 20

    /// The time in which they are counted.
    private static let window = Duration.seconds(60)

    /// The most addresses that are counted apart, so that they do not fill the memory.
    private static let mostAddresses = 1_024

    private struct Count {
        let start: ContinuousClock.Instant
        var tokens = 0
    }

    private let counts = Mutex<[String: Count]>([:])

    /// Notes one more, and says whether its answer is to be delayed.
    ///
    /// - Parameters:
    ///   - address: Where it came from.
    ///   - now: The present.
    /// - Returns: Whether more came from there than are answered at once.
    func isTooMany(from address: String, at now: ContinuousClock.Instant) -> Bool {
        counts.withLock { counts in
            if counts[address] == nil, counts.count >= Self.mostAddresses {
                counts = counts.filter { now - $0.value.start < Self.window }
            }
            // If there is still no room, all other addresses are counted as one.
            let isKnown = counts[address] != nil || counts.count < Self.mostAddresses
            let key = isKnown ? address : ""
            var count = counts[key] ?? Count(start: now)
            if now - count.start >= Self.window { count = Count(start: now) }
            count.tokens += 1
            counts[key] = count
            return count.tokens > Self.mostAtOnce
        }
    }
}
