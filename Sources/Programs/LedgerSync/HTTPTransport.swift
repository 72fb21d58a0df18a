import JSONText
import LedgerKeeping
import Platform
import TripLedger

/// A refusal that a retry does not change.
struct Refused: Error {
    /// The cause, without a full stop.
    let cause: String

    /// The advice.
    let hint: String
}

/// The way to a ledger that `ledger serve` serves.
///
/// This is the only layer that repeats requests. A request without an answer, or one that may
/// succeed later, is sent up to three times, with a random wait in between; then it gives up.
struct HTTPTransport: SyncTransport {
    private static let mostTries = 3

    private let client: HTTPClient
    private var random = SystemRandomNumberGenerator()

    /// Prepares to reach a ledger.
    ///
    /// - Parameters:
    ///   - address: The address of the server.
    ///   - socket: The path of a unix socket that leads there; `nil` for the network.
    ///   - token: A token with the scope `sync`; the owner of a socket needs none.
    ///   - ledger: This ledger.
    ///   - sendsSettings: Whether the other ledger is to refuse if its settings differ.
    /// - Throws: `Unreached`.
    init(
        _ address: String,
        socket: String?,
        token: String?,
        of ledger: Ledger,
        sendsSettings: Bool
    ) throws {
        var fields = [
            "X-Ledger: \(ledger.founding.ledger)", "Content-Type: application/x-ndjson",
        ]
        if let token { fields.append("Authorization: Bearer \(token)") }
        if sendsSettings {
            let settings = SyncSettings(of: ledger)
            fields.append(
                "X-Ledger-Settings: \(settings.timeZone);\(settings.units);\(settings.rules)"
            )
        }
        client = try HTTPClient(address, socket: socket, fields: fields)
    }

    mutating func greet(held: UInt64?) throws -> SyncGreeting {
        let answer = try send("/v1/sync" + (held.map { "?held=\($0)" } ?? ""))
        return try SyncGreeting(answer)
    }

    mutating func push(_ page: SyncPage, from: UInt64) throws -> SyncTally {
        let target = "/v1/sync/events?from=\(from)&next=\(page.next)"
        let answer = try send(target, body: page.bytes)
        let lines = answer.split(separator: UInt8(ascii: "\n"))
        guard let summary = lines.last.flatMap({ JSONMembers(Array($0).span) }),
            let tally = SyncTally(summary)
        else { throw SyncRefusal.malformed("the answer does not end with what it comes to") }
        if tally.hasRefusals { Self.sayRefusals(lines.dropLast()) }
        return tally
    }

    /// The most refusals of a page that are said one by one.
    private static let mostRefusals = 20

    /// Says which events the other has not taken.
    private static func sayRefusals(_ lines: ArraySlice<ArraySlice<UInt8>>) {
        var count = 0
        for line in lines {
            guard let receipt = JSONMembers(Array(line).span),
                ["conflict", "rejected", "held_back"].contains(receipt.text("receipt"))
            else { continue }
            count += 1
            guard count <= mostRefusals else { continue }
            let text = String(decoding: line, as: UTF8.self)
            SyncProgram.note("not taken there: \(Excerpt.sentence(text))\n")
        }
        guard count > mostRefusals else { return }
        SyncProgram.note("and \(count - mostRefusals) others like these\n")
    }

    mutating func pull(from: UInt64, upTo size: UInt64, isComplete: Bool) throws -> [UInt8] {
        try send("/v1/sync/events?from=\(from)&size=\(size)" + (isComplete ? "&all=true" : ""))
    }

    /// Sends a request until it has an answer that counts.
    private mutating func send(_ target: String, body: [UInt8]? = nil) throws -> [UInt8] {
        var tries = 0
        while true {
            tries += 1
            var pause = 0
            let failure: Unreached
            do {
                let answer = try client.send(target, body: body)
                if answer.status == 200 { return answer.body }
                guard Self.mayPassLater(answer.status) else { throw Self.refusal(answer) }
                pause = answer.secondsToWait
                failure = Unreached(description: "it answers \(answer.status)")
            } catch let error as Unreached {
                failure = error
            }
            guard tries < Self.mostTries else { throw failure }
            WallClock.pause(
                milliseconds: SyncPause.milliseconds(
                    afterTries: tries,
                    askedFor: pause,
                    using: &random
                )
            )
        }
    }

    private static func mayPassLater(_ status: Int) -> Bool {
        status == 408 || status == 429 || status >= 500
    }

    /// The most settings that are named: more than two ledgers can differ in.
    private static let mostFields = 10

    /// Returns the error that a refusal stands for.
    private static func refusal(_ answer: Answer) -> any Error {
        guard let problem = try? JSONValue(answer.body.span), let type = problem["type"]?.text
        else {
            return Refused(
                cause: "it answers \(answer.status), and is no ledger",
                hint: "Give the address that `ledger serve` is reached by, without a path"
            )
        }
        switch type {
        case "urn:ledger:settings-differ":
            let fields = problem["fields"]?.texts ?? []
            return SyncRefusal.settingsDiffer(fields.prefix(mostFields).map(Excerpt.sentence))
        case "urn:ledger:peer-set-back":
            return SyncRefusal.setBack(until: problem["until"]?.number ?? 0)
        case "urn:ledger:other-group":
            guard let source = problem["source"]?.text else {
                return SyncRefusal.malformed("it does not say which source it means")
            }
            return SyncRefusal.otherGroup(
                GroupDifference(
                    source: source,
                    sent: problem["group"]?.text,
                    kept: problem["own_group"]?.text
                )
            )
        case "urn:ledger:same-ledger": return SyncRefusal.sameLedger
        case "urn:ledger:other-ledger":
            guard let token = problem["token"]?.text, let asking = problem["asking"]?.text,
                SyncGreeting.isLedgerID(asking)
            else { return SyncRefusal.malformed("it does not say which token and ledger it means") }
            let owner = problem["owner"]?.text
            return SyncRefusal.otherLedger(
                TokenDispute(
                    token: token,
                    asking: asking,
                    owner: owner.flatMap { SyncGreeting.isLedgerID($0) ? $0 : nil }
                )
            )
        default:
            let title = Excerpt.sentence(problem["title"]?.text ?? "it refuses")
            let detail = Excerpt.sentence(problem["detail"]?.text ?? "")
            return Refused(
                cause: "it answers \(answer.status): \(title)",
                hint: answer.status == 401 || answer.status == 403
                    ? "Make a token there with `ledger token new NAME --scope sync`" : detail
            )
        }
    }
}

extension SyncTally {
    /// Reads the last line of an answer to pushed events: `summary.v1.schema.json`.
    fileprivate init?(_ summary: JSONMembers) {
        guard let appended = summary.number("appended"),
            let duplicate = summary.number("duplicate"),
            let conflict = summary.number("conflict"), let rejected = summary.number("rejected")
        else { return nil }
        self.init()
        self.appended = Int(clamping: appended)
        duplicates = Int(clamping: duplicate)
        conflicts = Int(clamping: conflict)
        self.rejected = Int(clamping: rejected)
    }
}
