import HTTPTypes
import Hummingbird
import JSONText
import LedgerHTTP
import ServerStore
import TripEvents
import TripLedger

/// Presses GO and STOP: `POST /v1/go` and `/v1/stop`, for buttons that have no clock.
struct PressEndpoint: Sendable {
    /// The endpoint that appends the events.
    let events: EventsEndpoint

    /// The paths.
    var routes: [Route] {
        [
            press("/v1/go", .goPressed, "Begins a trip now"),
            press("/v1/stop", .stopPressed, "Ends the trip now"),
        ]
    }

    /// The members that the body may have.
    private static let members = ["source", "vehicle", "routine"]
        .map { BodyMember($0, .text(most: 200)) }

    private func press(_ path: String, _ kind: EventKind, _ summary: String) -> Route {
        let events = events
        return Route(
            .post,
            path,
            summary,
            taking: BodyForm(
                kinds: [("application/json", [])],
                members: Self.members,
                isRequired: false
            ),
            as: .object("events-answer"),
            for: [.ingest, .admin],
            reaching: .seen
        ) { call async throws(Problem) in
            try await events.answer(to: call, as: .json) { body throws(Problem) in
                try Self.event(kind, body)
            }
        }
    }

    /// Returns the event that a body asks for: an object with only the members that a button may
    /// send, or an empty body.
    private static func event(_ kind: EventKind, _ body: [UInt8]) throws(Problem) -> [UInt8] {
        var members = [JSONValue.Member(name: "type", value: .text(kind.name))]
        if !body.isEmpty {
            guard let value = try? JSONValue(body.span), case .object(let said) = value else {
                throw .noObject
            }
            for member in said {
                guard Self.members.names.contains(member.name) else {
                    throw .invalidParameter(member.name, "left out")
                }
            }
            members += said
        }
        var bytes: [UInt8] = []
        JSONWriter.append(members, to: &bytes)
        return bytes
    }
}

extension Problem {
    /// The body of a button's request is invalid.
    fileprivate static let noObject = Problem(
        kind: "invalid-parameter",
        status: .badRequest,
        title: "The body is no JSON object",
        detail: #"Send nothing, or an object such as {"source":"button"}."#
    )
}
