import HTTPTypes
import Hummingbird
import JSONText
import LedgerHTTP
import NIOCore
import Platform
import ServerStore
import Synchronization

/// All paths that the server answers.
struct RouteTable: Sendable {
    /// Looks at tokens.
    private let gate: Gate

    /// How often a token may ask.
    private let quotas: SharedQuotas

    /// The metrics.
    private let metrics: Metrics

    /// The register of devices that were heard from.
    private let devices: DeviceRegister

    /// The routes of paths without braces, by the path: nearly every request is for one of them.
    private let fixed: [String: [Route]]

    /// The others, in the order in which they are tried.
    private let patterns: [Route]

    /// Creates a table, which also has a route to its own description.
    init(
        gate: Gate,
        quotas: SharedQuotas,
        metrics: Metrics,
        devices: DeviceRegister,
        routes: [Route]
    ) {
        self.gate = gate
        self.quotas = quotas
        self.devices = devices
        self.metrics = metrics
        let form = AnswerForm(mediaType: "application/json", schema: nil)
        func description(_ bytes: @escaping @Sendable () -> [UInt8]) -> Route {
            Route(
                .get,
                "/openapi.json",
                "This description, of OpenAPI 3.1",
                as: form,
                for: [],
                reaching: .seen
            ) { _ throws(Problem) in
                Response(
                    status: .ok,
                    headers: [.contentType: form.mediaType, .cacheControl: "no-store"],
                    body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes()))
                )
            }
        }
        let document = WrittenDocument(OpenAPIDocument(of: routes + [description { [] }]))
        let all = routes + [description { document.bytes }]
        fixed = Dictionary(grouping: all.filter { !$0.path.contains("{") }, by: \.path)
        patterns = all.filter { $0.path.contains("{") }
    }

    /// Answers a request.
    func answer(to request: Request, _ context: ServerContext) async -> Response {
        let found = matches(request.uri.path)
        let response: Response
        do throws(Problem) {
            response = try await answer(to: request, context, found)
        } catch {
            response = (found.first?.route.refusal ?? .problem).response(to: error)
        }
        metrics.note(route: found.first?.route.path ?? "none", status: response.status)
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// Returns the routes of a path, each with the words for its braces.
    private func matches(_ path: String) -> [(route: Route, words: [String])] {
        if let routes = fixed[path] { return routes.map { ($0, []) } }
        let segments = Route.segments(of: path)
        return patterns.compactMap { route in route.words(of: segments).map { (route, $0) } }
    }

    private func answer(
        to request: Request,
        _ context: ServerContext,
        _ found: [(route: Route, words: [String])]
    ) async throws(Problem) -> Response {
        guard !found.isEmpty else { throw .unknown }
        let method = request.method == .head ? .get : request.method
        guard let (route, words) = found.first(where: { $0.route.method == method }) else {
            throw .wrongMethod(allowed: Self.methods(of: found.map(\.route)))
        }
        let access = try await access(of: request, to: route, context)
        try quotas.count(access, to: route)
        let query = try Query(of: request, route.parameters)
        let answer = try await route.answer(
            Call(
                request: request,
                access: access,
                standing: gate.standing(of: access, in: request, context),
                words: words,
                query: query,
                context: context
            )
        )
        if case .holder(let token) = access, method == .post, route.scopes.contains(.ingest) {
            devices.note(
                token,
                at: route.path,
                now: WallClock.now,
                app: request.headers[.userAgent]
            )
        }
        return answer
    }

    /// Returns who asks, and whether that is allowed.
    private func access(
        of request: Request,
        to route: Route,
        _ context: ServerContext
    ) async throws(Problem) -> Access {
        // If no token is needed, everyone has the owner's rights.
        guard !route.scopes.isEmpty else { return .owner }
        do throws(Problem) {
            let access = try await gate.access(of: request, context)
            guard access.isAllowed(route.scopes) else { throw Problem.scope(route.scopes[0]) }
            try access.require(route)
            return access
        } catch {
            let isRefusal = [.unauthorized, .forbidden].contains(error.status)
            throw route.isHidden && isRefusal ? .unknown : error
        }
    }

    private static func methods(of routes: [Route]) -> String {
        routes.flatMap { $0.method == .get ? [.get, .head] : [$0.method] }
            .map(\.rawValue).joined(separator: ", ")
    }
}

/// How often each token has asked, counted for all requests together.
final class SharedQuotas: Sendable {
    private let quotas: Mutex<Quotas>

    init(_ quotas: Quotas) {
        self.quotas = Mutex(quotas)
    }

    /// Counts a request to a route.
    ///
    /// - Throws: `Problem` if its token has asked as often as it may.
    func count(_ access: Access, to route: Route) throws(Problem) {
        guard case .holder(let token) = access, let kind = route.quota(for: token) else {
            return
        }
        let refusal = quotas.withLock { $0.refusal(of: kind, by: token.name, at: .now) }
        if let refusal { throw .quotaExceeded(kind, refusal) }
    }
}

extension Problem {
    /// The token has asked as often as it may for now (IETF draft ratelimit-headers).
    fileprivate static func quotaExceeded(_ kind: Quotas.Kind, _ refusal: Quotas.Refusal) -> Problem
    {
        let parts = refusal.wait.components
        // Rounded up, so that a client that returns after this time is not refused again.
        let seconds = parts.seconds + (parts.attoseconds > 0 ? 1 : 0)
        let name = kind.rawValue
        let window = Quotas.window.components.seconds
        return Problem(
            kind: "quota-exceeded",
            status: .tooManyRequests,
            title: "Too many requests",
            detail: "\(refusal.most) \(name) per minute are allowed.",
            members: [
                JSONValue.Member(name: "retry_after", value: .number(literal: "\(seconds)"))
            ],
            headers: [
                .retryAfter: "\(seconds)",
                .rateLimitPolicy: #""\#(name)";q=\#(refusal.most);w=\#(window)"#,
                .rateLimit: #""\#(name)";r=0;t=\#(seconds)"#,
            ]
        )
    }
}
