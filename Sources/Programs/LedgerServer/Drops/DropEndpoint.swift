import HTTPTypes
import Hummingbird
import JSONText
import LedgerHTTP
import NIOCore
import Platform
import ServerStore

/// Takes files that are dropped on the page: first it shows the effect that they would have, then
/// it adds them.
struct DropEndpoint: Sendable {
    /// The desk that has them read.
    let desk: DropDesk

    private static let path = "/v1/drops"
    private static let one = path + "/{drop}"
    private static let scopes: [TokenScope] = [.admin, .edit]
    private static let mediaType = "application/octet-stream"

    private static let name = Parameter("name", .text, "What the file is called", isRequired: true)

    /// How long the transfer of a file may take; a request without a valid token is answered before
    /// the transfer.
    static let longest = Duration.seconds(3_600)

    /// The most bytes of a file's name.
    private static let mostNameBytes = 200

    /// The options for a file before it is read.
    private static let members = [
        BodyMember("map", .lines(most: 16 << 10)), BodyMember("source", .text(most: 128)),
        BodyMember("vehicle", .text(most: 128)), BodyMember("time_zone", .text(most: 100)),
    ]

    private static let form = AnswerForm.object("drop")

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .post,
                Self.path,
                "Takes a file, and has it read without being added",
                [Self.name],
                taking: BodyForm(kinds: [(Self.mediaType, [])]),
                as: AnswerForm(
                    mediaType: Self.form.mediaType,
                    schema: Self.form.schema,
                    statuses: [.accepted]
                ),
                for: Self.scopes,
                take
            ),
            Route(
                .get,
                Self.one,
                "How far a file is, and what becomes of it",
                as: Self.form,
                for: Self.scopes
            ) { call async throws(Problem) in
                Self.response(try desk.file(call.words[0], of: call.access.holder ?? ""))
            },
            Route(
                .post,
                Self.one + "/look",
                "Has a file read again, with what its owner says of it",
                taking: BodyForm(kinds: [("application/json", [])], members: Self.members),
                as: Self.form,
                for: Self.scopes,
                look
            ),
            Route(
                .post,
                Self.one + "/add",
                "Adds a file as it was looked at last, and deletes it",
                taking: BodyForm(kinds: [("application/json", [])]),
                as: Self.form,
                for: Self.scopes,
                add
            ),
            Route(
                .delete,
                Self.one,
                "Gives a file up, and deletes it",
                as: .nothing,
                for: Self.scopes
            ) { call async throws(Problem) in
                try desk.giveUp(call.words[0], of: call.access.holder ?? "")
                return Response(status: .noContent, headers: [.cacheControl: "no-store"])
            },
        ]
    }

    /// Whether an address in the head of a request takes files.
    static func takesFile(_ address: String) -> Bool {
        address.prefix { $0 != "?" } == path
    }

    private func take(_ call: Call) async throws(Problem) -> Response {
        guard let name = Self.fileName(try call.query.require(Self.name)) else {
            throw .invalidParameter(Self.name.name, "the name of a file")
        }
        guard (call.request.headers[.contentEncoding] ?? "identity") == "identity" else {
            throw .compressed
        }
        let most = Int(clamping: try desk.room())
        if let length = call.request.headers[.contentLength].flatMap({ Int($0) }), length > most {
            throw .tooLarge(most)
        }
        let file = try await desk.take(
            name,
            from: call.access.holder ?? "",
            isOthersOnly: !call.access.isAllowed([.admin]),
            atMost: most
        ) { write async throws(Problem) in
            try await Self.pieces(of: call.request, atMost: most, write)
            // A large file takes its time.
            try call.standing.require()
        }
        return Self.response(file, .accepted)
    }

    /// Hands over the pieces of a body.
    private static func pieces(
        of request: Request,
        atMost most: Int,
        _ write: (_ piece: [UInt8]) async throws(Problem) -> Void
    ) async throws(Problem) {
        var count = 0
        do {
            for try await piece in request.body {
                count += piece.readableBytes
                guard count <= most else { throw Problem.tooLarge(most) }
                try await write(Array(piece.readableBytesView))
            }
        } catch let problem as Problem {
            throw problem
        } catch {
            throw .cutOff
        }
    }

    private func look(_ call: Call) async throws(Problem) -> Response {
        let said = try await TextMembers(of: call, Self.members.names)
        if let zone = said["time_zone"], !MachineTimeZone.isKnown(zone) {
            throw .invalidParameter("time_zone", "a time zone such as Europe/Amsterdam")
        }
        let file = try desk.read(call.words[0], of: call.access.holder ?? "", .looking) { options in
            options.map = said["map"]
            options.source = said["source"]
            options.vehicle = said["vehicle"]
            options.timeZone = said["time_zone"]
        }
        return Self.response(file)
    }

    private func add(_ call: Call) async throws(Problem) -> Response {
        _ = try await TextMembers(of: call, [])
        return Self.response(
            try desk.read(call.words[0], of: call.access.holder ?? "", .adding) { _ in }
        )
    }

    private static func response(
        _ file: DroppedFile,
        _ status: HTTPResponse.Status = .ok
    ) -> Response {
        var bytes: [UInt8] = []
        JSONWriter.append(file.members, to: &bytes)
        return Response(status, as: form.mediaType, bytes)
    }

    /// Returns the name under which a file can lie in a directory; `nil` if it has no name, or a
    /// name that a reader takes for its standard input.
    ///
    /// Directories before it, characters that control a terminal, and dots that would hide it are
    /// removed.
    static func fileName(_ text: String) -> String? {
        let last = text.split { $0 == "/" || $0 == "\\" }.last ?? ""
        var name = ""
        for scalar in last.unicodeScalars where !isControl(scalar) {
            guard name.utf8.count + String(scalar).utf8.count <= mostNameBytes else { break }
            name.unicodeScalars.append(scalar)
        }
        let shown = name.drop { $0 == "." || $0 == " " }
        return shown.isEmpty || shown == "-" ? nil : String(shown)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }
}
