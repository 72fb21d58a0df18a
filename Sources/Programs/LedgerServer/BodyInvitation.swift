import HTTPTypes
import LedgerHTTP
import NIOCore
import NIOHTTPTypes

/// Tells a client that waits for it to send the body that it announced: `Expect: 100-continue`
/// (RFC 9110, 10.1.1).
///
/// curl waits so with larger bodies, for a second if nothing comes; other clients wait longer. One
/// whose body is too large is not asked for it, and gets its answer at once.
final class BodyInvitation: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// How many requests have begun, and how many answers have ended: what is said here belongs to
    /// the next answer, and MUST not stand within the one before.
    private var counts = (heads: 0, answers: 0)

    /// Whether the last request waits with its body.
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
        // One that was answered without its body waits no more.
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
