import HTTPTypes
import Hummingbird
import JSONText
import LedgerHTTP
import Platform
import ServerStore
import TripLedger

/// Signs a browser in with the code of a one-time link, and signs it out: POST and DELETE
/// `/session`.
struct SessionEndpoint: Sendable {
    /// Looks at codes.
    let gate: Gate

    /// The most bytes of a body: more than a code needs.
    private static let mostBytes = 4 << 10

    /// Answers a request for `/session`; `nil` if it is for something else.
    ///
    /// - Throws: `Problem`.
    func answer(
        to request: Request,
        _ context: ServerContext
    ) async throws(Problem) -> Response? {
        guard request.uri.path == "/session" else { return nil }
        let session = BrowserSession(of: request, context, isBehindProxy: gate.isBehindProxy)
        switch request.method {
        case .post:
            try BrowserSession.requireOwnPage(request)
            let text = try await begin(with: try await Self.code(in: request), request, context)
            return Self.response(session.cookie(text))
        case .delete:
            try BrowserSession.requireOwnPage(request)
            if let shown = session.token(in: request) {
                do throws(LedgerError) {
                    try gate.store.state?.endSession(shown)
                } catch {
                    ServerLog.complain("\(error)")
                    throw .notRead
                }
            }
            return Self.response(session.cookie(nil))
        default: throw .wrongMethod(allowed: "POST, DELETE")
        }
    }

    private func begin(
        with code: String,
        _ request: Request,
        _ context: ServerContext
    ) async throws(Problem) -> TokenText {
        // Too many guesses are answered with a delay.
        if case .valid = try await gate.answer(to: code, as: .login, in: request, context) {
            do throws(LedgerError) {
                var random = BufferedRandom()
                if let text = try gate.store.orCreated()
                    .beginSession(with: code, using: &random, now: WallClock.now)
                {
                    return text
                }
            } catch {
                ServerLog.complain("\(error)")
                throw .notRead
            }
        }
        throw .tokenUnknown(
            "The link was used or is older than ten minutes; `ledger token new NAME --page` makes "
                + "another."
        )
    }

    /// Reads the code in the body: `{"code": …}`.
    private static func code(in request: Request) async throws(Problem) -> String {
        let bytes: [UInt8]
        do {
            bytes = Array(buffer: try await request.body.collect(upTo: mostBytes))
        } catch {
            throw .invalidParameter("code", "there")
        }
        guard let code = (try? JSONValue(bytes.span))?["code"]?.text else {
            throw .invalidParameter("code", "there")
        }
        return code
    }

    private static func response(_ cookie: String) -> Response {
        Response(status: .noContent, headers: [.setCookie: cookie, .cacheControl: "no-store"])
    }
}

/// The cookie that identifies a browser, and the requirements for requests that have it.
///
/// A browser sends a cookie along with requests of other sites' pages too. This one is not sent
/// with them (`SameSite=Strict`), and a request that writes must come from the server's own page.
struct BrowserSession: Sendable {
    /// Whether the browser came to a proxy by HTTPS.
    private let isSecure: Bool
    private let port: Int?

    /// Describes the cookie of a request's connection.
    init(of request: Request, _ context: ServerContext, isBehindProxy: Bool) {
        let name = HTTPField.Name("X-Forwarded-Proto")
        isSecure = isBehindProxy && name.flatMap { request.headers[$0] }?.lowercased() == "https"
        port = context.port
    }

    /// The cookie's name: cookies of one host are sent to all of its ports.
    private var name: String { isSecure ? "__Host-ledger" : "ledger-\(port ?? 0)" }

    /// Returns the token that the browser sends, if it sends one.
    func token(in request: Request) -> String? {
        for field in request.headers[values: .cookie] {
            for pair in field.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0].filter({ $0 != " " }) == name else { continue }
                return String(parts[1])
            }
        }
        return nil
    }

    /// Returns the field that has a browser keep a session, or forget it.
    func cookie(_ text: TokenText?) -> String {
        let attributes = "Path=/; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
        guard let text else { return "\(name)=; \(attributes); Max-Age=0" }
        return "\(name)=\(text.text); \(attributes); Max-Age=\(Self.seconds)"
    }

    /// 30 days, as the session itself.
    private static let seconds = 30 * 86_400

    /// Requires that the server's own page sends a request or, for one that only reads, that a
    /// person opened it.
    ///
    /// Other ports and names of this machine belong to the same site, so the cookie is sent with
    /// requests of their pages, too.
    ///
    /// - Throws: `Problem.crossSite`.
    static func requireOwnPage(_ request: Request) throws(Problem) {
        let isReading = request.method == .get || request.method == .head
        if let name = HTTPField.Name("Sec-Fetch-Site"), let site = request.headers[name] {
            guard site == "same-origin" || isReading && site == "none" else { throw .crossSite }
            if isReading { return }
        } else {
            guard !isReading else { return }
            // Browsers from before 2023 send at least the origin of a page.
            let host = request.head.authority ?? ""
            guard let origin = request.headers[.origin],
                origin == "http://\(host)" || origin == "https://\(host)"
            else { throw .crossSite }
        }
        guard request.method == .delete || hasDataType(request) else { throw .crossSite }
    }

    /// Whether the body is of a type that no form of a page can send.
    private static func hasDataType(_ request: Request) -> Bool {
        let type = request.headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
        return ["application/json", "application/x-ndjson", "application/octet-stream"]
            .contains(type)
    }
}
