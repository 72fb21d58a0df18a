import HTTPTypes
import Hummingbird
import LedgerHTTP

/// Answers requests: checks the host name of the request, then its path and method.
struct ServerResponder: HTTPResponder {
    /// The names under which the server may be asked.
    let hostNames: HostNames

    /// The endpoint for the deliveries of apps.
    let deliveries: DeliveryEndpoint

    /// The page and its files.
    let page: PageEndpoint

    /// The endpoint that signs browsers in.
    let sessions: SessionEndpoint

    /// The table of the paths and their answers.
    let routes: RouteTable

    func respond(to request: Request, context: ServerContext) async throws -> Response {
        var response = try await answer(to: request, context)
        for (name, value) in Self.protection where response.headers[name] == nil {
            response.headers[name] = value
        }
        return response
    }

    /// Fields that keep a browser from guessing an answer's type, and other sites' pages from
    /// reading it.
    private static let protection: [(HTTPField.Name, String)] =
        [("X-Content-Type-Options", "nosniff"), ("Cross-Origin-Resource-Policy", "same-origin")]
        .compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }

    private func answer(
        to request: Request,
        _ context: ServerContext
    ) async throws -> Response {
        let door = DeliveryEndpoint.Door(request)
        do throws(Problem) {
            try checkHost(of: request, port: context.port)
            if let door {
                let response = try await deliveries.answer(to: request, at: door, context)
                return request.method == .head ? response.createHeadResponse() : response
            }
            // Answering with the page and 200 would tell an app that its position is stored.
            if DeliveryEndpoint.Door.isMissing(in: request) { throw Problem.rootIsNoDoor }
            if let response = page.answer(to: request) {
                return request.method == .head ? response.createHeadResponse() : response
            }
            if let response = try await sessions.answer(to: request, context) { return response }
            return await routes.answer(to: request, context)
        } catch {
            return door?.refusal(for: error) ?? error.response
        }
    }

    private func checkHost(of request: Request, port: Int?) throws(Problem) {
        // If there are several, the first is the authority and the others are left among the
        // fields.
        let hasSeveral = request.headers.contains { $0.name.canonicalName == "host" }
        guard let host = request.head.authority, !host.isEmpty, !hasSeveral else {
            throw .unknownHost(nil)
        }
        guard hostNames.include(host, port: port) else { throw .unknownHost(host) }
        // A target with a host takes precedence over the field.
        guard let target = HeadNotes.target(request.headers),
            target.lowercased() != host.lowercased()
        else { return }
        throw .unknownHost(target)
    }
}

/// The host names that the server accepts.
///
/// A page from elsewhere can give its own name the address of this machine, so that a browser takes
/// the server for a part of that page (DNS rebinding). It cannot change the `Host` that the browser
/// then sends.
struct HostNames: Sendable {
    /// The names of this machine for itself.
    private static let ownNames = ["localhost", "127.0.0.1", "[::1]"]

    private let others: Set<String>

    /// Creates the list of names.
    ///
    /// - Parameter others: Names beside those of this machine, such as that of a proxy; one without
    ///   a port holds for each port.
    init(_ others: [String]) {
        self.others = Set(others.map { $0.lowercased() })
    }

    /// Whether the server may be asked under a name.
    ///
    /// - Parameters:
    ///   - authority: The `Host` of the request: a name, with or without a port.
    ///   - port: The port that is listened on.
    /// - Returns: Whether it is a name of this machine with that port, or one of the others.
    func include(_ authority: String, port: Int?) -> Bool {
        let authority = authority.lowercased()
        let (name, named) = Self.parts(of: authority)
        if others.contains(authority) || others.contains(name) { return true }
        guard Self.ownNames.contains(name) else { return false }
        // Without a port, that of HTTP is meant; a unix socket has no port.
        return port == nil || (named ?? "80") == String(port ?? 80)
    }

    private static func parts(of authority: String) -> (name: String, port: String?) {
        guard let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") else {
            return (authority, nil)
        }
        return (String(authority[..<colon]), String(authority[authority.index(after: colon)...]))
    }
}
