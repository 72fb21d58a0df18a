package import Hummingbird
package import NIOCore

/// The facts about a connection.
package struct ServerContext: InitializableFromSource {
    /// The connection.
    package let channel: any Channel

    /// The port that is listened on; `nil` for a unix socket.
    package let port: Int?

    /// Whether the connection is one of the unix socket.
    package let isUnixSocket: Bool

    /// The address of the client, or of the proxy before it; empty for a unix socket.
    package let clientAddress: String

    /// Takes the facts from the source of a request.
    package init(source: ApplicationRequestContextSource) {
        channel = source.channel
        let address = channel.localAddress
        port = address?.port
        isUnixSocket = if case .unixDomainSocket = address { true } else { false }
        clientAddress = channel.remoteAddress?.ipAddress ?? ""
    }
}
