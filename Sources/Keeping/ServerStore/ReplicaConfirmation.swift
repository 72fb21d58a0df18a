package import CivilTime
import Platform
package import Proofs
package import SystemPackage
package import TripLedger

/// The paths through which the replicating program and the programs that wait for it communicate.
package enum ReplicaPlace {
    /// The socket by which a program asks to be told that entries are confirmed.
    package static func socket(of ledger: FilePath) -> FilePath {
        ServerState.path(of: ledger).appending("replica.sock")
    }

    /// The file that says how far the replica was confirmed last.
    package static func state(of ledger: FilePath) -> FilePath {
        ServerState.path(of: ledger).appending("replica")
    }
}

/// The last known position up to which at least two servers have a ledger's entries on disk.
package struct ReplicaState: Hashable, Sendable {
    /// The first position that was not confirmed.
    package var position: UInt64

    /// The root of the entries before it.
    package var root: Digest

    /// When that was known.
    package var at: Timestamp

    /// Takes over a head.
    package init(_ head: TreeHead, at time: Timestamp) {
        (position, root, at) = (head.size, head.root, time)
    }

    /// Reads it from a ledger's directory; `nil` if the ledger was never confirmed there.
    package init?(of ledger: FilePath) {
        let path = ReplicaPlace.state(of: ledger)
        guard let bytes = try? PrivateFile.read(path, maximumByteCount: 200) else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count == 3, let position = UInt64(words[0]),
            let root = Digest(hexadecimal: String(words[1])), let time = Int64(words[2])
        else { return nil }
        (self.position, self.root, at) = (position, root, Timestamp(milliseconds: time))
    }

    /// Writes it to a ledger's directory, in which `ServerState` MUST have its own.
    ///
    /// The line of the file: position, root, milliseconds since 1970.
    ///
    /// - Throws: `.inputOutput`.
    package func write(of ledger: FilePath) throws(LedgerError) {
        let path = ReplicaPlace.state(of: ledger)
        let line = "\(position) \(root) \(at.milliseconds)\n"
        try LedgerError.translating(at: path) {
            try DurableFile.replace(path, with: Array(line.utf8))
        }
    }
}

/// Waits until at least two servers have what a ledger has stored, according to `ledger-replicate`.
package struct ReplicaConfirmation: Sendable {
    private let ledger: Ledger
    private let timeout: Duration

    /// Prepares to wait for the replica of a ledger.
    ///
    /// - Parameters:
    ///   - ledger: The ledger.
    ///   - timeout: The longest wait.
    package init(of ledger: Ledger, timeout: Duration) {
        self.ledger = ledger
        self.timeout = timeout
    }

    /// Waits until the first entries are confirmed.
    ///
    /// - Parameters:
    ///   - size: How many entries.
    ///   - start: When they were stored: the longest wait begins then.
    /// - Returns: How many entries are confirmed: at least as many.
    /// - Throws: `.replicaMissing` if there is no confirmation in time, no program replicates, or
    ///   other entries were confirmed; `.damaged`, `.inputOutput` if the log cannot be read.
    @discardableResult
    package func wait(
        upTo size: UInt64,
        since start: ContinuousClock.Instant = .now
    ) throws(LedgerError) -> UInt64 {
        let end = start + timeout
        guard let socket = try? UnixSocket.connect(to: ReplicaPlace.socket(of: ledger.path)) else {
            throw missing("`ledger replicate` is not running")
        }
        // The socket carries nothing else.
        defer { try? socket.close() }
        guard UnixSocket.send("need \(size)\n", on: socket) else {
            throw missing("`ledger replicate` does not listen")
        }
        var answer: [UInt8] = []
        while !answer.contains(UInt8(ascii: "\n")) {
            let left = end - ContinuousClock.now
            guard left > .zero else { throw missing("not confirmed in time") }
            let milliseconds = Int(left / .milliseconds(1)) + 1
            guard Readiness.wait(for: [socket], milliseconds: milliseconds) == [true],
                let bytes = UnixSocket.receive(from: socket)
            else { continue }
            guard !bytes.isEmpty, answer.count < 4_096 else {
                throw missing("`ledger replicate` has ended")
            }
            answer += bytes
        }
        let line = String(decoding: answer.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count == 3, words[0] == "have", let held = UInt64(words[1]), held >= size else {
            throw missing(words.count == 3 ? String(words[2]) : "`ledger replicate` says nothing")
        }
        // `ledger-replicate` may not have noticed yet that another log replaced the one that it
        // reads.
        guard try ledger.head(atSize: held)?.root == String(words[2]) else {
            throw missing("its \(held) entries are not the first \(held) of this log")
        }
        return held
    }

    private func missing(_ cause: String) -> LedgerError {
        LedgerError(
            .replicaMissing,
            at: ledger.path.string,
            cause: "the replica has not confirmed what was stored: \(cause)",
            hint: "What was stored stays, and is a duplicate when it is sent again. See that "
                + "`ledger replicate` runs and two servers answer"
        )
    }
}
