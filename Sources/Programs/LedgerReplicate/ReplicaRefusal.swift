import JSONText
import TripLedger

/// A reason not to replicate that no retry changes: the replica stays as it is.
struct ReplicaRefusal: Error {
    /// The code, for programs.
    let code: String

    /// What is wrong, as a sentence without a full stop.
    let cause: String

    /// What to do, as a sentence without a full stop.
    let hint: String

    /// The log holds fewer entries than the replica.
    static func setBack(_ size: UInt64, _ replicated: UInt64) -> ReplicaRefusal {
        ReplicaRefusal(
            code: "set_back",
            cause:
                "this ledger is an older copy: it has \(size) entries, the replica \(replicated)",
            hint: "Get the newer one: say the same command with --fetch"
        )
    }

    /// The log and the replica have other entries.
    static func forked(_ size: UInt64, own: String, replicated: String) -> ReplicaRefusal {
        ReplicaRefusal(
            code: LedgerError.Code.forked.rawValue,
            cause: "this ledger and its replica have other histories: the first \(size) entries "
                + "have the root \(own) here and \(replicated) there",
            hint: "Find out which of them is right before anything else is stored; the same "
                + "command with --fetch gets the one of the replica"
        )
    }

    /// Another machine has taken the ledger over.
    ///
    /// - Parameters:
    ///   - confirmed: The first position that was not confirmed here.
    ///   - size: How many entries this log has.
    /// - Returns: The refusal.
    static func fenced(after confirmed: UInt64, of size: UInt64) -> ReplicaRefusal {
        let lost =
            confirmed < size
            ? "; positions \(confirmed)–\(size - 1) of this one were never acknowledged" : ""
        return ReplicaRefusal(
            code: "fenced",
            cause: "another machine has taken this ledger over" + lost,
            hint: "Append to the ledger there"
        )
    }

    /// The replica does not know a ledger that is to be sent or merged.
    ///
    /// - Parameter id: The ledger's id.
    /// - Returns: The refusal.
    static func unknown(_ id: String) -> ReplicaRefusal {
        ReplicaRefusal(
            code: LedgerError.Code.notFound.rawValue,
            cause: "the replica has no ledger \(id)",
            hint: "Begin with it: `ledger replicate` with --init"
        )
    }

    /// The most names that a refusal lists.
    private static let mostNames = 20

    /// The replica has no ledger of a name that is to be fetched.
    ///
    /// - Parameters:
    ///   - name: The name; `nil` if none was said.
    ///   - names: The names that there are.
    /// - Returns: The refusal.
    static func nothingToFetch(_ name: String?, among names: [String]) -> ReplicaRefusal {
        let listed = names.prefix(mostNames).map(Excerpt.escaped).joined(separator: ", ")
        let others = names.count > mostNames ? " and \(names.count - mostNames) others" : ""
        return ReplicaRefusal(
            code: LedgerError.Code.notFound.rawValue,
            cause: name.map { "the replica has no ledger \(Excerpt.escaped($0))" }
                ?? "there is no name of a ledger to fetch",
            hint: names.isEmpty
                ? "It has no ledgers: say another service, or send one with --init first"
                : "Say a --name that is there: \(listed)\(others)"
        )
    }

    /// More servers are to have a segment than are named.
    ///
    /// - Parameters:
    ///   - count: How many can confirm.
    ///   - needed: How many have to.
    /// - Returns: The refusal.
    static func tooFew(_ count: Int, needed: Int) -> ReplicaRefusal {
        ReplicaRefusal(
            code: "too_few_servers",
            cause: "--need is \(needed), and \(count == 0 ? "none" : "only \(count)") of the "
                + "servers that are named can confirm",
            hint: "Name more, as hosts of the service or with --confirm"
                + (count == 0 ? "" : "; or say --need \(count)")
        )
    }

    /// Another ledger has the name in the database.
    static func taken(_ name: String) -> ReplicaRefusal {
        ReplicaRefusal(
            code: LedgerError.Code.alreadyThere.rawValue,
            cause: "the replica has another ledger named \(name)",
            hint: "Say another --name"
        )
    }

    /// The server is too old for the tables.
    static func oldServer(_ version: String) -> ReplicaRefusal {
        ReplicaRefusal(
            code: "old_server",
            cause: "PostgreSQL 15 or newer is needed, and this is \(version)",
            hint: "Move the database to a newer server first; no tables were made"
        )
    }

    /// This directory has never replicated a ledger that the replica has.
    static let unclaimed = ReplicaRefusal(
        code: "unclaimed",
        cause: "the replica has this ledger, and this copy of it has never replicated",
        hint: "If it is the only one that is appended to, say --init; if another machine had it, "
            + "say --fetch and --take-over"
    )
}
