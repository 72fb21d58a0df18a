import Foundation
import Glibc

/// A server that answers each request at a unix socket with the same bytes, whatever is asked.
final class HostileServer {
    /// Where it listens.
    let path: String

    private let listener: Int32

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - path: The path of the socket, which MUST be free.
    ///   - answer: What it answers: head and body.
    /// - Throws: `POSIXError`.
    init(at path: String, answering answer: String) throws {
        self.path = path
        let listener = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0, listen(listener, 8) == 0 else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
        let bytes = Array(answer.utf8)
        Thread.detachNewThread {
            // Only here, so that it never asks at a number that another file has got meanwhile.
            defer { Glibc.close(listener) }
            while true {
                let connection = accept(listener, nil, nil)
                if connection < 0, [EINTR, ECONNABORTED].contains(errno) { continue }
                guard connection >= 0 else { return }
                Self.readHead(of: connection)
                _ = Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                Glibc.close(connection)
            }
        }
    }

    deinit {
        // It ends the wait for a connection.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// Returns an answer with a body of JSON.
    static func answer(_ status: String, _ body: String) -> String {
        "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    }

    private static func readHead(of connection: Int32) {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while head.suffix(4) != Array("\r\n\r\n".utf8)[...], recv(connection, &byte, 1, 0) == 1 {
            head.append(byte)
        }
    }
}
