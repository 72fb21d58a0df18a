import HTTPTypes
import Hummingbird
import JSONText
import LedgerHTTP
import Platform
import ServerStore
import TripLedger

/// Lets a browser in, for the code of a link that lets in once, and out: POST and DELETE
/// `/session`.
struct SessionEndpoint: Sendable {
    /// Looks at codes.
    let gate: Gate

    /// The most bytes of a body: a code, and more than that.
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
        // Guesses are answered later and later.
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
