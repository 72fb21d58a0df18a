import Platform
import ServerStore
public import SystemPackage
public import TripEvents
import TripLedger

/// Opens the store of a ledger's server and reports its state, in a process that a damaged store
/// may crash.
public struct ServerGlance {
    /// How long something that happened is news.
    private static let newsDays: Int64 = 7

    /// How long a token may go unused before that is reported.
    private static let patienceDays: Int64 = 30

    private let path: FilePath
    private let isThorough: Bool

    /// Prepares to look at what is kept in the directory `path` of a ledger; if it `isThorough`,
    /// all of it is read.
    public init(at path: FilePath, isThorough: Bool) {
        self.path = path
        self.isThorough = isThorough
    }

    /// Looks, and reports the findings.
    ///
    /// - Parameters:
    ///   - now: The present.
    ///   - say: Gets each message.
    /// - Throws: What `say` throws.
    public func run(asOf now: Timestamp, _ say: @escaping (ScanMessage) throws -> Void) throws {
        let messenger = ScanMessenger(say)
        do throws(LedgerError) {
            if let state = try ServerState.open(of: path, isReadOnly: true) {
                defer { state.close() }
                try tell(state, now, messenger)
            }
        } catch {
            messenger.report(.log, error.cause)
        }
        try messenger.finish()
    }

    private func tell(
        _ state: ServerState,
        _ now: Timestamp,
        _ messenger: ScanMessenger
    ) throws(LedgerError) {
        let tokens = try state.tokens()
        let totals = try state.setAsideTotals()
        messenger.tell(.figure("tokens", UInt64(tokens.count)))
        messenger.tell(.figure("set_aside", totals.itemCount))
        if totals.needsSweep { messenger.tell(.figure("needs_sweep", 1)) }
        let live = Set(tokens.filter { $0.revokedAt == nil }.map { Array($0.name.utf8) })
        for token in tokens {
            let isReplaced = token.revokedAt != nil && live.contains(Array(token.name.utf8))
            if let advice = Self.advice(token, isReplaced: isReplaced, now) {
                messenger.tell(.advice(advice))
            }
        }
        for share in try state.setAsideShares() where share.isNearlyFull() {
            messenger.tell(
                .advice(
                    HealthReport.Advice(
                        why: "There is hardly room for what waits of \(share.token): its app is "
                            + "told to keep the rest",
                        command: share.command
                    )
                )
            )
        }
        var news = 0
        if isThorough || totals.itemCount > 0 {
            var count: UInt64 = 0
            // The newest have the highest numbers; the others need not be read to find them.
            let start = isThorough ? 0 : totals.firstNumber(ofNewest: Self.mostLookedAt)
            try state.forEachSetAside(from: start) { item in
                count += 1
                if Self.isNews(item.item.receivedAt, now) { news += 1 }
                return true
            }
            if isThorough, count != totals.itemCount {
                messenger.report(.log, "refused items are missing")
            }
        }
        guard news > 0 else { return }
        messenger.tell(
            .advice(
                HealthReport.Advice(
                    why: "Deliveries of the last \(Self.newsDays) days could not become events",
                    command: "ledger refused"
                )
            )
        )
    }

    /// The number of items among which news is looked for.
    private static let mostLookedAt: UInt64 = 100

    private static func isNews(_ instant: Timestamp, _ now: Timestamp) -> Bool {
        now.milliseconds(since: instant) <= newsDays * Timestamp.millisecondsPerDay
    }

    /// Advice about the token of a program or an app; `nil` for none.
    private static func advice(
        _ token: Token,
        isReplaced: Bool,
        _ now: Timestamp
    ) -> HealthReport.Advice? {
        // Links and sessions are meant to end, and opening one later delivers nothing.
        guard token.use == .program else { return nil }
        let name = ShellWord.quoted(token.name)
        let today = CivilDate(of: EventTime(now)).daysSince1970
        let lastTried = token.lastRefused
            .flatMap { Int64(today - $0.daysSince1970) <= patienceDays ? $0 : nil }
        let revoke = "ledger token revoke \(name)"
        if token.revokedAt != nil {
            guard let lastTried else { return nil }
            guard !token.dropsDeliveries else {
                let why = "What is delivered with the revoked token \(token.name) is thrown away"
                return .init(why: "\(why), last on \(lastTried)", command: "ledger token list")
            }
            return .init(
                why: "Something delivers with a revoked token named \(token.name), last on "
                    + "\(lastTried); set it up anew",
                command: isReplaced ? "ledger token list" : "ledger token new \(name)"
            )
        }
        if let end = token.expiresAt, end <= now {
            let day = CivilDate(of: EventTime(end))
            guard let lastTried else {
                return .init(why: "The token \(token.name) expired on \(day)", command: revoke)
            }
            return .init(
                why: "Something delivers with the token \(token.name), which expired on \(day), "
                    + "last on \(lastTried); revoke it, and set it up anew",
                command: revoke
            )
        }
        let age = now.milliseconds(since: token.createdAt)
        guard token.lastUsed == nil, age > patienceDays * Timestamp.millisecondsPerDay else {
            return nil
        }
        let day = CivilDate(of: EventTime(token.createdAt))
        return .init(why: "The token \(token.name) of \(day) was never used", command: revoke)
    }
}
