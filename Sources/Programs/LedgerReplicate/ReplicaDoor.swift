import Platform
import Proofs
import ServerStore
import SystemPackage

/// The socket on which programs of this machine wait for the confirmation of entries.
///
/// One thread uses it, whenever it has time.
final class ReplicaDoor {
    /// The most callers at a time.
    private static let mostCallers = 256

    /// The most bytes of a question.
    private static let mostBytes = 100

    private struct Caller {
        let socket: FileDescriptor
        var bytes: [UInt8] = []

        /// How many entries it needs; `nil` until it has asked.
        var needed: UInt64?
    }

    private let path: FilePath
    private var listener: FileDescriptor
    private var place: FileIdentity
    private var callers: [Caller] = []

    /// The confirmed head; `nil` until that is known.
    private(set) var confirmed: TreeHead?

    /// Opens the door of a ledger.
    ///
    /// - Throws: `Errno`.
    init(of ledger: FilePath) throws {
        path = ReplicaPlace.socket(of: ledger)
        listener = try UnixSocket.listen(at: path)
        place = try FileIdentity.at(path)
    }

    deinit {
        // Nothing was written to a file.
        try? listener.close()
        for caller in callers { try? caller.socket.close() }
        UnixSocket.remove(at: path)
    }

    /// The most entries that a caller waits for.
    var needed: UInt64 { callers.compactMap(\.needed).max() ?? 0 }

    /// Tells those who waited for it that the entries of a head are confirmed.
    func confirm(_ head: TreeHead) {
        confirmed = head
        serve()
    }

    /// Accepts new callers, reads what they need, and answers those that can be answered.
    func serve() {
        while callers.count < Self.mostCallers, let socket = UnixSocket.accept(from: listener) {
            callers.append(Caller(socket: socket))
        }
        var left: [Caller] = []
        for var caller in callers {
            if isOver(&caller) {
                // Nothing was written to a file.
                try? caller.socket.close()
            } else {
                left.append(caller)
            }
        }
        callers = left
    }

    /// Waits until a caller comes or asks, at most for some time, and serves all.
    func wait(milliseconds: Int) {
        var sockets = callers.map(\.socket)
        if callers.count < Self.mostCallers { sockets.append(listener) }
        _ = Readiness.wait(for: sockets, milliseconds: milliseconds)
        serve()
    }

    /// Tells all callers that the confirmation will not come.
    func refuse(_ code: String, _ sentence: String) {
        serve()
        for caller in callers {
            _ = UnixSocket.send("not \(code) \(sentence)\n", on: caller.socket)
            // Nothing was written to a file.
            try? caller.socket.close()
        }
        callers = []
    }

    /// Opens it again if its directory was replaced.
    ///
    /// - Throws: `Errno`.
    func keepOpen() throws {
        guard (try? FileIdentity.at(path)) != place else { return }
        // Nothing was written to a file.
        try? listener.close()
        listener = try UnixSocket.listen(at: path)
        place = try FileIdentity.at(path)
    }

    /// Reads what a caller says and answers it, if that can be done now; returns whether the
    /// caller needs nothing more.
    private func isOver(_ caller: inout Caller) -> Bool {
        while let bytes = UnixSocket.receive(from: caller.socket) {
            caller.bytes += bytes
            if bytes.isEmpty || caller.bytes.count > Self.mostBytes { return true }
        }
        if caller.needed == nil, caller.bytes.last == UInt8(ascii: "\n") {
            let words = String(decoding: caller.bytes, as: UTF8.self)
                .split(whereSeparator: \.isWhitespace)
            guard words.count == 2, words[0] == "need", let size = UInt64(words[1]) else {
                _ = UnixSocket.send("not usage say `need` and how many\n", on: caller.socket)
                return true
            }
            caller.needed = size
        }
        guard let needed = caller.needed, let confirmed, confirmed.size >= needed else {
            return false
        }
        _ = UnixSocket.send("have \(confirmed.size) \(confirmed.root)\n", on: caller.socket)
        return true
    }
}
