import HTTPTypes
import JSONText
import ServerStore
import TripLedger

extension Problem {
    /// The body is of no media type that is understood.
    static let unknownMedia = Problem(
        kind: "unknown-media",
        status: .unsupportedMediaType,
        title: "The body is of a kind that is not read here",
        detail: "Send application/x-ndjson, application/json or "
            + "application/cloudevents-batch+json, and say so in Content-Type."
    )

    /// The body is compressed.
    static let compressed = Problem(
        kind: "unknown-media",
        status: .unsupportedMediaType,
        title: "The body is of a kind that is not read here",
        detail: "Send it as it is, without Content-Encoding."
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
    static func tooLarge(_ mostBytes: Int) -> Problem {
        Problem(
            kind: "too-large",
            status: .contentTooLarge,
            title: "The body is too large",
            detail: "Send at most \(mostBytes) bytes at a time."
        )
    }

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

    /// There is no token.
    static let tokenMissing = Problem(
        kind: "token-missing",
        status: .unauthorized,
        title: "There is no token",
        detail: "Make one with `ledger token new`, and send it as Authorization: Bearer.",
        headers: [.wwwAuthenticate: #"Bearer realm="ledger""#]
    )

    /// The token is of no use.
    static func tokenUnknown(_ reason: String) -> Problem {
        Problem(
            kind: "token-unknown",
            status: .unauthorized,
            title: "This token is not known",
            detail: reason,
            headers: [.wwwAuthenticate: #"Bearer realm="ledger", error="invalid_token""#]
        )
    }

    /// A page of another site asks in the name of a session.
    static let crossSite = Problem(
        kind: "cross-site",
        status: .forbidden,
        title: "Not from this page",
        detail: "A session may write only from the server's own page, and as JSON."
    )

    /// The token does not let do this.
    static func scope(_ scope: TokenScope) -> Problem {
        Problem(
            kind: "scope",
            status: .forbidden,
            title: "The token does not allow this",
            detail: "It takes a token of the scope \(scope.rawValue).",
            headers: [
                .wwwAuthenticate: #"Bearer realm="ledger", error="insufficient_scope", scope=""#
                    + scope.rawValue + #"""#
            ]
        )
    }

    /// The token is not for this source.
    static func otherSource(_ source: String) -> Problem {
        Problem(
            kind: "scope",
            status: .forbidden,
            title: "The token does not allow this",
            detail: "It is for other sources than \(source).",
            errors: [Detail(field: "source", code: "other_source")]
        )
    }

    /// The path tells of all groups, and the token is of one.
    static let notForGroups = Problem(
        kind: "scope",
        status: .forbidden,
        title: "The token does not allow this",
        detail: "It is of a group, and this tells of the whole ledger."
    )

    /// What is kept beside the log cannot be read.
    static let notRead = Problem(
        kind: "not-stored",
        status: .serviceUnavailable,
        title: "This is not known to be stored",
        detail: "The ledger's tokens cannot be read. Send it again later.",
        headers: [.retryAfter: "60"]
    )

    /// Something was not stored, or it is not known whether it was.
    static let notStored = Problem(
        kind: "not-stored",
        status: .serviceUnavailable,
        title: "This is not known to be stored",
        detail: "Send it again: what is there already is recognised.",
        headers: [.retryAfter: "10"]
    )

    /// Nothing can be stored until the owner has made room.
    static let diskFull = Problem(
        kind: "disk-full",
        status: .serviceUnavailable,
        title: "The disk of the ledger is full",
        detail: "Nothing was acknowledged. Keep it, and send it again later.",
        headers: [.retryAfter: "60"]
    )

    /// A parameter or a field of the head is not as it must be.
    static func invalidParameter(
        _ name: String,
        _ expected: String,
        title: String = "A parameter cannot be understood"
    ) -> Problem {
        Problem(
            kind: "invalid-parameter",
            status: .badRequest,
            title: title,
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

    /// Others have decided something about a trip since the sender saw it.
    static func tripChanged(at position: UInt64) -> Problem {
        Problem(
            kind: "changed",
            status: .preconditionFailed,
            title: "The trip was changed meanwhile",
            detail: "Nothing was stored. Its last change is at \(position).",
            members: [JSONValue.Member(name: "position", value: .number(literal: "\(position)"))],
            headers: [.eTag: TripCondition.tag(of: position)]
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
        case .diskFull: self = .diskFull
        default:
            // What it says of the disk is for the owner, who finds it on standard error.
            self = .notStored
        }
    }
}
