import SystemPackage

/// What to do, for which ledger and by which services.
struct ReplicateOptions {
    /// The work.
    enum Work: String {
        /// Send what the log holds, from now on.
        case follow

        /// Send what the log holds now.
        case once

        /// Make the ledger from the replica.
        case fetch

        /// Join small segments.
        case merge

        /// Look at the settings of the servers.
        case check
    }

    /// The ledger's directory.
    let ledger: FilePath

    /// The work.
    private(set) var work = Work.follow

    /// The service whose primary takes segments.
    private(set) var service = ""

    /// The services whose servers confirm segments; empty for the servers of `service`.
    private(set) var confirming: [String] = []

    /// How many servers beside the one that took a segment must have it.
    private(set) var needed = 1

    /// Whether missing tables, and a missing row of the ledger, are created.
    private(set) var isFirst = false

    /// Whether the machine that has written so far is fenced.
    private(set) var takesOver = false

    /// Whether its rows are written too.
    private(set) var writesRows = false

    /// The ledger's name in the database; `nil` for that of its directory.
    private(set) var name: String?

    /// Reads the directory and `name=value` words; `nil` if one is unknown or `to` is missing.
    init?(_ words: [String]) {
        guard let path = words.first else { return nil }
        ledger = FilePath(path)
        for word in words.dropFirst() {
            guard let sign = word.firstIndex(of: "=") else { return nil }
            let value = String(word[word.index(after: sign)...])
            switch word[..<sign] {
            case "to": service = value
            case "confirm": confirming.append(value)
            case "need":
                guard let count = Int(value), (1...100).contains(count) else { return nil }
                needed = count
            case "work":
                guard let work = Work(rawValue: value) else { return nil }
                self.work = work
            case "init": isFirst = value == "true"
            case "rows": writesRows = value == "true"
            case "take-over": takesOver = value == "true"
            case "name": name = value
            default: return nil
            }
        }
        guard !service.isEmpty else { return nil }
    }

    /// The servers that take segments, each of which may be the primary.
    var servers: [PostgresServer] { PostgresServer.all(of: service) }

    /// The servers that are asked whether they have segments.
    var confirmingServers: [PostgresServer] {
        confirming.isEmpty ? servers : confirming.flatMap { PostgresServer.all(of: $0) }
    }

    /// How many servers can have a segment beside the one that takes it, as far as their addresses
    /// show it; one server of `service` takes the segment and does not count.
    var mostConfirming: Int {
        let places = Set(confirmingServers.map { [$0.host, $0.address, $0.port] })
        return confirming.isEmpty ? places.count - 1 : places.count
    }
}
