package import Foundation
import Glibc
import Testing

/// A ledger that `ledger serve` serves, on a port of its own or on a unix socket.
// @unchecked because what asks it opens a connection, and only the test that started it ends it.
package final class ServedLedger: @unchecked Sendable {
    /// Runs other commands on the ledger.
    package let process: LedgerProcess

    /// The port on 127.0.0.1; 0 with a socket.
    package let port: UInt16

    /// The path of the socket, if it is served there.
    package let socket: String?

    private let server: FollowedProcess

    /// Makes a ledger and serves it.
    package convenience init(_ options: String...) throws {
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
    package init(_ process: LedgerProcess, _ options: [String] = [], openFiles: Int? = nil) throws {
        self.process = process
        let arguments = ["serve", "--port", "0"] + options
        var serving = process.process(arguments)
        if let openFiles {
            let limited = "ulimit -n \(openFiles); exec ledger \"$@\""
            serving = process.process(["-c", limited, "sh"] + arguments)
            serving.executableURL = URL(fileURLWithPath: "/bin/sh")
        }
        server = try FollowedProcess(serving)
        var digits: Substring?
        while digits == nil {
            let line = try #require(server.nextLine())
            digits = line.firstMatch(of: #/http://127\.0\.0\.1:(\d+)\. /#)?.1
            // With --setup it says first which ledger it has made.
            if !options.contains("--setup") { try #require(digits != nil, "\(line)") }
        }
        port = try #require(digits.flatMap { UInt16($0) })
        socket = nil
    }

    /// Serves a ledger that is there, on a socket beside it.
    package convenience init(onSocketOf process: LedgerProcess, _ options: [String] = []) throws {
        try self.init(onSocketOf: process, options, isShared: false)
    }

    private init(
        onSocketOf process: LedgerProcess,
        _ options: [String] = [],
        isShared: Bool
    ) throws {
        self.process = process
        let path = process.directory.path("served.sock")
        let arguments = ["serve", "--socket", path] + options
        var serving = process.process(arguments)
        if isShared {
            let attended = "ledger \"$@\" & read -r nothing; kill $!"
            serving = process.process(["-c", attended, "sh"] + arguments)
            serving.executableURL = URL(fileURLWithPath: "/bin/sh")
        }
        server = try FollowedProcess(serving)
        let line = try #require(server.nextLine())
        #expect(line == "Serving book on \(path). Ctrl-C ends it.")
        port = 0
        socket = path
    }

    /// Serves a ledger on a socket for many tests, which only read from it.
    ///
    /// The server ends with the tests, however these end: a shell waits for it. A shared one MUST
    /// be kept in a static property: its directory is removed at exit.
    package static func shared(_ process: LedgerProcess) throws -> ServedLedger {
        process.directory.removeAtExit()
        return try ServedLedger(onSocketOf: process, isShared: true)
    }

    /// Makes a ledger and serves it on a socket.
    package static func onSocket() throws -> ServedLedger {
        let process = try LedgerProcess()
        try process.begin()
        return try ServedLedger(onSocketOf: process)
    }

    /// Makes a token and returns its text.
    package func token(_ name: String, _ options: String...) throws -> String {
        let made = try process.run(["token", "new", name, "--format", "json"] + options)
        let text = made.lines.joined().firstMatch(of: #/"token":"([^"]+)"/#)?.1
        return String(try #require(text))
    }

    /// The number of the process that serves.
    package var processIdentifier: Int32 { server.processIdentifier }

    /// Waits for the next line that the server prints.
    package func nextLine() -> String? { server.nextLine() }

    /// Opens a connection.
    package func connect() throws -> Connection {
        try socket.map { try Connection(socket: $0) } ?? Connection(port: port)
    }

    /// Sends a request on a connection of its own, and returns all of the answer.
    package func ask(_ request: String, _ fields: String..., body: String = "") throws -> String {
        let connection = try connect()
        let fields = fields.isEmpty ? ["Host: localhost:\(port)"] : fields
        let lines = [request] + fields + ["Connection: close", "", ""]
        try connection.send(lines.joined(separator: "\r\n") + body)
        return try connection.answer()
    }

    /// Asks for a path, and returns the answer.
    ///
    /// It is compared with what is said of it (``DescribedAnswers``).
    package func get(_ path: String, method: String = "GET", _ fields: String...) throws -> Answer {
        let bytes = try ask(for: path, method, fields)
        let answer = try Answer(String(decoding: bytes, as: UTF8.self))
        DescribedAnswers.check(answer, to: method, path)
        return answer
    }

    /// Returns what the server says of its paths and answers; it is compared with nothing.
    func described() throws -> String {
        let bytes = try ask(for: "/openapi.json", "GET", [])
        return try Answer(String(decoding: bytes, as: UTF8.self)).body
    }

    /// Asks for a path, and returns the head of the answer and the bytes behind it.
    package func bytes(_ path: String, _ fields: String...) throws -> (head: Answer, body: Data) {
        let answer = try ask(for: path, "GET", fields)
        let end = try #require(answer.range(of: Data("\r\n\r\n".utf8)))
        let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
        return (try Answer(head), Data(answer[end.upperBound...]))
    }

    /// Asks for a path, and once more if the server has given up for lack of time what changes
    /// nothing: it ends a connection whose answer takes 45 s, and a report that takes 30 s.
    private func ask(for path: String, _ method: String, _ fields: [String]) throws -> Data {
        let lines =
            ["\(method) \(path) HTTP/1.1", "Host: localhost:\(port)", "Connection: close"] + fields
        let request = (lines + ["", ""]).joined(separator: "\r\n")
        let ask = {
            let connection = try self.connect()
            try connection.send(request)
            return try connection.bytes()
        }
        guard ["GET", "HEAD"].contains(method) else { return try ask() }
        let tooLong = Data("The report takes too long".utf8)
        return try Scene.played {
            let start = ContinuousClock.now
            let answer = try ask()
            let isLate = ContinuousClock.now - start >= .seconds(25)
            return isLate && (answer.isEmpty || answer.range(of: tooLong) != nil) ? nil : answer
        }
    }

    /// Waits until so many follow, or wait for changes.
    ///
    /// - Throws: `Scene.TooSlow` at a moment at which they may have ended.
    package func waitForFollowers(
        _ count: Int,
        until end: ContinuousClock.Instant,
        _ fields: String...
    ) throws {
        let wanted = "ledger_subscribers \(count)\n"
        while true {
            let metrics = try ask(for: "/metrics", "GET", fields)
            if String(decoding: metrics, as: UTF8.self).contains(wanted) { return }
            guard ContinuousClock.now < end else { throw Scene.TooSlow() }
        }
    }

    /// Sends events on a connection of their own.
    package func post(
        _ body: Data,
        as mediaType: String = "application/x-ndjson",
        to path: String = "/v1/events",
        _ fields: String...
    ) throws -> Answer {
        let answer = try connect().post(body, as: mediaType, to: path, port, fields)
        DescribedAnswers.check(answer, to: "POST", path)
        return answer
    }

    /// Sends a signal, if any, waits for the end and returns how it ended.
    package func end(with signal: Int32?) -> LedgerProcess.Outcome {
        server.end(with: signal)
    }

    /// The answer to a request.
    package struct Answer {
        package var status: Int
        package var head: String
        package var body: String

        package init(_ text: String) throws {
            let parts = text.components(separatedBy: "\r\n\r\n")
            head = parts[0]
            body = parts.dropFirst().joined(separator: "\r\n\r\n")
            // A server that was killed has said nothing, or not all.
            guard let status = Int(text.dropFirst(9).prefix(3)) else { throw POSIXError(.EPIPE) }
            self.status = status
        }

        /// The lines of the body.
        package var lines: [String] { body.split(separator: "\n").map(String.init) }
    }

    /// A connection as a client has it, that sees every byte.
    package final class Connection {
        /// A test that waits for so many seconds for the next byte has failed, however busy the
        /// machine is.
        private static let patience = 600

        private let socket: Int32

        /// What has come and was not yet asked for.
        private var received = Data()

        package init(socket path: String) throws {
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
            limitWaiting()
        }

        package init(port: UInt16) throws {
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
            guard status == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
            limitWaiting()
        }

        private func limitWaiting() {
            var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
            setsockopt(
                socket,
                SOL_SOCKET,
                SO_RCVTIMEO,
                &limit,
                socklen_t(MemoryLayout<timeval>.size)
            )
        }

        deinit {
            close(socket)
        }

        /// Sends a text.
        ///
        /// - Throws: `POSIXError` if the server has ended the connection.
        package func send(_ text: String) throws {
            try send(Data(text.utf8))
        }

        /// Sends bytes.
        ///
        /// - Throws: `POSIXError` if the server has ended the connection.
        package func send(_ bytes: Data) throws {
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
        package func post(
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
        package func answer(upTo text: String) throws -> String {
            let wanted = Data(text.utf8)
            var piece = [UInt8](repeating: 0, count: 1 << 12)
            var searched = 0
            while true {
                let start = received.startIndex + max(0, searched - wanted.count)
                if let found = received.range(of: wanted, in: start..<received.endIndex) {
                    let answer = received[..<found.upperBound]
                    received = Data(received[found.upperBound...])
                    return String(decoding: answer, as: UTF8.self)
                }
                searched = received.count
                let count = recv(socket, &piece, piece.count, 0)
                guard count > 0 else { throw POSIXError(.EPIPE) }
                received.append(contentsOf: piece[..<count])
            }
        }

        /// Reads to the end of the connection.
        package func answer() throws -> String {
            String(decoding: try bytes(), as: UTF8.self)
        }

        /// Reads all bytes up to the end of the connection.
        package func bytes() throws -> Data {
            var answer = received
            received = Data()
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
