import CPostgres
import Glibc
import Platform
import SystemPackage

/// A server of a service of `pg_service.conf`: one of its hosts.
struct PostgresServer: Hashable, Sendable {
    /// The service's name.
    let service: String

    /// The host, or the directory of its socket; empty for libpq's own default.
    let host: String

    /// The address, where it is given beside the host; else empty.
    let address: String

    /// The port; empty for the default.
    let port: String

    /// The name for people.
    var name: String {
        if host.isEmpty { return service }
        return "\(service) (\(host)\(port.isEmpty ? "" : ":\(port)"))"
    }

    /// Whether the way there leaves this machine, and must be encrypted and verified.
    private var isRemote: Bool {
        let place = address.isEmpty ? host : address
        return
            !(place.isEmpty || place.hasPrefix("/") || place.hasPrefix("@")
            || place == "localhost" || place.hasPrefix("127.") || place == "::1")
    }

    /// The options with which it is opened; those of the service stand beside them.
    ///
    /// - Parameter mustWrite: Whether only a server that takes changes will do.
    /// - Returns: Their names and values.
    func options(mustWrite: Bool) -> [(String, String)] {
        var options = [
            ("service", service), ("connect_timeout", "5"), ("tcp_user_timeout", "10000"),
            ("target_session_attrs", mustWrite ? "read-write" : "any"),
            ("application_name", "ledger-replicate"), ("client_encoding", "UTF8"),
            ("keepalives", "1"), ("keepalives_idle", "5"), ("keepalives_interval", "2"),
            ("keepalives_count", "3"),
        ]
        if !host.isEmpty { options.append(("host", host)) }
        if !address.isEmpty { options.append(("hostaddr", address)) }
        if !port.isEmpty { options.append(("port", port)) }
        if isRemote { options.append(("sslmode", "verify-full")) }
        return options
    }

    /// Returns the servers of a service, in the order of its hosts.
    ///
    /// The corresponding C function is `PQconndefaults`, which reads `pg_service.conf`.
    static func all(of service: String) -> [PostgresServer] {
        // The texts live as long as the call, and no other thread reads the environment.
        _ = unsafe setenv("PGSERVICE", service, 1)
        // Released below.
        let defaults = unsafe PQconndefaults()
        defer {
            // Not used after this.
            unsafe PQconninfoFree(defaults)
        }
        var values: [String: String] = [:]
        // The list ends with an option without a keyword, and its texts live until it is freed.
        var option = unsafe defaults
        while let current = unsafe option, let keyword = unsafe current.pointee.keyword {
            if let value = unsafe current.pointee.val {
                unsafe values[String(cString: keyword)] = unsafe String(cString: value)
            }
            unsafe option = unsafe current + 1
        }
        func list(_ name: String) -> [String] {
            (values[name] ?? "").split(separator: ",", omittingEmptySubsequences: false)
                .map { String($0) }
        }
        let (hosts, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
        return (0..<max(hosts.count, addresses.count, 1))
            .map { index in
                PostgresServer(
                    service: service,
                    host: index < hosts.count ? hosts[index] : "",
                    address: index < addresses.count ? addresses[index] : "",
                    port: index < ports.count ? ports[index] : ports.last ?? ""
                )
            }
    }
}

/// Why a server has not done what it was asked to.
struct PostgresFailure: Error, CustomStringConvertible {
    /// The code of the error (SQLSTATE); empty if there is no answer.
    let state: String

    /// The words.
    let description: String

    /// Whether a retry may succeed: the outcome is unknown, or the server cannot do it now.
    ///
    /// This includes a broken chain, because the present state is read again then, and a
    /// transaction that the server ended because this side was idle (25P03).
    var mayPass: Bool {
        let classes = ["", "08", "57", "40", "53", "23"]
        return classes.contains(String(state.prefix(2))) || ["25006", "25P03"].contains(state)
    }

    /// The wait for it was given up, because the program ends.
    static let ended = PostgresFailure(state: "", description: "the program ends")

    /// No answer came in time.
    static let late = PostgresFailure(state: "", description: "it does not answer")
}

/// A value that goes to a server.
enum PostgresValue {
    /// A number.
    case number(UInt64)

    /// Bytes.
    case bytes([UInt8])

    /// Words.
    case text(String)

    /// Nothing.
    case null
}

/// A connection to a server, which never waits for longer than it is told to.
///
/// One thread uses it.
// @safe because it alone has the connection, and ends it with itself.
@safe
final class PostgresLink {
    /// The longest wait for the request that the server give up.
    private static let cancelMilliseconds = 1_000

    /// The server.
    let server: PostgresServer

    // Owned by this object, and released with it.
    private let connection: OpaquePointer

    /// Whether the next step of connecting is to send something.
    private var waitsToWrite = true

    /// What was read of the answer to the last question.
    private var rows: PostgresRows?
    private var failure: PostgresFailure?

    /// How far a connection is.
    enum Opening {
        /// It is being made.
        case underway

        /// It can be used.
        case done
    }

    /// Begins to connect.
    ///
    /// The corresponding C function is `PQconnectStartParams`.
    init(to server: PostgresServer, mustWrite: Bool) throws(PostgresFailure) {
        self.server = server
        let options = server.options(mustWrite: mustWrite)
        let texts = CTexts(options.flatMap { [$0.0, $0.1] })
        // The texts live as long as the call, and the lists end with a null.
        let connection = unsafe texts.withPointers { pointers in
            let even = unsafe stride(from: 0, to: pointers.count, by: 2).map { unsafe pointers[$0] }
            let odd = unsafe stride(from: 1, to: pointers.count, by: 2).map { unsafe pointers[$0] }
            return unsafe PQconnectStartParams(even + [nil], odd + [nil], 0)
        }
        guard let connection = unsafe connection else {
            throw PostgresFailure(state: "", description: "there is no memory for a connection")
        }
        // Stays until this object goes.
        unsafe self.connection = connection
        // Notices of the server are not shown.
        _ = unsafe PQsetNoticeProcessor(connection, { _, _ in }, nil)
    }

    deinit {
        // Not used after this.
        unsafe PQfinish(connection)
    }

    /// The socket by which the server answers.
    var descriptor: Int32 {
        // Open as long as this object lives.
        unsafe PQsocket(connection)
    }

    /// Goes on connecting, as far as that is possible without waiting.
    ///
    /// The corresponding C function is `PQconnectPoll`.
    func goOnOpening() throws(PostgresFailure) -> Opening {
        while isReadyToGoOn {
            // Open as long as this object lives.
            switch unsafe PQconnectPoll(connection) {
            case PGRES_POLLING_OK: return .done
            case PGRES_POLLING_READING: waitsToWrite = false
            case PGRES_POLLING_WRITING: waitsToWrite = true
            default: throw lost()
            }
        }
        return .underway
    }

    private var isReadyToGoOn: Bool {
        var request = pollfd(
            fd: descriptor,
            events: Int16(waitsToWrite ? POLLOUT : POLLIN),
            revents: 0
        )
        // One request, which lives as long as the call; without a socket libpq says what is wrong.
        guard request.fd >= 0 else { return true }
        return unsafe poll(&request, 1, 0) > 0
    }

    /// Asks the server something, without waiting for the answer.
    ///
    /// The corresponding C function is `PQsendQueryParams`.
    func ask(_ question: String, _ values: [PostgresValue] = []) throws(PostgresFailure) {
        (rows, failure) = (nil, nil)
        let parameters = CParameters(values)
        // The parameters live as long as the call, and libpq copies them.
        let isSent = unsafe parameters.withPointers { pointers in
            unsafe PQsendQueryParams(
                connection,
                question,
                Int32(values.count),
                nil,
                pointers,
                parameters.lengths,
                parameters.formats,
                1
            )
        }
        guard isSent == 1 else { throw lost() }
    }

    /// Runs several statements, without waiting for the end.
    ///
    /// The corresponding C function is `PQsendQuery`.
    func run(_ script: String) throws(PostgresFailure) {
        (rows, failure) = (nil, nil)
        // The text lives as long as the call.
        guard unsafe PQsendQuery(connection, script) == 1 else { throw lost() }
    }

    /// Returns the answer; `nil` if it is not there yet.
    ///
    /// The corresponding C functions are `PQconsumeInput`, `PQisBusy` and `PQgetResult`.
    func answer() throws(PostgresFailure) -> PostgresRows? {
        // Open as long as this object lives.
        guard unsafe PQconsumeInput(connection) == 1 else { throw lost() }
        // As above; each result is released by the object that gets it.
        while unsafe PQisBusy(connection) == 0 {
            guard let result = unsafe PQgetResult(connection) else {
                if let failure { throw failure }
                guard let rows else { throw lost() }
                return rows
            }
            let rows = unsafe PostgresRows(result)
            if let failure = rows.failure { self.failure = failure } else { self.rows = rows }
        }
        return nil
    }

    /// Whether the connection is known to be lost, while nothing is asked.
    ///
    /// The corresponding C function is `PQconsumeInput`.
    var isLost: Bool {
        // Open as long as this object lives.
        unsafe PQconsumeInput(connection) != 1
    }

    /// Asks the server to cancel the current work, which it may have completed already.
    ///
    /// The corresponding C function is `PQcancel`, which blocks as long as the server is stopped:
    /// so it is called on a thread, and this waits a second at most for its end.
    func cancel() {
        // Owned by the thread, which gets it as a number and frees it.
        guard let request = unsafe PQgetCancel(connection) else { return }
        let number = UInt(bitPattern: request)
        // Without a pipe the thread is not waited for.
        let pipe = try? FileDescriptor.pipe()
        let thread = WorkerThread {
            // The other end can be read then; nothing was written to a file.
            defer { try? pipe?.writeEnd.close() }
            // See above.
            guard let request = unsafe OpaquePointer(bitPattern: number) else { return }
            var reason = [CChar](repeating: 0, count: 256)
            // The reason of a failure is ignored.
            _ = unsafe PQcancel(request, &reason, Int32(reason.count))
            unsafe PQfreeCancel(request)
        }
        // Never released, as that would wait for the thread.
        _ = unsafe thread.map { unsafe Unmanaged.passRetained($0) }
        guard thread != nil, let pipe else { return }
        // Without this wait, the server might go on after the end of this program.
        _ = Readiness.wait(for: [pipe.readEnd], milliseconds: Self.cancelMilliseconds)
        try? pipe.readEnd.close()
    }

    /// Why there is no connection.
    private func lost() -> PostgresFailure {
        // The text lives until the next call, and is copied.
        let words = unsafe String(cString: PQerrorMessage(connection))
        return PostgresFailure(state: "", description: Self.line(words))
    }

    /// Returns words on one line.
    fileprivate static func line(_ words: String) -> String {
        words.split(whereSeparator: \.isNewline).joined(separator: "; ")
    }
}

/// What a server has answered: rows of values in the form of the server's own.
// @safe because it alone has the answer, and what it returns are copies.
@safe
final class PostgresRows {
    // Owned by this object, and released with it.
    private let result: OpaquePointer

    fileprivate init(_ result: OpaquePointer) {
        // Taken over.
        unsafe self.result = result
    }

    deinit {
        // Not used after this.
        unsafe PQclear(result)
    }

    /// How many rows there are.
    ///
    /// The corresponding C function is `PQntuples`.
    var count: Int {
        // Lives as long as this object.
        Int(unsafe PQntuples(result))
    }

    /// How many rows were changed.
    ///
    /// The corresponding C function is `PQcmdTuples`.
    var changedCount: Int {
        // The text lives as long as the result.
        Int(unsafe String(cString: PQcmdTuples(result))) ?? 0
    }

    /// Why there are no rows; `nil` if there is no error.
    fileprivate var failure: PostgresFailure? {
        // Lives as long as this object.
        let status = unsafe PQresultStatus(result)
        guard status != PGRES_TUPLES_OK, status != PGRES_COMMAND_OK else { return nil }
        // The texts live as long as the result.
        let words = unsafe String(cString: PQresultErrorMessage(result))
        var state = "XX000"
        // As above: the letter C is that of the SQLSTATE.
        if let code = unsafe PQresultErrorField(result, Int32(UInt8(ascii: "C"))) {
            state = unsafe String(cString: code)
        }
        return PostgresFailure(state: state, description: PostgresLink.line(words))
    }

    /// Returns the bytes of a value; `nil` if it is null.
    ///
    /// The corresponding C functions are `PQgetvalue` and `PQgetlength`.
    func bytes(_ row: Int, _ column: Int) -> [UInt8]? {
        precondition(row < count, "there are \(count) rows")
        // The value lives as long as the result, and has as many bytes as it says.
        guard unsafe PQgetisnull(result, Int32(row), Int32(column)) == 0,
            let start = unsafe PQgetvalue(result, Int32(row), Int32(column))
        else { return nil }
        let length = unsafe Int(PQgetlength(result, Int32(row), Int32(column)))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: length))
    }

    /// Returns a whole number that is not negative; `nil` for anything else.
    func number(_ row: Int, _ column: Int) -> UInt64? {
        bytes(row, column).map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
    }

    /// Returns words; none for a null.
    func text(_ row: Int, _ column: Int) -> String {
        String(decoding: bytes(row, column) ?? [], as: UTF8.self)
    }
}

/// Texts as C has them, with a zero behind each.
private struct CTexts {
    private var bytes: [CChar] = []
    private var starts: [Int] = []

    init(_ texts: [String]) {
        for text in texts {
            starts.append(bytes.count)
            bytes += text.utf8.map { CChar(bitPattern: $0) } + [0]
        }
    }

    /// Hands over where each begins.
    func withPointers<Result>(_ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
        // Each start is a place in the buffer, which lives as long as the call.
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe body(starts.map { start in unsafe buffer.baseAddress.map { unsafe $0 + start } })
        }
    }
}

/// Values as libpq takes them: numbers and words as text, bytes as they are.
private struct CParameters {
    private var bytes: [CChar] = []
    private var starts: [Int?] = []

    /// How many bytes each has.
    private(set) var lengths: [Int32] = []

    /// 1 for bytes, 0 for text.
    private(set) var formats: [Int32] = []

    init(_ values: [PostgresValue]) {
        for value in values {
            switch value {
            case .number(let number): append(Array(String(number).utf8), format: 0)
            case .text(let text): append(Array(text.utf8), format: 0)
            case .bytes(let bytes): append(bytes, format: 1)
            case .null:
                starts.append(nil)
                lengths.append(0)
                formats.append(0)
            }
        }
        bytes.append(0)
    }

    private mutating func append(_ value: [UInt8], format: Int32) {
        starts.append(bytes.count)
        lengths.append(Int32(value.count))
        formats.append(format)
        bytes += value.map { CChar(bitPattern: $0) } + [0]
    }

    /// Hands over where each begins.
    func withPointers<Result>(_ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
        // Each start is a place in the buffer, which lives as long as the call.
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe body(
                starts.map { start in
                    unsafe start.flatMap { start in
                        unsafe buffer.baseAddress.map { unsafe $0 + start }
                    }
                }
            )
        }
    }
}
