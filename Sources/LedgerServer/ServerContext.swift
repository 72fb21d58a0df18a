import Hummingbird
import NIOCore

/// What the server knows of a connection.
struct ServerContext: InitializableFromSource {
    /// The port that is listened on; `nil` for a unix socket.
    let port: Int?

    /// Whether the client is the ledger's owner, because no other may open the unix socket.
    let isOwner: Bool

    init(source: ApplicationRequestContextSource) {
        let address = source.channel.localAddress
        port = address?.port
        isOwner = if case .unixDomainSocket = address { true } else { false }
    }
}
