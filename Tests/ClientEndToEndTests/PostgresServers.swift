import Foundation
import TestSupport
import Testing

/// Two PostgreSQL servers of a test's own, one of them the synchronous standby of the other, and a
/// service `fleet` that names both; `standby` and `standby_too` name the standby in two ways.
final class PostgresServers {
    /// Where PostgreSQL's programs are; `nil` if it is not installed.
    static let binaries: String? = {
        let folder = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return versions.sorted().map { "\(folder)/\($0)/bin" }
            .last { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }
    }()

    private let directory: TemporaryDirectory
    private let ports: [UInt16]

    /// Makes and starts them.
    init() throws {
        directory = try TemporaryDirectory()
        ports = [try LoopbackPort.free(), try LoopbackPort.free()]
        let list = "ANY 1 (a, b)"
        try shell(
            """
            chmod 755 "$D" && if [ "$(id -u)" = 0 ]; then chown postgres "$D"; fi
            $U $B/initdb -D "$D/a" -A trust -U postgres -E UTF8 --no-locale --no-sync > /dev/null
            configure() {
                $U sh -c 'cat >> "$0"' "$D/$1/postgresql.auto.conf" <<END
            port = $2
            listen_addresses = '127.0.0.1'
            unix_socket_directories = ''
            synchronous_standby_names = '\(list)'
            shared_buffers = 16MB
            wal_keep_size = '1GB'
            END
            }
            configure a $A
            $U $B/pg_ctl -D "$D/a" -w -t 600 -l "$D/a.log" start > /dev/null
            $U $B/pg_basebackup -D "$D/b" -R -X stream -c fast --no-sync \
                -d "host=127.0.0.1 port=$A user=postgres application_name=b"
            configure b $P
            $U $B/pg_ctl -D "$D/b" -w -t 600 -l "$D/b.log" start > /dev/null
            cat > "$D/services" <<END
            [fleet]
            host=127.0.0.1,127.0.0.1
            port=$A,$P
            user=postgres
            dbname=postgres
            [standby]
            host=127.0.0.1
            port=$P
            user=postgres
            dbname=postgres
            [standby_too]
            host=localhost
            port=$P
            user=postgres
            dbname=postgres
            END
            chmod 644 "$D/services"
            """
        )
        // A standby answers questions before it follows.
        let followers = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'quorum'"
        try wait(for: "1", to: followers)
    }

    deinit {
        // What is left of the directory goes with it.
        _ = try? shell(
            """
            for node in a b; do
                $U $B/pg_ctl -D "$D/$node" -m immediate -w stop > /dev/null 2>&1 || true
            done
            if [ "$(id -u)" = 0 ]; then chown root "$D"; fi
            """
        )
    }

    /// The file of services.
    var services: String { directory.path("services") }

    /// Asks the primary something as its owner, and returns what it answers or complains.
    func ask(_ question: String, of node: String = "a") throws -> String {
        try shell(
            """
            $B/psql -h 127.0.0.1 -p $\(node == "a" ? "A" : "P") -U postgres -d postgres -AtXq \
                -v VERBOSITY=verbose <<'END' 2>&1 || true
            \(question)
            END
            """
        )
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Stops the standby, or lets it go on.
    func standby(_ command: String) throws {
        let options = #"-D "$D/b" -w -t 600 -l "$D/b.log" -m immediate"#
        try shell("$U $B/pg_ctl \(options) \(command) > /dev/null")
    }

    /// Asks a server until it answers what is expected, or a minute is over.
    func wait(for answer: String, to question: String, of node: String = "a") throws {
        let deadline = Date.now + 60
        while try ask(question, of: node) != answer {
            try #require(Date.now < deadline, "\(question) is not \(answer)")
        }
    }

    /// Lets another connection to the primary hold what a statement locks, until it is released.
    func hold(_ statement: String) throws {
        try shell(
            """
            PGAPPNAME=holder $B/psql -h 127.0.0.1 -p $A -U postgres -d postgres -Xq \
                -c "BEGIN; \(statement); SELECT pg_sleep(3600)" < /dev/null > /dev/null 2>&1 &
            """
        )
        let held = "application_name = 'holder' AND wait_event = 'PgSleep'"
        try wait(for: "1", to: "SELECT count(*) FROM pg_stat_activity WHERE \(held)")
    }

    /// Ends the connection that holds something, and waits until nothing is held.
    func release() throws {
        let ended = try ask(
            """
            SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
            WHERE application_name = 'holder'
            """
        )
        try #require(ended == "t")
    }

    @discardableResult
    private func shell(_ script: String) throws -> String {
        let process = Subprocess(
            URL(fileURLWithPath: "/bin/sh"),
            arguments: ["-c", "set -e; cd /\n" + script]
        )
        let isRoot = getuid() == 0
        process.environment = [
            "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C", "HOME": directory.path,
            "B": Self.binaries ?? "", "D": directory.path, "A": "\(ports[0])", "P": "\(ports[1])",
            "U": isRoot ? "setpriv --reuid=postgres --regid=postgres --init-groups" : "",
        ]
        let outcome = try process.outcome()
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        return outcome.text
    }
}
