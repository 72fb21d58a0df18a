import Glibc
import LedgerKeeping
import LedgerRows
import Platform
import ServerStore
import SystemPackage
import Tables
import TripLedger

/// Exchanges with one other ledger, once or again and again.
struct SyncWork {
    /// The first pause of the breaker and the longest, in milliseconds.
    private static let pauses: ClosedRange<UInt32> = 30_000...300_000

    /// A token is one line.
    private static let mostTokenBytes = 4_096

    private let ledger: Ledger
    private let state: ServerState
    private let address: String
    private let options: SyncOptions

    init(
        of ledger: Ledger,
        in state: ServerState,
        with address: String,
        _ options: SyncOptions
    ) {
        self.ledger = ledger
        self.state = state
        self.address = address
        self.options = options
    }

    /// Exchanges events once, and reports the result.
    ///
    /// - Returns: The exit code: 1 if something needs attention.
    func once() throws -> Int32 {
        let report = try exchange()
        try show(report)
        return report.isEven ? 0 : 1
    }

    /// Exchanges events until the process is ended.
    ///
    /// After three requests without an answer it waits half a minute, then twice as long each time,
    /// up to five minutes; the first answer resets the pause.
    func forEver(every seconds: UInt32) -> Never {
        var pause = Self.pauses.lowerBound
        while true {
            do {
                let report = try exchange()
                if report.pushed != SyncTally() || report.pulled != SyncTally() || !report.isEven {
                    try show(report)
                }
                pause = Self.pauses.lowerBound
                WallClock.pause(milliseconds: seconds * 1_000)
            } catch {
                _ = SyncProgram.complain(error, address)
                WallClock.pause(milliseconds: pause)
                pause = min(pause * 2, Self.pauses.upperBound)
            }
        }
    }

    private func exchange() throws -> SyncReport {
        var transport = try HTTPTransport(
            address,
            socket: options.socket,
            token: try token(),
            of: ledger,
            sendsSettings: !options.acceptsSettings
        )
        let round = SyncRound(
            of: ledger,
            in: state,
            acceptsOtherSettings: options.acceptsSettings,
            now: { WallClock.now },
            onReceipt: { receipt in
                SyncProgram.note("not taken: \(Self.line(receipt))\n")
            },
            onProgress: Self.showProgress
        )
        defer { Self.clearProgress() }
        return try round.run(over: &transport)
    }

    /// Whether a person may be looking.
    private static let isWatched = isatty(STDERR_FILENO) == 1

    /// Says how far it is, on one line.
    private static func showProgress(_ report: SyncReport) {
        guard isWatched else { return }
        let text = "\rgave \(words(report.pushed)), got \(words(report.pulled)) … \u{1B}[K"
        SyncProgram.say(text, on: .standardError)
    }

    private static func clearProgress() {
        guard isWatched else { return }
        SyncProgram.say("\r\u{1B}[K", on: .standardError)
    }

    /// Reads the token anew each time: it may have been replaced.
    private func token() throws -> String? {
        guard let path = options.tokenFile else { return nil }
        do {
            let stream = try FileDescriptor.open(FilePath(path), .readOnly)
            defer { try? stream.close() }
            let bytes = try PrivateFile.read(stream, maximumByteCount: Self.mostTokenBytes)
            let text = String(decoding: bytes, as: UTF8.self)
            return String(text.split(whereSeparator: \.isWhitespace).first ?? "")
        } catch {
            throw Refused(
                cause: "the token cannot be read from \(path): \(error)",
                hint: "Write the token there that `ledger token new NAME --scope sync` shows"
            )
        }
    }

    private func show(_ report: SyncReport) throws {
        let text =
            options.isJSON
            ? Self.json(report, SyncReport.columns) + "\n" : Self.text(report)
        SyncProgram.say(text, on: .standardOutput)
        guard !options.isJSON else { return }
        for (tally, place) in [(report.pushed, "there"), (report.pulled, "here")]
        where tally.rejected > 0 {
            SyncProgram.say(
                "What was refused \(place) is kept \(place): `ledger refused` lists it, and "
                    + "--retry tries again what may pass later.\n",
                on: .standardError
            )
        }
        if report.peerWasSetBack {
            SyncProgram.say(
                "The other ledger is shorter or other than it was: an older copy of it was "
                    + "restored, or it forked. Everything was exchanged anew.\n",
                on: .standardError
            )
        }
        if report.ownWasSetBack {
            SyncProgram.say(
                "This ledger is shorter or other than the other one knows it: an older copy was "
                    + "restored, or it forked. Everything was exchanged anew.\n",
                on: .standardError
            )
        }
    }

    private static func text(_ report: SyncReport) -> String {
        "Synced with ledger \(report.peer): gave \(words(report.pushed)); "
            + "got \(words(report.pulled)).\n"
    }

    private static func words(_ tally: SyncTally) -> String {
        var text = "\(tally.appended) new"
        if tally.duplicates > 0 { text += ", \(tally.duplicates) known" }
        if tally.conflicts > 0 { text += ", \(tally.conflicts) in conflict" }
        if tally.rejected > 0 { text += ", \(tally.rejected) refused" }
        return text
    }

    private static func line(_ receipt: LineReceipt) -> String {
        json(receipt, LineReceipt.columns.without(["file"]))
    }

    private static func json<Row>(_ row: Row, _ columns: Columns<Row>) -> String {
        var bytes: [UInt8] = []
        columns.appendJSON(row, to: &bytes, by: nil)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Says why two ledgers do not exchange events, and what to do.
    static func sentence(_ refusal: SyncRefusal) -> String {
        switch refusal {
        case .settingsDiffer(let names):
            "the two ledgers compute differently: \(names.joined(separator: ", "))\n"
                + "Make one of them anew with the settings of the other; or say "
                + "--accept-settings, and each computes its own trips and distances"
        case .otherGroup(let difference): "\(difference.cause)\n\(GroupDifference.hint)"
        case .sameLedger:
            "it is the same ledger, or a copy of it\n"
                + "Two copies of one ledger cannot be told apart: make a new one with `ledger "
                + "init`, and let it sync"
        case .otherLedger(let dispute): "\(dispute.cause)\n\(dispute.hint)"
        case .setBack:
            "it knows another log of this ledger; another program synced meanwhile\nSync again"
        case .malformed(let why):
            "what it answers is not what a ledger says: \(why)\n"
                + "Use the same version of ledger on both sides"
        }
    }
}

extension SyncReport: Tabular {
    /// The result of an exchange: `sync.v1.schema.json`.
    static let columns = Columns<SyncReport> {
        Column.name("ledger") { $0.peer }
        SyncTally.columns.of("pushed.") { $0.pushed }
        SyncTally.columns.of("pulled.") { $0.pulled }
        Column.boolean("peer_set_back") { $0.peerWasSetBack }
        Column.boolean("own_set_back") { $0.ownWasSetBack }
    }
}

extension SyncTally: Tabular {
    /// The outcome for events that were handed over.
    static let columns = Columns<SyncTally> {
        Column.integer("appended") { $0.appended }
        Column.integer("duplicate") { $0.duplicates }
        Column.integer("conflict") { $0.conflicts }
        Column.integer("rejected") { $0.rejected }
    }
}
