import HTTPTypes
import JSONText
package import ServerStore
import TripEvents
package import TripLedger

// MARK: - What is not done

extension Problem {
    /// The body has an unknown media type.
    package static let unknownMedia = Problem(
        kind: "unknown-media",
        status: .unsupportedMediaType,
        title: "The body is of a kind that is not read here",
        detail: "Send application/x-ndjson, application/json or "
            + "application/cloudevents-batch+json, and say so in Content-Type."
    )

    /// The body is compressed.
    package static let compressed = Problem(
        kind: "unknown-media",
        status: .unsupportedMediaType,
        title: "The body is of a kind that is not read here",
        detail: "Send it as it is, without Content-Encoding."
    )

    /// There is nothing in the body.
    package static let noEvents = Problem(
        kind: "invalid-parameter",
        status: .badRequest,
        title: "There are no events in the body",
        detail: "See what an event looks like with `ledger schema event`."
    )

    /// The body has more events than are stored together.
    package static let tooManyEvents = Problem(
        kind: "too-large",
        status: .contentTooLarge,
        title: "There are too many events in the body",
        detail: "Send at most \(Delivery.mostItems) at a time."
    )

    /// The body is longer than is read.
    package static func tooLarge(_ mostBytes: Int) -> Problem {
        Problem(
            kind: "too-large",
            status: .contentTooLarge,
            title: "The body is too large",
            detail: "Send at most \(mostBytes) bytes at a time."
        )
    }

    /// The body ends too soon.
    package static let cutOff = Problem(
        kind: "invalid-parameter",
        status: .badRequest,
        title: "The body ends before its end",
        detail: "Send it again."
    )

    /// The queue is full.
    package static let busy = Problem(
        kind: "busy",
        status: .serviceUnavailable,
        title: "Too much waits to be stored",
        detail: "Send it again in a few seconds.",
        headers: [.retryAfter: "5"]
    )

    /// There is no token.
    package static let tokenMissing = Problem(
        kind: "token-missing",
        status: .unauthorized,
        title: "There is no token",
        detail: "Make one with `ledger token new`, and send it as Authorization: Bearer.",
        headers: [.wwwAuthenticate: #"Bearer realm="ledger""#]
    )

    /// There is no token, and the request may be one of a proxy or a browser.
    package static let notOwner = Problem(
        kind: tokenMissing.kind,
        status: .unauthorized,
        title: tokenMissing.title,
        detail: "By way of the socket, requests of proxies and browsers need one too. Start "
            + "`ledger serve` with --socket-owner if all of them are the owner's.",
        headers: tokenMissing.headers
    )

    /// The token is not valid.
    package static func tokenUnknown(_ reason: String) -> Problem {
        Problem(
            kind: "token-unknown",
            status: .unauthorized,
            title: "This token is not known",
            detail: reason,
            headers: [.wwwAuthenticate: #"Bearer realm="ledger", error="invalid_token""#]
        )
    }

    /// A page of another site asks in the name of a session.
    package static let crossSite = Problem(
        kind: "cross-site",
        status: .forbidden,
        title: "Not from this page",
        detail: "A session may ask only from the server's own page, and write as JSON."
    )

    /// The token does not permit this.
    package static func scope(_ scope: TokenScope) -> Problem {
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

    /// Another shard of the fleet has the token's group.
    package static func wrongShard(_ name: String) -> Problem {
        Problem(
            kind: "wrong-shard",
            status: .forbidden,
            title: "Another shard has the group of this token",
            detail: "Ask the shard \(Excerpt.escaped(name)), with a token that was made there.",
            members: [JSONValue.Member(name: "shard", value: .text(name))]
        )
    }

    /// No shard of the fleet has the token's group.
    package static func noShard(ofGroup group: String) -> Problem {
        Problem(
            kind: "wrong-shard",
            status: .forbidden,
            title: "No shard has the group of this token",
            detail: "Name the group \(Excerpt.escaped(group)) at a shard in the fleet's file, and "
                + "start the servers again."
        )
    }

    /// The sent event is a decision, which has to be checked.
    package static let useDecisions = Problem(
        kind: "use-decisions",
        status: .unprocessableContent,
        title: "A decision is asked for elsewhere",
        detail: "Send it to POST /v1/decisions, which checks it. As a fact of another ledger it "
            + "takes a token of the scope sync or admin."
    )

    /// The token is not for this source.
    package static func otherSource(_ source: String) -> Problem {
        Problem(
            kind: "scope",
            status: .forbidden,
            title: "The token does not allow this",
            detail: "It is for other sources than \(source).",
            errors: [Detail(field: "source", code: "other_source")]
        )
    }

    /// The request names a trip by the beginning of its id, and the token reads nothing.
    package static let abbreviatedTrip = Problem(
        kind: "scope",
        status: .forbidden,
        title: "The token does not allow this",
        detail: "It may not read, so it decides about trips of which it gives the whole id: name "
            + "the trip by its 32 digits, or take a token of the scope read too."
    )

    /// The request concerns all sources, and the token is of some.
    package static let notForSources = Problem(
        kind: "scope",
        status: .forbidden,
        title: "The token does not allow this",
        detail: "It is of some sources, and this concerns the whole ledger."
    )

    /// The request is for something that the whole ledger has once, and the token is of a group.
    package static let ledgersAlone = Problem(
        kind: "scope",
        status: .forbidden,
        title: "The token does not allow this",
        detail: "It is of a group, and this concerns the whole ledger."
    )

    /// The token's sources are not the only ones that have read an odometer at a time, or no source
    /// has: both are said alike, so that nothing is told of others.
    package static func otherReading(_ correction: ReadingCorrections.Correction) -> Problem {
        let time = RFC3339.text(correction.readAt.timestamp, utcOffset: correction.readAt.utcOffset)
        return Problem(
            kind: "scope",
            status: .forbidden,
            title: "The token does not allow this",
            detail: "It corrects readings of its own sources, and \(correction.vehicle) has none "
                + "of \(time) that is theirs alone.",
            errors: [Detail(field: "corrects", code: "other_source")]
        )
    }

    /// A decision says that another one has made it.
    package static func otherActor(_ name: String) -> Problem {
        Problem(
            kind: "scope",
            status: .forbidden,
            title: "The token does not allow this",
            detail: "What it decides is decided by \(name): leave actor out.",
            errors: [Detail(field: "actor", code: "other_actor")]
        )
    }

    /// The path tells of all groups, and the token is of one.
    package static let notForGroups = Problem(
        kind: "scope",
        status: .forbidden,
        title: "The token does not allow this",
        detail: "It is of a group, and this tells of the whole ledger."
    )

    /// The store beside the log cannot be read.
    package static let notRead = Problem(
        kind: "not-stored",
        status: .serviceUnavailable,
        title: "This is not known to be stored",
        detail: "The ledger's tokens cannot be read. Send it again later.",
        headers: [.retryAfter: "60"]
    )

    /// Something was not stored, or it is not known whether it was.
    package static let notStored = Problem(
        kind: "not-stored",
        status: .serviceUnavailable,
        title: "This is not known to be stored",
        detail: "Send it again: what is there already is recognised.",
        headers: [.retryAfter: "10"]
    )

    /// There is no more room for items that wait for the owner's key or time zone, until he gives
    /// it.
    package static func waitsForOwner(_ error: LedgerError) -> Problem {
        Problem(
            kind: "busy",
            status: .serviceUnavailable,
            title: "Too much waits for the owner",
            detail: "Keep it, and send it again later. \(error.hint).",
            headers: [.retryAfter: "300"]
        )
    }

    /// Nothing can be stored until the owner has made room.
    package static let diskFull = Problem(
        kind: "disk-full",
        status: .serviceUnavailable,
        title: "The disk of the ledger is full",
        detail: "Nothing was acknowledged. Keep it, and send it again later.",
        headers: [.retryAfter: "60"]
    )

    /// It is stored here, and no second server is known to have it.
    package static let replicaMissing = Problem(
        kind: "replica-missing",
        status: .serviceUnavailable,
        title: "No second server has it yet",
        detail: "It was not acknowledged. Send it again: what is there already is recognised.",
        headers: [.retryAfter: "5"]
    )

    /// A parameter or a field of the head is not as it must be.
    package static func invalidParameter(
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
    package static func conflict(with position: UInt64, fields: [String], hasKey: Bool) -> Problem {
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
    package static func tripChanged(at position: UInt64) -> Problem {
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
    package init(_ error: LedgerError) {
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
        case .replicaMissing: self = .replicaMissing
        default:
            // Details about the disk are for the owner, who finds them on standard error.
            self = .notStored
        }
    }

    /// A decision of a request breaks a rule of what can be decided.
    package static func refused(_ rejection: Rejection, _ index: Int) -> Problem {
        let field = rejection.field ?? ""
        return refused(rejection.sentence, index, rejection.code.rawValue, [("field", field)])
    }

    /// A decision of a request cannot be meant.
    package static func refused(_ refusal: LedgerError, _ index: Int) -> Problem {
        refused(
            refusal.refusalText,
            index,
            refusal.code.rawValue,
            [("cause", refusal.cause), ("hint", refusal.hint)]
        )
    }

    private static func refused(
        _ detail: String,
        _ index: Int,
        _ code: String,
        _ texts: [(String, String)]
    ) -> Problem {
        let number = JSONValue.number(literal: "\(index + 1)")
        let said = [("code", code)] + texts.filter { !$0.1.isEmpty }
        return Problem(
            kind: "refused",
            status: .unprocessableContent,
            title: "The decision is refused",
            detail: detail,
            members: [JSONValue.Member(name: "decision", value: number)]
                + said.map { JSONValue.Member(name: $0.0, value: .text($0.1)) }
        )
    }
}

// MARK: - What is not read

extension Problem {
    /// The path takes no parameter of that name.
    package static func unknownParameter(_ name: String, known: [String]) -> Problem {
        Problem(
            kind: "invalid-parameter",
            status: .badRequest,
            title: "A parameter is not known here",
            detail: known.isEmpty
                ? "This path takes none." : "This path takes \(known.joined(separator: ", ")).",
            errors: [Detail(field: name, code: "unknown_parameter")]
        )
    }

    /// The entries that a request is about did not come in time.
    package static let behind = Problem(
        kind: "behind",
        status: .serviceUnavailable,
        title: "The ledger has not so many entries",
        detail: "Ask again later, or without at_least.",
        headers: [.retryAfter: "2"]
    )

    /// The server ends.
    package static let stopping = Problem(
        kind: "stopping",
        status: .serviceUnavailable,
        title: "The server ends",
        detail: "Ask again in a few seconds.",
        headers: [.retryAfter: "5"]
    )

    /// Says why nothing could be read.
    package init(reading error: LedgerError) {
        switch error.code {
        case .notFound, .ambiguous:
            self.init(
                kind: "unknown",
                status: .notFound,
                title: "There is nothing of that name",
                detail: error.cause.prefix(1).uppercased() + error.cause.dropFirst() + "."
            )
        default:
            // Details about the disk are for the owner, who finds them on standard error.
            ServerLog.complain("\(error)")
            self.init(
                kind: "not-readable",
                status: .serviceUnavailable,
                title: "The ledger cannot be read now",
                detail: "Its owner finds the reason where the server was started.",
                headers: [.retryAfter: "10"]
            )
        }
    }
}
