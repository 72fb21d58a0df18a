import Projections
import TripEvents
public import TripLedger

/// The messages from the process that reads a ledger to the one that started it, each as a line of
/// JSON.
public enum ScanMessage: Hashable, Sendable {
    /// How far it is, in entries or rows.
    case progress(done: UInt64, of: UInt64)

    /// Something is wrong.
    case finding(VerifyFinding)

    /// Something could not be checked.
    case doubt(String)

    /// Something that the log only claims.
    case claim(String)

    /// Something holds.
    case fact(VerifyFact)

    /// The head of the entries that were read.
    case head(LedgerHead)

    /// The id of the ledger, and the head that it claims before it has been read.
    case ledger(id: String, LedgerHead)

    /// A figure about the files, by name.
    case figure(String, UInt64)

    /// Something that there is to do.
    case advice(HealthReport.Advice)

    /// Rules that the ledger adopted by itself, in words.
    case ownRules(String)

    /// When the entries that were asked about were recorded, in milliseconds since 1970.
    case recorded(from: UInt64, to: UInt64)

    /// It has done all it was asked to; without this line, it has not.
    case end

    /// Reads a line, or returns `nil` if it is no message.
    init?(line: [UInt8]) {
        guard let members = JSONMembers(line.span) else { return nil }
        if let done = members.number("done"), let total = members.number("of") {
            self = .progress(done: done, of: total)
        } else if let what = members.text("finding"), let subject = Self.subject(members) {
            self = .finding(VerifyFinding(subject, at: members.number("position"), what))
        } else if let what = members.text("fact"), let subject = Self.subject(members) {
            self = .fact(VerifyFact(subject, what))
        } else if let why = members.text("doubt") {
            self = .doubt(why)
        } else if let what = members.text("claim") {
            self = .claim(what)
        } else if let size = members.number("size"), let root = members.text("root") {
            let head = LedgerHead(size: size, root: root)
            self = members.text("ledger").map { .ledger(id: $0, head) } ?? .head(head)
        } else if let first = members.number("recorded_from"),
            let last = members.number("recorded_to")
        {
            self = .recorded(from: first, to: last)
        } else if let name = members.text("figure"), let value = members.number("value") {
            self = .figure(name, value)
        } else if let why = members.text("advice") {
            self = .advice(HealthReport.Advice(why: why, command: members.text("command") ?? ""))
        } else if let rules = members.text("own_rules") {
            self = .ownRules(rules)
        } else if members.boolean("end") == true {
            self = .end
        } else {
            return nil
        }
    }

    private static func subject(_ members: JSONMembers) -> VerifySubject? {
        members.text("subject").flatMap(VerifySubject.init(rawValue:))
    }

    /// The message as a line without its line feed.
    public var line: [UInt8] {
        var json = RowJSON()
        switch self {
        case .progress(let done, let total):
            json.add("done", integer: Int64(clamping: done))
            json.add("of", integer: Int64(clamping: total))
        case .finding(let finding):
            json.add("finding", text: finding.what)
            json.add("subject", text: finding.subject.rawValue)
            if let position = finding.position {
                json.add("position", integer: Int64(clamping: position))
            }
        case .doubt(let why): json.add("doubt", text: why)
        case .claim(let what): json.add("claim", text: what)
        case .fact(let fact):
            json.add("fact", text: fact.what)
            json.add("subject", text: fact.subject.rawValue)
        case .head(let head):
            json.add("size", integer: Int64(clamping: head.size))
            json.add("root", text: head.root)
        case .ledger(let id, let head):
            json.add("ledger", text: id)
            json.add("size", integer: Int64(clamping: head.size))
            json.add("root", text: head.root)
        case .figure(let name, let value):
            json.add("figure", text: name)
            json.add("value", integer: Int64(clamping: value))
        case .advice(let advice):
            json.add("advice", text: advice.why)
            if !advice.command.isEmpty { json.add("command", text: advice.command) }
        case .ownRules(let rules): json.add("own_rules", text: rules)
        case .recorded(let first, let last):
            json.add("recorded_from", integer: Int64(clamping: first))
            json.add("recorded_to", integer: Int64(clamping: last))
        case .end: json.add("end", boolean: true)
        }
        return json.object
    }
}

/// Passes messages on until that fails, and counts what is wrong.
final class ScanMessenger {
    private let say: (ScanMessage) throws -> Void

    /// Why messages could not be passed on.
    private(set) var failure: (any Error)?

    /// How many findings were told.
    private(set) var findingCount = 0

    init(_ say: @escaping (ScanMessage) throws -> Void) {
        self.say = say
    }

    /// Passes a message on.
    func tell(_ message: ScanMessage) {
        guard failure == nil else { return }
        if case .finding = message { findingCount += 1 }
        do { try say(message) } catch { failure = error }
    }

    /// Tells that something is wrong.
    func report(_ subject: VerifySubject, at position: UInt64? = nil, _ what: String) {
        tell(.finding(VerifyFinding(subject, at: position, what)))
    }

    /// Tells that something holds.
    func confirm(_ subject: VerifySubject, _ what: String) {
        tell(.fact(VerifyFact(subject, what)))
    }

    /// Sends the last message, and throws the error of a message that could not be passed on.
    func finish() throws {
        tell(.end)
        if let failure { throw failure }
    }
}
