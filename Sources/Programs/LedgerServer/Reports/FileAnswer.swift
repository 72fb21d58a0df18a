import HTTPTypes
import Hummingbird
import LedgerHTTP
import NIOCore
import Platform

/// An answer from a file that another program has made: it is read while it is sent.
struct FileAnswer {
    private static let pieceByteCount = 64 << 10

    private let file: NamelessFile
    private let mediaType: String
    private let name: String

    /// Whether a browser saves it instead of showing it.
    var isKept = true

    /// The policy for a browser that shows it; `nil` for none of its own.
    var policy: String?

    /// Prepares to answer with a file.
    ///
    /// - Parameters:
    ///   - file: The file, which is complete.
    ///   - mediaType: Its media type.
    ///   - name: The file's name, in characters that need no quotes.
    init(_ file: NamelessFile, as mediaType: String, named name: String) {
        self.file = file
        self.mediaType = mediaType
        self.name = name
    }

    /// Returns the answer to a request, if the client's access is still valid: making the file may
    /// have taken half a minute.
    ///
    /// - Parameter standing: The access of the client, checked again while the file is sent.
    /// - Returns: The answer, whose body is read from the file piece by piece.
    /// - Throws: `Problem` if the server stops, or if the client may no longer read.
    func response(while standing: StandingAccess) throws(Problem) -> Response {
        guard let byteCount = try? file.byteCount else { throw .stopping }
        try standing.require()
        var headers: HTTPFields = [
            .contentType: mediaType, .cacheControl: "no-store", .contentLength: "\(byteCount)",
            .xContentTypeOptions: "nosniff",
        ]
        headers[.contentSecurityPolicy] = policy
        for (name, value) in [
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Content-Disposition", "\(isKept ? "attachment" : "inline"); filename=\"\(name)\""),
        ] {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        let file = file
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(contentLength: byteCount) { writer in
                var offset = 0
                var lookedAt = ContinuousClock.now
                while offset < byteCount {
                    // A slow reader gets the rest only while the access is valid.
                    if ContinuousClock.now - lookedAt >= StandingAccess.pause {
                        try standing.require()
                        lookedAt = .now
                    }
                    let bytes = try file.bytes(from: offset, atMost: Self.pieceByteCount)
                    // The file is complete, because the program that made it has ended.
                    guard !bytes.isEmpty else { break }
                    offset += bytes.count
                    try await writer.write(ByteBuffer(bytes: bytes))
                }
                try await writer.finish(nil)
            }
        )
    }

    /// Returns the name of a file, of characters that need no quotes anywhere.
    static func name(_ words: [String]) -> String {
        let name = words.joined(separator: "-")
            .filter { character in
                character.isASCII && (character.isLetter || character.isNumber || character == "-")
            }
        return String(name.prefix(64))
    }
}
