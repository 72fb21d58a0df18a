import Glibc
import Platform
import SystemPackage

/// A connection to a server that waits for answers, and lets the caller work meanwhile.
struct PostgresSession {
    /// The longest wait for an answer.
    static let patience = Duration.seconds(10)

    /// The longest wait for a connection.
    static let openingPatience = Duration.seconds(5)

    /// How long it waits before it lets the caller work.
    private static let stepMilliseconds = 50

    /// The connection.
    let link: PostgresLink

    /// The value that distinguishes this server from others, as long as it runs.
    let identity: String

    private let meanwhile: () throws(PostgresFailure) -> Void

    /// Connects to the first of some servers that answers.
    ///
    /// - Parameters:
    ///   - servers: The servers, at least one.
    ///   - mustWrite: Whether only a server that takes changes will do.
    ///   - meanwhile: Called now and then while it waits; an error that it throws ends the wait.
    /// - Throws: `PostgresFailure` of the last of them.
    init(
        to servers: [PostgresServer],
        mustWrite: Bool,
        meanwhile: @escaping () throws(PostgresFailure) -> Void = {}
    ) throws(PostgresFailure) {
        self.meanwhile = meanwhile
        let opened = try Self.opened(servers, mustWrite, meanwhile)
        link = opened.link
        identity = opened.identity
        try link.run(Self.settings)
        _ = try Self.wait(link, Self.patience, meanwhile)
    }

    private static func opened(
        _ servers: [PostgresServer],
        _ mustWrite: Bool,
        _ meanwhile: () throws(PostgresFailure) -> Void
    ) throws(PostgresFailure) -> (link: PostgresLink, identity: String) {
        var failure = PostgresFailure.late
        for server in servers {
            do throws(PostgresFailure) {
                let link = try PostgresLink(to: server, mustWrite: mustWrite)
                try waitUntilOpen(link, meanwhile)
                try link.ask(identityQuestion)
                return (link, try wait(link, patience, meanwhile).text(0, 0))
            } catch {
                failure = PostgresFailure(
                    state: error.state,
                    description: "\(server.name): \(error)"
                )
            }
        }
        throw failure
    }

    /// Asks when a server was started, to the microsecond: so the server is recognised under any
    /// address.
    static let identityQuestion = """
        SELECT extract(epoch FROM pg_postmaster_start_time())::text
        """

    /// The settings that a session must not inherit from a role or a database.
    ///
    /// A machine that is lost during a transaction must not keep another one from taking over.
    private static let settings = """
        SET synchronous_commit = on;
        SET default_transaction_isolation = 'read committed';
        SET statement_timeout = 0;
        SET lock_timeout = 0;
        SET idle_in_transaction_session_timeout = '10s';
        SET search_path = pg_catalog;
        SET client_min_messages = warning
        """

    /// Asks the server something, and returns the answer.
    ///
    /// - Throws: `PostgresFailure`; if there was no answer in time, it is not known what was done.
    @discardableResult
    func rows(
        _ question: String,
        _ values: [PostgresValue] = [],
        within patience: Duration = patience
    ) throws(PostgresFailure) -> PostgresRows {
        try link.ask(question, values)
        return try Self.wait(link, patience, meanwhile)
    }

    /// Runs several statements.
    ///
    /// - Throws: `PostgresFailure`.
    func run(_ script: String) throws(PostgresFailure) {
        try link.run(script)
        _ = try Self.wait(link, Self.patience, meanwhile)
    }

    /// Runs `body` in a transaction, and waits for its end.
    ///
    /// - Parameters:
    ///   - isSteady: Whether all of it sees the tables as they were at its beginning.
    ///   - body: What to do.
    /// - Returns: What `body` returned.
    /// - Throws: `PostgresFailure`, and what `body` throws; then the session MUST NOT be used
    ///   again.
    func transaction<Result>(
        isSteady: Bool = false,
        _ body: () throws -> Result
    ) throws -> Result {
        try rows(isSteady ? "BEGIN ISOLATION LEVEL REPEATABLE READ" : "BEGIN")
        let result = try body()
        try rows("COMMIT")
        return result
    }

    private static func waitUntilOpen(
        _ link: PostgresLink,
        _ meanwhile: () throws(PostgresFailure) -> Void
    ) throws(PostgresFailure) {
        let end = ContinuousClock.now + openingPatience
        while try link.goOnOpening() == .underway {
            guard .now < end else { throw .late }
            // Each step of connecting is short, whether it reads or writes.
            WallClock.pause(milliseconds: 1)
            try meanwhile()
        }
    }

    private static func wait(
        _ link: PostgresLink,
        _ patience: Duration,
        _ meanwhile: () throws(PostgresFailure) -> Void
    ) throws(PostgresFailure) -> PostgresRows {
        let end = ContinuousClock.now + patience
        while true {
            if let rows = try link.answer() { return rows }
            guard .now < end else {
                // Otherwise COMMIT would wait for a standby without an end, with one more
                // connection for each try.
                link.cancel()
                throw .late
            }
            let socket = FileDescriptor(rawValue: link.descriptor)
            let isReady = Readiness.wait(for: [socket], milliseconds: stepMilliseconds) == [true]
            if !isReady { try meanwhile() }
        }
    }
}
