import HTTPTypes
import Hummingbird

/// Answers requests: looks at the name under which the server was asked, then at path and method.
struct ServerResponder: HTTPResponder {
    /// The names under which the server may be asked.
    let hostNames: HostNames

    /// Looks at tokens.
    let gate: Gate

    /// What appends events.
    let events: EventsEndpoint

    /// What takes the deliveries of apps.
    let deliveries: DeliveryEndpoint

    func respond(to request: Request, context: ServerContext) async throws -> Response {
        let door = DeliveryEndpoint.Door(request)
        do throws(Problem) {
            try checkHost(of: request, port: context.port)
            let response =
                if let door {
                    try await deliveries.answer(to: request, at: door, context)
                } else {
                    try await answer(to: request, context)
                }
            return request.method == .head ? response.createHeadResponse() : response
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

    private func answer(
        to request: Request,
        _ context: ServerContext
    ) async throws(Problem) -> Response {
        switch request.uri.path {
        case "/health":
            try require(request, [.get, .head])
            return Response(
                status: .ok,
                headers: [.contentType: "application/json", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: #"{"status":"ok"}"#))
            )
        case "/v1/events":
            try require(request, [.post])
            let access = try await gate.access(of: request, context)
            return try await events.answer(to: request, by: access)
        default: throw Problem.unknown
        }
    }

    private func require(_ request: Request, _ methods: [HTTPRequest.Method]) throws(Problem) {
        guard methods.contains(request.method) else {
            throw .wrongMethod(allowed: methods.map(\.rawValue).joined(separator: ", "))
        }
    }
}
