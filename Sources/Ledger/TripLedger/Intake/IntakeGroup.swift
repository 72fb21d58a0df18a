import EventStore
import TripEvents

/// Lines that are stored in one transaction and answered after it, with their events.
///
/// Of a line with an event, only the event is kept: its place follows from the number of lines
/// before it.
struct IntakeGroup {
    /// The most lines of one transaction.
    static let maximumCount = 10_000

    /// The bytes of entries after which a transaction takes no more events, so that memory
    /// does not grow with what senders write.
    static let maximumByteCount = 4 << 20

    /// The sources after which the group forgets their names with its lines.
    private static let mostSources = 1 << 16

    /// The place of a line.
    struct Place {
        var file: String
        var line: Int
    }

    /// A line that is no acceptable event.
    struct Refusal {
        /// The number of the line in the group.
        var index: Int

        /// The reason.
        var rejection: Rejection

        /// The beginning of the line, escaped and shortened.
        var excerpt: String

        /// The answer to the line.
        var receipt: Receipt {
            rejection.code == .nothingToAppend ? .passedOver : .rejected(rejection)
        }
    }

    /// The extra members of an event.
    struct Extra {
        /// The index of the event in the batch.
        var eventIndex: Int

        /// The names of the members, if they are to be told.
        var extra: KeptExtra
    }

    /// Lines of one file that follow one another.
    private struct Run {
        /// The number of the first line in the group.
        var start: Int

        /// The place of that line.
        var place: Place
    }

    /// The number of lines.
    private(set) var count = 0

    /// The lines that are no acceptable events, in order.
    private(set) var refusals: [Refusal] = []

    /// The extra members of the events that have any, in order.
    private(set) var extras: [Extra] = []

    /// The events of the other lines, in order.
    var batch = EntryBatch()

    /// The origins of the events, if the log remembers them.
    private(set) var trail = OriginTrail()

    /// The indexes of the events in the batch that are decisions about trips.
    private(set) var decisions: [Int] = []

    private var runs: [Run] = []
    private var byteCount = 0

    /// For the number that the reader gives a source, its index in the batch, once it has one.
    private var sourceIndexes: [UInt32?] = []

    /// Whether the group takes no more lines.
    var isFull: Bool {
        count >= Self.maximumCount || byteCount >= Self.maximumByteCount
    }

    /// Says where the next line stands; those that follow stand below it.
    mutating func begin(at place: Place) {
        if runs.last?.start == count { runs.removeLast() }
        runs.append(Run(start: count, place: place))
    }

    /// Adds the event that a reader has just read.
    mutating func append(_ candidate: borrowing EventCandidate) {
        batch.append(
            sourceIndex: sourceIndex(of: candidate),
            kind: candidate.kind.rawValue,
            form: candidate.form.rawValue,
            occurredAt: candidate.occurredAt.milliseconds,
            id: candidate.form.hasID ? candidate.id.span : Span(),
            payload: candidate.payload.span
        )
        byteCount += candidate.entryBytes
        count += 1
    }

    /// Notes that the event that was added last is a decision about trips.
    mutating func noteDecision() {
        decisions.append(batch.count - 1)
    }

    /// Notes from which record the event that was added last comes.
    mutating func noteOrigin(_ origin: InputOrigin, record: UInt64) {
        trail.add(batch.count - 1, from: origin, record: record)
    }

    /// Adds a line that is no acceptable event.
    mutating func refuse(_ rejection: Rejection, excerpt: String) {
        refusals.append(Refusal(index: count, rejection: rejection, excerpt: excerpt))
        count += 1
    }

    /// Notes what is extra in the event that was added last.
    mutating func noteExtra(_ extra: KeptExtra) {
        extras.append(Extra(eventIndex: count - refusals.count - 1, extra: extra))
    }

    /// Leaves out a line that is not answered: the next one stands below it.
    mutating func skipLine() {
        let place = place(of: count)
        begin(at: Place(file: place.file, line: place.line + 1))
    }

    /// Whether a line is not acceptable.
    var hasRejections: Bool {
        refusals.contains { $0.rejection.code != .nothingToAppend }
    }

    /// Returns where a line of the group stands.
    func place(of index: Int) -> Place {
        // The last that does not begin after it.
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].start <= index { low = middle + 1 } else { high = middle }
        }
        precondition(low > 0, "a group begins with a place")
        let run = runs[low - 1]
        return Place(file: run.place.file, line: run.place.line + index - run.start)
    }

    /// Returns where the line of an event of the batch stands.
    func place(ofEvent index: Int) -> Place {
        var line = index
        for refusal in refusals where refusal.index <= line { line += 1 }
        return place(of: line)
    }

    /// Forgets all lines and keeps the memory.
    mutating func removeAll() {
        count = 0
        byteCount = 0
        runs.removeAll(keepingCapacity: true)
        trail.removeAll()
        decisions.removeAll(keepingCapacity: true)
        refusals.removeAll(keepingCapacity: true)
        extras.removeAll(keepingCapacity: true)
        if batch.sources.count < Self.mostSources {
            batch.removeAll()
        } else {
            batch = EntryBatch()
            sourceIndexes = []
        }
    }

    private mutating func sourceIndex(of candidate: borrowing EventCandidate) -> Int {
        let number = candidate.sourceNumber
        if number < sourceIndexes.count, let index = sourceIndexes[number] { return Int(index) }
        if number >= sourceIndexes.count {
            let missing = number + 1 - sourceIndexes.count
            sourceIndexes.append(contentsOf: repeatElement(nil, count: missing))
        }
        let index = batch.index(ofSource: candidate.source, group: candidate.group)
        sourceIndexes[number] = UInt32(index)
        return index
    }
}
