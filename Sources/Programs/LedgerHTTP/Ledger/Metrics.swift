package import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import TripLedger

/// Counts of the running server, for monitoring; none of them is about trips.
package final class Metrics: Sendable {
    private struct Counts: Sendable {
        /// Requests by route and status.
        var requests: [Answered: UInt64] = [:]
        var commits: UInt64 = 0
        var commitSeconds = 0.0
        var failedCommits: UInt64 = 0
        var events: UInt64 = 0
    }

    private struct Answered: Hashable, Comparable {
        var route: String
        var status: Int

        static func < (left: Answered, right: Answered) -> Bool {
            (left.route, left.status) < (right.route, right.status)
        }
    }

    private let counts = Mutex(Counts())

    /// Begins to count.
    package init() {}

    /// Notes that a request was answered.
    package func note(route: String, status: HTTPResponse.Status) {
        counts.withLock {
            $0.requests[Answered(route: route, status: status.code), default: 0] += 1
        }
    }

    /// Notes a commit, and how many events it has appended.
    package func note(commitThatTook duration: Duration, appending events: UInt64, isFailed: Bool) {
        let seconds =
            Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
        counts.withLock { counts in
            counts.commits += 1
            counts.commitSeconds += seconds
            counts.events += events
            if isFailed { counts.failedCommits += 1 }
        }
    }

    /// The present state.
    package struct Present: Sendable {
        /// How many events wait to be stored.
        package var waiting: Int

        /// How many readers wait for changes.
        package var subscribers: Int

        /// How many entries the log has.
        package var size: UInt64

        /// How many of them the views have read.
        package var viewSize: UInt64

        /// How many entries no second server is known to have, and for how many seconds the first
        /// of them has waited; `nil` if the ledger is not replicated.
        package var replicaLag: (entries: UInt64, seconds: Double)?

        /// Describes the present state.
        package init(waiting: Int, subscribers: Int, size: UInt64, viewSize: UInt64) {
            self.waiting = waiting
            self.subscribers = subscribers
            self.size = size
            self.viewSize = viewSize
        }
    }

    /// Returns everything in the text format of Prometheus, version 0.0.4.
    package func text(_ present: Present) -> String {
        let counts = counts.withLock { $0 }
        var text = ""
        func add(_ name: String, _ kind: String, _ help: String, _ samples: [(String, String)]) {
            text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
            for (labels, value) in samples { text += "\(name)\(labels) \(value)\n" }
        }
        add(
            "ledger_requests_total",
            "counter",
            "Requests answered, by route and status.",
            counts.requests.sorted { $0.key < $1.key }
                .map { (#"{route="\#($0.key.route)",status="\#($0.key.status)"}"#, "\($0.value)") }
        )
        add(
            "ledger_events_appended_total",
            "counter",
            "Events appended by this server.",
            [("", "\(counts.events)")]
        )
        add(
            "ledger_commit_seconds",
            "summary",
            "How long commits took, with what waited for them.",
            [("_sum", "\(counts.commitSeconds)"), ("_count", "\(counts.commits)")]
        )
        add(
            "ledger_commits_failed_total",
            "counter",
            "Commits of which it is not known that they were stored.",
            [("", "\(counts.failedCommits)")]
        )
        var gauges = [
            ("ledger_events_waiting", "Events that wait to be stored.", "\(present.waiting)"),
            ("ledger_subscribers", "Readers that wait for changes.", "\(present.subscribers)"),
            ("ledger_log_entries", "Entries of the log.", "\(present.size)"),
            ("ledger_views_entries", "Entries that the views have read.", "\(present.viewSize)"),
            (
                "ledger_views_lag_entries", "Entries that the views have not read.",
                "\(present.size - min(present.size, present.viewSize))"
            ),
        ]
        if let lag = present.replicaLag {
            gauges += [
                (
                    "ledger_replica_lag_entries", "Entries that no second server is known to have.",
                    "\(lag.entries)"
                ),
                (
                    "ledger_replica_lag_seconds", "How long the first of these has been stored.",
                    "\(lag.seconds)"
                ),
            ]
        }
        for (name, help, value) in gauges { add(name, "gauge", help, [("", value)]) }
        return text
    }
}
