import Foundation
import Glibc
import LedgerTestSupport
import Testing

/// A ledger that `ledger serve` serves, on a port of its own or on a unix socket.
final class ServedLedger {
    /// Runs other commands on the ledger.
    let process: LedgerProcess

    /// The port on 127.0.0.1; 0 with a socket.
    let port: UInt16

    /// The path of the socket, if it is served there.
    let socket: String?

    private let server: FollowedProcess

    /// Makes a ledger and serves it.
    convenience init(_ options: String...) throws {
        let process = try LedgerProcess()
        try process.begin()
        try self.init(process, options)
    }

    /// Serves a ledger that is there.
    ///
    /// - Parameters:
    ///   - process: Runs commands on the ledger.
    ///   - options: Further options of `ledger serve`.
    ///   - openFiles: How many files it may have open at a time; `nil` for as many as usual.
    /// - Throws: What starting it throws.
    init(_ process: LedgerProcess, _ options: [String] = [], openFiles: Int? = nil) throws {
        self.process = process
        let arguments = ["serve", "--port", "0"] + options
        var serving = process.process(arguments)
        if let openFiles {
            let limited = "ulimit -n \(openFiles); exec ledger \"$@\""
            serving = process.process(["-c", limited, "sh"] + arguments)
            serving.executableURL = URL(fileURLWithPath: "/bin/sh")
        }
        server = try FollowedProcess(serving)
        let line = try #require(server.nextLine())
        let digits = try #require(line.firstMatch(of: #/http://127\.0\.0\.1:(\d+)\. /#)?.1)
        port = try #require(UInt16(digits))
        socket = nil
    }

    /// Serves a ledger that is there, on a socket beside it.
    init(onSocketOf process: LedgerProcess, _ options: [String] = []) throws {
        self.process = process
        let path = process.directory.path("served.sock")
        server = try FollowedProcess(process.process(["serve", "--socket", path] + options))
        let line = try #require(server.nextLine())
        #expect(line == "Serving book on \(path). Ctrl-C ends it.")
        port = 0
        socket = path
    }

    /// Makes a ledger and serves it on a socket.
    static func onSocket() throws -> ServedLedger {
        let process = try LedgerProcess()
        try process.begin()
        return try ServedLedger(onSocketOf: process)
    }

    /// Makes a token and returns its text.
    func token(_ name: String, _ options: String...) throws -> String {
        let made = try process.run(["token", "new", name, "--format", "json"] + options)
        let text = made.lines.joined().firstMatch(of: #/"token":"([^"]+)"/#)?.1
        return String(try #require(text))
    }

    /// The number of the process that serves.
    var processIdentifier: Int32 { server.processIdentifier }

    /// Opens a connection.
    func connect() throws -> Connection {
        try socket.map { try Connection(socket: $0) } ?? Connection(port: port)
    }

    /// Sends a request on a connection of its own, and returns all of the answer.
    func ask(_ request: String, _ fields: String..., body: String = "") throws -> String {
        let connection = try connect()
        let fields = fields.isEmpty ? ["Host: localhost:\(port)"] : fields
        let lines = [request] + fields + ["Connection: close", "", ""]
        try connection.send(lines.joined(separator: "\r\n") + body)
        return try connection.answer()
    }

    /// Asks for a path, and returns the answer.
    func get(_ path: String, method: String = "GET", _ fields: String...) throws -> Answer {
        let lines =
            ["\(method) \(path) HTTP/1.1", "Host: localhost:\(port)", "Connection: close"] + fields
        let connection = try connect()
        try connection.send((lines + ["", ""]).joined(separator: "\r\n"))
        return try Answer(connection.answer())
    }

    /// Asks for a path, and returns the head of the answer and the bytes behind it.
    func bytes(_ path: String, _ fields: String...) throws -> (head: Answer, body: Data) {
        let lines =
            ["GET \(path) HTTP/1.1", "Host: localhost:\(port)", "Connection: close"] + fields
        let connection = try connect()
        try connection.send((lines + ["", ""]).joined(separator: "\r\n"))
        let answer = try connection.bytes()
        let end = try #require(answer.range(of: Data("\r\n\r\n".utf8)))
        let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
        return (try Answer(head), Data(answer[end.upperBound...]))
    }

    /// Sends events on a connection of their own.
    func post(
        _ body: Data,
        as mediaType: String = "application/x-ndjson",
        to path: String = "/v1/events",
        _ fields: String...
    ) throws -> Answer {
        try connect().post(body, as: mediaType, to: path, port, fields)
    }

    /// Sends a signal, if any, waits for the end and returns how it ended.
    func end(with signal: Int32?) -> LedgerProcess.Outcome {
        server.end(with: signal)
    }

    /// The answer to a request.
    struct Answer {
        var status: Int
        var head: String
        var body: String

        init(_ text: String) throws {
            let parts = text.components(separatedBy: "\r\n\r\n")
            head = parts[0]
            body = parts.dropFirst().joined(separator: "\r\n\r\n")
            // A server that was killed has said nothing, or not all.
            guard let status = Int(text.dropFirst(9).prefix(3)) else { throw POSIXError(.EPIPE) }
            self.status = status
        }

        /// The lines of the body.
        var lines: [String] { body.split(separator: "\n").map(String.init) }
    }

    /// A connection as a client has it, that sees every byte.
    final class Connection {
        private let socket: Int32

        init(socket path: String) throws {
            socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let status = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    Glibc.connect(socket, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            guard status == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        }

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
            guard status == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
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

        /// Sends events, and reads the answer to its end.
        func post(
            _ body: Data,
            as mediaType: String = "application/x-ndjson",
            to path: String = "/v1/events",
            _ port: UInt16 = 0,
            _ fields: [String] = []
        ) throws -> Answer {
            let head =
                [
                    "POST \(path) HTTP/1.1", "Host: localhost:\(port)",
                    "Content-Type: \(mediaType)", "Content-Length: \(body.count)",
                    "Connection: close",
                ] + fields + ["", ""]
            try send(Data(head.joined(separator: "\r\n").utf8) + body)
            return try Answer(answer())
        }

        /// Reads until a text has come, and returns what has come since the last call.
        ///
        /// - Throws: `POSIXError` if the connection ends before.
        func answer(upTo text: String) throws -> String {
            var answer = Data()
            var byte: UInt8 = 0
            let end = Data(text.utf8)
            while answer.suffix(end.count) != end {
                guard recv(socket, &byte, 1, 0) == 1 else { throw POSIXError(.EPIPE) }
                answer.append(byte)
            }
            return String(decoding: answer, as: UTF8.self)
        }

        /// Reads to the end of the connection.
        func answer() throws -> String {
            String(decoding: try bytes(), as: UTF8.self)
        }

        /// Reads all bytes up to the end of the connection.
        func bytes() throws -> Data {
            var answer = Data()
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = recv(socket, &piece, piece.count, 0)
                if count < 0, errno == ECONNRESET { break }
                guard count >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
                if count == 0 { break }
                answer.append(contentsOf: piece[..<count])
            }
            return answer
        }
    }
}
