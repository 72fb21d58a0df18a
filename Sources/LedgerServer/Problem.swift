import HTTPTypes
import Hummingbird
import JSONText

/// Why a request was not done, as a problem document (RFC 9457).
struct Problem: Error {
    /// What programs tell it by, after `urn:ledger:`.
    var kind: String

    /// The status of the answer.
    var status: HTTPResponse.Status

    /// What is wrong, the same for all problems of the kind.
    var title: String

    /// What to do.
    var detail: String

    /// What is wrong with members of the request.
    var errors: [Detail] = []

    /// What else the document says of this kind of problem.
    var members: [JSONValue.Member] = []

    /// What the answer says beside that.
    var headers = HTTPFields()

    /// What is wrong with one of them.
    struct Detail: Sendable {
        /// The member.
        var field: String

        /// What programs tell it by.
        var code: String
    }

    /// The answer: `problem.v1.schema.json`.
    ///
    /// `error` repeats the title for clients that know no problem documents.
    var response: Response {
        var members = [
            JSONValue.Member(name: "type", value: .text("urn:ledger:\(kind)")),
            JSONValue.Member(name: "title", value: .text(title)),
            JSONValue.Member(name: "status", value: .number(literal: "\(status.code)")),
            JSONValue.Member(name: "detail", value: .text(detail)),
            JSONValue.Member(name: "error", value: .text(title)),
        ]
        if !errors.isEmpty {
            let errors = errors.map { error in
                JSONValue.object([
                    JSONValue.Member(name: "field", value: .text(error.field)),
                    JSONValue.Member(name: "code", value: .text(error.code)),
                ])
            }
            members.append(JSONValue.Member(name: "errors", value: .list(errors)))
        }
        members += self.members
        var bytes: [UInt8] = []
        JSONWriter.append(members, to: &bytes)
        var fields = headers
        fields[.contentType] = "application/problem+json"
        return Response(
            status: status,
            headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}

extension Problem {
    /// Nothing stands at the path.
    static let unknown = Problem(
        kind: "unknown",
        status: .notFound,
        title: "There is nothing here",
        detail: "See the paths with `ledger serve --help`."
    )

    /// The request is for another host, or names none or several.
    static func unknownHost(_ name: String?) -> Problem {
        Problem(
            kind: "unknown-host",
            status: .misdirectedRequest,
            title: "This server has another name",
            detail: name.map { "Start it with --host-name \($0) if that is meant." }
                ?? "Send one Host."
        )
    }

    /// The path takes other methods.
    static func wrongMethod(allowed: String) -> Problem {
        Problem(
            kind: "wrong-method",
            status: .methodNotAllowed,
            title: "This path takes another method",
            detail: "Use \(allowed).",
            headers: [.allow: allowed]
        )
    }
}
