import NIOCore
import NIOPosix
import SystemPackage

/// The health check of a running server, as containers repeat it.
struct HealthProbe {
    /// The answer to it.
    struct Answer: Sendable {
        /// Whether the server says that it is well.
        let isWell: Bool

        /// The answer for people.
        let text: String
    }

    /// How long a server may take: one that does not answer in this time is not well.
    private static let patience = TimeAmount.seconds(5)

    /// How many bytes of an answer are looked at.
    private static let mostBytes = 4_096

    private let place: ServingPlace

    /// Asks the server that listens at a place.
    init(of place: ServingPlace) {
        self.place = place
    }

    /// Asks, and waits for the answer.
    func answer() async -> Answer {
        do {
            let channel = try await connected()
            let limit = channel.channel.eventLoop.scheduleTask(in: Self.patience) {
                channel.channel.close(promise: nil)
            }
            defer { limit.cancel() }
            let status = try await channel.executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(string: request))
                var answer = ByteBuffer()
                for try await part in inbound {
                    answer.writeImmutableBuffer(part)
                    guard answer.readableBytes < Self.mostBytes else { break }
                }
                return String(buffer: answer).prefix { $0 != "\r\n" && $0 != "\n" }
            }
            let isWell = status.hasPrefix("HTTP/1.1 200 ")
            return Answer(
                isWell: isWell,
                text: isWell ? "well" : "it answers \(status.debugDescription)"
            )
        } catch {
            return Answer(isWell: false, text: "\(host): \(error)")
        }
    }

    private func connected() async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(Self.patience)
        let start:
            @Sendable (any Channel) -> EventLoopFuture<NIOAsyncChannel<ByteBuffer, ByteBuffer>> = {
                channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel(wrappingChannelSynchronously: channel)
                }
            }
        switch place {
        case .port(let port):
            return try await bootstrap.connect(
                host: "127.0.0.1",
                port: Int(port),
                channelInitializer: start
            )
        case .socket(let path):
            return try await bootstrap.connect(
                unixDomainSocketPath: path.string,
                channelInitializer: start
            )
        }
    }

    /// The name by which the server is asked; it answers under no other one.
    private var host: String {
        switch place {
        case .port(let port): "127.0.0.1:\(port)"
        case .socket: "localhost"
        }
    }

    private var request: String {
        "GET /health HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
    }
}
