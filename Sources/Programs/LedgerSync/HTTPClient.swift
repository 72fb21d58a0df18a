import CCurl
import Platform

/// Why a request has no answer.
struct Unreached: Error, CustomStringConvertible {
    /// The cause, without a full stop.
    let description: String
}

/// The answer to a request.
struct Answer {
    /// The status code.
    var status: Int

    /// The body.
    var body: [UInt8]

    /// How many seconds the server asks to wait before the next request; 0 if it does not say.
    var secondsToWait: Int
}

/// Sends one request after the other over one connection, by libcurl.
///
/// It is for one thread.
// @safe because the handle and the list never leave it, and are given back with it.
@safe
final class HTTPClient {
    /// The most bytes of an answer: more than a page of a log with its last line.
    private static let mostBytes = 64 << 20

    private let handle: UnsafeMutableRawPointer
    private let base: String
    private let fields: UnsafeMutablePointer<curl_slist>?

    /// Prepares to send requests.
    ///
    /// - Parameters:
    ///   - base: The address of the server, without a slash at its end.
    ///   - socket: The path of the unix socket that leads there; `nil` for the network.
    ///   - fields: The fields of each request's head.
    ///   - timeoutSeconds: How long a request may take.
    /// - Throws: `Unreached` if there is no memory, or libcurl cannot take a text.
    init(_ base: String, socket: String?, fields: [String], timeoutSeconds: Int = 60) throws {
        self.base = base
        // We own the returned handle until `deinit`.
        guard let handle = unsafe curl_easy_init() else {
            throw Unreached(description: "there is no memory for a connection")
        }
        // As said above.
        unsafe self.handle = handle
        var list: UnsafeMutablePointer<curl_slist>?
        // Without the last one libcurl waits for permission to send large bodies. The list lives
        // until `deinit`, as libcurl does not copy it; texts are copied.
        for field in fields + ["Expect:"] { unsafe list = curl_slist_append(list, field) }
        unsafe self.fields = list
        unsafe ledger_setFields(handle, list)
        unsafe ledger_setNumber(handle, CURLOPT_NOSIGNAL, 1)
        unsafe ledger_setNumber(handle, CURLOPT_CONNECTTIMEOUT, 10)
        unsafe ledger_setNumber(handle, CURLOPT_TIMEOUT, timeoutSeconds)
        // Redirects are not followed: the token's owner decides where the token is sent, not the
        // server.
        unsafe ledger_setNumber(handle, CURLOPT_FOLLOWLOCATION, 0)
        unsafe ledger_setText(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        unsafe ledger_setText(handle, CURLOPT_USERAGENT, "ledger-sync")
        if let socket { unsafe ledger_setText(handle, CURLOPT_UNIX_SOCKET_PATH, socket) }
    }

    deinit {
        // Both came from libcurl, and nothing uses them any more.
        unsafe curl_easy_cleanup(handle)
        unsafe curl_slist_free_all(fields)
    }

    /// Sends a request and waits for its answer.
    ///
    /// - Parameters:
    ///   - target: The path with its query, from its slash on.
    ///   - body: The body of a POST; `nil` for a GET.
    /// - Returns: The answer, whatever its status.
    /// - Throws: `Unreached`.
    func send(_ target: String, body: [UInt8]? = nil) throws -> Answer {
        let received = Received(mostBytes: Self.mostBytes)
        // The receiver lives to the end of this function, and libcurl calls it no later.
        let context = unsafe Unmanaged.passUnretained(received).toOpaque()
        unsafe ledger_setText(handle, CURLOPT_URL, base + target)
        unsafe ledger_setReceiver(handle, receive, context)
        let code: CURLcode
        if let body {
            // libcurl reads the bytes until it has performed the request, while they are here.
            code = unsafe body.withUnsafeBytes { bytes in
                unsafe ledger_setNumber(handle, CURLOPT_POST, 1)
                unsafe ledger_setBody(handle, bytes.baseAddress, curl_off_t(bytes.count))
                return unsafe curl_easy_perform(handle)
            }
        } else {
            // This discards the body of an earlier request.
            unsafe ledger_setNumber(handle, CURLOPT_HTTPGET, 1)
            code = unsafe curl_easy_perform(handle)
        }
        guard code == CURLE_OK else {
            // The text is a constant.
            throw Unreached(description: unsafe String(cString: curl_easy_strerror(code)))
        }
        // Only numbers are read.
        return unsafe Answer(
            status: ledger_status(handle),
            body: received.bytes,
            secondsToWait: ledger_secondsToWait(handle)
        )
    }
}

/// The received part of an answer's body.
private final class Received {
    private(set) var bytes: [UInt8] = []
    private let mostBytes: Int

    init(mostBytes: Int) {
        self.mostBytes = mostBytes
    }

    /// Takes more, and returns whether there is room.
    func take(_ more: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count + more.count <= mostBytes else { return false }
        // They are copied.
        unsafe bytes.append(contentsOf: more)
        return true
    }
}

/// Takes a piece of a body; any other count than that of its bytes ends the request.
private func receive(
    _ start: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    // The piece and the context that libcurl passes are valid during this call.
    guard let start = unsafe start, let context = unsafe context else { return 0 }
    let received = unsafe Unmanaged<Received>.fromOpaque(context).takeUnretainedValue()
    let piece = unsafe UnsafeRawBufferPointer(start: start, count: size * count)
    return unsafe received.take(piece) ? piece.count : 0
}
