/// Checks the settings of the servers on which the durability of confirmed entries depends.
struct ReplicaCheck {
    private let options: ReplicateOptions

    /// The answer of one server.
    private struct Answer {
        let server: PostgresServer
        let isStandby: Bool
        var findings: [String]
    }

    /// Prepares to look.
    init(_ options: ReplicateOptions) {
        self.options = options
    }

    /// Asks each server.
    ///
    /// - Returns: The report, and whether all is well.
    func run() -> (text: String, isWell: Bool) {
        var servers = options.servers
        for server in options.confirmingServers where !servers.contains(server) {
            servers.append(server)
        }
        var text = ""
        var primaries = 0
        var answered: Set<String> = []
        var isWell = true
        for server in servers {
            do throws(PostgresFailure) {
                let session = try PostgresSession(to: [server], mustWrite: false)
                guard answered.insert(session.identity).inserted else { continue }
                let answer = try Self.answer(of: session)
                if !answer.isStandby { primaries += 1 }
                let role = answer.isStandby ? "standby" : "primary"
                let findings = answer.findings.map { "  wrong: \($0)\n" }.joined()
                text += "\(server.name): \(role)\n\(findings)"
                if !findings.isEmpty { isWell = false }
            } catch {
                text += "\(server.name): cannot be asked\n  wrong: \(error)\n"
                isWell = false
            }
        }
        if primaries != 1 {
            text += "wrong: \(primaries) of the servers take changes, and one has to\n"
            isWell = false
        }
        if answered.count <= options.needed {
            text +=
                "wrong: \(answered.count) servers answer, and a segment needs "
                + "\(options.needed + 1)\n"
            isWell = false
        }
        return (text, isWell)
    }

    private static func answer(of session: PostgresSession) throws(PostgresFailure) -> Answer {
        let rows = try session.rows(
            """
            SELECT CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END,
                current_setting('synchronous_standby_names'),
                current_setting('fsync'), current_setting('full_page_writes'),
                pg_size_bytes(current_setting('wal_keep_size')),
                (SELECT count(*) FROM pg_replication_slots),
                (SELECT count(*) FROM pg_stat_replication
                    WHERE sync_state IN ('sync', 'quorum')),
                CASE WHEN pg_has_role('pg_read_all_stats', 'USAGE') THEN 1 ELSE 0 END,
                coalesce(
                    (SELECT substring(conninfo FROM '(?:^| )application_name=([^ ]+)')
                        FROM pg_stat_wal_receiver),
                    current_setting('cluster_name'))
            """
        )
        let isStandby = rows.number(0, 0) == 1
        var findings: [String] = []
        if rows.text(0, 1).isEmpty {
            findings.append(
                "synchronous_standby_names is empty"
                    + (isStandby ? ": once promoted, it waits for no standby" : "")
                    + "; say 'ANY 1 (a,b,c)' in the configuration of every node"
            )
        } else if names(in: rows.text(0, 1)) == [rows.text(0, 8).lowercased()] {
            findings.append(
                "synchronous_standby_names has only this server: "
                    + (isStandby ? "once promoted, no commit ends" : "no commit ends")
                    + "; say 'ANY 1 (a,b,c)' in the configuration of every node"
            )
        } else if !isStandby, rows.number(0, 7) == 1, rows.number(0, 6) == 0 {
            findings.append("no standby of synchronous_standby_names is connected")
        }
        for (column, name) in [(2, "fsync"), (3, "full_page_writes")]
        where rows.text(0, column) != "on" {
            findings.append("\(name) is off: what it says is on disk may not be")
        }
        if (rows.number(0, 4) ?? 0) < 1 << 30, rows.number(0, 5) == 0 {
            findings.append(
                "wal_keep_size is below 1GB and there are no replication slots: a standby that was "
                    + "away for long cannot come back"
            )
        }
        return Answer(server: session.link.server, isStandby: isStandby, findings: findings)
    }

    /// Returns the names in a list of standbys such as `ANY 1 (a, "b")`, in lower case: their case
    /// does not matter.
    private static func names(in list: String) -> Set<String> {
        let inner = list.split(separator: "(", maxSplits: 1).last ?? ""
        return Set(inner.split { ",() \"".contains($0) }.map { $0.lowercased() })
    }
}
