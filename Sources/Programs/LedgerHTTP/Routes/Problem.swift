package import HTTPTypes
package import Hummingbird
package import JSONText

/// Why a request was not done, as a problem document (RFC 9457).
package struct Problem: Error {
    /// The code for programs, after `urn:ledger:`.
    package var kind: String

    /// The status of the answer.
    package var status: HTTPResponse.Status

    /// The title, which is the same for all problems of the kind.
    package var title: String

    /// The advice.
    package var detail: String

    /// The errors in members of the request.
    package var errors: [Detail]

    /// Further members of the document for this kind of problem.
    package var members: [JSONValue.Member]

    /// Further fields of the answer's head.
    package var headers: HTTPFields

    /// Says why a request was not done.
    package init(
        kind: String,
        status: HTTPResponse.Status,
        title: String,
        detail: String,
        errors: [Detail] = [],
        members: [JSONValue.Member] = [],
        headers: HTTPFields = HTTPFields()
    ) {
        self.kind = kind
        self.status = status
        self.title = title
        self.detail = detail
        self.errors = errors
        self.members = members
        self.headers = headers
    }

    /// An error in one of them.
    package struct Detail: Sendable {
        /// The member.
        package var field: String

        /// The code for programs.
        package var code: String

        /// Says what is wrong with a member.
        package init(field: String, code: String) {
            self.field = field
            self.code = code
        }
    }

    /// The answer: `problem.v1.schema.json`.
    ///
    /// `error` repeats the title for clients that know no problem documents.
    package var response: Response {
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
        fields[.cacheControl] = "no-store"
        return Response(
            status: status,
            headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}

extension Problem {
    /// Nothing stands at the path.
    package static let unknown = Problem(
        kind: "unknown",
        status: .notFound,
        title: "There is nothing here",
        detail: "See the paths with `ledger help server`."
    )

    /// An app delivers to the root of the server, where no door is.
    package static let rootIsNoDoor = Problem(
        kind: "no-door",
        status: .notFound,
        title: "No app delivers here",
        detail: "The address is /in/TOKEN/osmand; `ledger token new` prints it with the token."
    )

    /// The request is for another host, or names none or several.
    package static func unknownHost(_ name: String?) -> Problem {
        Problem(
            kind: "unknown-host",
            status: .misdirectedRequest,
            title: "This server has another name",
            detail: name.map { "Start it with --host-name \($0) if that is meant." }
                ?? "Send one Host."
        )
    }

    /// The path takes other methods.
    package static func wrongMethod(allowed: String) -> Problem {
        Problem(
            kind: "wrong-method",
            status: .methodNotAllowed,
            title: "This path takes another method",
            detail: "Use \(allowed).",
            headers: [.allow: allowed]
        )
    }
}
