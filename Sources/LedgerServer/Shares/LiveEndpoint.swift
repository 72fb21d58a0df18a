import HTTPTypes
import Hummingbird
import JSONText
import NIOCore
import Platform
import ServerStore
import ServiceLifecycle
import TripEvents
import TripLedger

/// Shows one trip that goes on to those who have its link: `/live/LINK`, a document of its own, and
/// `/live/LINK/stream`, what happens as it happens.
///
/// The link is a secret that stands in an address. Nothing here writes it down.
struct LiveEndpoint: Sendable {
    /// What stands before the link.
    static let path = "/live/"

    /// How many may follow at a time, beside those of the page.
    private static let seatCount = 64

    /// After how long it is said again that nothing is new, and the link is looked at again.
    private static let (quiet, pause) = (Duration.seconds(15), Duration.seconds(1))

    /// After how long a stream ends.
    private static let longest = Duration.seconds(3_600)

    private let reader: LedgerReader
    private let keeper: ViewKeeper
    private let gate: Gate
    private let page: PageEndpoint
    private let seats = StreamSeats(seatCount)

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

    /// Answers the document, which is the same for every link: it says by itself if one is over.
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
        // Guesses are answered later and later.
        guard
            case .valid(let token) = try await gate.answer(
                to: link,
                as: .share,
                in: call.request,
                call.context
            ), let trip = token.trip
        else { throw .unknown }
        guard let seat = seats.take() else { throw .tooManyStreams }
        let first = try await look(at: trip)
        guard first?.isShown ?? false else { throw .unknown }
        let follower = Follower(endpoint: self, link: link, trip: trip)
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

    private func look(at trip: TripID) async throws(Problem) -> SharedTrip? {
        let present = keeper.present
        return try await reader.read { snapshot in
            try SharedTrip.find(trip, in: snapshot, present, asOf: WallClock.now)
        }
    }

    /// Whether a link is still of use.
    private func isValid(_ link: String) async throws(Problem) -> Bool {
        let store = gate.store
        return try await reader.run {
            let answer = try store.state?.answer(to: link, as: .share, now: WallClock.now)
            if case .valid? = answer { return true }
            return false
        }
    }
}

extension LiveEndpoint {
    /// A reader of the stream, and what he knows.
    private struct Follower: Sendable {
        let endpoint: LiveEndpoint
        let link: String
        let trip: TripID

        /// What he was told last.
        var told: SharedTrip.Key?

        /// Sends events until the reader goes, the link is of no more use, or the trip has been
        /// over for long enough.
        @concurrent
        mutating func follow(to writer: inout any ResponseBodyWriter) async throws {
            let keeper = endpoint.keeper
            let subscriber = keeper.subscribe()
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
        }

        /// Sends what is new, or all once more, and returns whether to go on.
        @concurrent
        private mutating func tell(
            to writer: inout any ResponseBodyWriter,
            again: Bool
        ) async throws -> Bool {
            guard try await endpoint.isValid(link), let shared = try await endpoint.look(at: trip),
                shared.isShown
            else {
                try await writer.write(ByteBuffer(string: "event: over\ndata: {}\n\n"))
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
    }
}
