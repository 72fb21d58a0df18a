import HTTPTypes
import Hummingbird
import Proofs
import WebPage

/// The page and its files: `/` and `/assets/TAG/NAME`.
///
/// They hold nothing of the ledger, so they need no token; what the page shows it asks for with
/// its session.
struct PageEndpoint: Sendable {
    private let files: [String: PageFile]
    private let document: [UInt8]

    /// What stands for the contents of all files in their addresses: a change of one changes all
    /// addresses, so that browsers can keep them for ever.
    private let tag: String

    /// Prepares the files of the program.
    init() {
        let all = PageFile.all.sorted { $0.name < $1.name }
        files = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
        var stream = SHA256Stream()
        for file in all {
            stream.update(Array("\(file.name) \(file.bytes.count) ".utf8).span)
            stream.update(file.bytes.span)
        }
        let tag = String(stream.finish().description.prefix(16))
        let html = String(decoding: files["index.html"]?.bytes ?? [], as: UTF8.self)
        document = Array(
            html.split(separator: "{{assets}}", omittingEmptySubsequences: false)
                .joined(separator: "/assets/\(tag)").utf8
        )
        self.tag = tag
    }

    /// Returns the answer to a request for the page or a file of it; `nil` if it is none.
    func answer(to request: Request) -> Response? {
        guard request.method == .get || request.method == .head else { return nil }
        if request.uri.path == "/" {
            return Self.response(document, as: "text/html; charset=utf-8", "no-cache")
        }
        let parts = request.uri.path.split(separator: "/", maxSplits: 2)
        guard parts.count == 3, parts[0] == "assets", parts[1] == tag,
            let file = files[String(parts[2])], file.name != "index.html"
        else { return nil }
        return Self.response(
            file.bytes,
            as: Self.mediaType(of: file.name),
            "public, max-age=31536000, immutable"
        )
    }

    private static func mediaType(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "webmanifest": "application/manifest+json"
        default: "application/octet-stream"
        }
    }

    /// What the page may do: run its own files, ask its own server and show its reports, and
    /// nothing else.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        + "connect-src 'self'; frame-src 'self'; manifest-src 'self'; worker-src 'self'; "
        + "font-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

    private static func response(
        _ bytes: [UInt8],
        as mediaType: String,
        _ caching: String
    ) -> Response {
        var headers: HTTPFields = [
            .contentType: mediaType, .cacheControl: caching, .contentSecurityPolicy: policy,
            .xContentTypeOptions: "nosniff",
        ]
        for (name, value) in [
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Referrer-Policy", "no-referrer"),
            ("Permissions-Policy", "geolocation=(self)"),
        ] {
            guard let name = HTTPField.Name(name) else { continue }
            headers[name] = value
        }
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}
