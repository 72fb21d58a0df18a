import Importers
import Platform
import TripEvents
import TripLedger

/// The messages of `ledger append` while it works.
///
/// A fault that many lines of an input share is reported once, with its first line, and counted.
///
/// A class, because the intake tells it about lines while it also reads them.
final class AppendReport {
    /// An input whose lines are reported.
    struct Input {
        /// Its name, as receipts have it.
        let name: String

        /// Its format.
        let format: ImportFormat

        /// Its first bytes.
        let head: [UInt8]
    }

    /// How many faults are shown in full, each with its first line.
    private static let shownProblems = 20

    /// The most tables for which a cure is named.
    private static let mostCures = 3

    /// Whether a file could not be read to its end.
    private(set) var hasUnreadable = false

    /// Whether a file had nothing in it.
    private(set) var hasEmpty = false

    /// The notes on inputs in other formats.
    var notes = ImportNotes()

    private let output: Output
    private let showsReceipts: Bool
    private let isDryRun: Bool
    private var problems = 0

    /// The inputs by their names: what they consist of, and what to do if that is not events.
    private var inputs: [String: (noun: Noun, cure: String?)] = [:]

    /// The faults that were shown, in their order, with how many more lines have each.
    private var shown: [Fault] = []
    private var repeats: [Fault: LineRanges] = [:]

    /// How many lines have faults that are not shown.
    private var unshown = 0

    /// Whether a line has a fault; faults of records in other formats do not count.
    private var hasBadLines = false

    /// Whether a faulty line is not from a table, so that a pointer to the form of events helps.
    private var hasBadEvents = false

    /// Whether an event names no source.
    private var lacksSource = false

    /// What helps with faults of tables, in the order in which they were read.
    private var cures: [String] = []

    /// What an input consists of.
    private enum Noun {
        case line, record

        func counted(_ count: Int, more: String = "") -> String {
            switch self {
            case .line: Count.text(count, "\(more)line", "\(more)lines")
            case .record: Count.text(count, "\(more)record", "\(more)records")
            }
        }
    }

    /// A fault that many lines of an input may have.
    private struct Fault: Hashable {
        let file: String
        let code: String
        let field: String?
        let noun: Noun

        init?(_ answer: LineReceipt, _ noun: Noun) {
            switch answer.receipt {
            case .rejected(let rejection):
                (code, field) = (rejection.code.rawValue, rejection.field)
            case .conflict: (code, field) = ("conflict", nil)
            case .appended, .duplicate, .heldBack, .passedOver: return nil
            }
            file = answer.file
            self.noun = noun
        }
    }

    private let meter = ProgressMeter()

    /// Gets the same messages as lines of JSON, for a server to show; `nil` on a command line.
    private let lines: DropLines?

    init(on output: Output, showsReceipts: Bool, isDryRun: Bool, _ lines: DropLines? = nil) {
        self.output = output
        self.showsReceipts = showsReceipts
        self.isDryRun = isDryRun
        self.lines = lines
    }

    /// Begins with the next input; the size of its file may be known.
    func begin(_ input: Input, fileByteCount: Int64?) {
        meter.totalBytes = fileByteCount
        let isTable =
            input.format == .csv || input.format == .jsonl && MapProposal.mayBeTable(input.head)
        inputs[input.name] = (
            input.format == .jsonl ? .line : .record,
            isTable ? MapProposal.cure(for: input.name) : nil
        )
    }

    /// Reports the outcome of a line.
    func add(_ answer: LineReceipt) throws {
        if showsReceipts { return try output.writeLine(json: answer) }
        let input = inputs[answer.file] ?? (.line, nil)
        guard let fault = Fault(answer, input.noun) else { return }
        problems += 1
        guard repeats[fault]?.add(answer.line) == nil else { return }
        if fault.noun == .line { hasBadLines = true }
        if fault.code == RejectionCode.missingField.rawValue, fault.field == "source" {
            lacksSource = true
        }
        if let cure = input.cure {
            if !cures.contains(cure) { cures.append(cure) }
        } else if fault.noun == .line {
            hasBadEvents = true
        }
        guard shown.count < Self.shownProblems, let problem = LineProblem(answer) else {
            unshown += 1
            return
        }
        shown.append(fault)
        repeats[fault] = LineRanges()
        if let lines { return try lines.tell(answer) }
        meter.clear()
        Diagnostic.write(problem.text)
    }

    /// Says why a file could not be read to its end.
    func add(_ error: LedgerError) throws {
        hasUnreadable = true
        if let lines { return try lines.tell(unreadable: error) }
        clear()
        Diagnostic.write(Diagnostic(error).text)
    }

    /// Notes that a file is empty; on a command line, that was reported when it was read.
    func addEmpty() throws {
        hasEmpty = true
        let cause = UnknownInput.empty.what
        try lines?.tell(unreadable: LedgerError(.unreadableInput, at: "", cause: cause))
    }

    /// Passes on the receipts of a commit, and reports the progress.
    func progress(_ progress: Intake.Progress) throws {
        if showsReceipts { try output.flush() }
        if let lines { return try lines.tell(progress, of: meter.totalBytes) }
        meter.show(progress)
    }

    /// Reports how much of a file has been read for its SHA-256.
    func progress(hashing byteCount: Int64) {
        meter.show(hashing: byteCount)
    }

    /// Reports the outcome of the lines that were not appended, and what to do.
    func finish(_ summary: IntakeSummary) {
        clear()
        guard problems > 0 else { return }
        for fault in shown {
            guard let lines = repeats[fault], lines.count > 0 else { continue }
            let more = fault.noun.counted(lines.count, more: "more ")
            Diagnostic.say(
                "ledger: error: \(Excerpt.escaped(fault.file)): \(more) like that "
                    + "(\(fault.code)): \(lines.text)\n"
            )
        }
        if unshown > 0 {
            let lines = (hasBadLines ? Noun.line : .record).counted(unshown, more: "more ")
            Diagnostic.say("ledger: error: \(lines) with other faults\n")
        }
        var sentences = [outcome(summary)] + cures.prefix(Self.mostCures)
        if lacksSource { sentences.append("`--source NAME` says it for all that name none") }
        if hasBadEvents { sentences.append("See `ledger schema event`") }
        Diagnostic.say(sentences.map { $0 + "." }.joined(separator: " ") + "\n")
    }

    /// Clears the progress line from the terminal, so that other text can be written.
    func clear() {
        meter.clear()
    }

    private func outcome(_ summary: IntakeSummary) -> String {
        let (one, many) = isDryRun ? ("would be", "would be") : ("was", "were")
        if summary.heldBack > 0 {
            let events = Count.text(summary.heldBack, "other event", "other events")
            let verb = summary.heldBack == 1 ? one : many
            return "Nothing \(one) appended; \(events) \(verb) held back"
        }
        let noun = hasBadLines ? "line" : "record"
        let verb = hasBadLines ? "skipped" : "left out"
        let skipped =
            problems == 1 ? "The \(noun) \(one) \(verb)" : "The \(noun)s \(many) \(verb)"
        switch summary.appended {
        case 0: return "\(skipped); no other \(one) appended"
        case 1: return "\(skipped); 1 other \(one) appended"
        default: return "\(skipped); \(summary.appended) others \(many) appended"
        }
    }
}

/// The numbers of lines, in ranges, of which the first are named.
struct LineRanges {
    /// How many lines there are.
    private(set) var count = 0

    private var ranges: [ClosedRange<Int>] = []

    /// How many ranges are named.
    private static let mostRanges = 5

    /// Adds a line.
    mutating func add(_ line: Int) {
        count += 1
        if let last = ranges.last, last.upperBound + 1 == line {
            ranges[ranges.count - 1] = last.lowerBound...line
        } else if ranges.count <= Self.mostRanges {
            ranges.append(line...line)
        }
    }

    /// The numbers, such as `3, 5-17, ...`.
    var text: String {
        let named = ranges.prefix(Self.mostRanges)
            .map { range in
                range.count == 1
                    ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
            }
        return (named + (ranges.count > Self.mostRanges ? ["..."] : [])).joined(separator: ", ")
    }
}
