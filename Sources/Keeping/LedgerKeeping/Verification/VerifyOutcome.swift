import EventStore

/// The outcome of a check: what is wrong, what could not be told, and what holds.
///
/// All findings are counted, but only the first thousand are kept, so that a ruined ledger needs no
/// more memory than a sound one.
public struct VerifyOutcome: Hashable, Sendable {
    /// The answer in one word.
    public enum Verdict: String, CaseIterable, Sendable {
        /// Everything that was checked is as it should be, and a head or a key that did not come
        /// with it vouches for it.
        case verified

        /// Nothing is damaged, which is all that was asked.
        case sound

        /// Everything fits together, and nothing that came from elsewhere vouches for it: all of it
        /// may have been made up.
        case consistent

        /// Something is wrong.
        case damaged

        /// Nothing wrong was found, but not everything that was asked for could be checked.
        case couldNotTell = "could_not_tell"
    }

    /// What is asked of the thing that is checked.
    public enum Question: Hashable, Sendable {
        /// Whether it is damaged: of a ledger, a backup or a rescued log, which its owner has.
        case damage

        /// Whether it is what its owner handed over: of everything else.
        case origin
    }

    /// The evidence for the checked thing that did not come with it, the strongest first.
    public enum Voucher: String, CaseIterable, Sendable {
        /// An older head, from paper or a file.
        case head

        /// The owner's verifier key, by which everything is signed.
        case key

        /// A witness's verifier key.
        case witness
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

    /// What is only claimed: the thing that is checked says it, and nothing was compared with it;
    /// each as a sentence without a full stop.
    public private(set) var claims: [String] = []

    /// The rates that a claim uses and that only the ledger has; every answer includes them.
    public private(set) var ownRates: [LedgersOwnRate] = []

    /// How many printed reports cannot be made again, and are not signed with a key that is
    /// trusted; every answer includes them.
    public private(set) var unvouchedPrints = 0

    /// What vouches for all that was checked, but for these prints; `nil` if nothing does.
    public private(set) var vouchedBy: Voucher?

    /// What is asked.
    public let question: Question

    /// Creates the outcome of a check that has found nothing yet.
    public init(_ question: Question = .damage) {
        self.question = question
    }

    /// The answer: anything wrong outweighs doubts, and doubts outweigh what holds.
    public var verdict: Verdict {
        if findingCount > 0 { return .damaged }
        if !doubts.isEmpty { return .couldNotTell }
        switch question {
        case .damage: return .sound
        case .origin: return vouchedBy == nil ? .consistent : .verified
        }
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

    /// Notes what is only claimed.
    public mutating func claim(_ what: String) {
        claims.append(what)
    }

    /// Notes printed reports that nothing was compared with.
    mutating func noteUnvouchedPrints(_ count: Int) {
        unvouchedPrints += count
    }

    /// Notes that a claim uses a rate that only the ledger has.
    ///
    /// If it replaces a rate of the program, the check cannot tell which of the two the claim
    /// should use.
    public mutating func note(_ rate: LedgersOwnRate) {
        ownRates.append(rate)
        guard rate.official != nil else { return }
        doubt("whether the claim may go by the rate \(rate.id): it is the owner's own")
    }

    /// Notes what vouches for all that was checked; of several, the first counts.
    public mutating func vouch(_ voucher: Voucher) {
        let known = vouchedBy ?? voucher
        vouchedBy = Voucher.allCases.first { $0 == known || $0 == voucher }
    }

    /// Adds the outcome of another part of the check.
    public mutating func add(_ other: VerifyOutcome) {
        for finding in other.findings { report(finding) }
        findingCount += other.findingCount - UInt64(other.findings.count)
        if let position = other.firstBadPosition {
            firstBadPosition = min(position, firstBadPosition ?? position)
        }
        doubts += other.doubts
        facts += other.facts
        claims += other.claims
        ownRates += other.ownRates
        unvouchedPrints += other.unvouchedPrints
        if let voucher = other.vouchedBy { vouch(voucher) }
    }
}

/// Something that is wrong: changed, damaged, missing, or not what was signed.
public struct VerifyFinding: Hashable, Sendable {
    /// The subject.
    public var subject: VerifySubject

    /// The position of the entry, if it is about one.
    public var position: UInt64?

    /// What is wrong, as a sentence without a full stop.
    public var what: String

    /// What is wrong and where, as a sentence without a full stop.
    public var sentence: String {
        guard let position, !what.hasPrefix("position") else { return what }
        return "position \(position): \(what)"
    }

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
    /// The subject.
    public var subject: VerifySubject

    /// What holds, as a sentence without a full stop.
    public var what: String

    /// Creates a fact.
    public init(_ subject: VerifySubject, _ what: String) {
        self.subject = subject
        self.what = what
    }
}

/// The subject of a finding or of a fact.
public enum VerifySubject: String, CaseIterable, Sendable {
    /// Entries and their positions, as they are stored.
    case log

    /// The data beside the entries: roots of subtrees, indexes, sources, the log's state.
    case index

    /// The views, which are derived from the log: trips, totals and routines.
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

    /// The rates in a bundle, beside those of the program and of the evidence.
    case rates

    /// The check itself: the process that reads the data, its input.
    case check
}
