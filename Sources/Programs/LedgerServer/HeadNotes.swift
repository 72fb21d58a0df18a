import HTTPTypes
import LedgerHTTP
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Records in the head of a request two facts that would not reach its handler: that it is
/// HTTP/1.0, and the host that its target names.
///
/// Hardly any client uses HTTP/1.0. nginx does towards its upstream server, and adds nothing else
/// by which a proxy can be recognised. Targets with a host are for proxies (RFC 9112, 3.2.2).
final class HeadNotes: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private static let version = "x-ledger-http-version"
    private static let target = "x-ledger-target"

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else {
            return context.fireChannelRead(data)
        }
        // Only this handler may set these fields.
        head.headers.remove(name: Self.version)
        head.headers.remove(name: Self.target)
        if head.version != .http1_1 { head.headers.add(name: Self.version, value: "1.0") }
        if let host = Self.authority(of: head.uri) {
            head.headers.add(name: Self.target, value: host)
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// Adds it to a connection, after the handler that parses heads.
    static func add(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        try pipeline.addHandler(HeadNotes(), position: .after(decoder))
    }

    /// Returns the host and port that a target names; `nil` if it names none.
    private static func authority(of target: String) -> String? {
        guard !target.hasPrefix("/"), let scheme = target.firstRange(of: "://") else { return nil }
        return String(target[scheme.upperBound...].prefix { !"/?#".contains($0) })
    }

    /// Whether a request is noted as one of HTTP/1.0.
    static func isOld(_ fields: HTTPFields) -> Bool {
        fields.contains { $0.name.canonicalName == version }
    }

    /// Returns the host and port that the target of a request names; `nil` if it names none.
    static func target(_ fields: HTTPFields) -> String? {
        fields.first { $0.name.canonicalName == target }?.value
    }
}

/// Tells a client that waits for it to send the body that it announced: `Expect: 100-continue`
/// (RFC 9110, 10.1.1).
///
/// curl waits so with larger bodies, for a second if nothing comes; other clients wait longer. A
/// client whose body is too large is not asked for it, and gets its answer at once.
final class BodyInvitation: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// How many requests have begun, and how many answers have ended: the invitation belongs to the
    /// next answer, and MUST not appear within the one before.
    private var counts = (heads: 0, answers: 0)

    /// Whether the client of the last request waits to send its body.
    private var isWaiting = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            counts.heads += 1
            isWaiting = Self.waits(head.headerFields)
            inviteIfDue(context)
        case .body, .end: isWaiting = false
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        context.write(data, promise: promise)
        guard case .end = part else { return }
        counts.answers += 1
        // A request that was answered without its body no longer waits.
        if counts.answers == counts.heads { isWaiting = false }
        inviteIfDue(context)
    }

    private func inviteIfDue(_ context: ChannelHandlerContext) {
        guard isWaiting, counts.heads == counts.answers + 1 else { return }
        isWaiting = false
        let invitation = HTTPResponsePart.head(HTTPResponse(status: .continue))
        context.writeAndFlush(wrapOutboundOut(invitation), promise: nil)
    }

    /// Whether a client waits with a body that may be taken.
    private static func waits(_ fields: HTTPFields) -> Bool {
        guard fields[.expect]?.lowercased() == "100-continue", !HeadNotes.isOld(fields) else {
            return false
        }
        guard let length = fields[.contentLength] else { return fields[.transferEncoding] != nil }
        return (1...RequestBodies.mostBytes).contains(Int(length) ?? 0)
    }
}
