import HTTPTypes
import Hummingbird
import JSONText
import LedgerHTTP
import NIOCore
import Platform
import ServerStore
import ServiceLifecycle
import Synchronization
import TripEvents
import TripLedger

/// Shows one trip in progress to those who have its link: `/live/LINK`, a document of its own, and
/// `/live/LINK/stream`, with events as they happen.
///
/// The link is a secret in an address. Nothing here logs it.
struct LiveEndpoint: Sendable {
    /// The path before the link.
    static let path = "/live/"

    /// How many may follow at a time, beside those of the page.
    private static let seatCount = 64

    /// The time after which a follower is told that nothing is new, and the pause between two looks
    /// at the trip.
    private static let (quiet, pause) = (Duration.seconds(15), Duration.seconds(1))

    /// The time after which a stream ends.
    private static let longest = Duration.seconds(3_600)

    private let reader: LedgerReader
    private let keeper: ViewKeeper
    private let gate: Gate
    private let page: PageEndpoint
    private let seats = LinkSeats(seatCount)

    init(reader: LedgerReader, keeper: ViewKeeper, gate: Gate, page: PageEndpoint) {
        self.reader = reader
        self.keeper = keeper
        self.gate = gate
        self.page = page
    }

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .get,
                Self.path + "{link}",
                "A page that shows one trip to those who have its link",
                as: AnswerForm(mediaType: "text/html", schema: nil),
                for: [],
                document
            ),
            Route(
                .get,
                Self.path + "{link}/stream",
                "Server-sent events of one trip: trip, and over",
                as: AnswerForm(mediaType: "text/event-stream", schema: "live-trip"),
                for: [],
                stream
            ),
        ]
    }

    /// Answers the document, which is the same for every link: its script reports a link that is
    /// over.
    private func document(_ call: Call) async throws(Problem) -> Response {
        guard TokenText(call.words[0])?.scope == .live else { throw .unknown }
        var response = page.ofLink
        Self.hide(&response)
        return response
    }

    private static func hide(_ response: inout Response) {
        guard let name = HTTPField.Name("X-Robots-Tag") else { return }
        response.headers[name] = "noindex, nofollow"
    }

    private func stream(_ call: Call) async throws(Problem) -> Response {
        let link = call.words[0]
        // Too many guesses are answered with a delay.
        guard
            case .valid(let token) = try await gate.answer(
                to: link,
                as: .share,
                in: call.request,
                call.context
            ), let trip = token.trip
        else { throw .unknown }
        guard let seat = seats.take(for: token.name) else { throw .tooManyStreams }
        let first = try await look(at: trip, seenBy: token.sight)
        guard first?.isShown ?? false else { throw .unknown }
        let standing = StandingAccess(token, shownAs: link, in: gate.store)
        let follower = Follower(
            endpoint: self,
            standing: standing,
            trip: trip,
            sight: token.sight
        )
        var headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        if let name = HTTPField.Name("X-Accel-Buffering") { headers[name] = "no" }
        if let name = HTTPField.Name("Referrer-Policy") { headers[name] = "no-referrer" }
        var response = Response(
            status: .ok,
            headers: headers,
            body: ResponseBody { writer in
                // Held until the stream ends.
                _ = seat
                var follower = follower
                try await follower.follow(to: &writer)
                try await writer.finish(nil)
            }
        )
        Self.hide(&response)
        return response
    }

    private func look(
        at trip: TripID,
        seenBy sight: Sight
    ) async throws(Problem) -> SharedTrip? {
        let present = keeper.present
        return try await reader.read(seenBy: sight) { snapshot in
            try SharedTrip.find(trip, in: snapshot, present, asOf: WallClock.now)
        }
    }
}

extension LiveEndpoint {
    /// A reader of the stream, with what the reader knows.
    private struct Follower: Sendable {
        let endpoint: LiveEndpoint
        let standing: StandingAccess
        let trip: TripID
        let sight: Sight

        /// The state that was sent last.
        var told: SharedTrip.Key?

        /// Sends events until the reader leaves, the link is no longer valid, or the trip has been
        /// over for long enough.
        @concurrent
        mutating func follow(to writer: inout any ResponseBodyWriter) async throws {
            let keeper = endpoint.keeper
            let subscriber = keeper.subscribe(while: standing)
            defer { keeper.unsubscribe(subscriber) }
            let start = ContinuousClock.now
            var (spokenAt, lookedAt) = (start, start)
            try await writer.write(ByteBuffer(string: "retry: 3000\n\n"))
            guard try await tell(to: &writer, again: true) else { return }
            for await _ in subscriber.looks.cancelOnGracefulShutdown() {
                let now = ContinuousClock.now
                if now - start >= LiveEndpoint.longest { return }
                guard now - lookedAt >= LiveEndpoint.pause else { continue }
                lookedAt = now
                let isQuiet = now - spokenAt >= LiveEndpoint.quiet
                if isQuiet { spokenAt = now }
                guard try await tell(to: &writer, again: isQuiet) else { return }
            }
            // Nothing is sent if the server is to end: then the page reconnects later.
            if !standing.holds { try await Self.sayOver(to: &writer) }
        }

        /// Sends what is new, or everything again, and returns whether to go on.
        @concurrent
        private mutating func tell(
            to writer: inout any ResponseBodyWriter,
            again: Bool
        ) async throws -> Bool {
            guard let shared = try await endpoint.look(at: trip, seenBy: sight), shared.isShown,
                standing.holds
            else {
                try await Self.sayOver(to: &writer)
                return false
            }
            guard again || told != shared.key else { return true }
            told = shared.key
            var bytes = Array("event: trip\ndata: ".utf8)
            JSONWriter.append(shared.members, to: &bytes)
            bytes += "\n\n".utf8
            try await writer.write(ByteBuffer(bytes: bytes))
            return true
        }

        @concurrent
        private static func sayOver(to writer: inout any ResponseBodyWriter) async throws {
            try await writer.write(ByteBuffer(string: "event: over\ndata: {}\n\n"))
        }
    }
}

/// The places for those who follow links, of which each link has no more than a few: so a link that
/// many people share does not block other links.
final class LinkSeats: Sendable {
    /// How many may follow one link at a time.
    private static let mostOfLink = 8

    private let seats: StreamSeats
    private let taken = Mutex<[NameKey: Int]>([:])

    /// Creates free places.
    ///
    /// - Parameter count: How many may follow at a time, all links together.
    init(_ count: Int) {
        seats = StreamSeats(count)
    }

    /// A place, which is free again when nothing refers to it any more.
    final class Seat: Sendable {
        private let link: NameKey
        private let links: LinkSeats
        private let seat: StreamSeats.Seat

        fileprivate init(of link: NameKey, _ links: LinkSeats, _ seat: StreamSeats.Seat) {
            self.link = link
            self.links = links
            self.seat = seat
        }

        deinit {
            links.leave(link)
        }
    }

    /// Takes a place for a follower of a link.
    ///
    /// - Parameter link: The name of the link.
    /// - Returns: The place; `nil` if there is none.
    func take(for link: String) -> Seat? {
        let link = NameKey(link)
        let hasRoom = taken.withLock { taken in
            guard taken[link, default: 0] < Self.mostOfLink else { return false }
            taken[link, default: 0] += 1
            return true
        }
        guard hasRoom else { return nil }
        guard let seat = seats.take() else {
            leave(link)
            return nil
        }
        return Seat(of: link, self, seat)
    }

    private func leave(_ link: NameKey) {
        taken.withLock { taken in
            let left = taken[link, default: 1] - 1
            taken[link] = left > 0 ? left : nil
        }
    }
}
