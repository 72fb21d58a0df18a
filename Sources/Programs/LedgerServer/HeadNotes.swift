import HTTPTypes
import NIOCore
import NIOHTTP1

/// Notes in the head of a request what gets lost on its way to what answers it: that it is one of
/// HTTP/1.0, and the host that its target names.
///
/// Hardly a client speaks HTTP/1.0. nginx does, to the server that it stands before, and adds
/// nothing else by which a proxy is known. Targets with a host are for proxies (RFC 9112, 3.2.2).
final class HeadNotes: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private static let version = "x-ledger-http-version"
    private static let target = "x-ledger-target"

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else {
            return context.fireChannelRead(data)
        }
        // They are for this handler alone to say.
        head.headers.remove(name: Self.version)
        head.headers.remove(name: Self.target)
        if head.version != .http1_1 { head.headers.add(name: Self.version, value: "1.0") }
        if let host = Self.authority(of: head.uri) {
            head.headers.add(name: Self.target, value: host)
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// Adds it to a connection, behind what reads heads.
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
