import JSONText
import LedgerKeeping
import Platform
import Proofs
import ServerStore
import SystemPackage
import TripLedger

/// Makes a ledger from its replica: the same entries, of which every leaf and root is computed
/// again.
struct ReplicaFetch {
    private let options: ReplicateOptions

    /// Prepares to fetch.
    init(_ options: ReplicateOptions) {
        self.options = options
    }

    /// Fetches, and returns the report.
    ///
    /// - Throws: `LedgerError`, `PostgresFailure`, `ReplicaRefusal`.
    func run() throws -> String {
        guard !Ledger.isOne(at: options.ledger) else {
            throw LedgerError(
                .alreadyThere,
                at: options.ledger.string,
                cause: "there is a ledger here already",
                hint: "Name a directory that is not there yet with --ledger"
            )
        }
        let session = try PostgresSession(to: options.servers, mustWrite: options.takesOver)
        guard let name = options.name, let replica = try Replica(of: name, over: session) else {
            throw ReplicaRefusal.nothingToFetch(
                options.name,
                among: try Replica.names(over: session)
            )
        }
        // Before anything is read: the other machine adds nothing after this.
        let epoch = options.takesOver ? try replica.takeOver() : nil
        let head = try made(from: replica)
        if let epoch { try EpochFile(of: options.ledger).write(epoch) }
        try ServerState.openOrCreate(of: options.ledger).close()
        try ReplicaState(head, at: WallClock.now).write(of: options.ledger)
        var text = "Fetched \(head.size) entries of \(Excerpt.escaped(name)), root \(head.root).\n"
        if options.takesOver {
            text +=
                "The machine that had it is fenced: what it has from position \(head.size) on was "
                + "never acknowledged.\nGo on with the same command, without --fetch "
                + "and --take-over.\n"
        }
        return text
    }

    /// Writes the segments to a file of its own, and imports it.
    private func made(from replica: Replica) throws -> TreeHead {
        let parent = options.ledger.removingLastComponent()
        let name = ".\(options.ledger.lastComponent?.string ?? "ledger").fetched"
        return try Unfinished.withDirectory(
            for: name,
            in: parent.isEmpty ? "." : parent
        ) { folder in
            defer { try? Directory.remove(folder) }
            let path = folder.appending("segments")
            let head = try write(replica, to: path)
            _ = try Ledger.importing(path, into: options.ledger)
            return head
        }
    }

    private func write(_ replica: Replica, to path: FilePath) throws -> TreeHead {
        try replica.session.transaction(isSteady: true) {
            let head = try replica.head()
            var file = try NewFile(at: path)
            try file.write(SegmentHeader(ledger: replica.id, head: head).frame)
            var next: UInt64 = 0
            // If a segment is missing, the import reports it.
            while next < head.size, let segment = try replica.segment(at: next) {
                try file.write(segment.frame)
                next = segment.next
            }
            try file.write(SegmentStream.end)
            try file.finish()
            return head
        }
    }
}
