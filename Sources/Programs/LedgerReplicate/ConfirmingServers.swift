import Platform
import Proofs
import SystemPackage

/// The servers that are asked whether they have a segment.
///
/// The success of COMMIT is not enough: it also follows after the wait for a standby was cancelled,
/// or after the list of standbys was emptied. A standby that shows a row has it on its disk,
/// because it replays only what was written there. A server that is not a standby does not count: a
/// former primary that is up again may show rows that it loses once it follows the new one.
final class ConfirmingServers {
    /// The longest time between two questions about one segment.
    private static let longestPause = Duration.milliseconds(50)

    private let id: String
    private let needed: Int
    private let servers: [ConfirmingServer]

    /// Prepares to ask.
    ///
    /// - Parameters:
    ///   - servers: The servers.
    ///   - needed: How many must have a segment besides the one that took it.
    ///   - id: The ledger's id.
    init(_ servers: [PostgresServer], needed: Int, of id: String) {
        self.id = id
        self.needed = needed
        self.servers = servers.map { ConfirmingServer($0) }
    }

    /// Waits until enough servers have the entries of a head, or the one that took it is lost.
    ///
    /// - Parameters:
    ///   - head: Where a segment ends.
    ///   - writer: The connection to the server that took it, which does not count.
    ///   - end: When to give up.
    ///   - meanwhile: Called now and then.
    /// - Returns: Whether enough have them.
    func confirm(
        _ head: TreeHead,
        takenBy writer: PostgresSession,
        before end: ContinuousClock.Instant,
        meanwhile: () -> Void
    ) -> Bool {
        let others = servers.filter { $0.server != writer.link.server }
        var pause = Duration.milliseconds(1)
        for server in others { server.begin() }
        while true {
            for server in others { server.goOn(id, head) }
            // A server counts once, even if it is asked under several names and addresses.
            var having = Set(others.filter(\.hasHead).map(\.identity))
            having.remove(writer.identity)
            if having.count >= needed { return true }
            // After a fail-over there is no standby any more, and nothing to wait for.
            guard .now < end, !writer.link.isLost else { return false }
            let sockets = others.compactMap(\.answering)
            let milliseconds = max(1, Int(pause / .milliseconds(1)))
            let answers = Readiness.wait(for: sockets, milliseconds: milliseconds)
            if !answers.contains(true) {
                meanwhile()
                for server in others { server.askAgain() }
                pause = min(pause * 2, Self.longestPause)
            }
        }
    }
}

/// One server that is asked, without waiting for it.
private final class ConfirmingServer {
    /// How long an unreachable server is left alone.
    private static let rest = Duration.seconds(1)

    private enum State {
        /// It is not to be connected to before that instant.
        case apart(until: ContinuousClock.Instant)

        /// The connection is being made, at most until that instant.
        case opening(PostgresLink, until: ContinuousClock.Instant)

        /// It was asked which server it is.
        case introducing(PostgresLink, until: ContinuousClock.Instant)

        /// It may be asked.
        case ready(PostgresLink)

        /// It was asked for the head.
        case asked(PostgresLink, until: ContinuousClock.Instant)

        /// It does not have the head yet.
        case behind(PostgresLink)
    }

    /// The server.
    let server: PostgresServer

    /// The value that distinguishes it from other servers; empty until that is known.
    private(set) var identity = ""

    /// Whether it has the head.
    private(set) var hasHead = false

    private var state: State

    init(_ server: PostgresServer) {
        self.server = server
        state = .apart(until: .now)
    }

    /// Begins with another head.
    func begin() {
        hasHead = false
        askAgain()
    }

    /// Allows to ask again a server that did not have the head.
    func askAgain() {
        if case .behind(let link) = state { state = .ready(link) }
    }

    /// The socket by which an answer comes, if one is expected.
    var answering: FileDescriptor? {
        switch state {
        case .apart, .ready, .behind, .opening: nil
        case .introducing(let link, until: _), .asked(let link, until: _):
            FileDescriptor(rawValue: link.descriptor)
        }
    }

    /// Does what can be done without waiting.
    func goOn(_ id: String, _ head: TreeHead) {
        guard !hasHead else { return }
        do throws(PostgresFailure) {
            while try step(id, head) {}
        } catch {
            state = .apart(until: .now + Self.rest)
        }
    }

    /// Goes one step further; returns `false` if there is something to wait for.
    private func step(_ id: String, _ head: TreeHead) throws(PostgresFailure) -> Bool {
        switch state {
        case .apart(let until):
            guard .now >= until else { return false }
            let link = try PostgresLink(to: server, mustWrite: false)
            state = .opening(link, until: .now + PostgresSession.openingPatience)
        case .opening(let link, let until):
            guard try link.goOnOpening() == .done else { return try wait(until) }
            try link.ask(PostgresSession.identityQuestion)
            state = .introducing(link, until: .now + PostgresSession.openingPatience)
        case .introducing(let link, let until):
            guard let rows = try link.answer() else { return try wait(until) }
            identity = rows.text(0, 0)
            state = .ready(link)
        case .ready(let link):
            try link.ask(
                """
                SELECT s.root FROM ledger.segments s JOIN ledger.ledgers l USING (ledger)
                WHERE l.id = decode($1, 'hex') AND s.next = $2 AND pg_is_in_recovery()
                """,
                [.text(id), .number(head.size)]
            )
            state = .asked(link, until: .now + PostgresSession.openingPatience)
        case .asked(let link, let until):
            guard let rows = try link.answer() else { return try wait(until) }
            hasHead = rows.count == 1 && rows.bytes(0, 0) == head.root.array
            state = hasHead ? .ready(link) : .behind(link)
            return false
        case .behind: return false
        }
        return true
    }

    private func wait(_ until: ContinuousClock.Instant) throws(PostgresFailure) -> Bool {
        guard .now < until else { throw .late }
        return false
    }
}
