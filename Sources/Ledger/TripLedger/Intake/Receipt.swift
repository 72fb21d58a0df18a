public import TripEvents

/// The ledger's answer to one event.
///
/// It is given only when it is true on disk.
public enum Receipt: Hashable, Sendable {
    /// The event is stored at this position.
    case appended(position: UInt64)

    /// The same event was stored before, at this position.
    case duplicate(of: UInt64)

    /// Another event with this sender's id is stored at this position; the fields differ.
    case conflict(with: UInt64, fields: [String])

    /// The event is not acceptable.
    case rejected(Rejection)

    /// The event was acceptable, but all-or-nothing was asked for and another one was not.
    case heldBack

    /// The line is an entry that another ledger wrote about itself, or whose content is gone: there
    /// is nothing to append.
    case passedOver

    /// The position of the event in the log; `nil` if it is not there.
    public var storedPosition: UInt64? {
        switch self {
        case .appended(let position), .duplicate(let position): position
        case .conflict, .rejected, .heldBack, .passedOver: nil
        }
    }

    /// Whether the event is in the log.
    public var isStored: Bool { storedPosition != nil }

    /// The answer without regard to fields that the sender left to others to fill in: an event that
    /// differs from the stored one in nothing else is the same, and a conflict that remains does
    /// not name these fields.
    func disregarding(_ fields: Set<String>) -> Receipt {
        guard case .conflict(let position, let names) = self, !names.isEmpty else { return self }
        let rest = names.filter { !fields.contains($0) }
        return rest.isEmpty ? .duplicate(of: position) : .conflict(with: position, fields: rest)
    }

    /// Whether there was an event to store, and it is not in the log.
    public var isComplaint: Bool {
        switch self {
        case .appended, .duplicate, .passedOver: false
        case .conflict, .rejected, .heldBack: true
        }
    }
}

/// The answer to one line of input.
public struct LineReceipt: Hashable, Sendable {
    /// The file's name, `-` for standard input.
    public var file: String

    /// The line's number, from 1.
    public var line: Int

    /// The answer.
    public var receipt: Receipt

    /// The members of the event that its type does not have, and that were kept.
    public var extra: KeptExtra

    /// The beginning of the line, for showing beside a rejection; escaped and shortened.
    public var excerpt: String

    /// Creates an answer.
    public init(
        file: String,
        line: Int,
        receipt: Receipt,
        extra: KeptExtra = KeptExtra(),
        excerpt: String = ""
    ) {
        self.file = file
        self.line = line
        self.receipt = receipt
        self.extra = extra
        self.excerpt = excerpt
    }
}

/// The sums over everything that was read.
public struct IntakeSummary: Hashable, Sendable {
    /// Lines read, blank ones too.
    public var read = 0

    /// Events stored.
    public var appended = 0

    /// Events that were there already.
    public var duplicate = 0

    /// Events whose id another event has.
    public var conflict = 0

    /// Lines that are no acceptable event.
    public var rejected = 0

    /// Events held back because all-or-nothing was asked for.
    public var heldBack = 0

    /// Lines that another ledger wrote about itself, or whose content is gone.
    public var passedOver = 0

    /// Lines with nothing but white space, which are not answered.
    public var blank = 0

    /// Records of other formats that a ledger has no use for, by their kind.
    ///
    /// At most a hundred kinds are told apart; the others are `other`.
    public private(set) var ignored: [String: Int] = [:]

    /// Lines that are no acceptable event, by what is wrong with them.
    public private(set) var rejections: [RejectionCode: Int] = [:]

    /// Events in the log with members that their types do not have, and that were kept.
    public var withExtra = 0

    /// The names of such members, with how many events have each; at most a hundred names.
    public private(set) var extraNames: [String: Int] = [:]

    /// Members that were kept and were perhaps meant to be others, with how often; at most a
    /// hundred names.
    public private(set) var misspellings: [KeptExtra.Misspelling: Int] = [:]

    /// Lines that have such members.
    public private(set) var misspelt = 0

    /// Whether nothing was read that starts trips but fixes: no press, no motion and no decision.
    public var hasOnlyFixes = true

    /// The positions of the decisions that were stored and may have no effect; of more than ten
    /// thousand, those of the first.
    public private(set) var decisions: [UInt64] = []

    /// Whether a fix is more than a minute earlier than the one of its source right before it: the
    /// clock may have gone back.
    public var hasFixesOutOfOrder = false

    /// When the events happened that files in other formats hold, by their sources; of all inputs,
    /// if that was asked for.
    public private(set) var stretches: [NameKey: SourceStretch] = [:]

    /// The log's head after the last commit.
    public var head: LedgerHead

    /// Creates a summary of nothing read.
    public init(head: LedgerHead) {
        self.head = head
    }

    /// Whether every line is in the log now.
    public var isComplete: Bool {
        conflict == 0 && rejected == 0 && heldBack == 0
    }

    /// Notes events of a source.
    mutating func note(_ stretch: SourceStretch, of source: String) {
        let key = NameKey(source)
        stretches[key] = stretches[key].map { $0 + stretch } ?? stretch
    }

    /// Notes that a decision that may have no effect was stored at a position.
    mutating func noteDecision(at position: UInt64) {
        if decisions.count < Self.mostDecisions { decisions.append(position) }
    }

    private static let mostDecisions = 10_000

    /// Counts a line that is not answered.
    mutating func countBlankLine() {
        read += 1
        blank += 1
    }

    /// Counts a record that a ledger has no use for.
    mutating func countIgnored(_ kind: String) {
        read += 1
        let isKnown = ignored[kind] != nil || ignored.count < Self.mostKinds
        ignored[isKnown ? kind : "other", default: 0] += 1
    }

    private static let mostKinds = 100

    /// Counts the members of a line that were perhaps meant to be others.
    mutating func count(_ found: [KeptExtra.Misspelling]) {
        guard !found.isEmpty else { return }
        misspelt += 1
        for misspelling in found
        where misspellings.count < Self.mostKinds || misspellings[misspelling] != nil {
            misspellings[misspelling, default: 0] += 1
        }
    }

    /// Counts an answer.
    mutating func count(_ receipt: Receipt, withExtra names: [String]) {
        read += 1
        if !names.isEmpty { withExtra += 1 }
        for name in names where extraNames.count < Self.mostKinds || extraNames[name] != nil {
            extraNames[name, default: 0] += 1
        }
        switch receipt {
        case .appended: appended += 1
        case .duplicate: duplicate += 1
        case .conflict: conflict += 1
        case .rejected(let rejection):
            rejected += 1
            rejections[rejection.code, default: 0] += 1
        case .heldBack: heldBack += 1
        case .passedOver: passedOver += 1
        }
    }
}

/// Members of an event that were kept because its type does not have them.
public struct KeptExtra: Hashable, Sendable {
    /// A member that was perhaps meant to be another one.
    public struct Misspelling: Hashable, Sendable {
        /// The member's name as it was sent.
        public var name: String

        /// The member that the line does not have and its type does.
        public var meant: String
    }

    /// The names of the members, in the order in which they were sent.
    public var names: [String] = []

    /// Those that were perhaps meant to be others.
    public var misspellings: [Misspelling] = []

    /// Creates a value for an event that has no such members.
    public init() {}
}

/// Looks for members that were misspelt, and remembers the names that it has looked at.
struct Spellings {
    /// How many names are remembered, so that memory does not grow with their number.
    private static let mostNames = 1_000

    private struct Name: Hashable {
        var kind: EventKind
        var name: String
    }

    private var members: [Name: [String]] = [:]

    /// Returns what is extra in the event that a reader has just read.
    mutating func extra(of reader: borrowing EventLineReader) -> KeptExtra {
        var extra = KeptExtra()
        extra.names = reader.candidate.extraNames
        for name in reader.candidate.strayNames {
            let known = members(perhapsMeantBy: name, in: reader.candidate.kind)
            guard let meant = known.first(where: { !reader.hadMember(named: $0) }) else { continue }
            extra.misspellings.append(KeptExtra.Misspelling(name: name, meant: meant))
        }
        return extra
    }

    private mutating func members(
        perhapsMeantBy name: String,
        in kind: EventKind
    ) -> [String] {
        let key = Name(kind: kind, name: name)
        if let known = members[key] { return known }
        if members.count == Self.mostNames { members.removeAll(keepingCapacity: true) }
        let found = kind.members(perhapsMeantBy: name)
        members[key] = found
        return found
    }
}

/// The events of a source in what is taken in.
public struct SourceStretch: Hashable, Sendable {
    /// The times of the first and the last.
    public var times: ClosedRange<Timestamp>

    /// How many there are.
    public var count: Int

    /// Whether all are from files in other formats.
    public var isImported: Bool

    /// Joins both.
    static func + (one: SourceStretch, other: SourceStretch) -> SourceStretch {
        let first = min(one.times.lowerBound, other.times.lowerBound)
        return SourceStretch(
            times: first...max(one.times.upperBound, other.times.upperBound),
            count: one.count + other.count,
            isImported: one.isImported && other.isImported
        )
    }
}

/// Notes when events happen as they are read, most of them by the source of the last one.
struct StretchNotes: Sendable {
    /// The events of the last source that are not yet in the summary.
    private var last: (number: Int, source: String, events: SourceStretch)?

    /// Notes the event that a reader has just read.
    mutating func note(
        _ candidate: borrowing EventCandidate,
        isImported: Bool,
        in summary: inout IntakeSummary
    ) {
        let time = candidate.occurredAt
        let event = SourceStretch(times: time...time, count: 1, isImported: isImported)
        if let known = last, known.number == candidate.sourceNumber {
            last?.events = known.events + event
        } else {
            flush(into: &summary)
            let source = Ledger.storedName(ofSource: candidate.source, in: candidate.group)
            last = (candidate.sourceNumber, source, event)
        }
    }

    /// Adds what is not yet in the summary.
    mutating func flush(into summary: inout IntakeSummary) {
        if let last { summary.note(last.events, of: last.source) }
        last = nil
    }
}

/// A remark on what was taken in that is not the answer to a single event.
public struct IntakeNote: Hashable, Sendable {
    /// What it is about, for programs.
    public let kind: String

    /// The sentence for people, without its full stop.
    public let text: String

    /// Creates a note.
    public init(kind: String, text: String) {
        self.kind = kind
        self.text = text
    }
}

extension IntakeSummary {
    /// How many names of members are named at most.
    private static let mostNames = 5

    /// The words about members that were kept and were perhaps meant to be others, in one sentence
    /// however many lines have them; `nil` if there are none.
    public var misspeltNote: IntakeNote? {
        guard misspelt > 0 else { return nil }
        let found = misspellings.sorted { one, other in
            (other.value, one.key.name, one.key.meant) < (
                one.value, other.key.name, other.key.meant
            )
        }
        let named = found.prefix(Self.mostNames).map(\.key)
        let names = named.map { Excerpt.escaped($0.name) }.joined(separator: ", ")
        let meant = named.map(\.meant).joined(separator: ", ")
        let rest = found.count > named.count ? ", and \(found.count - named.count) others" : ""
        let lines =
            misspelt == 1
            ? "1 line has members that its type does not have"
            : "\(misspelt) lines have members that their type does not have"
        return IntakeNote(
            kind: "misspelt",
            text: "\(lines): \(names) (did you mean \(meant)?)\(rest)"
        )
    }
}
