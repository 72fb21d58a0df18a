import Hummingbird
import NIOCore

/// What the server knows of a connection.
struct ServerContext: InitializableFromSource {
    /// The port that is listened on; `nil` for a unix socket.
    let port: Int?

    /// Whether the connection is one of the unix socket.
    let isUnixSocket: Bool

    /// Where the client is, or the proxy before it; empty for a unix socket.
    let clientAddress: String

    init(source: ApplicationRequestContextSource) {
        let address = source.channel.localAddress
        port = address?.port
        isUnixSocket = if case .unixDomainSocket = address { true } else { false }
        clientAddress = source.channel.remoteAddress?.ipAddress ?? ""
    }
}
