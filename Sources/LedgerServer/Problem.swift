import HTTPTypes
import Hummingbird
import JSONText
import TripLedger

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

// MARK: - Events that are not stored

extension Problem {
    /// The body is of no media type that is understood.
    static let unknownMedia = Problem(
        kind: "unknown-media",
        status: .unsupportedMediaType,
        title: "The body is of a kind that is not read here",
        detail: "Send application/x-ndjson, application/json or "
            + "application/cloudevents-batch+json, and say so in Content-Type."
    )

    /// There is nothing in the body.
    static let noEvents = Problem(
        kind: "invalid-parameter",
        status: .badRequest,
        title: "There are no events in the body",
        detail: "See what an event looks like with `ledger schema event`."
    )

    /// The body has more events than are stored together.
    static let tooManyEvents = Problem(
        kind: "too-large",
        status: .contentTooLarge,
        title: "There are too many events in the body",
        detail: "Send at most \(Delivery.mostItems) at a time."
    )

    /// The body is longer than is read.
    static let tooLarge = Problem(
        kind: "too-large",
        status: .contentTooLarge,
        title: "The body is too large",
        detail: "Send at most \(RequestBodies.mostBytes) bytes at a time."
    )

    /// The body ends too soon.
    static let cutOff = Problem(
        kind: "invalid-parameter",
        status: .badRequest,
        title: "The body ends before its end",
        detail: "Send it again."
    )

    /// As much waits as there is room for.
    static let busy = Problem(
        kind: "busy",
        status: .serviceUnavailable,
        title: "Too much waits to be stored",
        detail: "Send it again in a few seconds.",
        headers: [.retryAfter: "5"]
    )

    /// Events are taken from the owner alone.
    static let tokenMissing = Problem(
        kind: "token-missing",
        status: .unauthorized,
        title: "Events are taken by way of the unix socket alone",
        detail: "Start the server with --socket, and send them there.",
        headers: [.wwwAuthenticate: "Bearer"]
    )

    /// A parameter or a field of the head is not as it must be.
    static func invalidParameter(_ name: String, _ expected: String) -> Problem {
        Problem(
            kind: "invalid-parameter",
            status: .badRequest,
            title: "A parameter cannot be understood",
            detail: "\(name) must be \(expected).",
            errors: [Detail(field: name, code: "invalid_value")]
        )
    }

    /// The only event of a request has the name of another event.
    static func conflict(with position: UInt64, fields: [String], hasKey: Bool) -> Problem {
        Problem(
            kind: hasKey ? "key-reused" : "conflict",
            status: hasKey ? .unprocessableContent : .conflict,
            title: hasKey
                ? "The key was used for something else" : "The event has the id of another one",
            detail: "That is at position \(position), and differs in "
                + "\(fields.joined(separator: ", ")).",
            errors: fields.map { Detail(field: $0, code: "differs") }
        )
    }

    /// Events were not stored, or it is not known whether they were.
    init(_ error: LedgerError) {
        switch error.code {
        case .sizeMoved:
            self.init(
                kind: "changed",
                status: .preconditionFailed,
                title: "The ledger was changed meanwhile",
                detail: "Nothing was stored. See what was added, then send it again."
            )
        case .tooManySources:
            self.init(
                kind: "too-many-sources",
                status: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"),
                title: "The ledger takes no more sources",
                detail: "Nothing was stored. Give devices lasting names."
            )
        default:
            // What it says of the disk is for the owner, who finds it on standard error.
            self.init(
                kind: "not-stored",
                status: .serviceUnavailable,
                title: "The events are not known to be stored",
                detail: "Send them again: what is there already is recognised.",
                headers: [.retryAfter: "10"]
            )
        }
    }
}
