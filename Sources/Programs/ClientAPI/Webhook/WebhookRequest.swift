import Hummingbird
import JSONText
import LedgerHTTP
import ServerStore
import TripEvents
import TripLedger

/// An event as the members of its line.
typealias WebhookLine = [JSONValue.Member]

/// A request of an app that has no clock.
struct WebhookRequest: Sendable {
    /// Its position, as it gives it: latitude and longitude in degrees.
    let position: (latitude: String, longitude: String)?

    /// The source of its events.
    let source: String

    /// The user of the trip, as the app gives it.
    let user: String?

    /// The vehicle that it names.
    let car: String?

    /// The body, which identifies a repeat.
    let body: [UInt8]

    /// The group that the source belongs to; `nil` for the owner's.
    let group: String?

    /// Who asks.
    let access: Access

    private let device: String?
    private let token: String?

    /// Reads a request.
    ///
    /// - Throws: `Problem` if it gives no position and needs one.
    init(_ call: Call, _ body: [UInt8], needsPosition: Bool) throws(Problem) {
        self.body = body
        access = call.access
        user = call.query.text("user")
        car = call.query.text("car_id")
        device = call.query.text("device_id")
        switch call.access {
        case .owner: (token, source, group) = (nil, Ledger.decisionSource, nil)
        case .holder(let token):
            self.token = token.name
            source = token.sources.first ?? token.name
            group = token.group
        }
        let value = try? JSONValue(body.span)
        if case .number(let latitude) = value?["lat"], case .number(let longitude) = value?["lng"] {
            position = (latitude, longitude)
        } else {
            guard !needsPosition else { throw .noPosition }
            position = nil
        }
    }

    /// The key that distinguishes a repeat from another request to the same path.
    var sender: [String] { [token ?? "", user ?? "", car ?? "", device ?? ""] }

    // MARK: Events

    /// Returns the event that begins a trip.
    func go(at time: Timestamp, vehicle: String?) -> WebhookLine {
        var line = event(.goPressed, at: time)
        if let vehicle { line.append(Self.member("vehicle", vehicle)) }
        let unknown = [
            vehicle == nil ? car.map { Self.member("car_id", $0) } : nil,
            device.map { Self.member("device_id", $0) },
        ]
        .compactMap(\.self)
        if !unknown.isEmpty {
            line.append(JSONValue.Member(name: "extra", value: .object(unknown)))
        }
        return line
    }

    /// Returns the event with the app's position, which it MUST have given.
    func fix(at time: Timestamp) -> WebhookLine {
        event(.fixRecorded, at: time) + [
            JSONValue.Member(name: "lat", value: .number(literal: position?.latitude ?? "")),
            JSONValue.Member(name: "lon", value: .number(literal: position?.longitude ?? "")),
            Self.member("provider", FixProvider.webhook.rawValue),
        ]
    }

    /// Returns the event that ends a trip.
    func stop(at time: Timestamp) -> WebhookLine { event(.stopPressed, at: time) }

    /// Returns the decision that voids a trip: an app may cancel a trip that it began.
    func void(_ trip: TripID) -> AskedDecisions {
        let void = LedgerDecision.void(.named(trip), why: "Cancelled in the app")
        return AskedDecisions(requests: [DecisionRequest(void, for: group)], by: access)
    }

    private func event(
        _ kind: EventKind,
        at time: Timestamp,
        from source: String? = nil
    ) -> WebhookLine {
        [
            Self.member("type", kind.name), Self.member("source", source ?? self.source),
            Self.member("occurred_at", RFC3339.text(time)),
        ]
    }

    private static func member(_ name: String, _ text: String) -> JSONValue.Member {
        JSONValue.Member(name: name, value: .text(text))
    }

    // MARK: Answers

    /// Returns an answer, which repeats whose trip it is.
    func answer(
        _ status: String,
        reason: String? = nil,
        kilometers distance: Distance? = nil
    ) -> WebhookAnswer {
        WebhookAnswer(status: status, user: user, reason: reason, distance: distance)
    }
}

extension Problem {
    /// The body says no position.
    fileprivate static let noPosition = Problem(
        kind: "invalid-parameter",
        status: .unprocessableContent,
        title: "The body says no position",
        detail: #"Send a JSON object with numbers, such as {"lat":51.927,"lng":4.362}."#
    )
}
