import Hummingbird

/// What the server knows of a connection.
struct ServerContext: InitializableFromSource {
    /// The port that is listened on; `nil` for a unix socket.
    let port: Int?

    init(source: ApplicationRequestContextSource) {
        port = source.channel.localAddress?.port
    }
}
