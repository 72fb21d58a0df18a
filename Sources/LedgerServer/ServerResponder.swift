import Hummingbird

/// Answers requests: looks at the name under which the server was asked, then at path and method.
struct ServerResponder: HTTPResponder {
    /// The names under which the server may be asked.
    let hostNames: HostNames

    /// What takes the deliveries of apps.
    let deliveries: DeliveryEndpoint

    /// The page and its files.
    let page: PageEndpoint

    /// What lets browsers in.
    let sessions: SessionEndpoint

    /// What answers each path.
    let routes: RouteTable

    func respond(to request: Request, context: ServerContext) async throws -> Response {
        let door = DeliveryEndpoint.Door(request)
        do throws(Problem) {
            try checkHost(of: request, port: context.port)
            if let door {
                let response = try await deliveries.answer(to: request, at: door, context)
                return request.method == .head ? response.createHeadResponse() : response
            }
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
        // Of several, the first is the authority and the others are left among the fields.
        let hasSeveral = request.headers.contains { $0.name.canonicalName == "host" }
        guard let host = request.head.authority, !host.isEmpty, !hasSeveral else {
            throw .unknownHost(nil)
        }
        guard hostNames.include(host, port: port) else { throw .unknownHost(host) }
    }
}
