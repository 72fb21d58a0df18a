import HTTPTypes
import Hummingbird
import Importers
import JSONText
import LedgerHTTP
import Platform
import ServerStore
import Synchronization
import TripEvents
import TripLedger

/// Takes deliveries of apps that were not made for the ledger: `/in/TOKEN/PROTOCOL`, and the paths
/// that apps use with other servers.
///
/// An app's queue is worth more than a status code. Some apps delete what is refused with 400, and
/// others send it for ever, before all that waits behind it. So a status of 2xx means that
/// everything is stored, or set aside with its reason because it cannot become an event; the status
/// for a failure that may pass is
/// 503.
struct DeliveryEndpoint {
    /// The writer that appends events.
    let writer: EventWriter

    /// The bodies of all requests.
    let bodies: RequestBodies

    /// The gate with the tokens, and the store of items that are set aside.
    let gate: Gate

    /// The name of the ledger, for apps that ask.
    let name: String

    /// The register of devices that were heard from.
    let devices: DeviceRegister

    /// The keeper that tells of changes, and of where devices are.
    let keeper: ViewKeeper

    /// Adopts rules for sources that need them.
    let rules: DoorRules

    private let heard = HeardMotions()
    private let recent = SharedRecentBodies()

    init(
        writer: EventWriter,
        bodies: RequestBodies,
        gate: Gate,
        name: String,
        devices: DeviceRegister,
        keeper: ViewKeeper,
        rules: DoorRules
    ) {
        self.rules = rules
        self.devices = devices
        self.keeper = keeper
        self.writer = writer
        self.bodies = bodies
        self.gate = gate
        self.name = name
    }

    /// Stores what was delivered, and answers as the app wants it.
    ///
    /// - Throws: `Problem`.
    func answer(
        to request: Request,
        at door: Door,
        _ context: ServerContext
    ) async throws(Problem) -> Response {
        guard [.post, .put, .get, .head].contains(request.method) else {
            throw .wrongMethod(allowed: "POST, PUT, GET, HEAD")
        }
        let text = door.token ?? Gate.token(inHeadOf: request)
        let token = try await token(shownAs: text, in: request, at: door, context)
        let standing = token.map { StandingAccess($0, shownAs: text ?? "", in: gate.store) }
        return try await bodies.withBody(
            of: request,
            from: token?.name,
            while: standing ?? .ofOwner
        ) { body async throws(Problem) in
            let delivered = DeliveredRequest(query: door.query, body: body)
            if door.app == .overland, [.get, .head].contains(request.method) {
                return nameAnswer
            }
            // A token that drops what it delivers is answered like any other.
            if let token, request.method != .head {
                let receivedAt = recent.bodies.withLock { bodies in
                    bodies.receipt(
                        of: delivered.content,
                        from: token.name,
                        at: door.app.rawValue,
                        now: WallClock.now
                    )
                }
                let read = try await bodies.decode(body.count) { [heard] () throws(Problem) in
                    ReadDelivery(
                        delivered,
                        at: door.app,
                        with: token,
                        heard: heard.bySource(of: token.group),
                        at: receivedAt
                    )
                }
                var refused = 0
                // The device counts as heard from even if there is no room for its delivery.
                defer {
                    devices.note(
                        token,
                        at: door.app.rawValue,
                        now: WallClock.now,
                        app: request.headers[.userAgent],
                        batteryPercent: delivered.batteryPercent,
                        deviceID: delivered.deviceID,
                        refused: refused
                    )
                }
                refused = try await store(read, with: token)
                await rules.adopt(after: read, at: door, with: token)
            }
            return await response(to: delivered, at: door, with: token)
        }
    }

    /// Returns the answer that an app takes for "stored", or the command for its recording mode.
    private func response(
        to delivered: DeliveredRequest,
        at door: Door,
        with token: Token?
    ) async -> Response {
        let shape = delivered.shape(at: door.app)
        if let token, token.recordsDenselyOnTrips, shape == .owntracks,
            let command = await rules.command(after: delivered, of: token)
        {
            return Response(.ok, as: "application/json", command)
        }
        return door.answer(for: shape)
    }

    /// Returns the token of a request; `nil` if it was revoked and its deliveries are thrown away.
    ///
    /// - Throws: `Problem` if it may not deliver. The problem says that it may succeed later, so
    ///   that the app keeps its queue until it is set up again.
    private func token(
        shownAs text: String?,
        in request: Request,
        at door: Door,
        _ context: ServerContext
    ) async throws(Problem) -> Token? {
        guard let text else { throw .tokenMissing }
        switch try await gate.answer(to: text, in: request, context) {
        case .valid(let token):
            try Access.holder(token).require(.ingest)
            // Others can read an address, so only tokens with few rights may be in one.
            guard door.token == nil || token.mayStandInAddress else {
                throw .tokenUnknown(
                    "It lets do more than deliver, so it must not stand in an address."
                )
            }
            return token
        // The owner has decided this: the app empties its queue.
        case .revoked(_, dropsDeliveries: true): return nil
        default: throw .tokenUnknown("Keep what waits; set the app up again with a new link.")
        }
    }

    /// Stores what was delivered, and returns how many items could not become events.
    private func store(
        _ delivery: ReadDelivery,
        with token: Token
    ) async throws(Problem) -> Int {
        var rest = delivery.items[...]
        var aside = delivery.aside
        while !rest.isEmpty {
            let some = Array(rest.prefix(Delivery.mostItems))
            rest = rest.dropFirst(some.count)
            var batch = Delivery(some, in: delivery.bytes)
            batch.group = token.group
            let answer = try await writer.store(batch)
            aside += delivery.setAside(of: some, after: answer)
        }
        heard.hear(delivery.heard, of: token.group, now: WallClock.now)
        if let position = delivery.present, let source = token.sources.first,
            keeper.present.hear(
                position,
                of: SourceKey(source, of: token.group),
                now: WallClock.now
            )
        {
            keeper.nudge()
        }
        guard !aside.isEmpty else { return 0 }
        let (items, store) = (aside, gate.store)
        try await bodies.runApart { () throws(Problem) in
            do throws(LedgerError) {
                try store.orCreated().setAside(items)
            } catch {
                // The doctor and the page report it, because the app only repeats its delivery.
                if error.code == .tooManySetAside { throw .waitsForOwner(error) }
                ServerLog.complain("\(error)")
                throw .notStored
            }
        }
        return items.count
    }

    /// The name of the server that Overland shows.
    private var nameAnswer: Response {
        Response(object: [JSONValue.Member(name: "name", value: .text(name))])
    }
}

// MARK: - Doors

extension DeliveryEndpoint {
    /// The door at which a request wants to deliver.
    struct Door {
        /// The language of the app.
        let app: DeliveryDoor

        /// The token in the address; without one it is in the head.
        let token: String?

        /// The query of the address.
        let query: String

        /// Whether it is a path of Dawarich's, whose answers differ.
        let isDawarich: Bool

        /// The parameter of Dawarich's that is a token.
        private static let tokenParameter = "api_key"

        /// Reads an address; `nil` if it is no door.
        init?(_ request: Request) {
            let parts = request.uri.path.split(separator: "/").map(String.init)
            let parameters = (request.uri.query ?? "").split(separator: "&")
            let isToken = { (parameter: Substring) in
                parameter.hasPrefix(Self.tokenParameter + "=")
            }
            // The token is not kept anywhere.
            query = parameters.filter { !isToken($0) }.joined(separator: "&")
            let key = parameters.first(where: isToken)
                .map { String($0.dropFirst(Self.tokenParameter.utf8.count + 1)) }
            switch parts {
            case ["pub"]: (app, token, isDawarich) = (.owntracks, nil, false)
            case ["api", "v1", "overland", "batches"], ["api", "v1", "points"]:
                (app, token, isDawarich) = (.overland, key, true)
            case ["api", "v1", "owntracks", "points"]:
                (app, token, isDawarich) = (.owntracks, key, true)
            case ["api", "v1", "traccar", "points"]:
                (app, token, isDawarich) = (.osmand, key, true)
            default:
                guard parts.first == "in", 2...3 ~= parts.count,
                    let app = DeliveryDoor(rawValue: parts[parts.count - 1])
                else { return nil }
                self.app = app
                token = parts.count == 3 ? parts[1] : nil
                isDawarich = false
            }
        }

        /// Whether a request delivers a position to the root of the server, as apps do that want
        /// an address without a path.
        static func isMissing(in request: Request) -> Bool {
            guard request.uri.path == "/", let query = request.uri.query else { return false }
            let names = query.split(separator: "&").compactMap { $0.split(separator: "=").first }
            let positions: Set<Substring> = ["lat", "latitude", "location"]
            let devices: Set<Substring> = ["id", "deviceid"]
            return names.contains { positions.contains($0) || devices.contains($0) }
        }

        /// Returns the answer that an app takes for "stored".
        func answer(for shape: DeliveryDoor) -> Response {
            let json = "application/json"
            switch shape {
            case .owntracks: return Response(.ok, as: json, "[]".utf8)
            case .overland:
                return Response(isDawarich ? .created : .ok, as: json, #"{"result":"ok"}"#.utf8)
            case .colota, .homeassistant:
                return Response(.ok, as: json, #"{"result":"ok"}"#.utf8)
            case .osmand where isDawarich: return Response(.ok, as: json, "[]".utf8)
            case .osmand, .traccarForward: return Response(.ok, as: "text/plain", "".utf8)
            case .gpslogger: return Response(.ok, as: "text/plain", "OK".utf8)
            case .phonetrack: return Response(.ok, as: json, #"{"done":1,"friends":[]}"#.utf8)
            }
        }

        /// Returns why a request was not done, so that the app keeps what it holds.
        ///
        /// No status of 4xx is given but for an unknown path and for a body that is too large: some
        /// apps delete what they delivered. Overland shows the member `error` of plain JSON.
        func refusal(for problem: Problem) -> Response {
            var problem = problem
            let isPassedOn =
                problem.status.code >= 500
                || [.notFound, .contentTooLarge, .badRequest].contains(problem.status)
            if !isPassedOn {
                problem.status = .serviceUnavailable
                problem.headers = [.retryAfter: "300"]
            }
            var response = problem.response
            if app == .overland { response.headers[.contentType] = "application/json" }
            return response
        }
    }
}

/// The bodies that came last, which all connections share.
private final class SharedRecentBodies: Sendable {
    let bodies = Mutex(RecentBodies())
}

/// The latest messages of apps about the motion of their devices, by the groups of their tokens and
/// then by source, since the server was started.
///
/// They are kept only in memory: a forgotten state becomes an event once more.
final class HeardMotions: Sendable {
    private let motions = Mutex<[NameKey?: [NameKey: HeardMotion]]>([:])

    /// Returns the latest report about each source of a group; `nil` for the owner's.
    func bySource(of group: String?) -> [NameKey: HeardMotion] {
        let key = group.map { NameKey($0) }
        return motions.withLock { $0[key] ?? [:] }
    }

    /// Notes the reports that were stored for sources of a group; `nil` for the owner's.
    func hear(_ new: [NameKey: HeardMotion], of group: String?, now: Timestamp) {
        guard !new.isEmpty else { return }
        let key = group.map { NameKey($0) }
        motions.withLock { motions in
            motions[key, default: [:]].merge(new) { $0.latest(beside: $1, now: now) }
        }
    }
}
