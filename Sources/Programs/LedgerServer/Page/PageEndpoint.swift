import EmbeddedFiles
import HTTPTypes
import Hummingbird
import Importers
import Proofs
import ServerStore

/// The page, the recorder and their files: `/`, `/record` and `/assets/TAG/NAME`.
///
/// They hold nothing of the ledger, so they need no token; the page requests its data with its
/// session.
struct PageEndpoint: Sendable {
    private let files: [String: PageFile]

    /// The tag in all addresses, which identifies the contents of all files: a change of one
    /// changes all addresses, so that browsers can keep the files for ever.
    private let tag: String

    /// The documents by their names, with the addresses of their files.
    private let documents: [String: [UInt8]]

    /// The tiles for maps; `nil` if they ask no other server.
    private let tiles: MapTiles?

    /// Prepares the files of the program.
    ///
    /// - Parameter tiles: The source of tiles for maps; `nil` for none.
    init(tiles: MapTiles?) {
        let all = PageFile.all.sorted { $0.name < $1.name }
        let files = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
        var stream = SHA256Stream()
        for file in all {
            stream.update(Array("\(file.name) \(file.bytes.count) ".utf8).span)
            stream.update(file.bytes.span)
        }
        let tag = String(stream.finish().description.prefix(16))
        let named = Document.all.values.map { document in
            let text = Self.text(of: document, in: files)
            // The owner's text comes last, so that nothing in it is replaced.
            let whole = text.replacing("{{assets}}", with: "/assets/\(tag)")
                .replacing("{{files}}", with: Self.list(of: all))
                .replacing("{{tiles}}\n", with: Self.element(of: tiles))
            return (document.name, Array(whole.utf8))
        }
        documents = Dictionary(uniqueKeysWithValues: named)
        self.tiles = tiles
        self.files = files
        self.tag = tag
    }

    /// Returns the answer to a request for a document or a file of one; `nil` if it is none.
    func answer(to request: Request) -> Response? {
        guard request.method == .get || request.method == .head else { return nil }
        let path = request.uri.path
        if let document = Document.all[path], let bytes = documents[document.name] {
            return response(document, bytes)
        }
        let parts = path.split(separator: "/", maxSplits: 2)
        guard parts.count == 3, parts[0] == "assets", parts[1] == tag,
            let file = files[String(parts[2])],
            !Document.all.values.contains(where: { $0.name == file.name })
        else { return nil }
        let compressed = Self.takesGzip(request) ? file.compressed : nil
        var response = Self.response(
            compressed ?? file.bytes,
            as: Self.mediaType(of: file.name),
            "public, max-age=31536000, immutable",
            under: Self.policy(imagesOf: nil)
        )
        response.headers[.vary] = "Accept-Encoding"
        if compressed != nil { response.headers[.contentEncoding] = "gzip" }
        return response
    }

    /// Returns the text of a document, without the lines that ask for files of Leaflet where the
    /// program was built without them.
    private static func text(of document: Document, in files: [String: PageFile]) -> String {
        let text = String(decoding: files[document.name]?.bytes ?? [], as: UTF8.self)
        guard files["leaflet/leaflet.js"] == nil else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.contains("{{assets}}/leaflet/") }
            .joined(separator: "\n")
    }

    /// Whether a browser accepts gzip: it names gzip, with a weight other than 0.
    private static func takesGzip(_ request: Request) -> Bool {
        request.headers[values: .acceptEncoding].flatMap { $0.split(separator: ",") }
            .contains { coding in
                let parts = coding.split(separator: ";")
                    .map { $0.filter { $0 != " " }.lowercased() }
                guard parts.first == "gzip" else { return false }
                return !parts.dropFirst().contains { $0.wholeMatch(of: /q=0(\.0*)?/) != nil }
            }
    }

    /// The document that shows a trip to those who have its link.
    var ofLink: Response {
        let document = Document.ofLink
        return response(document, documents[document.name] ?? [])
    }

    /// The document that shows an issued report to those who have its link, and checks it.
    var ofReport: Response {
        let document = Document.ofReport
        return response(document, documents[document.name] ?? [])
    }

    private func response(_ document: Document, _ bytes: [UInt8]) -> Response {
        document.response(
            bytes,
            as: Self.mediaType(of: document.name),
            imagesOf: document.hasMap ? tiles?.origin : nil
        )
    }

    /// Returns the names of the files that the page needs where there is no network, with spaces
    /// between them: all but the recorder's, which has a list of its own, and those of links.
    private static func list(of files: [PageFile]) -> String {
        let documents = Set(Document.all.values.map(\.name))
        return files.map(\.name)
            .filter { name in
                !documents.contains(name)
                    && !["record/", "live-trip", "report-link"].contains { name.hasPrefix($0) }
            }
            .joined(separator: " ")
    }

    /// Returns the element that tells a page about tiles, with its text free of markup.
    private static func element(of tiles: MapTiles?) -> String {
        guard let tiles else { return "" }
        let texts = [tiles.template, tiles.attribution]
            .map {
                $0.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
                    .replacing("<", with: "&lt;")
            }
        return "<meta name=\"tiles\" content=\"\(texts[0])\" data-attribution=\"\(texts[1])\">\n"
    }

    private static func mediaType(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "webmanifest": "application/manifest+json"
        default: "application/octet-stream"
        }
    }

    /// Returns the policy of the page: it may run its own files, ask its own server and show its
    /// reports, and show the images of one other origin if there is one, and nothing else.
    private static func policy(imagesOf origin: String?) -> String {
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:"
            + (origin.map { " \($0)" } ?? "")
            + "; connect-src 'self'; frame-src 'self'; font-src 'none'; base-uri 'none'; "
            + "form-action 'self'; frame-ancestors 'none'"
    }

    private static func response(
        _ bytes: [UInt8],
        as mediaType: String,
        _ caching: String,
        under policy: String,
        referrer: String = "no-referrer"
    ) -> Response {
        var headers: HTTPFields = [
            .contentType: mediaType, .cacheControl: caching, .contentSecurityPolicy: policy,
            .xContentTypeOptions: "nosniff",
        ]
        for (name, value) in [
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Referrer-Policy", referrer),
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

extension PageEndpoint {
    /// A document with an address of its own, without a version, so that browsers request it at
    /// each visit.
    private struct Document: Sendable {
        /// The file.
        var name: String

        /// Further permissions of the document.
        var alsoMay = ""

        /// The time for which a browser may keep it.
        var caching = "no-cache"

        /// The only path that a service worker may control.
        var workerScope: String?

        /// Whether it shows maps, which may have tiles.
        var hasMap = false

        /// The documents by their paths.
        ///
        /// The page and the recorder may keep their files for when there is no network: each may
        /// have a service worker, and be installed.
        static let all = [
            "/": Document(name: "index.html", alsoMay: installing, hasMap: true),
            "/manifest.webmanifest": Document(name: "manifest.webmanifest"),
            "/worker.js": Document(name: "worker.js", workerScope: "/"),
            "/record": Document(name: "record/record.html", alsoMay: installing),
            "/record/manifest.webmanifest": Document(name: "record/manifest.webmanifest"),
            "/record/worker.js": Document(name: "record/worker.js", workerScope: "/record"),
            LiveEndpoint.path: ofLink,
            ReportLinkEndpoint.path: ofReport,
        ]

        private static let installing = "; manifest-src 'self'; worker-src 'self'"

        /// The document of links, which are part of the path: without a link it says that it is not
        /// valid.
        static let ofLink = Document(
            name: "live-trip.html",
            caching: "no-store",
            hasMap: true
        )

        /// The document of links of reports, which also needs a link.
        static let ofReport = Document(name: "report-link.html", caching: "no-store")

        /// Returns the answer.
        ///
        /// Some servers of tiles, such as OpenStreetMap's, refuse requests that do not say where
        /// they come from: with tiles, requests name the origin, and no more.
        func response(
            _ bytes: [UInt8],
            as mediaType: String,
            imagesOf origin: String?
        ) -> Response {
            let policy = PageEndpoint.policy(imagesOf: origin) + alsoMay
            var response = PageEndpoint.response(
                bytes,
                as: mediaType,
                caching,
                under: policy,
                referrer: origin == nil ? "no-referrer" : "strict-origin-when-cross-origin"
            )
            if let workerScope, let name = HTTPField.Name("Service-Worker-Allowed") {
                response.headers[name] = workerScope
            }
            return response
        }
    }
}

/// A file of the web page, as it is in the program.
package struct PageFile: Hashable, Sendable {
    /// Its name, with the directory that it is in.
    package let name: String

    /// The content of the file.
    package let bytes: [UInt8]

    /// The same as gzip compresses it; `nil` if that is no smaller.
    package let compressed: [UInt8]?

    /// All files: those of the page, and the outlines of land that maps of the command have too.
    package static let all =
        (EmbeddedFolder.page.files + EmbeddedFolder.maps.files.filter { $0.name == "land.bin" })
        .map(PageFile.init)

    private init(_ file: EmbeddedFolder.File) {
        name = file.name
        bytes = file.bytes
        let gzipped = bytes.gzipped
        compressed = gzipped.count < bytes.count ? gzipped : nil
    }
}
