import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import Platform
import ServerStore
import Synchronization

/// Ends connections that keep the server busy for too long; Hummingbird handles everything else
/// about a connection, and ends those on which nothing happens.
///
/// A connection that is ended has no answer, which every client takes for "not delivered".
final class ConnectionLimits: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// How long things may take, and how much may follow an answer.
    private struct Limits {
        /// The time for the body of a request that came before the previous one was answered.
        let body = TimeAmount.seconds(60)

        /// For an answer, from the end of the body: a request may wait 30 s for a change.
        let answer = TimeAmount.seconds(45)

        /// For the client to take what it was sent.
        let reading = TimeAmount.seconds(30)

        /// For the rest of a body that was answered before its end.
        let rest = TimeAmount.seconds(2)

        /// The most bytes of such a rest.
        let restByteCount = 64 << 10
    }

    /// The most connections at a time, twice as many as may follow the stream; more wait until one
    /// ends.
    private static let mostConnections = 1_024

    /// How many files the server has open beside them, at most.
    private static let otherFileCount = 128

    /// Returns how many connections there may be at a time, each of which is an open file.
    static func availableConnections() -> Int {
        let files = OpenFiles.allow(mostConnections + otherFileCount)
        return max(otherFileCount, min(mostConnections, files - otherFileCount))
    }

    /// Returns the limits that Hummingbird enforces: on the size of heads, and on connections
    /// without a request.
    ///
    /// - Parameter newcomers: The connections on which no token was shown yet.
    /// - Returns: The limits, with the handlers that enforce this program's own limits on each
    ///   connection.
    static func configuration(_ newcomers: Newcomers) -> HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            additionalChannelHandlers: [BodyInvitation(), ConnectionLimits(newcomers)],
            idleTimeout: .seconds(30),
            httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                maxHeaderFieldSize: 8 << 10,
                maxHeaderListSize: 16 << 10,
                maxHeaderFieldCount: 64
            )
        )
    }

    private let limits = Limits()
    private let newcomers: Newcomers
    private var deadline: Scheduled<Void>?
    private var readingDeadline: Scheduled<Void>?

    /// How many requests have begun and have ended, and how many answers: a client may send the
    /// next request before it has the answer to the last.
    private var counts = (heads: 0, bodies: 0, answers: 0)

    /// The bytes of a body that followed after its request was answered.
    private var restByteCount = 0

    /// Whether the body that came last is a file: it may take its time.
    private var isFile = false

    /// The pace of the body that is being read; `nil` if there is none, or if it waits for its
    /// turn.
    private var pace: BodyPace?

    private init(_ newcomers: Newcomers) {
        self.newcomers = newcomers
    }

    func handlerAdded(context: ChannelHandlerContext) {
        newcomers.add(context.channel)
        do {
            try HeadNotes.add(to: context.pipeline.syncOperations)
        } catch {
            // No request may be answered before the client is identified.
            context.close(promise: nil)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            counts.heads += 1
            isFile = head.method == .post && DropEndpoint.takesFile(head.path ?? "")
            if counts.heads == counts.answers + 1 {
                beginBody(context)
            } else {
                end(in: limits.body, context)
            }
        case .body(let bytes):
            pace?.note(bytes.readableBytes, at: .now)
            if counts.answers == counts.heads {
                restByteCount += bytes.readableBytes
                // Further bytes are ignored.
                if restByteCount > limits.restByteCount { return context.close(promise: nil) }
            }
        case .end:
            counts.bodies += 1
            restByteCount = 0
            pace = nil
            if counts.answers == counts.heads {
                deadline?.cancel()
            } else {
                end(in: limits.answer, context)
            }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        if case .head(let head) = part, head.headerFields[.contentType] == "text/event-stream" {
            // A stream ends when its reader leaves or stops reading, and after an hour.
            deadline?.cancel()
        }
        if case .end = part {
            counts.answers += 1
            pace = nil
            if counts.answers > counts.bodies {
                end(in: limits.rest, context)
            } else if counts.answers == counts.heads {
                deadline?.cancel()
            } else {
                // The next body is either complete, or its rest is read from now on.
                let isWhole = counts.bodies > counts.answers
                if isWhole { end(in: limits.answer, context) } else { beginBody(context) }
            }
        }
        context.write(data, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        readingDeadline?.cancel()
        readingDeadline =
            context.channel.isWritable ? nil : schedule(in: limits.reading, context)
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        readingDeadline?.cancel()
        context.fireChannelInactive()
    }

    /// Ends the connection if the body that is read now takes too long.
    private func beginBody(_ context: ChannelHandlerContext) {
        pace = BodyPace(
            from: .now,
            lastingUpTo: isFile ? DropEndpoint.longest : BodyPace.longest
        )
        watchBody(context)
    }

    private func watchBody(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        guard let pace else { return }
        let own = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let wait = TimeAmount(max(.zero, pace.end - .now))
        deadline = context.eventLoop.scheduleTask(in: wait) {
            let (limits, context) = own.value
            limits.lookAtBody(context)
        }
    }

    /// Ends the connection unless bytes have come meanwhile that give the body more time.
    private func lookAtBody(_ context: ChannelHandlerContext) {
        guard let pace else { return }
        guard pace.end > .now else { return context.close(promise: nil) }
        watchBody(context)
    }

    /// Ends the connection after some time; an earlier deadline no longer applies.
    private func end(in time: TimeAmount, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = schedule(in: time, context)
    }

    private func schedule(
        in time: TimeAmount,
        _ context: ChannelHandlerContext
    ) -> Scheduled<Void> {
        let channel = context.channel
        return context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }
}

/// The connections on which no token has been shown yet: their number is limited below that of all
/// connections, so that clients that only connect leave room for those that deliver.
///
/// If there are too many, the oldest one is closed: a client that has a token shows it at once.
final class Newcomers: Sendable {
    private struct Newcomer: Sendable {
        let number: UInt64
        let channel: any Channel
    }

    private struct State: Sendable {
        var lastNumber: UInt64 = 0
        var all: [ObjectIdentifier: Newcomer] = [:]
    }

    private let most: Int
    private let state = Mutex(State())

    /// Prepares for connections.
    ///
    /// - Parameter most: How many there may be at a time.
    init(most: Int) {
        self.most = most
    }

    /// Adds a connection that has just begun, until it has shown a token or is over.
    func add(_ channel: any Channel) {
        let identity = ObjectIdentifier(channel)
        let oldest = state.withLock { state -> (any Channel)? in
            var oldest: Newcomer?
            if state.all.count >= most {
                oldest = state.all.values.min { $0.number < $1.number }
                if let oldest { state.all[ObjectIdentifier(oldest.channel)] = nil }
            }
            state.lastNumber += 1
            state.all[identity] = Newcomer(number: state.lastNumber, channel: channel)
            return oldest?.channel
        }
        oldest?.close(promise: nil)
        channel.closeFuture.whenComplete { _ in self.remove(identity) }
    }

    /// Forgets a connection on which a valid token was shown, or that is the owner's.
    func remove(_ channel: any Channel) {
        remove(ObjectIdentifier(channel))
    }

    private func remove(_ identity: ObjectIdentifier) {
        state.withLock { _ = $0.all.removeValue(forKey: identity) }
    }
}
