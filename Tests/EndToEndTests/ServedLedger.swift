import Foundation
import Glibc
import LedgerTestSupport
import Testing

/// A ledger that `ledger serve` serves, on a port of its own.
final class ServedLedger {
    /// Runs other commands on the ledger.
    let process: LedgerProcess

    /// The port on 127.0.0.1.
    let port: UInt16

    private let server: FollowedProcess

    /// Makes a ledger and serves it.
    convenience init(_ options: String...) throws {
        let process = try LedgerProcess()
        try #require(try process.run("init").exitCode == 0)
        try self.init(process, options)
    }

    /// Serves a ledger that is there.
    init(_ process: LedgerProcess, _ options: [String] = []) throws {
        self.process = process
        server = try FollowedProcess(process.process(["serve", "--port", "0"] + options))
        let line = try #require(server.nextLine())
        let digits = try #require(line.firstMatch(of: #/http://127\.0\.0\.1:(\d+)\. /#)?.1)
        port = try #require(UInt16(digits))
    }

    /// The number of the process that serves.
    var processIdentifier: Int32 { server.processIdentifier }

    /// Opens a connection.
    func connect() throws -> Connection {
        try Connection(port: port)
    }

    /// Sends a request without a body on a connection of its own, and returns all of the answer.
    func ask(_ request: String, _ fields: String...) throws -> String {
        let connection = try connect()
        let fields = fields.isEmpty ? ["Host: localhost:\(port)"] : fields
        let lines = [request] + fields + ["Connection: close", "", ""]
        try connection.send(lines.joined(separator: "\r\n"))
        return try connection.answer()
    }

    /// Sends a signal, if any, waits for the end and returns how it ended.
    func end(with signal: Int32?) -> LedgerProcess.Outcome {
        server.end(with: signal)
    }

    /// A connection as a client has it, that sees every byte.
    final class Connection {
        private let socket: Int32

        init(port: UInt16) throws {
            socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let status = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    Glibc.connect(socket, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            // A test that waits for an answer for so long has failed.
            var limit = timeval(tv_sec: 60, tv_usec: 0)
            setsockopt(
                socket,
                SOL_SOCKET,
                SO_RCVTIMEO,
                &limit,
                socklen_t(MemoryLayout<timeval>.size)
            )
            try #require(status == 0, "\(String(cString: strerror(errno)))")
        }

        deinit {
            close(socket)
        }

        /// Sends a text.
        ///
        /// - Throws: `POSIXError` if the server has ended the connection.
        func send(_ text: String) throws {
            try send(Data(text.utf8))
        }

        /// Sends bytes.
        ///
        /// - Throws: `POSIXError` if the server has ended the connection.
        func send(_ bytes: Data) throws {
            var rest = bytes
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { bytes in
                    Glibc.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
                rest = rest.dropFirst(count)
            }
        }

        /// Reads to the end of the connection.
        func answer() throws -> String {
            var answer = Data()
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = recv(socket, &piece, piece.count, 0)
                if count < 0, errno == ECONNRESET { break }
                guard count >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
                if count == 0 { break }
                answer.append(contentsOf: piece[..<count])
            }
            return String(decoding: answer, as: UTF8.self)
        }
    }
}
