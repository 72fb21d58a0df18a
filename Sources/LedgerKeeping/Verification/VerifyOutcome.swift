import EventStore

/// What a check came to: what is wrong, what could not be told, and what holds.
///
/// All findings are counted, but only the first thousand are kept, so that a ruined ledger needs no
/// more memory than a sound one.
public struct VerifyOutcome: Hashable, Sendable {
    /// The answer in one word.
    public enum Verdict: String, CaseIterable, Sendable {
        /// Everything that was checked is as it should be.
        case verified

        /// Something is wrong.
        case damaged

        /// Nothing wrong was found, but not everything that was asked for could be checked.
        case couldNotTell = "could_not_tell"
    }

    /// The most findings that are kept.
    public static let maximumKeptFindings = 1_000

    /// What is wrong, in the order in which it was found; the first thousand.
    public private(set) var findings: [VerifyFinding] = []

    /// How many findings there are, those that are not kept included.
    public private(set) var findingCount: UInt64 = 0

    /// The lowest position with a finding, those that are not kept included.
    public private(set) var firstBadPosition: UInt64?

    /// Why something could not be checked, each as a sentence without a full stop.
    public private(set) var doubts: [String] = []

    /// What holds, in the order in which it was confirmed.
    public private(set) var facts: [VerifyFact] = []

    /// Creates the outcome of a check that has found nothing yet.
    public init() {}

    /// The answer: anything wrong outweighs doubts, and doubts outweigh what holds.
    public var verdict: Verdict {
        if findingCount > 0 { return .damaged }
        return doubts.isEmpty ? .verified : .couldNotTell
    }

    /// Notes that something is wrong.
    public mutating func report(_ finding: VerifyFinding) {
        findingCount += 1
        if let position = finding.position {
            firstBadPosition = min(position, firstBadPosition ?? position)
        }
        if findings.count < Self.maximumKeptFindings { findings.append(finding) }
    }

    /// Notes that something is wrong, at the position of an entry if it is about one.
    public mutating func report(
        _ subject: VerifySubject,
        at position: UInt64? = nil,
        _ what: String
    ) {
        report(VerifyFinding(subject, at: position, what))
    }

    /// Notes that something could not be checked, and why.
    public mutating func doubt(_ why: String) {
        doubts.append(why)
    }

    /// Notes that something holds.
    public mutating func confirm(_ subject: VerifySubject, _ what: String) {
        facts.append(VerifyFact(subject, what))
    }

    /// Takes over what another part of the check came to.
    public mutating func add(_ other: VerifyOutcome) {
        for finding in other.findings { report(finding) }
        findingCount += other.findingCount - UInt64(other.findings.count)
        if let position = other.firstBadPosition {
            firstBadPosition = min(position, firstBadPosition ?? position)
        }
        doubts += other.doubts
        facts += other.facts
    }
}

/// Something that is wrong: changed, damaged, missing, or not what was signed.
public struct VerifyFinding: Hashable, Sendable {
    /// What it is about.
    public var subject: VerifySubject

    /// The position of the entry, if it is about one.
    public var position: UInt64?

    /// What is wrong, as a sentence without a full stop.
    public var what: String

    /// Creates a finding.
    public init(_ subject: VerifySubject, at position: UInt64? = nil, _ what: String) {
        self.subject = subject
        self.position = position
        self.what = what
    }
}

extension VerifyFinding {
    /// Takes over what an audit found.
    init(_ finding: AuditFinding) {
        let subject: VerifySubject =
            switch finding.part {
            case .entries: .log
            case .index: .index
            case .head: .head
            }
        self.init(subject, at: finding.position, finding.what)
    }
}

/// Something that a check has confirmed.
public struct VerifyFact: Hashable, Sendable {
    /// What it is about.
    public var subject: VerifySubject

    /// What holds, as a sentence without a full stop.
    public var what: String

    /// Creates a fact.
    public init(_ subject: VerifySubject, _ what: String) {
        self.subject = subject
        self.what = what
    }
}

/// What a finding or a fact of a check is about.
public enum VerifySubject: String, CaseIterable, Sendable {
    /// Entries and their positions, as they are stored.
    case log

    /// What is stored beside the entries: roots of subtrees, indexes, sources, the log's state.
    case index

    /// What is derived from the log: trips, totals and routines.
    case views

    /// A signed tree head.
    case head

    /// The cosignature of a witness.
    case witness

    /// An inclusion or consistency proof.
    case proof

    /// An entry that a proof is about.
    case entry

    /// A copy of the log in files.
    case export

    /// An auditor's bundle: its manifest and its files.
    case bundle

    /// A report in a bundle, beside what the evidence gives.
    case report

    /// The check itself: the process that reads the data, its input.
    case check
}
