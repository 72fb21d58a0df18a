import Foundation
import Glibc
import Synchronization

/// A server on this machine that takes what is posted, and answers each request with the next
/// status of a list; the last one stands for all that follow.
final class NoticeEndpoint: Sendable {
    /// A request.
    struct Request {
        var head: String
        var bytes: [UInt8] = []

        var body: String { String(decoding: bytes, as: UTF8.self) }

        /// Returns a field of the head.
        func field(_ name: String) -> String? {
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ": ") }
                .map { String($0.dropFirst(name.count + 2)) }
        }
    }

    /// The address.
    let address: String

    private let listener: Int32
    private let taken = Mutex<[Request]>([])

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - statuses: The statuses of its answers.
    ///   - body: Returns what an answer holds.
    /// - Throws: `POSIXError`.
    init(
        answering statuses: [Int],
        with body: @escaping @Sendable (Request) -> [UInt8] = { _ in [] }
    ) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (listener, size) = (listener, length)
        let status = withUnsafeMutablePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, size) == 0 && listen(listener, 8) == 0
                    ? getsockname(listener, pointer, &length) : -1
            }
        }
        guard status == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        address = "http://127.0.0.1:\(UInt16(bigEndian: place.sin_port))/hook"
        Thread.detachNewThread { [weak self] in
            defer { close(listener) }
            var rest = statuses[...]
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                if let request = Self.request(from: connection) {
                    self?.taken.withLock { $0.append(request) }
                    let status = rest.first ?? 200
                    if rest.count > 1 { rest.removeFirst() }
                    let content = body(request)
                    let length = "Content-Length: \(content.count)\r\n"
                    let head = "HTTP/1.1 \(status) X\r\n\(length)Connection: close\r\n\r\n"
                    let answer = Array(head.utf8) + content
                    _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
                }
                close(connection)
            }
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// What it took.
    var requests: [Request] { taken.withLock { $0 } }

    private static func request(from connection: Int32) -> Request? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.suffix(4) != Array("\r\n\r\n".utf8)[...] {
            guard recv(connection, &byte, 1, 0) == 1 else { return nil }
            bytes.append(byte)
        }
        var request = Request(head: String(decoding: bytes, as: UTF8.self))
        for _ in 0..<(request.field("content-length").flatMap { Int($0) } ?? 0) {
            guard recv(connection, &byte, 1, 0) == 1 else { return nil }
            request.bytes.append(byte)
        }
        return request
    }
}
